// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// What one core can do at most.

// Multiply-adds of single precision that the lanes in use complete in a pass of wkPassFma, which keeps both
// multipliers of a core busy from registers alone.
#define WK_FMA_PASS 4000000.0

// Takes no context.
void wkPassFma(void* context);
