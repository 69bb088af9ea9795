// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// The header of a PCD file, one statement per line. Statements missing in old versions have defaults.

#include "io/points/pcd.h"
#include "io/text/line.h"

#include <math.h>
#include <string.h>

static const char* const dataNames[wk_pcdDataCount] = {
    [wk_pcdAscii] = "ascii",
    [wk_pcdBinary] = "binary",
    [wk_pcdCompressed] = "binary_compressed",
};

static wkResult readFields(wkIoLine* line, wkPcdHeader* header)
{
    if (header->fieldCount > 0) {
        return wkIoLine_Fail(line, "FIELDS stands there twice");
    }
    const char* wordEnd;
    for (const char* word = wkIoLine_Next(line, &wordEnd); word < wordEnd;
         word = wkIoLine_Next(line, &wordEnd)) {
        if (header->fieldCount == WK_PCD_MAX_FIELDS) {
            return wkIoLine_Fail(line, "too many fields");
        }
        wkPcdField field = {word, (int32_t)(wordEnd - word), 'F', 4, 1, 0, 0};
        header->fields[header->fieldCount++] = field;
    }
    return header->fieldCount > 0 ? wk_ok : wkIoLine_Fail(line, "FIELDS names none");
}

// Reads the word of one field in a line with a word per field.
typedef bool takeWordFcn(wkIoLine* line, wkPcdField* field);

static wkResult readForFields(wkIoLine* line, wkPcdHeader* header, takeWordFcn* take,
                              const char* trouble)
{
    for (int32_t i = 0; i < header->fieldCount; i++) {
        if (!take(line, &header->fields[i])) {
            return wkIoLine_Fail(line, trouble);
        }
    }
    const char* wordEnd;
    const char* word = wkIoLine_Next(line, &wordEnd);
    return word == wordEnd ? wk_ok : wkIoLine_Fail(line, "more words than FIELDS has names");
}

static bool takeSize(wkIoLine* line, wkPcdField* field)
{
    return wkIoLine_NextInteger(line, &field->size) &&
           (field->size == 1 || field->size == 2 || field->size == 4 || field->size == 8);
}

static bool takeType(wkIoLine* line, wkPcdField* field)
{
    const char* wordEnd;
    const char* word = wkIoLine_Next(line, &wordEnd);
    if (wordEnd - word != 1 || strchr("IUF", *word) == NULL) {
        return false;
    }
    field->kind = *word;
    return true;
}

static bool takeCount(wkIoLine* line, wkPcdField* field)
{
    return wkIoLine_NextInteger(line, &field->count) && field->count >= 1 &&
           field->count <= WK_PCD_MAX_COUNT;
}

static wkResult readSizes(wkIoLine* line, wkPcdHeader* header)
{
    return readForFields(line, header, takeSize, "SIZE needs 1, 2, 4 or 8 for each of the FIELDS");
}

static wkResult readTypes(wkIoLine* line, wkPcdHeader* header)
{
    return readForFields(line, header, takeType, "TYPE needs I, U or F for each of the FIELDS");
}

static wkResult readCounts(wkIoLine* line, wkPcdHeader* header)
{
    return readForFields(line, header, takeCount,
                         "COUNT needs a number from 1 to 65536 for each of the FIELDS");
}

static wkResult readAmount(wkIoLine* line, int64_t* amount)
{
    bool isAmount = wkIoLine_NextInteger(line, amount) && *amount >= 0 && *amount <= INT32_MAX;
    return isAmount ? wk_ok : wkIoLine_Fail(line, "not a number from 0 to 2147483647");
}

static wkResult readWidth(wkIoLine* line, wkPcdHeader* header)
{
    return readAmount(line, &header->width);
}

static wkResult readHeight(wkIoLine* line, wkPcdHeader* header)
{
    return readAmount(line, &header->height);
}

static wkResult readPointCount(wkIoLine* line, wkPcdHeader* header)
{
    return readAmount(line, &header->pointCount);
}

static wkResult readViewpoint(wkIoLine* line, wkPcdHeader* header)
{
    for (int i = 0; i < 7; i++) {
        if (!wkIoLine_NextNumber(line, &header->viewpoint[i]) || !isfinite(header->viewpoint[i])) {
            return wkIoLine_Fail(line, "VIEWPOINT needs seven finite numbers");
        }
    }
    header->hasViewpoint = true;
    return wk_ok;
}

static wkResult readData(wkIoLine* line, wkPcdHeader* header)
{
    const char* wordEnd;
    const char* word = wkIoLine_Next(line, &wordEnd);
    for (int i = 0; i < wk_pcdDataCount; i++) {
        if (wkIoIsWord(word, wordEnd, dataNames[i])) {
            header->data = (wkPcdData)i;
            return wk_ok;
        }
    }
    return wkIoLine_Fail(line, "DATA is none of ascii, binary, binary_compressed");
}

