// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// The command's JSON reader accepts what jansson accepts, refuses what it refuses, and reads the same values:
// on hand-made texts and on texts with bytes changed, doubled or dropped.

#include "json_tree.h"

#include "scenes/rng.h"

#include <jansson.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#define TRIAL_COUNT 200000
#define CAPACITY 512

static const char* const texts[] = {
    "{\"id\":1,\"a\":[1,-2.5e-3,0,-0,1E+2],\"b\":{\"c\":null,\"d\":true,\"e\":false}}",
    "[]",
    "{}",
    "[[],{},[{}]]",
    " \t\r\n[ 1 , 2 ] \n",
    "[\"\\u0041\\u00e9\\ud83d\\ude00\\n\\\"\\\\\\/\\b\\f\\r\\t\", \"\xc3\xa9\xe2\x82\xac\"]",
    "{\"a\":1,\"b\":2,\"c\":3,\"d\":4,\"e\":5,\"f\":6,\"g\":7,\"h\":8,\"i\":9,\"j\":10,\"k\":11,"
    "\"l\":12,"
    "\"m\":13,\"n\":14}",
    "[1,]",
    "[,1]",
    "{\"a\":1,}",
    "{\"a\" 1}",
    "{a:1}",
    "{\"a\":1,\"a\":2}",
    "[1 2]",
    "[01]",
    "[1.]",
    "[.5]",
    "[+1]",
    "[-]",
    "[1e]",
    "[1e+]",
    "[NaN]",
    "[tru]",
    "[truee]",
    "[\"\\ud800\"]",
    "[\"\\udc00\"]",
    "[\"\\x\"]",
    "[\"\\u00g0\"]",
    "[\"a\nb\"]",
    "[\"\xff\"]",
    "[\"\xc0\xaf\"]",
    "[\"\xed\xa0\x80\"]",
    "[\"a",
    "[1] 2",
    "",
    "   ",
    "{\"x\":0.1234567890123456789,\"y\":123456789012345678901234567890,\"z\":5e-324}",
};

#define TEXT_COUNT ((int)(sizeof texts / sizeof texts[0]))

static bool areEqual(const wkJson* ours, const json_t* other);

static bool areMembersEqual(const wkJson* ours, const json_t* other)
{
    size_t index = 0;
    for (const wkJson* member = wkJson_First(ours); member != NULL; member = member->next) {
        const json_t* partner = ours->kind == wk_jsonKindObject
                                    ? json_object_get(other, member->key)
                                    : json_array_get(other, index++);
        if (partner == NULL || !areEqual(member, partner)) {
            return false;
        }
    }
    size_t count =
        ours->kind == wk_jsonKindObject ? json_object_size(other) : json_array_size(other);
    return wkJson_Count(ours) == count;
}

static bool areEqual(const wkJson* ours, const json_t* other)
{
    switch (ours->kind) {
    case wk_jsonKindObject:
        return json_is_object(other) && areMembersEqual(ours, other);
    case wk_jsonKindArray:
        return json_is_array(other) && areMembersEqual(ours, other);
    case wk_jsonKindString:
        return json_is_string(other) && ours->count == json_string_length(other) &&
               memcmp(ours->string, json_string_value(other), ours->count) == 0;
    case wk_jsonKindNumber:
        return json_is_number(other) && ours->number == json_number_value(other);
    case wk_jsonKindBool:
        return json_is_boolean(other) && ours->isTrue == json_is_true(other);
    default:
        return json_is_null(other);
    }
}

static void compare(const char* text, size_t length)
{
    size_t flags =
        JSON_REJECT_DUPLICATES | JSON_ALLOW_NUL | JSON_DECODE_ANY | JSON_DECODE_INT_AS_REAL;
    json_error_t trouble;
    json_t* other = json_loadb(text, length, flags, &trouble);
    wkJsonTree tree;
    bool isParsed = wkJsonTree_Parse(&tree, text, length);
    // the rest of a text whose number is too large for jansson is unread
    bool isUnread = other == NULL && json_error_code(&trouble) == json_error_numeric_overflow;
    if (!isUnread && (isParsed != (other != NULL) || (isParsed && !areEqual(tree.root, other)))) {
        fail_msg("jansson: %s, ours: %s, text: %.*s", other != NULL ? "accepted" : trouble.text,
                 isParsed ? "accepted" : tree.message, (int)length, text);
    }
    if (!isParsed) {
        assert_true(tree.root == NULL && tree.message[0] != '\0' && tree.line >= 1 &&
                    tree.column >= 1);
    }
    json_decref(other);
    wkJsonTree_Free(&tree);
}

