// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// Range checks of numbers that a caller passes.

#include "whisker/base.h"

#include <stddef.h>

// A number with its name and range; both ends belong to the range.
typedef struct wkNamedNumber {
    const char* name;
    double value;
    double lowest;
    double highest;
} wkNamedNumber;

// Fails at the first number outside its range, with an error that names it: "scan: decay is 2, must be 0 to
// 1". NaN is in no range.
wkResult wkCheckNumbers(const char* what, const wkNamedNumber* numbers, size_t count);
