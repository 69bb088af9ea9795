// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// Turns a question into an answer, both lines of text: parsing, the id, and the answer or the error.

#include "ask.h"

#include "json_parse.h"

#include <stdlib.h>
#include <string.h>

// Position of the id in the line. The id is repeated as written, since a number that is read and printed
// again may look different.
typedef struct interval {
    const char* start; // NULL: nowhere
    size_t length;
} interval;

static bool isSpace(char c)
{
    return c == ' ' || c == '\t' || c == '\r' || c == '\n';
}

// Returns the end of the string whose opening quote is at `at`.
static size_t skipString(const char* line, size_t length, size_t at)
{
    for (at++; at < length && line[at] != '"'; at++) {
        at += line[at] == '\\';
    }
    return at < length ? at + 1 : length;
}

// Returns the end of the value that starts at `at`: the comma or bracket after it.
static size_t skipValue(const char* line, size_t length, size_t at)
{
    int depth = 0;
    while (at < length) {
        char c = line[at];
        if (c == '"') {
            at = skipString(line, length, at);
            continue;
        }
        if (depth == 0 && (c == ',' || c == '}' || c == ']')) {
            break;
        }
        depth += (c == '{' || c == '[') - (c == '}' || c == ']');
        at++;
    }
    return at;
}

static size_t skipSpace(const char* line, size_t length, size_t at)
{
    while (at < length && isSpace(line[at])) {
        at++;
    }
    return at;
}

// Returns true for the key "id", also when written with escapes: "\u0069d".
static bool isIdKey(const char* key, size_t length)
{
    if (memchr(key, '\\', length) == NULL) {
        return length == 4 && memcmp(key, "\"id\"", 4) == 0;
    }
    json_t* decoded = json_loadb(key, length, JSON_DECODE_ANY, NULL);
    bool isId = json_is_string(decoded) && strcmp(json_string_value(decoded), "id") == 0;
    json_decref(decoded);
    return isId;
}

// Finds the member "id" of the outermost object.
static interval findId(const char* line, size_t length)
{
    size_t at = skipSpace(line, length, 0);
    while (at < length && (line[at] == '{' || line[at] == ',')) {
        size_t key = skipSpace(line, length, at + 1);
        if (key >= length || line[key] != '"') {
            break;
        }
        size_t keyEnd = skipString(line, length, key);
        size_t colon = skipSpace(line, length, keyEnd);
        size_t value = skipSpace(line, length, colon + 1);
        at = skipValue(line, length, value);
        if (value < at && isIdKey(line + key, keyEnd - key)) {
            size_t end = at;
            while (end > value && isSpace(line[end - 1])) {
                end--;
            }
            return (interval){line + value, end - value};
        }
    }
    return (interval){0};
}

static void appendId(wkText* answer, interval id)
{
    wkText_AppendString(answer, "{\"id\":");
    if (id.start != NULL) {
        wkText_Append(answer, id.start, id.length);
    } else {
        wkText_AppendString(answer, "null");
    }
}

static void appendError(wkText* answer, interval id, const char* code, const char* message)
{
    appendId(answer, id);
    wkText_AppendString(answer, ",\"error\":{\"code\":");
    wkText_AppendQuoted(answer, code, strlen(code));
    wkText_AppendString(answer, ",\"message\":");
    wkText_AppendQuoted(answer, message, strlen(message));
    wkText_AppendString(answer, "}}\n");
}

void wkAskRefuse(const char* code, const char* message, wkText* answer)
{
    appendError(answer, (interval){0}, code, message);
}

static json_t* parse(const char* line, size_t length, json_error_t* trouble, bool* isOutOfMemory)
{
    size_t flags = JSON_REJECT_DUPLICATES | JSON_ALLOW_NUL;
    json_t* json = wkParseJson(line, length, flags, trouble, isOutOfMemory);
    if (json == NULL && json_error_code(trouble) == json_error_numeric_overflow) {
        // integers of any length are accepted where a double can hold them
        json = wkParseJson(line, length, flags | JSON_DECODE_INT_AS_REAL, trouble, isOutOfMemory);
    }
    return json;
}

// Finds the id of a line with a number that no double can hold. The text after that number is unchecked, so
// the id is repeated only if it is JSON by itself.
static interval findIdUnchecked(const char* line, size_t length)
{
    interval id = findId(line, length);
    json_t* json = id.start != NULL ? json_loadb(id.start, id.length, JSON_DECODE_ANY, NULL) : NULL;
    if (json == NULL) {
        id = (interval){0};
    }
    json_decref(json);
    return id;
}

static bool parseQuestion(const char* line, size_t length, size_t lineNumber, json_t** json,
                          interval* id, wkAskError* error)
{
    // jansson overlooks a NUL byte after a number
    const char* nul = memchr(line, '\0', length);
    if (nul != NULL) {
        return wkAskFail(error, "bad_json", "line %zu, column %zu: NUL byte", lineNumber,
                         (size_t)(nul - line) + 1);
    }
    json_error_t trouble;
    bool isOutOfMemory = false;
    *json = parse(line, length, &trouble, &isOutOfMemory);
    if (isOutOfMemory) {
        return wkAskFail(error, "out_of_memory", "line %zu: out of memory to read it", lineNumber);
    }
    if (*json == NULL && json_error_code(&trouble) == json_error_numeric_overflow) {
        *id = findIdUnchecked(line, length);
        return wkAskFail(error, "not_finite", "line %zu, column %d: %s", lineNumber, trouble.column,
                         trouble.text);
    }
    if (*json == NULL) {
        return wkAskFail(error, "bad_json", "line %zu, column %d: %s", lineNumber, trouble.column,
                         trouble.text);
    }
    if (!json_is_object(*json)) {
        return wkAskFail(error, "bad_json", "line %zu, column 1: a question is an object",
                         lineNumber);
    }
    *id = findId(line, length);
    return true;
}

bool wkAskLine(const char* line, size_t length, size_t lineNumber, wkAskCache* cache,
               wkText* answer)
{
    size_t start = answer->length;
    json_t* json = NULL;
    wkAskError error = {0};
    interval id = {0};
    bool isAnswered = false;
    if (parseQuestion(line, length, lineNumber, &json, &id, &error)) {
        appendId(answer, id);
        isAnswered = wkAskAnswer(json, cache, answer, &error);
        wkText_AppendString(answer, "}\n");
    }
    if (answer->isOutOfMemory) {
        isAnswered =
            wkAskFail(&error, "out_of_memory", "the answer needs more memory than there is");
        id = (interval){0};
    } else if (isAnswered && answer->isNotFinite) {
        isAnswered = wkAskFail(&error, "out_of_range", "the answer is too large for a double");
    }
    if (!isAnswered) {
        wkText_Truncate(answer, start);
        appendError(answer, id, error.code, error.message);
    }
    json_decref(json);
    return isAnswered;
}
