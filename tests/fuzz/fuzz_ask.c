// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// Whatever comes in, each line gives one line of JSON with an id and either an answer or an error,
// and nothing is left behind.

#include "ask.h"

#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size);

static void fail(const char* what, const char* line, size_t length)
{
    fprintf(stderr, "%s, line: %.*s\n", what, (int)length, line);
    abort();
}

static void checkAnswer(const wkText* answer, bool isAnswered, const char* line, size_t length)
{
    if (answer->length == 0 || answer->data[answer->length - 1] != '\n' ||
        memchr(answer->data, '\n', answer->length - 1) != NULL) {
        fail("not one line", line, length);
    }
    json_error_t trouble;
    size_t flags = JSON_REJECT_DUPLICATES | JSON_ALLOW_NUL | JSON_DECODE_INT_AS_REAL;
    json_t* json = json_loadb(answer->data, answer->length, flags, &trouble);
    if (json == NULL && json_error_code(&trouble) != json_error_numeric_overflow) {
        fail("the answer is not JSON", line, length);
    }
    if (json != NULL && (json_object_get(json, "id") == NULL ||
                         (json_object_get(json, "error") == NULL) != isAnswered)) {
        fail("the answer lacks a member", line, length);
    }
    json_decref(json);
}

int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size)
{
    const char* text = (const char*)data;
    wkText answer = {0};
    for (size_t start = 0, number = 1; start < size; number++) {
        const char* end = memchr(text + start, '\n', size - start);
        size_t length = end != NULL ? (size_t)(end - text) - start : size - start;
        bool isAnswered = wkAskLine(text + start, length, number, NULL, &answer);
        checkAnswer(&answer, isAnswered, text + start, length);
        wkText_Truncate(&answer, 0);
        start += length + 1;
    }
    wkText_Free(&answer);
    if (wkGetByteCount() != 0) {
        fail("memory was left behind", text, size);
    }
    return 0;
}
