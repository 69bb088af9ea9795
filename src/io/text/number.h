// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// Number types of binary files.

#include "io/file/bytes.h"

#include <stddef.h>

typedef enum wkIoNumber {
    wk_numberInt8,
    wk_numberUint8,
    wk_numberInt16,
    wk_numberUint16,
    wk_numberInt32,
    wk_numberUint32,
    wk_numberInt64,
    wk_numberUint64,
    wk_numberFloat, // floating-point types from here on
    wk_numberDouble,
    wk_numberCount,
} wkIoNumber;

// Returns the size of a number in bytes.
size_t wkIoNumberBytes(wkIoNumber type);

// Finds a type by its kind, 'I', 'U' or 'F', and its bytes; wk_numberCount when there is none.
wkIoNumber wkIoFindNumber(char kind, int64_t byteCount);

// Reads the number at `at`, its most significant byte first when `isBig`.
double wkIoLoadNumber(const uint8_t* at, wkIoNumber type, bool isBig);
