// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// Numbers in text: correctly rounded, and the same under every locale.

#include "base/compiler.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// Reads a decimal number, "inf" or "nan" at `at`. Gives back where it ends, or NULL when there is
// none. Too large a number is infinite.
const char* wkIoParseNumber(const char* at, const char* end, double* value);

// Reads an integer; one that does not fit becomes the largest or smallest that does.
const char* wkIoParseInteger(const char* at, const char* end, int64_t* value);

WK_FN bool wkIoIsDigit(char c)
{
    return (unsigned char)(c - '0') < 10;
}

// A letter in lower case; whatever else as it is.
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

// True where a word ends.
WK_FN bool wkIoIsWordEnd(const char* at, const char* end)
{
    return at == end || wkIoIsSpace(*at);
}

// The first character of the next line, or the end.
const char* wkIoNextLine(const char* at, const char* end);

// True when the word at `at` is `word`, in any case.
bool wkIoIsWord(const char* at, const char* end, const char* word);
