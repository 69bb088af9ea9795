// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// What a check of configurations includes, as bits.
typedef enum wkCheckBits {
    wk_checkSelf = 1,
    wk_checkWorld = 2,
    wk_checkDepth = 4,
    wk_checkLimits = 8,
} wkCheckBits;
