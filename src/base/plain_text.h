// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// Text that does not depend on the locale: after a call of setlocale, printf may write 0,5 for one half.

#include "base/compiler.h"

#include <locale.h>
#include <stdarg.h>
#include <stdio.h>

// As vsnprintf in the "C" locale. Restores the locale of the calling thread; other threads are not affected.
__attribute__((format(printf, 3, 0))) WK_FN int wkPrintPlain(char* text, size_t capacity,
                                                             const char* format, va_list arguments)
{
    locale_t plain = newlocale(LC_ALL_MASK, "C", (locale_t)0);
    locale_t before = plain != (locale_t)0 ? uselocale(plain) : (locale_t)0;
    int length = vsnprintf(text, capacity, format, arguments);
    if (plain != (locale_t)0) {
        uselocale(before);
        freelocale(plain);
    }
    return length;
}
