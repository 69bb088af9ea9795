// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// Numbers as text, with a decimal point under every locale.

#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>

// A finite number that takes up all of the text.
bool wkReadNumber(const char* text, double* number);

// The shortest decimal form that reads back as the same double; whole numbers without a point.
// @return its length
#define WK_NUMBER_CAPACITY 40
size_t wkWriteNumber(double number, char text[WK_NUMBER_CAPACITY]);

// As vsnprintf, with decimal points.
void wkFormatPlain(char* text, size_t capacity, const char* format, va_list arguments)
    __attribute__((format(printf, 3, 0)));
