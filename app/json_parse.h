// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// Parses JSON text into a tree of jansson.

#include <jansson.h>
#include <stdbool.h>

// Parses as json_loadb.
// @param isOutOfMemory set when memory ran out, which jansson itself reports as invalid text
json_t* wkParseJson(const char* bytes, size_t length, size_t flags, json_error_t* trouble,
                    bool* isOutOfMemory);
