// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// JSON strictly by RFC 8259, without extensions.

#include "io/text/document.h"
#include "io/text/text_reader.h"

#include <string.h>

typedef struct jsonReader {
    wkDocBuilder builder;
    const char* at;
    const char* end;
    size_t line;
    char* letters; // scratch for any text of the file
} jsonReader;

static wkResult fail(const jsonReader* r, const char* words)
{
    return wkIoFailNumberedLine(r->builder.source->name, r->line, wk_errorParse, "JSON: %s", words);
}

static void skipSpaces(jsonReader* r)
{
    while (r->at < r->end &&
           (*r->at == ' ' || *r->at == '\t' || *r->at == '\n' || *r->at == '\r')) {
        r->line += *r->at == '\n' ? 1 : 0;
        r->at++;
    }
}

// Consumes a character if it is the next one.
static bool take(jsonReader* r, char wanted)
{
    bool isThere = r->at < r->end && *r->at == wanted;
    r->at += isThere ? 1 : 0;
    return isThere;
}

// Reads four hexadecimal digits; -1 when they are missing.
static int32_t readHex(jsonReader* r)
{
    int32_t value = 0;
    for (int i = 0; i < 4; i++) {
        int digit = r->at < r->end ? wkIoLowerCase(*r->at) : 0;
        bool isLetter = digit >= 'a' && digit <= 'f';
        if (!isLetter && !(digit >= '0' && digit <= '9')) {
            return -1;
        }
        value = value * 16 + (isLetter ? digit - 'a' + 10 : digit - '0');
        r->at++;
    }
    return value;
}

static size_t putUtf8(char* letters, int32_t code)
{
    static const struct {
        int32_t limit;
        int byteCount;
        int mark;
    } rows[] = {{0x80, 1, 0}, {0x800, 2, 0xc0}, {0x10000, 3, 0xe0}, {0x110000, 4, 0xf0}};
    size_t row = 0;
    while (code >= rows[row].limit) {
        row++;
    }
    int byteCount = rows[row].byteCount;
    for (int i = byteCount - 1; i > 0; i--) {
        letters[i] = (char)(0x80 | (code & 0x3f));
        code >>= 6;
    }
    letters[0] = (char)(rows[row].mark | code);
    return (size_t)byteCount;
}

// Reads a character after "\u"; a surrogate pair is two of them.
static bool readUnicode(jsonReader* r, size_t* length)
{
    int32_t code = readHex(r);
    if (code >= 0xd800 && code < 0xdc00) {
        bool hasMore = take(r, '\\') && take(r, 'u');
        int32_t low = hasMore ? readHex(r) : -1;
        bool isPair = low >= 0xdc00 && low < 0xe000;
        code = isPair ? 0x10000 + ((code - 0xd800) << 10) + (low - 0xdc00) : -1;
    } else if (code >= 0xdc00 && code < 0xe000) {
        code = -1;
    }
    if (code >= 0) {
        *length += putUtf8(r->letters + *length, code);
    }
    return code >= 0;
}

static bool readEscape(jsonReader* r, size_t* length)
{
    static const char names[] = "\"\\/bfnrt";
    static const char meanings[] = "\"\\/\b\f\n\r\t";
    if (take(r, 'u')) {
        return readUnicode(r, length);
    }
    const char* name = r->at < r->end && *r->at != '\0' ? strchr(names, *r->at) : NULL;
    if (name != NULL) {
        r->letters[(*length)++] = meanings[name - names];
        r->at++;
    }
    return name != NULL;
}

// Reads a text in quotes into `letters`, after its opening quote.
static wkResult readText(jsonReader* r, size_t* length)
{
    *length = 0;
    while (r->at < r->end && *r->at != '"') {
        if ((unsigned char)*r->at < 0x20) {
            return fail(r, "a text is not closed in its line");
        }
        if (take(r, '\\')) {
            if (!readEscape(r, length)) {
                return fail(r, "no character is written like this behind \\");
            }
        } else {
            r->letters[(*length)++] = *r->at++;
        }
    }
    return take(r, '"') ? wk_ok : fail(r, "a text is not closed");
}

// Skips digits; false when there are none.
static bool skipDigits(jsonReader* r)
{
    const char* start = r->at;
    while (r->at < r->end && wkIoIsDigit(*r->at)) {
        r->at++;
    }
    return r->at > start;
}

