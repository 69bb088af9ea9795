// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// Contacts of a touching pair, in the world, deepest first.

#include "solve/pair.h"

// Writes at most `capacity` contacts no further apart than the question's cutoff and
// returns their number, at least 1.
int32_t wkMakeContacts(const wkQuestion* question, const wkDistanceResult* answer, bool isSwapped,
                       wkContact* contacts, int32_t capacity);
