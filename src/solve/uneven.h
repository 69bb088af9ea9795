// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "solve/pair.h"

// Two polytopes, one of them much smaller than the other (wkPair.isUneven). Answers are the same for
// every question about them, whatever the cache holds.
wkSolveFcn wkSolveUneven;
