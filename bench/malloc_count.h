// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// Calls of the C library's allocation functions by this whole program so far; -1 where they cannot
// be counted (another C library, a sanitizer, or beside peers, whose times counting would touch).
long wkMallocCount(void);