// Skips a number such as -12.5e+3, but neither +1 nor 01 nor .5 nor 5.
static bool skipNumber(jsonReader* r)
{
    take(r, '-');
    if (!take(r, '0') && !skipDigits(r)) {
        return false;
    }
    if (take(r, '.') && !skipDigits(r)) {
        return false;
    }
    if (take(r, 'e') || take(r, 'E')) {
        if (!take(r, '+')) {
            take(r, '-');
        }
        return skipDigits(r);
    }
    return true;
}

// Reads a number, true, false or null.
static wkResult readPlain(jsonReader* r)
{
    static const char* const words[] = {"true", "false", "null"};
    const char* start = r->at;
    for (size_t i = 0; i < sizeof words / sizeof words[0] && r->at == start; i++) {
        size_t length = strlen(words[i]);
        if ((size_t)(r->end - start) >= length && memcmp(start, words[i], length) == 0) {
            r->at += length;
        }
    }
    if (r->at == start && !skipNumber(r)) {
        return fail(r, "a value is expected here");
    }
    return wkDocBuilder_AddText(&r->builder, start, (size_t)(r->at - start), false, r->line);
}

static wkResult readQuoted(jsonReader* r)
{
    size_t length = 0;
    wkResult result = readText(r, &length);
    return result == wk_ok ? wkDocBuilder_AddText(&r->builder, r->letters, length, true, r->line)
                           : result;
}

static wkResult readKey(jsonReader* r)
{
    size_t length = 0;
    if (!take(r, '"')) {
        return fail(r, "a key in quotes is expected here");
    }
    wkResult result = readText(r, &length);
    if (result == wk_ok) {
        result = wkDocBuilder_AddKey(&r->builder, r->letters, length, r->line);
    }
    skipSpaces(r);
    if (result == wk_ok && !take(r, ':')) {
        result = fail(r, "a colon is expected behind a key");
    }
    skipSpaces(r);
    return result;
}

// Opens a list or map, or reads a value that is neither.
static wkResult readValue(jsonReader* r)
{
    if (take(r, '{')) {
        return wkDocBuilder_Open(&r->builder, wk_docMap, r->line);
    }
    if (take(r, '[')) {
        return wkDocBuilder_Open(&r->builder, wk_docList, r->line);
    }
    return take(r, '"') ? readQuoted(r) : readPlain(r);
}

// Closes the lists and maps that end here, and consumes the comma between values.
static wkResult readSeparator(jsonReader* r, bool* isDone)
{
    wkDocBuilder* b = &r->builder;
    *isDone = b->depth == 0;
    while (b->depth > 0) {
        const wkDocNode* open = b->open[b->depth - 1];
        skipSpaces(r);
        if (take(r, open->kind == wk_docMap ? '}' : ']')) {
            wkResult result = wkDocBuilder_Close(b);
            if (result != wk_ok) {
                return result;
            }
            *isDone = b->depth == 0;
            continue;
        }
        if (open->count == 0 || take(r, ',')) {
            return wk_ok;
        }
        return fail(r, open->kind == wk_docMap ? "a map needs , or } here"
                                               : "a list needs , or ] here");
    }
    return wk_ok;
}

static wkResult readAll(jsonReader* r)
{
    bool isDone = false;
    wkResult result = wk_ok;
    while (!isDone && result == wk_ok) {
        skipSpaces(r);
        result = wkDocBuilder_WantsKey(&r->builder) ? readKey(r) : wk_ok;
        if (result == wk_ok) {
            result = readValue(r);
        }
        if (result == wk_ok) {
            result = readSeparator(r, &isDone);
        }
    }
    skipSpaces(r);
    return result == wk_ok && r->at < r->end ? fail(r, "something follows the end") : result;
}

wkResult wkDocument_ParseJson(wkDocument* document, const wkIoSource* source, wkIoArena* arena)
{
    static const char mark[] = "\xef\xbb\xbf";
    wkResult result = wkDocBuilder_CheckSize(source);
    if (result != wk_ok) {
        return result;
    }
    const char* start = (const char*)source->bytes;
    jsonReader r = {.builder = wkDocBuilder_Start(source, arena),
                    .at = start,
                    .end = start + source->byteCount,
                    .line = 1,
                    .letters = wkIoArena_Alloc(arena, source->byteCount + 1)};
    if (r.letters == NULL) {
        return wkIoFail(source->name, wk_errorMemory, "no memory for what it describes");
    }
    if (source->byteCount >= 3 && memcmp(start, mark, 3) == 0) {
        r.at += 3;
    }
    result = readAll(&r);
    return result == wk_ok ? wkDocBuilder_Finish(&r.builder, document) : result;
}
