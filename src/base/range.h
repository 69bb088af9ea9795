// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// Numbers of a caller's, and the ranges they must lie in.

#include "whisker/base.h"

#include <stddef.h>

// A number by its name; both ends belong to the range.
typedef struct wkNamedNumber {
    const char* name;
    double value;
    double lowest;
    double highest;
} wkNamedNumber;

// The first number outside of its range is an error that names it: "scan: decay is 2, must be 0 to
// 1". NaN is in no range.
wkResult wkCheckNumbers(const char* what, const wkNamedNumber* numbers, size_t count);
