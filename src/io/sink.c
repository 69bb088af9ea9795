// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// Files to be written: a buffer in front of the C library's, and a failure that waits for the end.

#define _POSIX_C_SOURCE 200809L // newlocale, strerror_r, stat

#include "base/plain_text.h"
#include "io/format.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

#define LINE_CAPACITY 256

struct wkIoSink {
    FILE* file;
    int trouble; // errno of the first failure; 0: none
};

void wkIoSink_Write(wkIoSink* sink, const void* bytes, size_t byteCount)
{
    if (sink->trouble == 0 && fwrite(bytes, 1, byteCount, sink->file) != byteCount) {
        sink->trouble = errno != 0 ? errno : EIO;
    }
}

void wkIoSink_Print(wkIoSink* sink, const char* format, ...)
{
    char line[LINE_CAPACITY];
    va_list arguments;
    va_start(arguments, format);
    int length = wkPrintPlain(line, sizeof line, format, arguments);
    va_end(arguments);
    wkIoSink_Write(sink, line, length < LINE_CAPACITY ? (size_t)length : LINE_CAPACITY - 1);
}

void wkIoRemoveFile(const char* path)
{
    struct stat about;
    if (stat(path, &about) == 0 && S_ISREG(about.st_mode)) {
        remove(path);
    }
}

wkResult wkIoWriteFile(const char* path, wkIoSinkFcn* write, const void* context)
{
    wkIoSink sink = {fopen(path, "wb"), 0};
    bool isOpen = sink.file != NULL;
    if (isOpen) {
        write(&sink, context);
        if (fclose(sink.file) != 0 && sink.trouble == 0) {
            sink.trouble = errno;
        }
    } else {
        sink.trouble = errno;
    }
    if (sink.trouble == 0) {
        return wk_ok;
    }
    if (isOpen) {
        wkIoRemoveFile(path);
    }
    char words[128] = "unknown trouble";
    strerror_r(sink.trouble, words, sizeof words);
    return wkIoFail(path, wk_errorFile, "cannot be written: %s", words);
}
