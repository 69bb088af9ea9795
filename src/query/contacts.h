// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// Contacts of a touching pair, in the world, deepest first.

#include "query/prepare.h"

// Writes at most `capacity` contacts no further apart than `margin` and returns their number, at least 1.
int32_t wkMakeContacts(const wkPrepared* prepared, const wkSolution* solution, double margin,
                       wkContact* contacts, int32_t capacity);
