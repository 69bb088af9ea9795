// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// Hostile lines by the thousand: every field of every type and query with every kind of wrong
// value, and good lines with bytes changed, doubled, dropped or cut off. Each must give exactly one
// line of JSON, with the code that fits.

#include "ask.h"

#include <jansson.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

// What a field holds when it is right.
typedef enum kind {
    kindLength,    // a number >= 0
    kindNumber,    // any number
    kindCount,     // a whole number >= 0
    kindLengths,   // three numbers >= 0
    kindVector,    // three numbers
    kindQuat,      // four numbers of length 1
    kindPoints,    // an array of three points
    kindWord,      // a string
    kindVertices,  // an array of points, which may be empty
    kindTriangles, // an array of three indices of three vertices
    kindBool,      // true or false
    kindVolume,    // the name of a bounding volume
    kindSide,      // a whole number >= 2
    kindHeights,   // six numbers
    kindExtent,    // a number > 0
    kindCells,     // an array of points that are not too far away, which may be empty
    kindSpheres,   // an array of centers with radii, which may be empty
    kindRule,      // the name of a rule for unknown cells
} kind;

typedef struct field {
    const char* name;
    kind kind;
    const char* good;
    bool isOptional;
} field;

#define MAX_FIELDS 6
typedef struct subject {
    const char* name;
    field fields[MAX_FIELDS];
} subject;

#define VERTICES "[[0,0,0],[1,0,0],[0,1,0.5]]"

// Rows below.
#define OCTREE 12
#define CLOUD 13

// clang-format off
static const subject types[] = {
    {"sphere",    {{"radius", kindLength, "0.5", false}}},
    {"box",       {{"size", kindLengths, "[1,2,3]", false}}},
    {"capsule",   {{"radius", kindLength, "0.5", false}, {"length", kindLength, "2", false}}},
    {"cylinder",  {{"radius", kindLength, "0.5", false}, {"length", kindLength, "2", false}}},
    {"cone",      {{"radius", kindLength, "0.5", false}, {"length", kindLength, "2", false}}},
    {"ellipsoid", {{"radii", kindLengths, "[1,2,3]", false}}},
    {"convex",    {{"vertices", kindPoints, VERTICES, false}}},
    {"halfspace", {{"normal", kindVector, "[0,0,1]", false}, {"offset", kindNumber, "1", false}}},
    {"plane",     {{"normal", kindVector, "[0,0,1]", false}, {"offset", kindNumber, "1", false}}},
    {"triangle",  {{"vertices", kindPoints, VERTICES, false}}},
    {"mesh",      {{"vertices", kindVertices, VERTICES, false}, {"triangles", kindTriangles, "[[0,1,2]]", false},
                   {"solid", kindBool, "true", true}, {"bv", kindVolume, "\"obb\"", true}}},
    {"heightfield", {{"nx", kindSide, "3", false}, {"ny", kindSide, "2", false},
                     {"heights", kindHeights, "[0,1,0,1,0,1]", false}, {"x_dim", kindExtent, "2", false},
                     {"y_dim", kindExtent, "1", false}, {"min_height", kindNumber, "-1", true}}},
    {"octree",    {{"resolution", kindExtent, "0.1", false}, {"occupied", kindCells, "[[0,0,0],[0.1,0,0]]", false},
                   {"threshold", kindLength, "0.6", true}, {"unknown", kindRule, "\"collide\"", true}}},
    {"cloud",     {{"points", kindCells, "[[0,0,0],[0.5,0,0]]", false}, {"radius", kindLength, "0.1", true},
                   {"spacing", kindLength, "0.2", true}, {"sigma", kindLength, "0.01", true}}},
    {"spheres",   {{"spheres", kindSpheres, "[[0,0,0,1],[0.1,0,0,0.5]]", false}}},
};

// Fields of every object.
static const field common[] = {
    {"type",     kindWord,   "\"sphere\"",   false},
    {"xyz",      kindVector, "[1,2,3]",      true},
    {"quat",     kindQuat,   "[0,0,0.6,0.8]", true},
    {"rpy",      kindVector, "[1,2,3]",      true},
    {"padding",  kindNumber, "-0.1",         true},
    {"rounding", kindLength, "0.1",          true},
};

