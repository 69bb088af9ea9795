// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// The command never calls setlocale, so printf and strtod use a decimal point. A program that embeds these
// functions may have called it: the thread is switched to the "C" locale during a conversion.

#include "plain_number.h"

#include <locale.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

// Doubles below this are exact as integers and print faster as such.
#define LARGEST_PLAIN_INTEGER 1e15

// Digits that always survive a double, and digits that always identify it.
#define LEAST_DIGITS 15
#define MOST_DIGITS 17

// The previous locale of this thread, and the one used meanwhile.
typedef struct plainLocale {
    locale_t plain;
    locale_t before;
} plainLocale;

static plainLocale enterPlain(void)
{
    plainLocale state = {newlocale(LC_ALL_MASK, "C", (locale_t)0), (locale_t)0};
    state.before = state.plain != (locale_t)0 ? uselocale(state.plain) : (locale_t)0;
    return state;
}

static void leavePlain(plainLocale state)
{
    if (state.plain != (locale_t)0) {
        uselocale(state.before);
        freelocale(state.plain);
    }
}

bool wkReadNumber(const char* text, double* number)
{
    char* end = NULL;
    plainLocale state = enterPlain();
    double value = strtod(text, &end);
    leavePlain(state);
    if (end == text || *end != '\0' || !isfinite(value)) {
        return false;
    }
    *number = value;
    return true;
}

size_t wkWriteNumber(double number, char text[WK_NUMBER_CAPACITY])
{
    int length = 0;
    if (fabs(number) < LARGEST_PLAIN_INTEGER && number == trunc(number)) {
        length = snprintf(text, WK_NUMBER_CAPACITY, "%lld", (long long)number);
        return (size_t)length;
    }
    plainLocale state = enterPlain();
    for (int digits = LEAST_DIGITS; digits <= MOST_DIGITS; digits++) {
        length = snprintf(text, WK_NUMBER_CAPACITY, "%.*g", digits, number);
        if (strtod(text, NULL) == number) {
            break;
        }
    }
    leavePlain(state);
    return (size_t)length;
}

void wkFormatPlain(char* text, size_t capacity, const char* format, va_list arguments)
{
    plainLocale state = enterPlain();
    vsnprintf(text, capacity, format, arguments);
    leavePlain(state);
}
