// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// Reads numbers from text: correctly rounded, and the same under every locale.

#include "base/compiler.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// Reads a decimal number, "inf" or "nan" at `at`. Returns its end, or NULL when there is no number. A number
// above the range of double becomes infinite.
const char* wkIoParseNumber(const char* at, const char* end, double* value);

// Reads an integer; one out of range becomes the largest or smallest int64_t.
const char* wkIoParseInteger(const char* at, const char* end, int64_t* value);

WK_FN bool wkIoIsDigit(char c)
{
    return (unsigned char)(c - '0') < 10;
}

// Returns a letter in lower case, and any other character unchanged.
WK_FN int wkIoLowerCase(char c)
{
    return c >= 'A' && c <= 'Z' ? c + ('a' - 'A') : c;
}

// White space within a line.
WK_FN bool wkIoIsBlank(char c)
{
    return c == ' ' || c == '\t' || c == '\r' || c == '\v' || c == '\f';
}

WK_FN bool wkIoIsSpace(char c)
{
    return c == '\n' || wkIoIsBlank(c);
}

WK_FN const char* wkIoSkipBlanks(const char* at, const char* end)
{
    while (at < end && wkIoIsBlank(*at)) {
        at++;
    }
    return at;
}

WK_FN const char* wkIoSkipSpaces(const char* at, const char* end)
{
    while (at < end && wkIoIsSpace(*at)) {
        at++;
    }
    return at;
}

WK_FN const char* wkIoSkipWord(const char* at, const char* end)
{
    while (at < end && !wkIoIsSpace(*at)) {
        at++;
    }
    return at;
}

// Returns true at the end of a word.
WK_FN bool wkIoIsWordEnd(const char* at, const char* end)
{
    return at == end || wkIoIsSpace(*at);
}

// Returns the first character of the next line, or the end.
const char* wkIoNextLine(const char* at, const char* end);

// Returns true when the word at `at` is `word`, in any case.
bool wkIoIsWord(const char* at, const char* end, const char* word);
