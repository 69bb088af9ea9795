// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// Turns a question into an answer, both lines of text: parsing, the id, and the answer or the error.

#include "ask.h"

#include <string.h>

// Repeats the id as written, since a number that is read and printed again may look different.
// @param id NULL: none
static void appendId(wkText* answer, const wkJson* id)
{
    wkText_AppendString(answer, "{\"id\":");
    if (id != NULL) {
        wkText_Append(answer, id->source, id->sourceLength);
    } else {
        wkText_AppendString(answer, "null");
    }
}

static void appendError(wkText* answer, const wkJson* id, const char* code, const char* message)
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
    appendError(answer, NULL, code, message);
}

static bool parseQuestion(const char* line, size_t length, size_t lineNumber, wkJsonTree* tree,
                          wkAskError* error)
{
    bool isParsed = wkJsonTree_Parse(tree, line, length);
    if (tree->isOutOfMemory) {
        return wkAskFail(error, "out_of_memory", "line %zu: out of memory to read it", lineNumber);
    }
    if (!isParsed) {
        return wkAskFail(error, "bad_json", "line %zu, column %zu: %s", lineNumber, tree->column,
                         tree->message);
    }
    return wkJson_Is(tree->root, wk_jsonKindObject) ||
           wkAskFail(error, "bad_json", "line %zu, column 1: a question is an object", lineNumber);
}

bool wkAskLine(const char* line, size_t length, size_t lineNumber, wkAskCache* cache,
               wkText* answer)
{
    size_t start = answer->length;
    wkJsonTree tree;
    wkAskError error = {0};
    const wkJson* id = NULL;
    bool isAnswered = false;
    if (parseQuestion(line, length, lineNumber, &tree, &error)) {
        id = wkJson_Find(tree.root, "id");
        appendId(answer, id);
        isAnswered = wkAskAnswer(tree.root, cache, answer, &error);
        wkText_AppendString(answer, "}\n");
    }
    if (answer->isOutOfMemory) {
        isAnswered =
            wkAskFail(&error, "out_of_memory", "the answer needs more memory than there is");
        id = NULL;
    } else if (isAnswered && answer->isNotFinite) {
        isAnswered = wkAskFail(&error, "out_of_range", "the answer is too large for a double");
    }
    if (!isAnswered) {
        wkText_Truncate(answer, start);
        appendError(answer, id, error.code, error.message);
    }
    wkJsonTree_Free(&tree);
    return isAnswered;
}
