// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// Signals that ask a long run to end: Ctrl-C, termination, a terminal that is closed. A run that watches
// them ends in order, with what it has done so far.

#include <stdbool.h>

// From now on the first such signal is noted; a second one ends the process at once.
void wkInterrupt_Watch(void);

// True when one has come.
bool wkInterrupt_HasCome(void);
