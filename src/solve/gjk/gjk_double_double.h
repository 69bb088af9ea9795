// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "solve/pair.h"

// Two cores for which doubles are too short: one is much smaller than the other (wkPair.isFine), or
// they are thin, or all but parallel, or do no more than touch. Answers are the same for every
// question about them, whatever the cache holds.
wkSolveFcn wkSolveFinely;
