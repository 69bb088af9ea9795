// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// compare_answers EXPECTED ACTUAL: two files of JSON lines that must say the same. Numbers may
// differ by what rounding allows; an expected string that ends in '*' stands for every string that
// begins like it, since words for bad JSON are the parser's.

#include <jansson.h>
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// Answers are exact to about 1e-15; curved pairs without a closed form to 1e-6 of the size, and the
// questions kept here are of size 1 and better behaved than that.
#define TOLERANCE 1e-9

static bool isSame(const json_t* expected, const json_t* actual);

static bool isSameString(const json_t* expected, const json_t* actual)
{
    const char* text = json_string_value(expected);
    size_t length = strlen(text);
    if (length > 0 && text[length - 1] == '*') {
        return strncmp(text, json_string_value(actual), length - 1) == 0;
    }
    return json_equal(expected, actual);
}

static bool isSameObject(const json_t* expected, const json_t* actual)
{
    if (json_object_size(expected) != json_object_size(actual)) {
        return false;
    }
    const char* key;
    json_t* value;
    json_object_foreach((json_t*)expected, key, value)
    {
        if (!isSame(value, json_object_get(actual, key))) {
            return false;
        }
    }
    return true;
}

static bool isSameArray(const json_t* expected, const json_t* actual)
{
    if (json_array_size(expected) != json_array_size(actual)) {
        return false;
    }
    for (size_t i = 0; i < json_array_size(expected); i++) {
        if (!isSame(json_array_get(expected, i), json_array_get(actual, i))) {
            return false;
        }
    }
    return true;
}

static bool isSame(const json_t* expected, const json_t* actual)
{
    if (json_is_number(expected) && json_is_number(actual)) {
        double difference = json_number_value(expected) - json_number_value(actual);
        return fabs(difference) <= TOLERANCE * fmax(1.0, fabs(json_number_value(expected)));
    }
    if (actual == NULL || json_typeof(expected) != json_typeof(actual)) {
        return false;
    }
    if (json_is_string(expected)) {
        return isSameString(expected, actual);
    }
    if (json_is_object(expected)) {
        return isSameObject(expected, actual);
    }
    return json_is_array(expected) ? isSameArray(expected, actual) : true;
}

static bool isSameLine(const char* expected, const char* actual)
{
    json_t* a = json_loads(expected, JSON_DECODE_ANY, NULL);
    json_t* b = json_loads(actual, JSON_DECODE_ANY, NULL);
    bool same = a != NULL && b != NULL && isSame(a, b);
    json_decref(a);
    json_decref(b);
    return same;
}

int main(int argc, char** argv)
{
    FILE* expected = argc == 3 ? fopen(argv[1], "r") : NULL;
    FILE* actual = argc == 3 ? fopen(argv[2], "r") : NULL;
    if (expected == NULL || actual == NULL) {
        fprintf(stderr, "usage: compare_answers EXPECTED ACTUAL\n");
        return 2;
    }
    char* lineA = NULL;
    char* lineB = NULL;
    size_t sizeA = 0;
    size_t sizeB = 0;
    int differences = 0;
    for (int number = 1;; number++) {
        bool hasA = getline(&lineA, &sizeA, expected) >= 0;
        bool hasB = getline(&lineB, &sizeB, actual) >= 0;
        if (!hasA && !hasB) {
            break;
        }
        if (!hasA || !hasB || !isSameLine(lineA, lineB)) {
            printf("line %d\n  expected: %s  actual:   %s", number, hasA ? lineA : "nothing\n",
                   hasB ? lineB : "nothing\n");
            differences++;
        }
    }
    free(lineA);
    free(lineB);
    fclose(expected);
    fclose(actual);
    printf("%d differences\n", differences);
    return differences == 0 ? 0 : 1;
}
