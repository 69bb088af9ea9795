// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// Text headers: lines that are split into words on demand.

#include "io/file/format.h"
#include "io/text/text_reader.h"

typedef struct wkIoLine {
    const wkIoSource* source;
    const char* at;
    const char* end;
} wkIoLine;

// Returns the line that starts at `at`, without its end; `next` becomes the start of the next line.
WK_FN wkIoLine wkIoLine_At(const wkIoSource* source, const char* at, const char** next)
{
    const char* end = wkIoNextLine(at, (const char*)source->bytes + source->byteCount);
    wkIoLine line = {source, at, end > at && end[-1] == '\n' ? end - 1 : end};
    *next = end;
    return line;
}

// Returns the next word of the line, which may be empty.
WK_FN const char* wkIoLine_Next(wkIoLine* line, const char** wordEnd)
{
    const char* word = wkIoSkipBlanks(line->at, line->end);
    line->at = *wordEnd = wkIoSkipWord(word, line->end);
    return word;
}

// Reads the next word as a number; false when any part of it is not.
WK_FN bool wkIoLine_NextNumber(wkIoLine* line, double* value)
{
    const char* wordEnd;
    const char* word = wkIoLine_Next(line, &wordEnd);
    return wkIoParseNumber(word, wordEnd, value) == wordEnd && word < wordEnd;
}

WK_FN bool wkIoLine_NextInteger(wkIoLine* line, int64_t* value)
{
    const char* wordEnd;
    const char* word = wkIoLine_Next(line, &wordEnd);
    return wkIoParseInteger(word, wordEnd, value) == wordEnd && word < wordEnd;
}

// Refuses a line of a header: states what was expected, and quotes the line.
WK_FN wkResult wkIoLine_Fail(const wkIoLine* line, const char* words)
{
    const char* start = line->at;
    while (start > (const char*)line->source->bytes && start[-1] != '\n') {
        start--;
    }
    ptrdiff_t length = line->end - start;
    return wkIoFailLine(line->source, line->at, wk_errorParse, "header: %s, found \"%.*s\"", words,
                        (int)(length < 60 ? length : 60), start);
}
