// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// Writes JSON directly: building a tree per answer would cost more than the query.

#include "text_buffer.h"

#include "io/text/json_reader.h"
#include "plain_number.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define FIRST_CAPACITY 512

static bool reserve(wkText* text, size_t count)
{
    if (text->isOutOfMemory) {
        return false; // text after a gap would be wrong
    }
    if (count <= text->capacity - text->length) {
        return true;
    }
    size_t needed = text->length + count;
    size_t capacity = text->capacity > 0 ? text->capacity : FIRST_CAPACITY;
    while (capacity < needed && capacity <= SIZE_MAX / 2) {
        capacity *= 2;
    }
    char* data = capacity >= needed ? realloc(text->data, capacity) : NULL;
    if (data == NULL) {
        text->isOutOfMemory = true;
        return false;
    }
    text->data = data;
    text->capacity = capacity;
    return true;
}

void wkText_Truncate(wkText* text, size_t length)
{
    text->length = length < text->length ? length : text->length;
    text->isOutOfMemory = false;
    text->isNotFinite = false;
}

void wkText_Free(wkText* text)
{
    free(text->data);
    *text = (wkText){0};
}

void wkText_Append(wkText* text, const char* bytes, size_t count)
{
    if (count > 0 && reserve(text, count)) {
        memcpy(text->data + text->length, bytes, count);
        text->length += count;
    }
}

void wkText_AppendString(wkText* text, const char* string)
{
    wkText_Append(text, string, strlen(string));
}

void wkText_AppendNumber(wkText* text, double number)
{
    if (!isfinite(number)) {
        text->isNotFinite = true;
        return;
    }
    char digits[WK_NUMBER_CAPACITY];
    size_t length = wkWriteNumber(number, digits);
    wkText_Append(text, digits, length);
}

void wkText_AppendVec3(wkText* text, wkVec3d vector)
{
    wkText_AppendString(text, "[");
    wkText_AppendNumber(text, vector.x);
    wkText_AppendString(text, ",");
    wkText_AppendNumber(text, vector.y);
    wkText_AppendString(text, ",");
    wkText_AppendNumber(text, vector.z);
    wkText_AppendString(text, "]");
}

void wkText_AppendQuoted(wkText* text, const char* bytes, size_t count)
{
    wkText_AppendString(text, "\"");
    for (size_t i = 0; i < count;) {
        unsigned char byte = (unsigned char)bytes[i];
        size_t length = wkUtf8Length(bytes + i, count - i);
        if (length == 0) {
            wkText_AppendString(text, "\xef\xbf\xbd");
            i++;
            continue;
        }
        if (byte == '"' || byte == '\\') {
            wkText_AppendString(text, byte == '"' ? "\\\"" : "\\\\");
        } else if (byte < 0x20) {
            char escape[8];
            snprintf(escape, sizeof escape, "\\u%04x", (unsigned)byte);
            wkText_AppendString(text, escape);
        } else {
            wkText_Append(text, bytes + i, length);
        }
        i += length;
    }
    wkText_AppendString(text, "\"");
}
