// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// The header of a NumPy array is a dictionary in Python syntax.

#include "io/table/npy.h"
#include "io/text/text_reader.h"

#include <string.h>

// The magic bytes, two bytes of version, and the size of the header in two bytes, or four since version 2.
#define MAGIC_BYTES 6
#define LEAST_BYTES 10

// The text of the dictionary.
typedef struct dictionary {
    const wkIoSource* source;
    const char* start;
    const char* end;
} dictionary;

bool wkIoMatchNpy(const uint8_t* bytes, size_t byteCount)
{
    return byteCount >= MAGIC_BYTES && memcmp(bytes, "\x93NUMPY", MAGIC_BYTES) == 0;
}

static wkResult failKey(const dictionary* d, wkResult result, const char* key, const char* words)
{
    return wkIoFailByte(d->source, d->start, result, "header: %s %s", key, words);
}

// Returns the start of the value of a key; NULL when there is no such key.
static const char* findValue(const dictionary* d, const char* key)
{
    size_t length = strlen(key);
    for (const char* at = d->start; (size_t)(d->end - at) >= length + 2; at++) {
        bool isQuoted = (at[0] == '\'' || at[0] == '"') && at[length + 1] == at[0];
        if (isQuoted && memcmp(at + 1, key, length) == 0) {
            const char* colon = wkIoSkipSpaces(at + length + 2, d->end);
            if (colon < d->end && *colon == ':') {
                return wkIoSkipSpaces(colon + 1, d->end);
            }
        }
    }
    return NULL;
}

// Reads a type such as '<f4': order, kind, bytes.
static wkResult readType(const dictionary* d, wkNpyHeader* header)
{
    static const char letters[] = "fiu";
    const char* at = findValue(d, "descr");
    if (at == NULL || d->end - at < 5 || (*at != '\'' && *at != '"')) {
        return failKey(d, at != NULL ? wk_errorUnsupported : wk_errorParse, "descr",
                       at != NULL ? "is not of one plain type" : "is missing");
    }
    int64_t byteCount;
    const char* stop = wkIoParseInteger(at + 3, d->end, &byteCount);
    const char* kind = memchr(letters, at[2], sizeof letters - 1);
    header->isBig = at[1] == '>';
    header->type = kind != NULL ? wkIoFindNumber("FIU"[kind - letters], byteCount) : wk_numberCount;
    bool isKnown = strchr("<>|=", at[1]) != NULL && header->type != wk_numberCount;
    if (!isKnown || stop == NULL || stop == d->end || *stop != *at) {
        return failKey(d, wk_errorUnsupported, "descr",
                       "is none of f4, f8, i1 to i8 and u1 to u8: halves and bools are not read");
    }
    return wk_ok;
}

static wkResult readOrder(const dictionary* d, wkNpyHeader* header)
{
    const char* at = findValue(d, "fortran_order");
    bool isTrue = at != NULL && d->end - at >= 4 && memcmp(at, "True", 4) == 0;
    bool isFalse = at != NULL && d->end - at >= 5 && memcmp(at, "False", 5) == 0;
    header->isFortran = isTrue;
    return isTrue || isFalse ? wk_ok
                             : failKey(d, wk_errorParse, "fortran_order", "is no True or False");
}

// Reads a shape such as (480, 640, 3).
static wkResult readShape(const dictionary* d, wkNpyHeader* header)
{
    const char* at = findValue(d, "shape");
    if (at == NULL || at == d->end || *at != '(') {
        return failKey(d, wk_errorParse, "shape", "is missing or no tuple");
    }
    for (at = wkIoSkipSpaces(at + 1, d->end); at < d->end && *at != ')';) {
        int64_t size;
        at = wkIoParseInteger(at, d->end, &size);
        if (at == NULL || size < 0 || size > INT32_MAX) {
            return failKey(d, wk_errorParse, "shape", "has a size that is none");
        }
        if (header->dimensionCount == WK_NPY_DIMENSIONS) {
            return failKey(d, wk_errorUnsupported, "shape", "has more than three sizes");
        }
        header->shape[header->dimensionCount++] = size;
        at = wkIoSkipSpaces(at, d->end);
        if (at < d->end && *at != ',' && *at != ')') {
            return failKey(d, wk_errorParse, "shape", "has something between its sizes");
        }
        at = at < d->end && *at == ',' ? wkIoSkipSpaces(at + 1, d->end) : at;
    }
    if (at == d->end) {
        return failKey(d, wk_errorParse, "shape", "does not end");
    }
    if (header->dimensionCount == 0) {
        return failKey(d, wk_errorUnsupported, "shape", "has no sizes");
    }
    return wk_ok;
}

wkResult wkIoReadNpyHeader(const wkIoSource* source, wkNpyHeader* header)
{
    const uint8_t* bytes = source->bytes;
    *header = (wkNpyHeader){.type = wk_numberFloat};
    if (!wkIoMatchNpy(bytes, source->byteCount) || source->byteCount < LEAST_BYTES + 2) {
        return wkIoFail(source->name, wk_errorParse, "does not start as an array of NumPy");
    }
    int version = bytes[MAGIC_BYTES];
    if (version < 1 || version > 3) {
        return wkIoFailByte(source, bytes + MAGIC_BYTES, wk_errorUnsupported,
                            "version %d is none of 1, 2, 3", version);
    }
    size_t start = version == 1 ? LEAST_BYTES : LEAST_BYTES + 2;
    size_t size = version == 1 ? wkIoLoad16(bytes + 8) : wkIoLoad32(bytes + 8);
    if (size > source->byteCount - start) {
        return wkIoFailByte(source, bytes + 8, wk_errorParse,
                            "the header has %zu bytes, but %zu follow", size,
                            source->byteCount - start);
    }
    dictionary d = {source, (const char*)bytes + start, (const char*)bytes + start + size};
    header->body = bytes + start + size;
    header->bodyByteCount = source->byteCount - start - size;
    wkResult result = readType(&d, header);
    if (result == wk_ok) {
        result = readOrder(&d, header);
    }
    return result == wk_ok ? readShape(&d, header) : result;
}

wkResult wkIoFailNpy(const wkIoSource* source, const wkNpyHeader* header, const char* key,
                     const char* words)
{
    return wkIoFailByte(source, header->body, wk_errorUnsupported, "header: %s %s", key, words);
}
