// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// Traversal of documents, conversion of numbers, and errors with their location.

#define _POSIX_C_SOURCE 200809L // newlocale

#include "io/text/document.h"
#include "base/plain_text.h"

#include "io/text/text_reader.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

// Path steps named in errors, the last ones of the path, each of at most 61 letters.
#define PATH_STEPS 5
#define PATH_CAPACITY 320

const wkDocNode* wkDocNode_Find(const wkDocNode* node, const char* key)
{
    if (node == NULL || node->kind != wk_docMap) {
        return NULL;
    }
    const wkDocNode* child = node->firstChild;
    while (child != NULL && strcmp(child->key, key) != 0) {
        child = child->next;
    }
    return child;
}

// Returns true when the text is exactly that word, in any case.
static bool isWord(const wkDocNode* node, const char* word)
{
    size_t length = strlen(node->text);
    return node->kind == wk_docText && !node->isQuoted && length == strlen(word) &&
           wkIoIsWord(node->text, node->text + length, word);
}

bool wkDocNode_IsEmpty(const wkDocNode* node)
{
    return isWord(node, "") || isWord(node, "~") || isWord(node, "null");
}

static int32_t indexInList(const wkDocNode* node)
{
    int32_t index = 0;
    for (const wkDocNode* child = node->parent->firstChild; child != node; child = child->next) {
        index++;
    }
    return index;
}

// Writes "a.b[2].c". Of a long path the last steps are kept.
static void writePath(const wkDocNode* node, char path[PATH_CAPACITY])
{
    const wkDocNode* steps[PATH_STEPS];
    int count = 0;
    for (; node->parent != NULL && count < PATH_STEPS; node = node->parent) {
        steps[count++] = node;
    }
    int length = snprintf(path, PATH_CAPACITY, "%s", node->parent != NULL ? "..." : "");
    for (int i = count - 1; i >= 0; i--) {
        char* end = path + length;
        size_t capacityLeft = PATH_CAPACITY - (size_t)length;
        length +=
            steps[i]->key == NULL
                ? snprintf(end, capacityLeft, "[%d]", (int)indexInList(steps[i]))
                : snprintf(end, capacityLeft, "%s%.60s", length > 0 ? "." : "", steps[i]->key);
    }
}

wkResult wkDocument_Fail(const wkDocument* document, const wkDocNode* node, wkResult result,
                         const char* format, ...)
{
    char words[200], path[PATH_CAPACITY];
    va_list arguments;
    va_start(arguments, format);
    wkPrintPlain(words, sizeof words, format, arguments);
    va_end(arguments);
    writePath(node, path);
    return wkIoFailNumberedLine(document->name, (size_t)node->line, result, "%s%s%s", path,
                                path[0] != '\0' ? ": " : "", words);
}

wkResult wkDocument_Need(const wkDocument* document, const wkDocNode* map, const char* key,
                         const wkDocNode** node)
{
    *node = NULL;
    wkResult result = wkDocument_NeedKind(document, map, wk_docMap);
    if (result != wk_ok) {
        return result;
    }
    *node = wkDocNode_Find(map, key);
    return *node != NULL ? wk_ok
                         : wkDocument_Fail(document, map, wk_errorParse, "%s is missing", key);
}

wkResult wkDocument_NeedKind(const wkDocument* document, const wkDocNode* node, wkDocKind kind)
{
    static const char* const names[] = {"a text", "a list", "a map"};
    return node->kind == kind ? wk_ok
                              : wkDocument_Fail(document, node, wk_errorParse, "it is %s, not %s",
                                                names[node->kind], names[kind]);
}

wkResult wkDocument_Number(const wkDocument* document, const wkDocNode* node, double* value)
{
    wkResult result = wkDocument_NeedKind(document, node, wk_docText);
    if (result != wk_ok) {
        return result;
    }
    const char* end = node->text + strlen(node->text);
    double number = NAN;
    bool isNumber = !node->isQuoted && wkIoParseNumber(node->text, end, &number) == end;
    if (!isNumber || !isfinite(number)) {
        return wkDocument_Fail(document, node, isNumber ? wk_errorNotFinite : wk_errorParse,
                               "\"%.40s\" is not a %snumber", node->text,
                               isNumber ? "finite " : "");
    }
    *value = number;
    return wk_ok;
}

wkResult wkDocument_NeedNumber(const wkDocument* document, const wkDocNode* map, const char* key,
                               double* value)
{
    const wkDocNode* node = NULL;
    wkResult result = wkDocument_Need(document, map, key, &node);
    return result == wk_ok ? wkDocument_Number(document, node, value) : result;
}

wkResult wkDocument_Bool(const wkDocument* document, const wkDocNode* node, bool* value)
{
    bool isTrue = isWord(node, "true");
    if (!isTrue && !isWord(node, "false")) {
        return wkDocument_Fail(document, node, wk_errorParse, "it is neither true nor false");
    }
    *value = isTrue;
    return wk_ok;
}
