// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// Contacts of a touching pair, in the world, deepest first.

#include "solve/pair_frame.h"

// Writes at most `capacity` contacts no further apart than the question's cutoff and
// returns their number, at least 1. `framed` is the pair in the frame of A as the solver left it; NULL for
// closed forms, which work in the world.
int32_t wkMakeContacts(const wkQuestion* question, const wkPairInFrame* framed,
                       const wkDistanceResult* answer, bool isSwapped, wkContact* contacts,
                       int32_t capacity);
