// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// Reads the values of options from a command line: one reader per kind.

#include "options.h"

#include "outputs.h"
#include "suggestion.h"

#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define POSE_NUMBERS 7
#define UNIT_TOLERANCE 1e-3 // of the length of a quaternion that is rounded in text

int wkReadNumbers(const char* text, double* numbers, int capacity)
{
    char word[64];
    for (int count = 0; count < capacity; count++) {
        size_t length = strcspn(text, ",");
        if (length >= sizeof word) {
            return -1;
        }
        memcpy(word, text, length);
        word[length] = '\0';
        if (!wkReadNumber(word, &numbers[count])) {
            return -1;
        }
        if (text[length] == '\0') {
            return count + 1;
        }
        text += length + 1;
    }
    return -1;
}

bool wkReadPose(const char* text, wkPose* pose)
{
    double n[POSE_NUMBERS];
    int count = wkReadNumbers(text, n, POSE_NUMBERS);
    if (count == 3) {
        *pose = wkMakePose(n[0], n[1], n[2]);
    } else if (count == 6) {
        *pose = wkMakePoseRpy((wkVec3d){n[0], n[1], n[2]}, n[3], n[4], n[5]);
    } else if (count == 7) {
        double length = sqrt(n[3] * n[3] + n[4] * n[4] + n[5] * n[5] + n[6] * n[6]);
        *pose = (wkPose){{n[0], n[1], n[2]},
                         {n[3] / length, n[4] / length, n[5] / length, n[6] / length}};
        return fabs(length - 1.0) <= UNIT_TOLERANCE;
    }
    return count == 3 || count == 6;
}

static bool addToList(wkOptionList* list, const char* item)
{
    if (list->count == WK_OPTION_LIST) {
        return false;
    }
    list->items[list->count++] = item;
    return true;
}

static bool readText(const char* text, void* value)
{
    *(const char**)value = text;
    return true;
}

// Larger lengths and angles are taken for mistakes. wkBatch has the same limit.
#define LARGEST 1e5
#define LARGEST_WORDS "100000"

static bool readWithin(const char* text, double lowest, double highest, void* value)
{
    double number = 0.0;
    bool isWithin = wkReadNumber(text, &number) && number >= lowest && number <= highest;
    *(double*)value = isWithin ? number : *(double*)value;
    return isWithin;
}

bool wkReadLength(const char* text, double* length)
{
    return readWithin(text, 0.0, LARGEST, length);
}

static bool readOffset(const char* text, void* value)
{
    return readWithin(text, -LARGEST, LARGEST, value);
}

static bool readSize(const char* text, void* value)
{
    return readWithin(text, DBL_MIN, LARGEST, value);
}

static bool readBound(const char* text, void* value)
{
    return wkReadLength(text, (double*)value);
}

static bool readShare(const char* text, void* value)
{
    return readWithin(text, 0.0, 1.0, value);
}

static bool readCount(const char* text, void* value)
{
    char* end = NULL;
    long count = strtol(text, &end, 10);
    if (end == text || *end != '\0' || count < 1 || count > 1000000000) {
        return false;
    }
    *(int*)value = (int)count;
    return true;
}

static bool readItem(const char* text, void* value)
{
    return addToList((wkOptionList*)value, text);
}

typedef struct kindRow {
    bool (*read)(const char* text, void* value); // NULL: the option has no value
    bool mayRepeat;
    const char* expects;
} kindRow;

static const kindRow kinds[] = {
    [wk_optionFlag] = {NULL, true, ""},
    [wk_optionText] = {readText, false, "a value"},
    [wk_optionOutput] = {readText, false, "the path of a file"},
    [wk_optionOffset] = {readOffset, false, "a number from -" LARGEST_WORDS " to " LARGEST_WORDS},
    [wk_optionSize] = {readSize, false, "a number above 0, at most " LARGEST_WORDS},
    [wk_optionBound] = {readBound, false, WK_LENGTH_WORDS},
    [wk_optionShare] = {readShare, false, "a number from 0 to 1"},
    [wk_optionCount] = {readCount, false, "a whole number from 1 to 1000000000"},
    [wk_optionList] = {readItem, true, "a value, at most 64 times"},
};