// Fields of the queries.
static const subject queries[] = {
    {"collide",         {{"margin", kindNumber, "0.1", true}}},
    {"distance",        {{"cutoff", kindLength, "0.1", true}}},
    {"signed_distance", {{0}}},
    {"contacts",        {{"max_contacts", kindCount, "4", true}, {"margin", kindNumber, "0.1", true}}},
    {"bounds",          {{0}}},
    {"raycast",         {{"origin", kindVector, "[0,0,9]", false}, {"direction", kindVector, "[0,0,-1]", false},
                         {"max_distance", kindLength, "20", true}}},
    {"cost",            {{"margin", kindNumber, "0.1", true}, {"max_boxes", kindCount, "4", true},
                         {"min_probability", kindLength, "0.5", true}}},
    {"cast",            {{"margin", kindNumber, "0.1", true}, {"tolerance", kindLength, "0.001", true}}},
    {"probability",     {{"margin", kindNumber, "0.1", true}}},
    {"separation",      {{"margin", kindLength, "0.1", true}, {"direction", kindVector, "[0,0,-1]", true},
                         {"max_queries", kindCount, "4", true}}},
};

typedef struct badValue {
    const char* text;
    const char* code;
} badValue;

#define MAX_VALUES 20
static const badValue badValues[][MAX_VALUES] = {
    [kindLength] = {{"null", "bad_field"}, {"true", "bad_field"}, {"\"x\"", "bad_field"}, {"\"1\"", "bad_field"},
        {"[]", "bad_field"}, {"[1]", "bad_field"}, {"{}", "bad_field"}, {"-1", "out_of_range"},
        {"-1e-300", "out_of_range"}, {"\"nan\"", "not_finite"}, {"\"NaN\"", "not_finite"},
        {"\"inf\"", "not_finite"}, {"\"-inf\"", "not_finite"}, {"\"Infinity\"", "not_finite"},
        {"1e999", "not_finite"}, {"-1e999", "not_finite"}, {"NaN", "bad_json"}, {"Infinity", "bad_json"}},
    [kindNumber] = {{"null", "bad_field"}, {"false", "bad_field"}, {"\"x\"", "bad_field"}, {"\"\"", "bad_field"},
        {"[]", "bad_field"}, {"{}", "bad_field"}, {"\"nan\"", "not_finite"}, {"\"-nan\"", "not_finite"},
        {"\"+inf\"", "not_finite"}, {"\"-Infinity\"", "not_finite"}, {"1e400", "not_finite"},
        {"-inf", "bad_json"}, {"0x10", "bad_json"}, {"01", "bad_json"}, {"+1", "bad_json"}, {".5", "bad_json"}},
    [kindCount] = {{"null", "bad_field"}, {"1.5", "bad_field"}, {"\"x\"", "bad_field"}, {"[4]", "bad_field"},
        {"-1", "out_of_range"}, {"\"inf\"", "not_finite"}, {"1e999", "not_finite"}},
    [kindLengths] = {{"null", "bad_field"}, {"1", "bad_field"}, {"\"x\"", "bad_field"}, {"{}", "bad_field"},
        {"[]", "bad_field"}, {"[1,1]", "bad_field"}, {"[1,1,1,1]", "bad_field"}, {"[1,1,null]", "bad_field"},
        {"[1,[1],1]", "bad_field"}, {"[1,1,-1]", "out_of_range"}, {"[-0.5,1,1]", "out_of_range"},
        {"[\"nan\",1,1]", "not_finite"}, {"[1,\"inf\",1]", "not_finite"}, {"[1,1e999,1]", "not_finite"}},
    [kindVector] = {{"null", "bad_field"}, {"1", "bad_field"}, {"\"x\"", "bad_field"}, {"{}", "bad_field"},
        {"[]", "bad_field"}, {"[1,1]", "bad_field"}, {"[1,1,1,1]", "bad_field"}, {"[1,1,true]", "bad_field"},
        {"[1,1,\"x\"]", "bad_field"}, {"[\"-inf\",1,1]", "not_finite"}, {"[1,1,-1e999]", "not_finite"},
        {"[1,1,]", "bad_json"}, {"[1,,1]", "bad_json"}},
    [kindQuat] = {{"null", "bad_field"}, {"1", "bad_field"}, {"[0,0,0]", "bad_field"}, {"[0,0,0,0,1]", "bad_field"},
        {"[0,0,0,\"w\"]", "bad_field"}, {"[0,0,0,0]", "bad_quaternion"}, {"[0,0,0,2]", "bad_quaternion"},
        {"[0,0,0,0.99]", "bad_quaternion"}, {"[0,0,0,1.002]", "bad_quaternion"}, {"[1,1,1,1]", "bad_quaternion"},
        {"[1e308,1e308,0,1]", "bad_quaternion"}, {"[0,0,0,\"nan\"]", "not_finite"}, {"[0,0,0,1e999]", "not_finite"}},
    [kindPoints] = {{"null", "bad_field"}, {"7", "bad_field"}, {"\"x\"", "bad_field"}, {"{}", "bad_field"},
        {"[]", "bad_field"}, {"[1,2,3]", "bad_field"}, {"[[1,2,3],[1,2],[1,2,3]]", "bad_field"},
        {"[[1,2,3],[1,2,3,4],[1,2,3]]", "bad_field"}, {"[[1,2,3],null,[1,2,3]]", "bad_field"},
        {"[[1,2,3],[1,2,\"x\"],[1,2,3]]", "bad_field"}, {"[[1,2,3],[1,2,\"nan\"],[1,2,3]]", "not_finite"},
        {"[[1,2,3],[1,2,3],[1,2,1e999]]", "not_finite"}},
    [kindWord] = {{"null", "bad_field"}, {"1", "bad_field"}, {"[]", "bad_field"}, {"{}", "bad_field"},
        {"\"\"", "unknown_type"}, {"\"Sphere\"", "unknown_type"}, {"\"sphere \"", "unknown_type"},
        {"\"sphere\\u0000x\"", "bad_field"}, {"\"\\ud83d\\ude00\"", "unknown_type"}, {"\"clouds\"", "unknown_type"},
        {"\"\\ud800\"", "bad_json"}, {"\"\\x\"", "bad_json"}},
    [kindVertices] = {{"null", "bad_field"}, {"7", "bad_field"}, {"{}", "bad_field"}, {"[]", "out_of_range"},
        {"[[0,0,0],[1,0,0]]", "out_of_range"}, {"[[1,2,3],[1,2],[1,2,3]]", "bad_field"},
        {"[[1,2,3],[1,2,\"nan\"],[1,2,3]]", "not_finite"}, {"[[1,2,3],[1,2,3],[1,2,1e16]]", "out_of_range"}},
    [kindTriangles] = {{"null", "bad_field"}, {"7", "bad_field"}, {"{}", "bad_field"}, {"[7]", "bad_field"},
        {"[[0,1]]", "bad_field"}, {"[[0,1,2,0]]", "bad_field"}, {"[[0,1,\"2\"]]", "bad_field"},
        {"[[0,1,1.5]]", "bad_field"}, {"[[0,1,3]]", "out_of_range"}, {"[[0,-1,2]]", "out_of_range"},
        {"[[0,1,1e300]]", "out_of_range"}, {"[[0,1,4294967296]]", "out_of_range"}, {"[[0,1,\"inf\"]]", "not_finite"}},
    [kindBool] = {{"null", "bad_field"}, {"1", "bad_field"}, {"\"true\"", "bad_field"}, {"[]", "bad_field"}, {"True", "bad_json"}},
    [kindVolume] = {{"null", "bad_field"}, {"1", "bad_field"}, {"\"\"", "bad_field"}, {"\"AABB\"", "bad_field"}, {"\"box\"", "bad_field"}},
    [kindSide] = {{"null", "bad_field"}, {"[3]", "bad_field"}, {"2.5", "bad_field"}, {"0", "out_of_range"},
        {"1", "out_of_range"}, {"-3", "out_of_range"}, {"7", "bad_field"}, {"1e9", "bad_field"}, {"1e300", "bad_field"},
        {"4294967299", "bad_field"}, {"\"nan\"", "not_finite"}, {"1e999", "not_finite"}},
    [kindHeights] = {{"null", "bad_field"}, {"7", "bad_field"}, {"[]", "bad_field"}, {"[0,1,0,1,0]", "bad_field"},
        {"[0,1,0,1,0,1,0]", "bad_field"}, {"[[0,1,0],[1,0,1]]", "bad_field"}, {"[0,1,0,1,0,\"x\"]", "bad_field"},
        {"[0,1,0,1,0,\"nan\"]", "not_finite"}, {"[0,1,0,1,0,1e999]", "not_finite"}, {"[0,1,0,1,0,1e16]", "out_of_range"}},
    [kindExtent] = {{"null", "bad_field"}, {"[1]", "bad_field"}, {"0", "out_of_range"}, {"-1", "out_of_range"},
        {"1e16", "out_of_range"}, {"1e-300", "out_of_range"}, {"\"inf\"", "not_finite"}},
    [kindCells] = {{"null", "bad_field"}, {"7", "bad_field"}, {"{}", "bad_field"}, {"[1,2,3]", "bad_field"},
        {"[[1,2]]", "bad_field"}, {"[[1,2,\"nan\"]]", "not_finite"}, {"[[0,0,0],[1e16,0,0]]", "out_of_range"}},
    [kindSpheres] = {{"null", "bad_field"}, {"7", "bad_field"}, {"{}", "bad_field"}, {"[1,2,3,4]", "bad_field"},
        {"[[1,2,3]]", "bad_field"}, {"[[1,2,3,4,5]]", "bad_field"}, {"[[1,2,3,null]]", "bad_field"},
        {"[[1,2,3,-1]]", "out_of_range"}, {"[[1,2,3,-1e-300]]", "out_of_range"}, {"[[1,2,3,1e16]]", "out_of_range"},
        {"[[1,2,3,1e300]]", "out_of_range"}, {"[[0,0,0,0],[1e16,0,0,0]]", "out_of_range"},
        {"[[1,2,3,\"nan\"]]", "not_finite"}, {"[[1,2,3,1e999]]", "not_finite"}},
    [kindRule] = {{"null", "bad_field"}, {"1", "bad_field"}, {"\"\"", "bad_field"}, {"\"Collide\"", "bad_field"}},
};

