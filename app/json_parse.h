// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// JSON text as a tree of jansson's.

#include <jansson.h>
#include <stdbool.h>

// As json_loadb.
// @param isOutOfMemory whether memory ran out: jansson itself calls the text invalid then
json_t* wkParseJson(const char* bytes, size_t length, size_t flags, json_error_t* trouble,
                    bool* isOutOfMemory);
