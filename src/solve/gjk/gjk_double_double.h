// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "solve/pair.h"

// Solves two cores for which double precision is not sufficient: one is much smaller than the other
// (wkPair.isFine), or they are thin, or nearly parallel, or only touch. The answer is the same for every
// query about them, whatever the cache holds.
wkSolveFcn wkSolveFinely;