// Whole lines that are wrong in other ways.
static const badValue lines[] = {
    {"{", "bad_json"}, {"}", "bad_json"}, {"[", "bad_json"}, {"\"", "bad_json"}, {"x", "bad_json"}, {"0", "bad_json"},
    {"null", "bad_json"}, {"[]", "bad_json"}, {"[{}]", "bad_json"}, {"\"text\"", "bad_json"}, {"{}{}", "bad_json"},
    {"{},", "bad_json"}, {"{'id':1}", "bad_json"}, {"{id:1}", "bad_json"}, {"{\"id\":1,}", "bad_json"},
    {"{\"id\" 1}", "bad_json"}, {"{\"id\":}", "bad_json"}, {"{\"id\":1 \"query\":2}", "bad_json"},
    {"{\"id\":1,\"id\":1}", "bad_json"}, {"{\"query\":\"bounds\",\"query\":\"bounds\"}", "bad_json"},
    {"{\"a\":{\"type\":\"box\",\"type\":\"box\"}}", "bad_json"}, {"{\"a\":tru}", "bad_json"}, {"// {}", "bad_json"},
    {"{\"id\":\"\xff\"}", "bad_json"}, {"{\"id\":\"\xc0\xaf\"}", "bad_json"}, {"\xff\xfe{\"id\":1}", "bad_json"},
    {"{\"\\u0000\":1}", "bad_json"}, {"{\"id\":\"a\tb\"}", "bad_json"},
    {"{}", "missing_field"}, {"{\"id\":7}", "missing_field"}, {"{\"query\":null}", "bad_field"},
    {"{\"query\":7}", "bad_field"}, {"{\"query\":\"\"}", "unknown_query"}, {"{\"query\":\"Distance\"}", "unknown_query"},
    {"{\"query\":\"collide\\u0000\"}", "bad_field"}, {"{\"query\":\"cast\"}", "missing_field"},
    {"{\"query\":\"cost\"}", "missing_field"}, {"{\"query\":\"collide\"}", "missing_field"},
    {"{\"query\":\"collide\",\"a\":null}", "bad_field"}, {"{\"query\":\"collide\",\"a\":[]}", "bad_field"},
    {"{\"query\":\"collide\",\"a\":{}}", "missing_field"}, {"{\"query\":\"bounds\",\"b\":{\"type\":\"sphere\",\"radius\":1}}", "unknown_field"},
    {"{\"query\":\"bounds\",\"xtra\":0,\"a\":{\"type\":\"sphere\",\"radius\":1}}", "unknown_field"},
    {"{\"query\":\"bounds\",\"\":0,\"a\":{\"type\":\"sphere\",\"radius\":1}}", "unknown_field"},
    {"{\"query\":\"bounds\",\"a\":{\"type\":\"sphere\",\"radius\":1,\"length\":2}}", "unknown_field"},
    {"{\"query\":\"bounds\",\"a\":{\"type\":\"sphere\",\"radius\":1,\"name\":\"s\"}}", "unknown_field"},
    {"{\"query\":\"bounds\",\"a\":{\"type\":\"sphere\",\"radius\":1,\"to\":{}}}", "unknown_field"},
    {"{\"query\":\"cast_elements\",\"kind\":\"edge-edge\"}", "missing_field"},
    {"{\"query\":\"cast_elements\",\"a\":{\"type\":\"sphere\",\"radius\":1}}", "unknown_field"},
    {"{\"query\":\"cast_elements\",\"kind\":\"face-face\",\"t0\":[],\"t1\":[]}", "bad_field"},
    {"{\"query\":\"cast_elements\",\"kind\":7}", "bad_field"},
    {"{\"query\":\"cost\",\"a\":{\"type\":\"octree\",\"resolution\":1,\"occupied\":[]},\"b\":{\"type\":\"sphere\",\"radius\":1,\"to\":{\"xyz\":[0,0,1],\"qaut\":[0,0,0,1]}}}", "unknown_field"},
    {"{\"query\":\"cast\",\"motion\":\"up\",\"a\":{\"type\":\"sphere\",\"radius\":1},\"b\":{\"type\":\"sphere\",\"radius\":1}}", "bad_field"},
    {"{\"query\":\"cast\",\"a\":{\"type\":\"sphere\",\"radius\":1,\"to\":7},\"b\":{\"type\":\"sphere\",\"radius\":1}}", "bad_field"},
    {"{\"query\":\"cost\",\"a\":{\"type\":\"octree\",\"resolution\":1,\"occupied\":[],\"to\":{}},\"b\":{\"type\":\"sphere\",\"radius\":1}}", "bad_field"},
    {"{\"query\":\"collide\",\"a\":{\"type\":\"sphere\",\"radius\":1}}", "missing_field"},
    {"{\"query\":\"collide\",\"a\":{\"type\":\"sphere\",\"radius\":1},\"b\":7}", "bad_field"},
    {"{\"query\":\"bounds\",\"a\":{\"type\":\"plane\",\"normal\":[0,0,0],\"offset\":1}}", "zero_normal"},
    {"{\"query\":\"bounds\",\"a\":{\"type\":\"halfspace\",\"normal\":[0,-0.0,0],\"offset\":1}}", "zero_normal"},
    {"{\"query\":\"raycast\",\"a\":{\"type\":\"sphere\",\"radius\":1},\"origin\":[0,0,0],\"direction\":[0,0,0]}", "zero_direction"},
    {"{\"query\":\"bounds\",\"a\":{\"type\":\"sphere\",\"radius\":1,\"quat\":[0,0,0,1],\"rpy\":[0,0,0]}}", "bad_field"},
    {"{\"query\":\"bounds\",\"a\":{\"type\":\"triangle\",\"vertices\":[[0,0,0],[1,0,0]]}}", "bad_field"},
    {"{\"query\":\"cost\",\"a\":{\"type\":\"sphere\",\"radius\":1},\"b\":{\"type\":\"sphere\",\"radius\":1}}", "bad_field"},
    {"{\"query\":\"cost\",\"a\":{\"type\":\"octree\",\"resolution\":1,\"occupied\":[]},\"b\":{\"type\":\"sphere\",\"radius\":1,\"to\":7}}", "bad_field"},
    {"{\"query\":\"cost\",\"a\":{\"type\":\"octree\",\"resolution\":1,\"occupied\":[]},\"b\":{\"type\":\"sphere\",\"radius\":1,\"to\":{\"quat\":[0,0,0,2]}}}", "bad_quaternion"},
    {"{\"query\":\"bounds\",\"a\":{\"type\":\"octree\",\"resolution\":1,\"occupied\":[],\"threshold\":1}}", "out_of_range"},
    {"{\"query\":\"bounds\",\"a\":{\"type\":\"octree\",\"resolution\":1,\"occupied\":[],\"file\":\"x.bt\"}}", "bad_field"},
    {"{\"query\":\"bounds\",\"a\":{\"type\":\"triangle\",\"vertices\":[[0,0,0],[1,0,0],[1,1,0],[0,1,0]]}}", "bad_field"},
};
// clang-format on

