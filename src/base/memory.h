// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// All memory of the library passes through here; queries never do.

#include "whisker/base.h"

// 64-byte aligned memory with undefined content, or NULL.
void* wkAlloc(size_t byteCount);

// Gives memory back; NULL is fine. `byteCount` is the one it was taken with.
void wkFree(void* memory, size_t byteCount);
