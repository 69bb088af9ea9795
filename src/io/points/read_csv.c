// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// Text tables: a line per point, its numbers separated by commas, semicolons or white space. A first line of
// names determines the columns of x, y and z; without it they are the first three.

#include "io/points/point_builder.h"
#include "io/text/line.h"

// More columns than any program writes; x, y and z must be among them.
#define MAX_COLUMNS 256

static bool isSeparator(char c)
{
    return c == ',' || c == ';' || wkIoIsBlank(c);
}

// Returns the next cell of the line, which may be empty: it ends at one comma or semicolon, and blanks around
// it are skipped.
static const char* nextCell(wkIoLine* line, const char** cellEnd)
{
    const char* cell = wkIoSkipBlanks(line->at, line->end);
    const char* at = cell;
    while (at < line->end && !isSeparator(*at)) {
        at++;
    }
    *cellEnd = at;
    at = wkIoSkipBlanks(at, line->end);
    line->at = at < line->end && isSeparator(*at) ? at + 1 : at;
    return cell;
}

static bool isComment(const wkIoLine* line)
{
    const char* at = wkIoSkipBlanks(line->at, line->end);
    return at == line->end || *at == '#';
}

static bool isLetter(char c)
{
    return (wkIoLowerCase(c) >= 'a' && wkIoLowerCase(c) <= 'z') || c == '"';
}

// Returns true when the cell is the name of an axis, with quotes or without.
static bool isName(const char* cell, const char* cellEnd, char name)
{
    if (cellEnd - cell == 3 && cell[0] == '"' && cell[2] == '"') {
        cell++;
        cellEnd--;
    }
    return cellEnd - cell == 1 && wkIoLowerCase(*cell) == name;
}

static wkResult readNames(wkIoLine line, int columns[3])
{
    columns[0] = columns[1] = columns[2] = -1;
    for (int column = 0; column < MAX_COLUMNS && line.at < line.end; column++) {
        const char* cellEnd;
        const char* cell = nextCell(&line, &cellEnd);
        for (int axis = 0; axis < 3; axis++) {
            bool isNew = columns[axis] < 0 && isName(cell, cellEnd, "xyz"[axis]);
            columns[axis] = isNew ? column : columns[axis];
        }
    }
    bool isComplete = columns[0] >= 0 && columns[1] >= 0 && columns[2] >= 0;
    return isComplete ? wk_ok : wkIoLine_Fail(&line, "the names of columns are not x, y and z");
}

static wkResult readRow(wkIoLine line, const int columns[3], int32_t index, double coordinates[3])
{
    int found = 0;
    for (int column = 0; found < 3; column++) {
        bool isEnd = wkIoSkipBlanks(line.at, line.end) == line.end;
        const char* cellEnd;
        const char* cell = nextCell(&line, &cellEnd);
        for (int axis = 0; axis < 3; axis++) {
            if (columns[axis] != column && !isEnd) {
                continue;
            }
            if (isEnd || wkIoParseNumber(cell, cellEnd, &coordinates[axis]) != cellEnd) {
                return wkIoFailLine(line.source, cell, wk_errorParse,
                                    "point %d: column %d is missing or no number", index,
                                    column + 1);
            }
            found++;
        }
    }
    return wk_ok;
}

wkResult wkIoReadCsv(const wkIoSource* source, wkIoCloud* cloud)
{
    int columns[3] = {0, 1, 2};
    bool isFirst = true;
    const char* next = (const char*)source->bytes;
    const char* end = next + source->byteCount;
    wkResult result = wk_ok;
    while (next < end && result == wk_ok) {
        wkIoLine line = wkIoLine_At(source, next, &next);
        if (isComment(&line)) {
            continue;
        }
        double coordinates[3] = {0.0, 0.0, 0.0};
        const char* start = wkIoSkipBlanks(line.at, line.end);
        double ignored;
        bool hasNames = isFirst && isLetter(*start) &&
                        wkIoParseNumber(start, line.end, &ignored) == NULL; // "nan" is not a name
        isFirst = false;
        if (hasNames) {
            result = readNames(line, columns);
            continue;
        }
        result = readRow(line, columns, cloud->data.count, coordinates);
        if (result == wk_ok) {
            result = wkIoCloud_Add(cloud, source, coordinates);
        }
    }
    return result;
}