static int lineCount;

// Asks, and checks that the answer is one line of JSON. The caller releases it.
static json_t* ask(const char* line, size_t length)
{
    wkText answer = {0};
    bool isAnswered = wkAskLine(line, length, 1, NULL, &answer);
    json_error_t trouble;
    size_t flags = JSON_REJECT_DUPLICATES | JSON_ALLOW_NUL | JSON_DECODE_INT_AS_REAL;
    json_t* json = json_loadb(answer.data, answer.length, flags, &trouble);
    bool isOneLine = answer.length > 0 && answer.data[answer.length - 1] == '\n' &&
                     memchr(answer.data, '\n', answer.length - 1) == NULL;
    bool isWhole = json != NULL && json_object_get(json, "id") != NULL &&
                   (json_object_get(json, "error") == NULL) == isAnswered;
    if (!isOneLine || !isWhole) {
        fail_msg("line %.*s\nanswer %.*s", (int)length, line, (int)answer.length, answer.data);
    }
    wkText_Free(&answer);
    lineCount++;
    return json;
}

static void expectCode(const char* line, size_t length, const char* code)
{
    json_t* answer = ask(line, length);
    const char* got = json_string_value(json_object_get(json_object_get(answer, "error"), "code"));
    const char* words =
        json_string_value(json_object_get(json_object_get(answer, "error"), "message"));
    if (strcmp(got != NULL ? got : "", code) != 0 || (got != NULL && strlen(words) < 4)) {
        fail_msg("line %.*s\nexpected %s, got %s", (int)length, line, code,
                 got != NULL ? got : "an answer");
    }
    json_decref(answer);
}

