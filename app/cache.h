// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// Cache folder for results that take long to compute.

#include <stdbool.h>
#include <stddef.h>

#define WK_CACHE_PATH 4096

// Finds the cache folder of this program: $XDG_CACHE_HOME/whisker, else ~/.cache/whisker.
// @return false: there is none
bool wkFindCacheFolder(char* path, size_t capacity);
