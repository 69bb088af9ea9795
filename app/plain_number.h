// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// Numbers as text, with a decimal point under every locale.

#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>

// Reads a finite number; the whole text must be a number.
bool wkReadNumber(const char* text, double* number);

// Writes the shortest decimal form that reads back as the same double; integers without a point.
// @return its length
#define WK_NUMBER_CAPACITY 40
size_t wkWriteNumber(double number, char text[WK_NUMBER_CAPACITY]);

// Formats as vsnprintf, with decimal points.
void wkFormatPlain(char* text, size_t capacity, const char* format, va_list arguments)
    __attribute__((format(printf, 3, 0)));