typedef struct line {
    char text[1024];
} line;

static size_t fieldCount(const subject* s)
{
    size_t count = 0;
    while (count < MAX_FIELDS && s->fields[count].name != NULL) {
        count++;
    }
    return count;
}

static void append(line* out, const char* before, const char* name, const char* value)
{
    size_t used = strlen(out->text);
    snprintf(out->text + used, sizeof out->text - used, "%s\"%s\":%s", before, name, value);
}

// A question about objects of one type. The field `changed` of a gets `value` (NULL: is left out).
static line makeLine(const subject* query, const subject* type, const field* changed,
                     const char* value)
{
    line out = {"{\"id\":1"};
    char quoted[64];
    snprintf(quoted, sizeof quoted, "\"%s\"", query->name);
    append(&out, ",", "query", quoted);
    for (size_t i = 0; i < fieldCount(query); i++) {
        const field* f = &query->fields[i];
        const char* text = f == changed ? value : f->good;
        if (text != NULL) {
            append(&out, ",", f->name, text);
        }
    }
    bool isAboutOne = strcmp(query->name, "bounds") == 0 || strcmp(query->name, "raycast") == 0;
    if (!isAboutOne) {
        append(&out, ",", "b", "{\"type\":\"box\",\"size\":[1,1,1],\"xyz\":[4,0,0]}");
    }
    append(&out, ",", "a", "{");
    snprintf(quoted, sizeof quoted, "\"%s\"", type->name);
    if (changed != &common[0]) {
        append(&out, "", "type", quoted);
    }
    for (size_t i = 0; i < fieldCount(type); i++) {
        const field* f = &type->fields[i];
        const char* text = f == changed ? value : f->good;
        if (text != NULL) {
            append(&out, changed == &common[0] && i == 0 ? "" : ",", f->name, text);
        }
    }
    for (size_t i = 0; i < sizeof common / sizeof common[0]; i++) {
        if (&common[i] == changed && value != NULL) {
            append(&out, ",", common[i].name, value);
        }
    }
    size_t used = strlen(out.text);
    snprintf(out.text + used, sizeof out.text - used, "}}");
    return out;
}

