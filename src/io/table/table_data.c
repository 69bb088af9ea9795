// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// Tables of numbers: NumPy arrays with one or two dimensions, and text with a row per line, its numbers
// separated by commas, semicolons or blanks, with a line of names or without.

#include "io/table/npy.h"
#include "io/text/line.h"

#include "whisker/detail/library.h"

#include <string.h>

// More than any robot has variables.
#define MAX_COLUMNS 4096

// Builder of a table; `data` comes first: the user's pointer is the builder.
typedef struct builder {
    wkTableData data;
    size_t capacity; // in numbers
    char* letters;   // of all names
    size_t letterCapacity;
    const char** names; // what `names` or `commentNames` of the data point to
    size_t nameCapacity;
} builder;

static wkResult reserve(builder* table, const wkIoSource* source, size_t count)
{
    if (count <= table->capacity) {
        return wk_ok;
    }
    double* values = (double*)wkAllocate(count * sizeof *values);
    if (values == NULL) {
        return wkIoFail(source->name, wk_errorMemory, "no memory for %zu numbers", count);
    }
    if (table->capacity > 0) {
        memcpy(values, table->data.values, table->capacity * sizeof *values);
        wkRelease(table->data.values, table->capacity * sizeof *values);
    }
    table->data.values = values;
    table->capacity = count;
    return wk_ok;
}

void wkTableData_Destroy(wkTableData* data)
{
    builder* table = (builder*)data;
    if (table != NULL) {
        wkRelease(table->data.values, table->capacity * sizeof(double));
        wkRelease(table->names, table->nameCapacity * sizeof *table->names);
        wkRelease(table->letters, table->letterCapacity);
        wkRelease(table, sizeof *table);
    }
}

static wkResult readNpy(const wkIoSource* source, builder* table)
{
    wkNpyHeader header;
    wkResult result = wkIoReadNpyHeader(source, &header);
    if (result != wk_ok) {
        return result;
    }
    if (header.dimensionCount > 2) {
        return wkIoFailNpy(source, &header, "shape", "is neither (columns,) nor (rows, columns)");
    }
    bool isRow = header.dimensionCount == 1;
    size_t rowCount = isRow ? 1 : (size_t)header.shape[0];
    size_t columnCount = (size_t)header.shape[isRow ? 0 : 1];
    size_t numberBytes = wkIoNumberBytes(header.type);
    if (columnCount > 0 && rowCount > header.bodyByteCount / numberBytes / columnCount) {
        return wkIoFail(source->name, wk_errorParse,
                        "header: shape has %zu rows of %zu numbers, but there are bytes for %zu",
                        rowCount, columnCount, header.bodyByteCount / numberBytes);
    }
    result = reserve(table, source, rowCount * columnCount);
    if (result != wk_ok) {
        return result;
    }
    size_t rowStep = header.isFortran ? 1 : columnCount, step = header.isFortran ? rowCount : 1;
    for (size_t row = 0; row < rowCount; row++) {
        for (size_t column = 0; column < columnCount; column++) {
            const uint8_t* at = header.body + (row * rowStep + column * step) * numberBytes;
            table->data.values[row * columnCount + column] =
                wkIoLoadNumber(at, header.type, header.isBig);
        }
    }
    table->data.rowCount = (int32_t)rowCount;
    table->data.columnCount = (int32_t)columnCount;
    return wk_ok;
}

static bool isSeparator(char c)
{
    return c == ',' || c == ';' || wkIoIsBlank(c);
}

// Returns the next cell of a line, without quotes; false at its end.
static bool nextCell(wkIoLine* line, const char** cell, const char** cellEnd)
{
    const char* at = line->at;
    while (at < line->end && isSeparator(*at)) {
        at++;
    }
    *cell = at;
    while (at < line->end && !isSeparator(*at)) {
        at++;
    }
    *cellEnd = at;
    line->at = at;
    bool isQuoted = at - *cell >= 2 && **cell == '"' && at[-1] == '"';
    *cell += isQuoted ? 1 : 0;
    *cellEnd -= isQuoted ? 1 : 0;
    return at > *cell || isQuoted;
}

static size_t countCells(wkIoLine line)
{
    const char *cell, *cellEnd;
    size_t count = 0;
    while (nextCell(&line, &cell, &cellEnd)) {
        count++;
    }
    return count;
}

// Reads the cells of a line as names or comment names.
static wkResult readNames(wkIoLine line, builder* table, const char* const** to)
{
    const char *cell, *cellEnd;
    size_t count = countCells(line);
    if (count > MAX_COLUMNS) {
        return wkIoFailLine(line.source, line.at, wk_errorRange, "%zu names, at most %d are read",
                            count, MAX_COLUMNS);
    }
    size_t letterCount = (size_t)(line.end - line.at) + count;
    const char** names = (const char**)wkAllocate(count * sizeof *names);
    char* letters = (char*)wkAllocate(letterCount);
    table->names = names;
    *to = names;
    table->nameCapacity = names != NULL ? count : 0;
    table->letters = letters;
    table->letterCapacity = letters != NULL ? letterCount : 0;
    if (names == NULL || letters == NULL) {
        return wkIoFail(line.source->name, wk_errorMemory, "no memory for %zu names", count);
    }
    for (size_t i = 0; i < count; i++) {
        nextCell(&line, &cell, &cellEnd);
        size_t length = (size_t)(cellEnd - cell);
        names[i] = letters;
        memcpy(letters, cell, length);
        letters[length] = '\0';
        letters += length + 1;
    }
    return wk_ok;
}

