// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// Cookies: the first field of each struct that starts from a wkDefault function. A cookie has the version
// and the size of the struct, so that a struct that was not initialised, or that comes from the header of
// another version, is refused by its name before another field is read. Used by both libraries.

#include "whisker/base.h"
#include "whisker/detail/library.h"

#include <stdio.h>
#include <string.h>

// Layouts may change with the minor number before 1.0, and with the major number from then on.
#define WK_LAYOUT_VERSION (WK_VERSION_MAJOR == 0 ? WK_VERSION_MINOR : 0x80 + WK_VERSION_MAJOR)

#define WK_COOKIE_MARK 0x6bu

// Cookie of a struct type: mark, version and size, from the highest byte down.
#define WK_COOKIE(type)                                                                            \
    (WK_COOKIE_MARK << 24 | (uint32_t)WK_LAYOUT_VERSION << 16 | (uint32_t)sizeof(type))

// True when a struct was initialised by the wkDefault function of this version; false for NULL.
#define WK_HAS_COOKIE(pointer, type) ((pointer) != NULL && (pointer)->cookie == WK_COOKIE(type))

// Sets the message for a struct without its cookie, and returns wk_errorArgument.
#define WK_FAIL_COOKIE(pointer, type) wkFailCookie(pointer, WK_COOKIE(type), #type)

static inline wkResult wkFailCookie(const void* given, uint32_t expected, const char* type)
{
    char words[200];
    uint32_t cookie = 0;
    if (given != NULL) {
        memcpy(&cookie, given, sizeof cookie);
    }
    if (given == NULL) {
        snprintf(words, sizeof words, "%s: NULL, expected one that wkDefault%s() initialised", type,
                 type + 2);
    } else if (cookie >> 24 == WK_COOKIE_MARK) {
        snprintf(words, sizeof words,
                 "%s: from another header: version %u with %u bytes, expected version %u with %u",
                 type, (unsigned)(cookie >> 16 & 0xff), (unsigned)(cookie & 0xffff),
                 (unsigned)(expected >> 16 & 0xff), (unsigned)(expected & 0xffff));
    } else {
        snprintf(words, sizeof words, "%s: not initialised by wkDefault%s()", type, type + 2);
    }
    return wkSetLastError(wk_errorArgument, words);
}