// A type that the query can be asked about.
static const subject* typeFor(const subject* query)
{
    bool isCost = strcmp(query->name, "cost") == 0;
    bool isProbability = strcmp(query->name, "probability") == 0;
    return &types[isCost ? OCTREE : isProbability ? CLOUD : 0];
}

static void tryField(const subject* query, const subject* type, const field* f)
{
    for (size_t i = 0; i < MAX_VALUES && badValues[f->kind][i].text != NULL; i++) {
        line l = makeLine(query, type, f, badValues[f->kind][i].text);
        expectCode(l.text, strlen(l.text), badValues[f->kind][i].code);
    }
    line without = makeLine(query, type, f, NULL);
    line with = makeLine(query, type, f, f->good);
    if (!f->isOptional) {
        expectCode(without.text, strlen(without.text), "missing_field");
    }
    if (f->kind != kindWord) {
        json_t* answer = ask(with.text, strlen(with.text));
        assert_null(json_object_get(answer, "error"));
        json_decref(answer);
    }
}

static void every_field_is_checked(void** state)
{
    (void)state;
    lineCount = 0;
    for (size_t t = 0; t < sizeof types / sizeof types[0]; t++) {
        for (size_t i = 0; i < fieldCount(&types[t]); i++) {
            tryField(&queries[2], &types[t], &types[t].fields[i]);
        }
        for (size_t i = 0; i < sizeof common / sizeof common[0]; i++) {
            tryField(&queries[4], &types[t], &common[i]);
        }
    }
    for (size_t q = 0; q < sizeof queries / sizeof queries[0]; q++) {
        for (size_t i = 0; i < fieldCount(&queries[q]); i++) {
            tryField(&queries[q], typeFor(&queries[q]), &queries[q].fields[i]);
        }
    }
    for (size_t i = 0; i < sizeof lines / sizeof lines[0]; i++) {
        expectCode(lines[i].text, strlen(lines[i].text), lines[i].code);
    }
    print_message("%d lines\n", lineCount);
}

