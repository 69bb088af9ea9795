// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// Reads to the end of an input, since a pipe has no size.

#include "whole_file.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MAX_BYTES ((size_t)256 << 20)

static bool readAll(FILE* stream, wkWholeFile* file, wkAskError* error)
{
    size_t capacity = 0, count = 0;
    do {
        if (file->count == capacity) {
            capacity = 2 * capacity + 65536;
            char* bytes = capacity <= MAX_BYTES ? realloc(file->bytes, capacity) : NULL;
            if (bytes == NULL) {
                return capacity > MAX_BYTES ? wkAskFail(error, "file", "%s: has more than %d MiB",
                                                        file->name, (int)(MAX_BYTES >> 20))
                                            : wkAskFail(error, "out_of_memory",
                                                        "%s: no memory to read it", file->name);
            }
            file->bytes = bytes;
        }
        count = fread(file->bytes + file->count, 1, capacity - file->count, stream);
        file->count += count;
    } while (count > 0);
    return !ferror(stream) ||
           wkAskFail(error, "file", "%s: cannot be read: %s", file->name, strerror(errno));
}

bool wkWholeFile_Read(wkWholeFile* file, const char* path, wkAskError* error)
{
    bool isInput = strcmp(path, "-") == 0;
    *file = (wkWholeFile){isInput ? "standard input" : path, NULL, 0};
    FILE* stream = isInput ? stdin : fopen(path, "rb");
    if (stream == NULL) {
        return wkAskFail(error, "file", "%s: cannot be opened: %s", path, strerror(errno));
    }
    bool isRead = readAll(stream, file, error);
    if (!isInput) {
        fclose(stream);
    }
    return isRead;
}

void wkWholeFile_Free(wkWholeFile* file)
{
    free(file->bytes);
    *file = (wkWholeFile){0};
}
