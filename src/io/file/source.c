// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// Reads files into memory, and composes error messages and warnings.

#define _POSIX_C_SOURCE 200809L // newlocale, open, fstat, strerror_r

#include "base/plain_text.h"
#include "io/file/format.h"

#include "whisker/detail/library.h"

#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

// Capacity of the message that wkGetLastError() returns.
#define WORDS_CAPACITY 512

// Of a longer path only the end is kept, which identifies the file best.
#define NAME_CAPACITY 200

static const char* endOfName(const char* name, const char** dots)
{
    size_t length = strlen(name);
    *dots = length > NAME_CAPACITY ? "..." : "";
    return length > NAME_CAPACITY ? name + (length - NAME_CAPACITY) : name;
}

// Composes "name<position>: message".
static wkResult failAt(const char* name, const char* position, wkResult result, const char* format,
                       va_list arguments)
{
    char words[WORDS_CAPACITY], all[2 * WORDS_CAPACITY];
    const char* dots;
    wkPrintPlain(words, sizeof words, format, arguments);
    name = endOfName(name, &dots);
    snprintf(all, sizeof all, "%s%s%s: %s", dots, name, position, words);
    return wkSetLastError(result, all);
}

static wkResult failAtLine(const char* name, size_t line, wkResult result, const char* format,
                           va_list arguments)
{
    char position[40];
    snprintf(position, sizeof position, ":%zu", line);
    return failAt(name, position, result, format, arguments);
}

wkResult wkIoFail(const char* name, wkResult result, const char* format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    failAt(name, "", result, format, arguments);
    va_end(arguments);
    return result;
}

wkResult wkIoFailLine(const wkIoSource* source, const void* at, wkResult result, const char* format,
                      ...)
{
    // lines are counted only for error messages
    const uint8_t* stop = (const uint8_t*)at;
    size_t line = 1;
    for (const uint8_t* c = source->bytes; c < stop; c++) {
        line += *c == '\n' ? 1 : 0;
    }
    va_list arguments;
    va_start(arguments, format);
    failAtLine(source->name, line, result, format, arguments);
    va_end(arguments);
    return result;
}

wkResult wkIoFailNumberedLine(const char* name, size_t line, wkResult result, const char* format,
                              ...)
{
    va_list arguments;
    va_start(arguments, format);
    failAtLine(name, line, result, format, arguments);
    va_end(arguments);
    return result;
}

wkResult wkIoFailByte(const wkIoSource* source, const void* at, wkResult result, const char* format,
                      ...)
{
    char position[40];
    snprintf(position, sizeof position, ": byte %zu", (size_t)((const uint8_t*)at - source->bytes));
    va_list arguments;
    va_start(arguments, format);
    failAt(source->name, position, result, format, arguments);
    va_end(arguments);
    return result;
}

wkResult wkIoFailAgain(const wkIoSource* source, wkResult result)
{
    char words[WORDS_CAPACITY];
    snprintf(words, sizeof words, "%s", wkGetLastError());
    return wkIoFail(source->name, result, "%s", words);
}

void wkIoWarn(char warning[WK_WARNING_CAPACITY], const char* format, ...)
{
    if (warning[0] == '\0') {
        va_list arguments;
        va_start(arguments, format);
        wkPrintPlain(warning, WK_WARNING_CAPACITY, format, arguments);
        va_end(arguments);
    }
}

wkResult wkIoFailErrno(const char* path, const char* what)
{
    char words[128] = "unknown trouble";
    strerror_r(errno, words, sizeof words);
    return wkIoFail(path, wk_errorFile, "%s: %s", what, words);
}

// Fills the buffer with as many calls of read as needed.
static wkResult readAll(int file, const char* path, uint8_t* bytes, size_t byteCount)
{
    for (size_t done = 0; done < byteCount;) {
        ssize_t count = read(file, bytes + done, byteCount - done);
        if (count < 0 && errno == EINTR) {
            continue;
        }
        if (count < 0) {
            return wkIoFailErrno(path, "cannot be read");
        }
        if (count == 0) {
            return wkIoFail(path, wk_errorFile, "became shorter while it was read");
        }
        done += (size_t)count;
    }
    return wk_ok;
}

wkResult wkIoReadFile(const char* path, wkIoSource* source)
{
    struct stat about;
    uint8_t* bytes = NULL;
    size_t byteCount = 0;
    wkResult result = wk_ok;
    int file = open(path, O_RDONLY | O_CLOEXEC);
    if (file < 0 || fstat(file, &about) != 0) {
        result = wkIoFailErrno(path, "cannot be opened");
        goto cleanup;
    }
    if (!S_ISREG(about.st_mode)) {
        result = wkIoFail(path, wk_errorFile, "is not an ordinary file");
        goto cleanup;
    }
    byteCount = (size_t)about.st_size;
    bytes = wkAllocate(byteCount > 0 ? byteCount : 1);
    if (bytes == NULL) {
        result = wkIoFail(path, wk_errorMemory, "no memory for %zu bytes", byteCount);
        goto cleanup;
    }
    result = readAll(file, path, bytes, byteCount);

cleanup:
    if (file >= 0) {
        close(file);
    }
    source->bytes = bytes;
    source->ownBytes = bytes;
    source->byteCount = byteCount;
    if (result != wk_ok) {
        wkIoUnread(source);
    }
    return result;
}

void wkIoUnread(wkIoSource* source)
{
    wkRelease(source->ownBytes, source->byteCount > 0 ? source->byteCount : 1);
    source->ownBytes = NULL;
    source->bytes = NULL;
    source->byteCount = 0;
}

wkResult wkIoReadFrom(const char* path, wkIoMakeFcn* make, void* result)
{
    if (path == NULL || result == NULL) {
        return wkSetLastError(wk_errorArgument, "load: the path or the output pointer is NULL");
    }
    wkIoSource source = {.name = path, .path = path, .extension = wkIoExtension(path)};
    wkResult outcome = wkIoReadFile(path, &source);
    if (outcome == wk_ok) {
        outcome = make(&source, result);
        wkIoUnread(&source);
    }
    return outcome;
}

wkResult wkIoReadBytes(const char* name, const void* bytes, size_t byteCount, wkIoMakeFcn* make,
                       void* result)
{
    static const uint8_t none[1] = {0};
    if ((bytes == NULL && byteCount > 0) || result == NULL) {
        return wkSetLastError(wk_errorArgument, "parse: the bytes or the output pointer is NULL");
    }
    wkIoSource source = {.name = name,
                         .bytes = byteCount > 0 ? (const uint8_t*)bytes : none,
                         .byteCount = byteCount,
                         .extension = ""};
    return make(&source, result);
}

const char* wkIoExtension(const char* path)
{
    const char* dot = strrchr(path, '.');
    return dot != NULL && strchr(dot, '/') == NULL ? dot + 1 : "";
}
