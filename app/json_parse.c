// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// Parses JSON with an allocator that remembers whether it failed.

#include "json_parse.h"

#include <stdlib.h>

static _Thread_local bool hasRunOut;

static void* allocateWatched(size_t size)
{
    void* memory = malloc(size);
    hasRunOut = hasRunOut || memory == NULL;
    return memory;
}

json_t* wkParseJson(const char* bytes, size_t length, size_t flags, json_error_t* trouble,
                    bool* isOutOfMemory)
{
    hasRunOut = false;
    json_set_alloc_funcs(allocateWatched, free);
    json_t* json = json_loadb(bytes, length, flags, trouble);
    *isOutOfMemory = json == NULL && hasRunOut;
    return json;
}
