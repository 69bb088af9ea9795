// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// Converts members of a JSON object to finite numbers, with messages that name the member.

#include "ask.h"
#include "plain_number.h"

#include <limits.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

// An element of a field: "a.vertices[2][1]". Negative indices are omitted.
typedef struct element {
    wkAskField field;
    long index;
    long subIndex;
} element;

typedef struct fieldName {
    char text[96];
} fieldName;

static fieldName nameOf(element at)
{
    fieldName name;
    const char* dot = at.field.owner[0] != '\0' ? "." : "";
    int length =
        snprintf(name.text, sizeof name.text, "%s%s%s", at.field.owner, dot, at.field.name);
    size_t used = length > 0 ? (size_t)length : 0;
    if (at.index >= 0 && used < sizeof name.text) {
        length = snprintf(name.text + used, sizeof name.text - used, "[%ld]", at.index);
        used += length > 0 ? (size_t)length : 0;
    }
    if (at.subIndex >= 0 && used < sizeof name.text) {
        snprintf(name.text + used, sizeof name.text - used, "[%ld]", at.subIndex);
    }
    return name;
}

static element whole(wkAskField field)
{
    return (element){field, -1, -1};
}

bool wkAskFail(wkAskError* error, const char* code, const char* format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    error->code = code;
    wkFormatPlain(error->message, sizeof error->message, format, arguments);
    va_end(arguments);
    return false;
}

wkAskField wkAskFind(const wkJson* object, const char* owner, const char* name)
{
    return (wkAskField){owner, name, wkJson_Find(object, name)};
}

static const char* kindOf(const wkJson* value)
{
    static const char* const kinds[] = {
        [wk_jsonKindObject] = "an object", [wk_jsonKindArray] = "an array",
        [wk_jsonKindString] = "a string",  [wk_jsonKindNumber] = "a number",
        [wk_jsonKindBool] = "a boolean",   [wk_jsonKindNull] = "null",
    };
    return kinds[value->kind];
}

// Returns true for words such as NaN and Infinity, which JSON cannot write as numbers.
static bool isNotFiniteWord(const char* word)
{
    static const char* const words[] = {"nan", "inf", "infinity"};
    if (word[0] == '-' || word[0] == '+') {
        word++;
    }
    for (size_t i = 0; i < sizeof words / sizeof words[0]; i++) {
        if (strcasecmp(word, words[i]) == 0) {
            return true;
        }
    }
    return false;
}

static bool failMissing(wkAskField field, wkAskError* error)
{
    return wkAskFail(error, "missing_field", "%s is missing", nameOf(whole(field)).text);
}

static bool readNumber(element at, const wkJson* value, wkAskRange range, double* number,
                       wkAskError* error)
{
    if (wkJson_Is(value, wk_jsonKindString) && isNotFiniteWord(value->string)) {
        return wkAskFail(error, "not_finite", "%s is %s, must be a finite number", nameOf(at).text,
                         value->string);
    }
    if (!wkJson_Is(value, wk_jsonKindNumber)) {
        return wkAskFail(error, "bad_field", "%s is %s, must be a number", nameOf(at).text,
                         kindOf(value));
    }
    double read = value->number;
    if (!isfinite(read)) {
        return wkAskFail(error, "not_finite", "%s is too large for a double", nameOf(at).text);
    }
    if (range == wk_askNotNegative && read < 0.0) {
        return wkAskFail(error, "out_of_range", "%s is %g, must be >= 0", nameOf(at).text, read);
    }
    *number = read;
    return true;
}

bool wkAskNumber(wkAskField field, wkAskRange range, double* number, wkAskError* error)
{
    if (field.value == NULL) {
        return failMissing(field, error);
    }
    return readNumber(whole(field), field.value, range, number, error);
}

bool wkAskOptionalNumber(wkAskField field, wkAskRange range, double* number, wkAskError* error)
{
    return field.value == NULL || wkAskNumber(field, range, number, error);
}

bool wkAskCount(wkAskField field, int* count, wkAskError* error)
{
    double number = 0.0;
    if (!wkAskNumber(field, wk_askNotNegative, &number, error)) {
        return false;
    }
    if (number != floor(number)) {
        return wkAskFail(error, "bad_field", "%s is %g, must be a whole number",
                         nameOf(whole(field)).text, number);
    }
    *count = number < INT_MAX ? (int)number : INT_MAX;
    return true;
}

bool wkAskOptionalCount(wkAskField field, int* count, wkAskError* error)
{
    return field.value == NULL || wkAskCount(field, count, error);
}

bool wkAskOptionalBool(wkAskField field, bool* value, wkAskError* error)
{
    if (field.value == NULL) {
        return true;
    }
    if (!wkJson_Is(field.value, wk_jsonKindBool)) {
        return wkAskFail(error, "bad_field", "%s is %s, must be true or false",
                         nameOf(whole(field)).text, kindOf(field.value));
    }
    *value = field.value->isTrue;
    return true;
}

// Reads an array of exactly `count` numbers; `at.index` is set when the array is itself an element.
static bool readArray(element at, const wkJson* value, wkAskRange range, size_t count,
                      double* numbers, wkAskError* error)
{
    if (!wkJson_Is(value, wk_jsonKindArray)) {
        return wkAskFail(error, "bad_field", "%s is %s, must be an array of %zu numbers",
                         nameOf(at).text, kindOf(value), count);
    }
    if (wkJson_Count(value) != count) {
        return wkAskFail(error, "bad_field", "%s has %zu elements, must have %zu", nameOf(at).text,
                         wkJson_Count(value), count);
    }
    const wkJson* member = wkJson_First(value);
    for (size_t i = 0; i < count; i++, member = member->next) {
        element inner = at;
        *(at.index < 0 ? &inner.index : &inner.subIndex) = (long)i;
        if (!readNumber(inner, member, range, &numbers[i], error)) {
            return false;
        }
    }
    return true;
}

