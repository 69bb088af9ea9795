// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// Stands in front of the C library's allocation functions, for the program and the libraries it
// uses: counts the calls, and makes one of them fail on demand. For one thread at a time.

#include <stdbool.h>

// False where the functions cannot be replaced: sanitizers, other C libraries.
bool wkHasMallocHook(void);

// Calls so far.
long wkMallocCalls(void);

// The call after `count` more of them returns NULL, once; negative: none does.
void wkFailMallocAfter(long count);
