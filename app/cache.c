// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// The cache folder of the XDG base directory specification: relative paths are ignored.

#include "cache.h"

#include <stdio.h>
#include <stdlib.h>

bool wkFindCacheFolder(char* path, size_t capacity)
{
    const char *cache = getenv("XDG_CACHE_HOME"), *home = getenv("HOME");
    int length = -1;
    if (cache != NULL && cache[0] == '/') {
        length = snprintf(path, capacity, "%s/whisker", cache);
    } else if (home != NULL && home[0] == '/') {
        length = snprintf(path, capacity, "%s/.cache/whisker", home);
    }
    return length > 0 && (size_t)length < capacity;
}