// Options renamed since version 0.1. The old names work until 0.3.
static const struct {
    const char* old;
    const char* name;
} renamed[] = {
    {"--unseen-free", "--unobserved-free"},
};

// Returns the present name of an option, after a message if the old name was used.
static const char* presentName(const char* command, const char* word)
{
    for (size_t i = 0; i < sizeof renamed / sizeof *renamed; i++) {
        if (strcmp(word, renamed[i].old) == 0) {
            fprintf(stderr, "whisker %s: %s is now called %s\n", command, word, renamed[i].name);
            return renamed[i].name;
        }
    }
    return word;
}

// Returns the option that a word names, with `value` after its equals sign; NULL: no such option.
static const wkOption* findOption(const wkOption* options, size_t count, const char* word,
                                  const char** value)
{
    const char* equals = strncmp(word, "--", 2) == 0 ? strchr(word, '=') : NULL;
    size_t length = equals != NULL ? (size_t)(equals - word) : strlen(word);
    *value = equals != NULL ? equals + 1 : NULL;
    for (size_t i = 0; i < count; i++) {
        if (strlen(options[i].name) == length && strncmp(options[i].name, word, length) == 0) {
            return &options[i];
        }
    }
    return NULL;
}

// Returns true for words that start with a dash, except numbers and the dash alone.
static bool isLikeOption(const char* word)
{
    double ignored;
    return word[0] == '-' && word[1] != '\0' && !wkReadNumber(word, &ignored);
}

// Sets an option, to the value after its equals sign or else the next word of the command line.
// @param used set to true when the next word was the value
// @return error message; NULL: none
static const char* setOption(const wkOption* option, const char* value, const char* next,
                             bool* used)
{
    const kindRow* kind = &kinds[option->kind];
    *used = false;
    if (kind->read == NULL) {
        *(bool*)option->value = true;
        return value != NULL ? "takes no value" : NULL;
    }
    // a next word that starts with two dashes is another option: the value is missing
    *used = value == NULL && next != NULL && strncmp(next, "--", 2) != 0;
    value = *used ? next : value;
    return value != NULL && kind->read(value, option->value) ? NULL : kind->expects;
}

// Declares outputs, and every other word that names a file as a possible input.
static bool declareFiles(int argc, char** argv, const wkOption* options, size_t optionCount)
{
    bool isFine = true;
    for (size_t i = 0; i < optionCount && isFine; i++) {
        isFine = options[i].kind != wk_optionOutput ||
                 wkOutputs_Add(argv[0], *(const char* const*)options[i].value);
    }
    for (int i = 1; i < argc; i++) {
        wkOutputs_NoteRead(argv[i]);
    }
    for (size_t i = 0; i < optionCount; i++) {
        const wkOptionList* list = options[i].value;
        if (options[i].kind == wk_optionText) {
            wkOutputs_NoteRead(*(const char* const*)options[i].value);
        }
        for (int k = 0; options[i].kind == wk_optionList && k < list->count; k++) {
            wkOutputs_NoteRead(list->items[k]);
        }
    }
    return isFine && wkOutputs_AreApart(argv[0]);
}

static bool refuseUnknown(const char* command, const char* word, const wkOption* options,
                          size_t optionCount)
{
    wkSuggestion nearest = {0};
    char name[64];
    snprintf(name, sizeof name, "%.*s", (int)strcspn(word, "="), word);
    for (size_t i = 0; i < optionCount; i++) {
        wkSuggestion_Try(&nearest, name, options[i].name, strlen(options[i].name));
    }
    fprintf(stderr, "whisker %s: unknown option %s%s; try: whisker %s --help\n", command, name,
            wkSuggestion_Hint(&nearest).text, command);
    return false;
}

// Checks that at most one word reads the standard input.
static bool checkInputs(int argc, char** argv, const wkOption* options, size_t optionCount)
{
    int count = 0;
    for (int i = 1; i < argc; i++) {
        count += strcmp(argv[i], "-") == 0 ? 1 : 0;
    }
    for (size_t i = 0; i < optionCount; i++) {
        const char* text =
            options[i].kind == wk_optionText ? *(const char* const*)options[i].value : NULL;
        count += text != NULL && strcmp(text, "-") == 0 ? 1 : 0;
        const wkOptionList* list = options[i].value;
        for (int k = 0; options[i].kind == wk_optionList && k < list->count; k++) {
            count += strcmp(list->items[k], "-") == 0 ? 1 : 0;
        }
    }
    if (count > 1) {
        fprintf(stderr, "whisker %s: the standard input (-) can stand for one input only\n",
                argv[0]);
    }
    return count < 2;
}

