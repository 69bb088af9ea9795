// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// A buffer in front of a file that appears whole or not at all. The first error is kept and reported at the
// end.

#define _POSIX_C_SOURCE 200809L // newlocale

#include "base/plain_text.h"
#include "io/file/format.h"
#include "io/file/output.h"

#include "whisker/detail/library.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#define LINE_CAPACITY 256
#define BUFFER_BYTES 4096

struct wkIoSink {
    wkIoOutput output;
    int64_t at;  // bytes written to the file
    size_t used; // bytes in the buffer
    int trouble; // errno of the first failure; 0: none
    char buffer[BUFFER_BYTES];
};

static void put(wkIoSink* sink, const void* bytes, size_t byteCount)
{
    if (sink->trouble == 0 && !wkIoOutput_WriteAt(&sink->output, bytes, byteCount, sink->at)) {
        sink->trouble = errno != 0 ? errno : EIO;
    }
    sink->at += (int64_t)byteCount;
}

static void flush(wkIoSink* sink)
{
    put(sink, sink->buffer, sink->used);
    sink->used = 0;
}

void wkIoSink_Write(wkIoSink* sink, const void* bytes, size_t byteCount)
{
    if (byteCount > BUFFER_BYTES - sink->used) {
        flush(sink);
    }
    if (byteCount > BUFFER_BYTES) {
        put(sink, bytes, byteCount);
    } else if (byteCount > 0) {
        memcpy(sink->buffer + sink->used, bytes, byteCount);
        sink->used += byteCount;
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

wkResult wkIoWriteFile(const char* path, wkIoSinkFcn* write, const void* context)
{
    wkIoSink sink;
    sink.at = 0;
    sink.used = 0;
    sink.trouble = 0;
    wkResult result = wkIoOutput_Open(&sink.output, path, NULL, false);
    if (result != wk_ok) {
        return result;
    }
    write(&sink, context);
    flush(&sink);
    if (sink.trouble == 0) {
        return wkIoOutput_Commit(&sink.output, false);
    }
    wkIoOutput_Abandon(&sink.output, false);
    errno = sink.trouble;
    return wkIoFailErrno(path, "cannot be written");
}

typedef struct savedBytes {
    const void* bytes;
    size_t byteCount;
} savedBytes;

static void writeBytes(wkIoSink* sink, const void* context)
{
    const savedBytes* saved = (const savedBytes*)context;
    wkIoSink_Write(sink, saved->bytes, saved->byteCount);
}

wkResult wkSaveFile(const char* path, const void* bytes, size_t byteCount)
{
    savedBytes saved = {bytes, byteCount};
    if (path == NULL || (bytes == NULL && byteCount > 0)) {
        return wkSetLastError(wk_errorArgument, "wkSaveFile: path or bytes are NULL");
    }
    return wkIoWriteFile(path, writeBytes, &saved);
}
