// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// Message of the last failure, one buffer per thread so that no lock is needed.

#define _POSIX_C_SOURCE 200809L // newlocale

#include "base/error.h"

#include "base/plain_text.h"

#include "whisker/detail/library.h"

#include <stdarg.h>
#include <stdio.h>

// Capacity for a file name, a line number and a sentence; longer messages are cut.
#define MESSAGE_CAPACITY 512

static _Thread_local char message[MESSAGE_CAPACITY];

const char* wkGetLastError(void)
{
    return message;
}

wkResult wkFail(wkResult result, const char* format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    wkPrintPlain(message, sizeof message, format, arguments);
    va_end(arguments);
    return result;
}

wkResult wkSetLastError(wkResult result, const char* words)
{
    return wkFail(result, "%s", words);
}
