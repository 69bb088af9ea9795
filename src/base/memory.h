// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// All memory of the library is allocated here; queries never allocate.

#include "whisker/base.h"

// Returns 64-byte aligned memory with undefined content, or NULL.
void* wkAlloc(size_t byteCount);

// Frees memory; NULL is allowed. `byteCount` is the size it was allocated with.
void wkFree(void* memory, size_t byteCount);
