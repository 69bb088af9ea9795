// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// From a command line to the values of its options: one reader per kind.

#include "options.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

bool wkReadNumber(const char* text, double* number)
{
    char* end = NULL;
    double value = strtod(text, &end);
    if (end == text || *end != '\0' || !isfinite(value)) {
        return false;
    }
    *number = value;
    return true;
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

static bool readNumber(const char* text, void* value)
{
    return wkReadNumber(text, (double*)value);
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
    bool (*read)(const char* text, void* value); // NULL: nothing follows the option
    const char* expects;
} kindRow;

static const kindRow kinds[] = {
    [wk_optionFlag] = {NULL, ""},
    [wk_optionText] = {readText, "something behind it"},
    [wk_optionNumber] = {readNumber, "a number behind it"},
    [wk_optionCount] = {readCount, "a count from 1 on behind it"},
    [wk_optionList] = {readItem, "something behind it, at most 64 times"},
};

static const wkOption* findOption(const wkOption* options, size_t count, const char* word)
{
    for (size_t i = 0; i < count; i++) {
        if (strcmp(options[i].name, word) == 0) {
            return &options[i];
        }
    }
    return NULL;
}

// Words that start with a dash are options, but for numbers and the dash alone.
static bool looksLikeOption(const char* word)
{
    double ignored;
    return word[0] == '-' && word[1] != '\0' && !wkReadNumber(word, &ignored);
}

bool wkTakeOptions(int* argc, char** argv, const wkOption* options, size_t optionCount)
{
    int wordCount = 1;
    for (int i = 1; i < *argc; i++) {
        const wkOption* option = findOption(options, optionCount, argv[i]);
        if (option == NULL && looksLikeOption(argv[i])) {
            fprintf(stderr, "whisker %s: unknown option %s; try: whisker %s --help\n", argv[0],
                    argv[i], argv[0]);
            return false;
        }
        if (option == NULL) {
            argv[wordCount++] = argv[i];
            continue;
        }
        const kindRow* kind = &kinds[option->kind];
        if (kind->read == NULL) {
            *(bool*)option->value = true;
        } else if (i + 1 >= *argc || !kind->read(argv[i + 1], option->value)) {
            fprintf(stderr, "whisker %s: %s needs %s\n", argv[0], option->name, kind->expects);
            return false;
        } else {
            i++;
        }
    }
    *argc = wordCount;
    return true;
}

bool wkWantsHelp(int argc, char** argv)
{
    return argc == 2 && (strcmp(argv[1], "--help") == 0 || strcmp(argv[1], "-h") == 0);
}