static wkResult skipLine(wkIoLine* line, wkPcdHeader* header)
{
    (void)line;
    (void)header;
    return wk_ok;
}

// clang-format off
static const struct { const char* word; wkResult (*read)(wkIoLine*, wkPcdHeader*); } statements[] = {
    {"version",   skipLine},
    {"fields",    readFields},
    {"columns",   readFields},
    {"size",      readSizes},
    {"type",      readTypes},
    {"count",     readCounts},
    {"width",     readWidth},
    {"height",    readHeight},
    {"viewpoint", readViewpoint},
    {"points",    readPointCount},
    {"data",      readData},
};
// clang-format on

#define STATEMENT_COUNT ((int)(sizeof statements / sizeof statements[0]))

static wkResult readStatement(wkIoLine* line, wkPcdHeader* header)
{
    const char* wordEnd;
    const char* word = wkIoLine_Next(line, &wordEnd);
    if (word == wordEnd || *word == '#') {
        return wk_ok;
    }
    for (int i = 0; i < STATEMENT_COUNT; i++) {
        if (wkIoIsWord(word, wordEnd, statements[i].word)) {
            return statements[i].read(line, header);
        }
    }
    return wkIoLine_Fail(line, "a line starts with a word that PCD does not have");
}

bool wkIoMatchPcd(const uint8_t* bytes, size_t byteCount)
{
    static const char* const starts[] = {"# .PCD", "VERSION ", "FIELDS ", "COLUMNS "};
    for (size_t i = 0; i < sizeof starts / sizeof starts[0]; i++) {
        size_t length = strlen(starts[i]);
        if (byteCount >= length && memcmp(bytes, starts[i], length) == 0) {
            return true;
        }
    }
    return false;
}

// Computes the offset of each field in a point.
static void layOut(wkPcdHeader* header)
{
    for (int32_t i = 0; i < header->fieldCount; i++) {
        wkPcdField* field = &header->fields[i];
        field->column = header->columnCount;
        field->offset = header->rowBytes;
        header->columnCount += field->count;
        header->rowBytes += (uint64_t)(field->size * field->count);
    }
}

static wkResult findAxes(const wkIoSource* source, wkPcdHeader* header)
{
    for (int axis = 0; axis < 3; axis++) {
        int count = 0;
        for (int32_t i = 0; i < header->fieldCount; i++) {
            const wkPcdField* field = &header->fields[i];
            if (field->nameLength == 1 && wkIoLowerCase(*field->name) == "xyz"[axis]) {
                header->axes[axis] = i;
                count++;
            }
        }
        const wkPcdField* field = &header->fields[header->axes[axis]];
        if (count != 1 || field->count != 1) {
            return wkIoFail(source->name, wk_errorParse,
                            "header: FIELDS must have %c once, with a COUNT of 1", "xyz"[axis]);
        }
        if (wkIoFindNumber(field->kind, field->size) == wk_numberCount) {
            return wkIoFail(source->name, wk_errorParse, "header: %c is of TYPE %c with SIZE %d",
                            "xyz"[axis], field -> kind, (int)field -> size);
        }
    }
    return wk_ok;
}

// Checks width, height and points; one of the three may be missing in old files.
static wkResult findCount(const wkIoSource* source, wkPcdHeader* header)
{
    if (header->width < 0) {
        header->width = header->pointCount;
    }
    if (header->width < 0) {
        return wkIoFail(source->name, wk_errorParse, "header: neither WIDTH nor POINTS is given");
    }
    header->height = header->height < 0 ? 1 : header->height;
    int64_t product = header->width * header->height;
    if (header->pointCount >= 0 && header->pointCount != product) {
        return wkIoFail(source->name, wk_errorParse,
                        "header: POINTS is %lld, but WIDTH times HEIGHT is %lld",
                        (long long)header->pointCount, (long long)product);
    }
    header->pointCount = product;
    return wk_ok;
}

wkResult wkPcdReadHeader(const wkIoSource* source, wkPcdHeader* header)
{
    memset(header, 0, sizeof *header);
    header->width = header->height = header->pointCount = -1;
    header->data = wk_pcdDataCount;
    const char* next = (const char*)source->bytes;
    const char* end = next + source->byteCount;
    while (next < end && header->data == wk_pcdDataCount) {
        wkIoLine line = wkIoLine_At(source, next, &next);
        wkResult result = readStatement(&line, header);
        if (result != wk_ok) {
            return result;
        }
    }
    if (header->data == wk_pcdDataCount) {
        return wkIoFailLine(source, end, wk_errorParse, "the file ends inside the header");
    }
    header->body = (const uint8_t*)next;
    layOut(header);
    wkResult result = findAxes(source, header);
    return result == wk_ok ? findCount(source, header) : result;
}