// A line whose member `name` has lost a letter is refused, and the message names the letter's owner.
static void loseLetter(const line* good, const char* name)
{
    char key[40], wanted[80];
    snprintf(key, sizeof key, "\"%s\":", name);
    snprintf(wanted, sizeof wanted, "did you mean \"%s\"?", name);
    const char* found = strstr(good->text, key);
    assert_non_null(found);
    line bad = *good;
    size_t at = (size_t)(found - good->text) + strlen(name); // the last letter
    memmove(bad.text + at, good->text + at + 1, strlen(good->text + at));
    json_t* answer = ask(bad.text, strlen(bad.text));
    const json_t* error = json_object_get(answer, "error");
    const char* code = json_string_value(json_object_get(error, "code"));
    const char* words = json_string_value(json_object_get(error, "message"));
    if (strcmp(code != NULL ? code : "", "unknown_field") != 0 ||
        (strlen(name) > 2 && strstr(words, wanted) == NULL)) {
        fail_msg("line %s\nanswer %s", bad.text, words != NULL ? words : "");
    }
    json_decref(answer);
}

static void every_name_is_checked(void** state)
{
    (void)state;
    for (size_t t = 0; t < sizeof types / sizeof types[0]; t++) {
        for (size_t i = 0; i < fieldCount(&types[t]); i++) {
            line l = makeLine(&queries[2], &types[t], NULL, NULL);
            loseLetter(&l, types[t].fields[i].name);
        }
        for (size_t i = 0; i < sizeof common / sizeof common[0]; i++) {
            line l = makeLine(&queries[4], &types[t], &common[i], common[i].good);
            loseLetter(&l, common[i].name);
        }
    }
    for (size_t q = 0; q < sizeof queries / sizeof queries[0]; q++) {
        line l = makeLine(&queries[q], typeFor(&queries[q]), NULL, NULL);
        loseLetter(&l, "query");
        for (size_t i = 0; i < fieldCount(&queries[q]); i++) {
            loseLetter(&l, queries[q].fields[i].name);
        }
    }
}

