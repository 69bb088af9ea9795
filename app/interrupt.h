// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// Signals that end a long run: Ctrl-C, termination, a closed terminal. A run that watches them ends cleanly
// and keeps its results so far.

#include <stdbool.h>

// Starts watching: the first such signal is recorded; a second one ends the process at once.
void wkInterrupt_Watch(void);

// Returns true when a signal has been received.
bool wkInterrupt_HasCome(void);