static wkResult readRow(wkIoLine line, builder* table)
{
    const char *cell, *cellEnd;
    size_t start = (size_t)table->data.rowCount * (size_t)table->data.columnCount, count = 0;
    bool isFirst = table->data.rowCount == 0 && table->data.names == NULL;
    while (nextCell(&line, &cell, &cellEnd)) {
        double value;
        if (wkIoParseNumber(cell, cellEnd, &value) != cellEnd) {
            return wkIoFailLine(line.source, cell, wk_errorParse,
                                "column %zu: \"%.*s\" is no number", count + 1,
                                (int)(cellEnd - cell < 40 ? cellEnd - cell : 40), cell);
        }
        if (start + count == table->capacity) {
            wkResult result = reserve(table, line.source, 2 * table->capacity + 64);
            if (result != wk_ok) {
                return result;
            }
        }
        if (count == MAX_COLUMNS) {
            return wkIoFailLine(line.source, cell, wk_errorRange, "more than %d columns",
                                MAX_COLUMNS);
        }
        table->data.values[start + count++] = value;
    }
    if (isFirst) {
        table->data.columnCount = (int32_t)count;
    }
    if (count != (size_t)table->data.columnCount) {
        return wkIoFailLine(line.source, line.at, wk_errorParse,
                            "%zu numbers, expected %d as in the first line", count,
                            table->data.columnCount);
    }
    table->data.rowCount++;
    return wk_ok;
}

static bool startsWithNumber(wkIoLine line)
{
    const char *cell, *cellEnd;
    double ignored;
    return nextCell(&line, &cell, &cellEnd) && wkIoParseNumber(cell, cellEnd, &ignored) == cellEnd;
}

// Reads the last comment line with as many words as there are columns, of which the first is not a number.
// @param end of the comments
static wkResult readCommentNames(const wkIoSource* source, const char* end, builder* table)
{
    const char* next = (const char*)source->bytes;
    wkIoLine found = {0};
    while (next < end) {
        wkIoLine line = wkIoLine_At(source, next, &next);
        line.at = wkIoSkipBlanks(line.at, line.end);
        while (line.at < line.end && *line.at == '#') {
            line.at++;
        }
        bool isMatch = countCells(line) == (size_t)table->data.columnCount;
        found = isMatch && !startsWithNumber(line) ? line : found;
    }
    return found.source != NULL ? readNames(found, table, &table->data.commentNames) : wk_ok;
}

// Reads a line that is neither empty nor a comment.
static wkResult readLine(wkIoLine line, bool isFirst, builder* table)
{
    const char* start = line.at;
    if (isFirst && !startsWithNumber(line)) {
        wkResult result = readNames(line, table, &table->data.names);
        table->data.columnCount = result == wk_ok ? (int32_t)table->nameCapacity : 0;
        return result;
    }
    wkResult result = readRow(line, table);
    return isFirst && result == wk_ok ? readCommentNames(line.source, start, table) : result;
}

static wkResult readText(const wkIoSource* source, builder* table)
{
    const char* next = (const char*)source->bytes;
    const char* end = next + source->byteCount;
    wkResult result = wk_ok;
    for (bool isFirst = true; next < end && result == wk_ok;) {
        wkIoLine line = wkIoLine_At(source, next, &next);
        const char* start = wkIoSkipBlanks(line.at, line.end);
        if (start == line.end || *start == '#') {
            continue;
        }
        result = readLine(line, isFirst, table);
        isFirst = false;
    }
    return result;
}

static wkResult read(const wkIoSource* source, void* result)
{
    builder* table = (builder*)wkAllocate(sizeof *table);
    if (table == NULL) {
        return wkIoFail(source->name, wk_errorMemory, "no memory to start with");
    }
    memset(table, 0, sizeof *table);
    bool isArray = wkIoMatchNpy(source->bytes, source->byteCount);
    wkResult outcome = isArray ? readNpy(source, table) : readText(source, table);
    if (outcome != wk_ok) {
        wkTableData_Destroy(&table->data);
        return outcome;
    }
    *(wkTableData**)result = &table->data;
    return wk_ok;
}

wkResult wkTableData_Load(const char* path, wkTableData** data)
{
    if (path == NULL || data == NULL) {
        return wkSetLastError(wk_errorArgument, "load table: path or data is NULL");
    }
    *data = NULL;
    wkIoSource source = {.name = path, .path = path, .extension = wkIoExtension(path)};
    wkResult result = wkIoReadInput(path, &source);
    if (result == wk_ok) {
        result = read(&source, data);
        wkIoUnread(&source);
    }
    return result;
}

wkResult wkTableData_Parse(const void* bytes, size_t byteCount, wkTableData** data)
{
    if (data != NULL) {
        *data = NULL;
    }
    return wkIoReadBytes("table", bytes, byteCount, read, data);
}
