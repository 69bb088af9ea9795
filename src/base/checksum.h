// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// A number that changes with the content of a block: detects damage, not forgery.

#include <stddef.h>
#include <stdint.h>

uint64_t wkChecksum(const void* memory, size_t byteCount);