bool wkAskNumbers(wkAskField field, wkAskRange range, size_t count, double* numbers,
                  wkAskError* error)
{
    if (field.value == NULL) {
        return failMissing(field, error);
    }
    return readArray(whole(field), field.value, range, count, numbers, error);
}

bool wkAskVec3(wkAskField field, wkAskRange range, wkVec3d* vector, wkAskError* error)
{
    double numbers[3];
    if (!wkAskNumbers(field, range, 3, numbers, error)) {
        return false;
    }
    *vector = (wkVec3d){numbers[0], numbers[1], numbers[2]};
    return true;
}

bool wkAskString(wkAskField field, const char** string, wkAskError* error)
{
    if (field.value == NULL) {
        return failMissing(field, error);
    }
    if (!wkJson_Is(field.value, wk_jsonKindString)) {
        return wkAskFail(error, "bad_field", "%s is %s, must be a string",
                         nameOf(whole(field)).text, kindOf(field.value));
    }
    *string = field.value->string;
    if (strlen(*string) != field.value->count) {
        return wkAskFail(error, "bad_field", "%s has a zero character in it",
                         nameOf(whole(field)).text);
    }
    return true;
}

// Allocates for an array of arrays, whose length must be in a range.
// @return NULL when it was refused
static void* allocateElements(wkAskField field, const char* what, size_t minCount, size_t maxCount,
                              size_t elementBytes, wkAskError* error)
{
    fieldName name = nameOf(whole(field));
    if (field.value == NULL) {
        failMissing(field, error);
        return NULL;
    }
    if (!wkJson_Is(field.value, wk_jsonKindArray)) {
        wkAskFail(error, "bad_field", "%s is %s, must be an array of %s", name.text,
                  kindOf(field.value), what);
        return NULL;
    }
    size_t count = wkJson_Count(field.value);
    if (count < minCount || count > maxCount) {
        wkAskFail(error, "bad_field", "%s has %zu %s, must have %s %zu", name.text, count, what,
                  count < minCount ? "at least" : "at most",
                  count < minCount ? minCount : maxCount);
        return NULL;
    }
    void* elements = malloc((count + 1) * elementBytes);
    if (elements == NULL) {
        wkAskFail(error, "out_of_memory", "%s needs more memory than there is", name.text);
    }
    return elements;
}

// Reads rows of numbers, of which there must be `minCount` to `maxCount`.
static bool readRows(wkAskField field, const char* what, size_t columnCount, size_t minCount,
                     size_t maxCount, double** rows, size_t* rowCount, wkAskError* error)
{
    *rows = allocateElements(field, what, minCount, maxCount, columnCount * sizeof **rows, error);
    *rowCount = *rows != NULL ? wkJson_Count(field.value) : 0;
    const wkJson* member = wkJson_First(field.value);
    for (size_t i = 0; i < *rowCount; i++, member = member->next) {
        element at = {field, (long)i, -1};
        if (!readArray(at, member, wk_askAny, columnCount, *rows + columnCount * i, error)) {
            return false;
        }
    }
    return *rows != NULL;
}

bool wkAskRows(wkAskField field, const char* what, size_t columnCount, size_t maxCount,
               double** rows, size_t* rowCount, wkAskError* error)
{
    return readRows(field, what, columnCount, 0, maxCount, rows, rowCount, error);
}

bool wkAskPoints(wkAskField field, size_t minCount, size_t maxCount, wkVec3d** points,
                 size_t* pointCount, wkAskError* error)
{
    double* rows = NULL; // a vector has three numbers
    bool isRead = readRows(field, "points", 3, minCount, maxCount, &rows, pointCount, error);
    *points = (wkVec3d*)rows;
    return isRead;
}

static bool readVertices(element at, const wkJson* value, size_t vertexCount, int32_t* vertices,
                         wkAskError* error)
{
    double numbers[3];
    if (!readArray(at, value, wk_askAny, 3, numbers, error)) {
        return false;
    }
    for (int i = 0; i < 3; i++) {
        at.subIndex = i;
        if (numbers[i] != floor(numbers[i])) {
            return wkAskFail(error, "bad_field", "%s is %g, must be a whole number",
                             nameOf(at).text, numbers[i]);
        }
        if (!(numbers[i] >= 0.0 && numbers[i] < (double)vertexCount)) {
            return wkAskFail(error, "out_of_range",
                             "%s is %.0f, must be the index of one of %zu vertices",
                             nameOf(at).text, numbers[i], vertexCount);
        }
        vertices[i] = (int32_t)numbers[i];
    }
    return true;
}

bool wkAskTriangles(wkAskField field, size_t vertexCount, size_t maxCount, int32_t** triangles,
                    size_t* triangleCount, wkAskError* error)
{
    *triangles = allocateElements(field, "triangles", 0, maxCount, 3 * sizeof **triangles, error);
    *triangleCount = *triangles != NULL ? wkJson_Count(field.value) : 0;
    const wkJson* member = wkJson_First(field.value);
    for (size_t i = 0; i < *triangleCount; i++, member = member->next) {
        element at = {field, (long)i, -1};
        if (!readVertices(at, member, vertexCount, *triangles + 3 * i, error)) {
            return false;
        }
    }
    return *triangles != NULL;
}
