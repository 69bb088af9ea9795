// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// Where commands keep what takes long to make.

#include <stdbool.h>
#include <stddef.h>

#define WK_CACHE_PATH 4096

// The folder of this program in the cache of the user: $XDG_CACHE_HOME/whisker, else ~/.cache/whisker.
// @return false: there is none
bool wkFindCacheFolder(char* path, size_t capacity);