bool wkTakeOptions(int* argc, char** argv, const wkOption* options, size_t optionCount)
{
    bool wasGiven[WK_MAX_OPTIONS] = {false};
    int wordCount = 1;
    for (int i = 1; i < *argc; i++) {
        const char* value = NULL;
        const char* word = presentName(argv[0], argv[i]);
        const wkOption* option = findOption(options, optionCount, word, &value);
        if (option == NULL && isLikeOption(argv[i])) {
            return refuseUnknown(argv[0], argv[i], options, optionCount);
        }
        if (option == NULL) {
            argv[wordCount++] = argv[i];
            continue;
        }
        // the first value would be silently ignored
        if (wasGiven[option - options] && !kinds[option->kind].mayRepeat) {
            fprintf(stderr, "whisker %s: %s is given twice\n", argv[0], option->name);
            return false;
        }
        wasGiven[option - options] = true;
        bool usesNext = false;
        const char* trouble =
            setOption(option, value, i + 1 < *argc ? argv[i + 1] : NULL, &usesNext);
        if (trouble != NULL) {
            bool isFlag = kinds[option->kind].read == NULL;
            const char* found = usesNext ? argv[i + 1] : isFlag ? NULL : value;
            fprintf(stderr, "whisker %s: %s %s%s", argv[0], option->name, isFlag ? "" : "needs ",
                    trouble);
            fprintf(stderr, found != NULL ? ", not '%.60s'\n" : "\n", found);
            return false;
        }
        i += usesNext ? 1 : 0;
    }
    *argc = wordCount;
    return checkInputs(*argc, argv, options, optionCount) &&
           declareFiles(*argc, argv, options, optionCount);
}

bool wkTakesOne(int argc, char** argv, const char* what)
{
    if (argc == 2) {
        return true;
    }
    if (argc < 2) {
        fprintf(stderr, "whisker %s: %s is missing; try: whisker %s --help\n", argv[0], what,
                argv[0]);
    } else {
        fprintf(stderr, "whisker %s: '%.60s' is one too many: %s is '%.60s'\n", argv[0], argv[2],
                what, argv[1]);
    }
    return false;
}

bool wkWantsHelp(int argc, char** argv)
{
    return argc == 2 && (strcmp(argv[1], "--help") == 0 || strcmp(argv[1], "-h") == 0);
}

static void addFlag(const void* value, wkDigestBuilder* builder)
{
    wkDigestBuilder_AddInteger(builder, *(const bool*)value ? 1 : 0);
}

static void addText(const void* value, wkDigestBuilder* builder)
{
    wkDigestBuilder_AddText(builder, *(const char* const*)value);
}

static void addNumber(const void* value, wkDigestBuilder* builder)
{
    wkDigestBuilder_AddNumbers(builder, (const double*)value, 1);
}

static void addCount(const void* value, wkDigestBuilder* builder)
{
    wkDigestBuilder_AddInteger(builder, *(const int*)value);
}

static void addList(const void* value, wkDigestBuilder* builder)
{
    const wkOptionList* list = value;
    wkDigestBuilder_AddInteger(builder, list->count);
    for (int i = 0; i < list->count; i++) {
        wkDigestBuilder_AddText(builder, list->items[i]);
    }
}

void wkOption_AddTo(const wkOption* option, wkDigestBuilder* builder)
{
    static void (*const adders[])(const void*, wkDigestBuilder*) = {
        [wk_optionFlag] = addFlag,   [wk_optionText] = addText,    [wk_optionOffset] = addNumber,
        [wk_optionSize] = addNumber, [wk_optionBound] = addNumber, [wk_optionShare] = addNumber,
        [wk_optionCount] = addCount, [wk_optionList] = addList,    [wk_optionOutput] = addText,
    };
    wkDigestBuilder_AddText(builder, option->name);
    adders[option->kind](option->value, builder);
}