static void texts_are_read_as_jansson_reads_them(void** state)
{
    (void)state;
    for (int i = 0; i < TEXT_COUNT; i++) {
        compare(texts[i], strlen(texts[i]));
    }
}

// Changes, doubles or drops a byte. Zero bytes are left out: jansson overlooks them after a number.
static size_t mutate(wkRng* rng, char* text, size_t length)
{
    static const char letters[] = "{}[]:,\"\\0123456789-+.eEtfnula \n\t/\xc3\xa9\xff\x80"
                                  "bu";
    size_t at = length > 0 ? (size_t)wkRngBelow(rng, (int)length) : 0;
    int kind = wkRngBelow(rng, 3);
    char letter = letters[wkRngBelow(rng, (int)sizeof letters - 1)];
    if (kind == 0 && length > 0) {
        text[at] = letter;
    } else if (kind == 1 && length < CAPACITY) {
        memmove(text + at + 1, text + at, length - at);
        text[at] = letter;
        length++;
    } else if (length > 0) {
        memmove(text + at, text + at + 1, length - at - 1);
        length--;
    }
    return length;
}

static void mutated_texts_are_read_as_jansson_reads_them(void** state)
{
    (void)state;
    wkRng rng = wkMakeRng(16);
    for (int i = 0; i < TRIAL_COUNT; i++) {
        char text[CAPACITY];
        int row = wkRngBelow(&rng, TEXT_COUNT);
        int changes = 1 + wkRngBelow(&rng, 3);
        size_t length = strlen(texts[row]);
        memcpy(text, texts[row], length);
        for (int k = 0; k < changes; k++) {
            length = mutate(&rng, text, length);
        }
        compare(text, length);
    }
}

static void errors_have_line_and_column(void** state)
{
    (void)state;
    static const struct {
        const char* text;
        size_t line, column;
        const char* words;
    } rows[] = {
        {"{\"a\":1,\n \"b\" 2}", 2, 6, "a colon is expected"},
        {"[\"\xc3\xa9\", x]", 1, 7, "a value is expected"},
        {"{\"a\":1,\"a\":2}", 1, 14, "key \"a\" occurs twice"},
        {"[1]\n\n  2", 3, 3, "something follows the end"},
        {"{\"a\\u0000\":1}", 1, 12, "zero character"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        wkJsonTree tree;
        assert_false(wkJsonTree_Parse(&tree, rows[i].text, strlen(rows[i].text)));
        if (tree.line != rows[i].line || tree.column != rows[i].column ||
            strstr(tree.message, rows[i].words) == NULL) {
            fail_msg("%s: line %zu, column %zu: %s", rows[i].text, tree.line, tree.column,
                     tree.message);
        }
        wkJsonTree_Free(&tree);
    }
}

static void values_know_how_they_were_written(void** state)
{
    (void)state;
    const char* text = "{ \"id\" : [1e999, {\"a\": \"\\u0062\"}] , \"b\": 1.50 }";
    wkJsonTree tree;
    assert_true(wkJsonTree_Parse(&tree, text, strlen(text)));
    const wkJson* id = wkJson_Find(tree.root, "id");
    assert_non_null(id);
    assert_int_equal(id->sourceLength, strlen("[1e999, {\"a\": \"\\u0062\"}]"));
    assert_memory_equal(id->source, "[1e999, {\"a\": \"\\u0062\"}]", id->sourceLength);
    assert_true(isinf(id->first->number));
    assert_memory_equal(wkJson_Find(tree.root, "b")->source, "1.50", 4);
    wkJsonTree_Free(&tree);
}

static void deep_nesting_is_refused(void** state)
{
    (void)state;
    char text[200];
    for (int depth = 60; depth <= 70; depth++) {
        memset(text, '[', (size_t)depth);
        memset(text + depth, ']', (size_t)depth);
        wkJsonTree tree;
        assert_int_equal(wkJsonTree_Parse(&tree, text, 2 * (size_t)depth), depth <= 64);
        wkJsonTree_Free(&tree);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(texts_are_read_as_jansson_reads_them),
        cmocka_unit_test(mutated_texts_are_read_as_jansson_reads_them),
        cmocka_unit_test(errors_have_line_and_column),
        cmocka_unit_test(values_know_how_they_were_written),
        cmocka_unit_test(deep_nesting_is_refused),
    };
    return cmocka_run_group_tests_name("ask_json", tests, NULL, NULL);
}