// A byte is changed, put in or taken out; then the line is cut off there.
static void spoil(const line* good)
{
    static const char bytes[] = {'\0', '"', '{', ']', ',', '\\', '\xff', '9', 'e', '-', ' '};
    size_t length = strlen(good->text);
    for (size_t at = 0; at < length; at++) {
        line bad = *good;
        for (size_t i = 0; i < sizeof bytes; i++) {
            bad.text[at] = bytes[i];
            json_decref(ask(bad.text, length));
        }
        memmove(bad.text + at, good->text + at + 1, length - at - 1);
        json_decref(ask(bad.text, length - 1));
        memcpy(bad.text + at + 1, good->text + at, length - at);
        bad.text[at] = good->text[at];
        json_decref(ask(bad.text, length + 1));
        json_decref(ask(good->text, at));
    }
}

static void spoilt_lines_are_answered_too(void** state)
{
    (void)state;
    lineCount = 0;
    for (size_t t = 0; t < sizeof types / sizeof types[0]; t++) {
        const subject* query = &queries[t % (sizeof queries / sizeof queries[0])];
        line good = makeLine(query, &types[t], NULL, NULL);
        spoil(&good);
    }
    assert_int_equal(wkGetByteCount(), 0);
    print_message("%d lines\n", lineCount);
}

static void expectId(const char* text, const char* id)
{
    wkText answer = {0};
    wkAskLine(text, strlen(text), 1, NULL, &answer);
    char start[128];
    snprintf(start, sizeof start, "{\"id\":%s,", id);
    if (answer.length < strlen(start) || memcmp(answer.data, start, strlen(start)) != 0) {
        fail_msg("line %s\nanswer %.*s", text, (int)answer.length, answer.data);
    }
    wkText_Free(&answer);
}

static void ids_come_back_as_they_were_written(void** state)
{
    (void)state;
    static const char* const ids[] = {
        "1",
        "-0.10",
        "1.0",
        "1e2",
        "12345678901234567890123456789",
        "\"r1\"",
        "\"\"",
        "\"\\u00e9 \\\" \\\\\"",
        "null",
        "true",
        "[1, {\"id\": 2}]",
        "{\"a\":[\"}\"]}",
    };
    for (size_t i = 0; i < sizeof ids / sizeof ids[0]; i++) {
        char text[256];
        snprintf(text, sizeof text, "{\"query\":\"x,}\",\"z\":{\"id\":9}, \"id\" : %s }", ids[i]);
        expectId(text, ids[i]);
    }
    expectId("{\"query\":\"none\"}", "null");
    expectId("{\"\\u0069d\":5}", "5");
    expectId("{\"id\":5,\"x\":1e999}", "5");
    expectId("{\"x\":1e999,\"id\":5}", "5");
    expectId("{\"id\":5", "null");
}

// Finite numbers of any size give finite answers or an error, never a crash.
static void extreme_numbers_are_survived(void** state)
{
    (void)state;
    static const char* const sizes[] = {"0",     "5e-324", "1e-300", "1e-160", "1e-8",
                                        "1e100", "1e154",  "1e200",  "1.7e308"};
    size_t count = sizeof sizes / sizeof sizes[0];
    for (size_t q = 0; q < sizeof queries / sizeof queries[0]; q++) {
        for (size_t t = 0; t < sizeof types / sizeof types[0]; t++) {
            for (size_t i = 0; i < count * count; i++) {
                const char* s = sizes[i % count];
                char value[200];
                kind k = types[t].fields[0].kind;
                const char* format = k == kindPoints ? "[[0,0,0],[%s,0,0],[0,%s,1]]"
                                     : k == kindLength || k == kindExtent ? "%s"
                                                                          : "[1,%s,%s]";
                snprintf(value, sizeof value, format, s, s, s);
                line l = makeLine(&queries[q], &types[t], &types[t].fields[0], value);
                char* end = strrchr(l.text, '}') - 1;
                snprintf(end, 64, ",\"xyz\":[%s,0,0]}}", sizes[i / count]);
                json_decref(ask(l.text, strlen(l.text)));
            }
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_field_is_checked),
        cmocka_unit_test(every_name_is_checked),
        cmocka_unit_test(spoilt_lines_are_answered_too),
        cmocka_unit_test(ids_come_back_as_they_were_written),
        cmocka_unit_test(extreme_numbers_are_survived),
    };
    return cmocka_run_group_tests_name("ask_hostile", tests, NULL, NULL);
}
