// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// Trajectories as CSV: a line "time,shoulder,elbow,shoulder_velocity,elbow_velocity", and a line of numbers for each
// waypoint. Empty lines and lines with # are skipped.

#include "plain_number.h"
#include "trajectory_points.h"

#include <stdlib.h>
#include <string.h>

#define BLANKS " \t\r"

static const char* const suffixes[3] = {"", "_velocity", "_acceleration"};

// What a column holds.
typedef struct csvColumn {
    wkPointRates rates;
    int index; // of the variable among the columns of positions; -1: it is the time
} csvColumn;

typedef struct csvFile {
    wkTrajectoryPoints* points;
    csvColumn* columns;
    int count;
} csvFile;

// Cuts off the next line, and the next word up to a comma; NULL: none is left.
static char* nextLine(char** text)
{
    char* line = *text;
    if (line == NULL || *line == '\0') {
        return NULL;
    }
    char* end = strchr(line, '\n');
    *text = end != NULL ? end + 1 : NULL;
    line[end != NULL ? (size_t)(end - line) : strlen(line)] = '\0';
    return line;
}

static char* nextWord(char** line)
{
    char* word = *line;
    if (word == NULL) {
        return NULL;
    }
    char* end = strchr(word, ',');
    *line = end != NULL ? end + 1 : NULL;
    size_t length = end != NULL ? (size_t)(end - word) : strlen(word);
    while (length > 0 && strchr(BLANKS, word[length - 1]) != NULL) {
        length--;
    }
    word[length] = '\0';
    return word + strspn(word, BLANKS);
}

static bool isSkipped(const char* line)
{
    char first = line[strspn(line, BLANKS)];
    return first == '\0' || first == '#';
}

// Returns the rates that a name asks for, whose suffix is cut off unless it belongs to a variable.
static wkPointRates cutSuffix(const wkRobot* robot, char* name)
{
    for (int i = wk_pointAccelerations; i > wk_pointPositions; i--) {
        size_t length = strlen(name), cut = strlen(suffixes[i]);
        bool isCut = length > cut && strcmp(name + length - cut, suffixes[i]) == 0;
        if (isCut && wkRobot_FindVariable(robot, name) < 0) {
            name[length - cut] = '\0';
            return (wkPointRates)i;
        }
    }
    return wk_pointPositions;
}

// Returns the number of the column of positions of a variable; -1: there is none.
static int findColumn(const wkTrajectoryPoints* points, const char* name)
{
    int32_t variable = wkRobot_FindVariable(points->job->robot, name);
    for (int i = 0; i < points->columnCount; i++) {
        if (points->variables[i] == variable) {
            return i;
        }
    }
    return -1;
}

static bool addColumn(csvFile* file, int line, char* name)
{
    wkTrajectoryPoints* points = file->points;
    wkPointRates rates = cutSuffix(points->job->robot, name);
    int index = findColumn(points, name);
    for (int i = 0; i < file->count && rates != wk_pointPositions; i++) {
        if (file->columns[i].index == index && file->columns[i].rates == rates) {
            return wkTrajectoryPoints_Complain(points, line, "'%.60s%s' is there twice", name,
                                               suffixes[rates]);
        }
    }
    if (rates == wk_pointPositions) {
        index = points->columnCount;
        if (!wkTrajectoryPoints_AddColumn(points, line, name)) {
            return false;
        }
    } else if (index < 0) {
        return wkTrajectoryPoints_Complain(points, line,
                                           "column '%.60s%s' is without a column '%.60s' before it",
                                           name, suffixes[rates], name);
    }
    file->columns[file->count++] = (csvColumn){rates, index};
    points->rates = rates > points->rates ? rates : points->rates;
    return true;
}

// Checks that all variables have the rates that one of them has.
static bool areComplete(const csvFile* file, int line)
{
    const wkTrajectoryPoints* points = file->points;
    int counts[3] = {0};
    for (int i = 1; i < file->count; i++) {
        counts[file->columns[i].rates]++;
    }
    for (int i = 1; i <= (int)points->rates; i++) {
        if (counts[i] != points->columnCount) {
            return wkTrajectoryPoints_Complain(
                points, line, "%d columns '..%s', expected %d: one for each variable", counts[i],
                suffixes[i], points->columnCount);
        }
    }
    return points->columnCount > 0 ||
           wkTrajectoryPoints_Complain(points, line, "no variables, expected time,NAME,...");
}

static bool readHeader(csvFile* file, int line, char* text)
{
    size_t capacity = 2;
    for (const char* at = text; *at != '\0'; at++) {
        capacity += *at == ',' ? 1 : 0;
    }
    file->columns = malloc(capacity * sizeof *file->columns);
    if (file->columns == NULL) {
        return wkTrajectoryPoints_Complain(file->points, line, "out of memory");
    }
    char* word = nextWord(&text);
    if (strcmp(word, "time") != 0) {
        return wkTrajectoryPoints_Complain(file->points, line,
                                           "the first column is '%.60s', expected time", word);
    }
    file->columns[file->count++] = (csvColumn){wk_pointPositions, -1};
    for (word = nextWord(&text); word != NULL; word = nextWord(&text)) {
        if (!addColumn(file, line, word)) {
            return false;
        }
    }
    return areComplete(file, line);
}

static bool readRow(csvFile* file, int line, char* text)
{
    wkTrajectoryPoints* points = file->points;
    int count = 0;
    for (char* word = nextWord(&text); word != NULL; word = nextWord(&text)) {
        double number = 0.0;
        if (!wkReadNumber(word, &number)) {
            return wkTrajectoryPoints_Complain(points, line, "'%.60s' is no number", word);
        }
        if (count == 0 && !wkTrajectoryPoints_Add(points, line, number)) {
            return false;
        }
        if (count > 0 && count < file->count) {
            const csvColumn* column = &file->columns[count];
            wkTrajectoryPoints_Row(points, column->rates)[column->index] = number;
        }
        count++;
    }
    return count == file->count ||
           wkTrajectoryPoints_Complain(points, line, "%d numbers, expected %d as in the header",
                                       count, file->count);
}

bool wkTrajectoryPoints_ReadCsv(wkTrajectoryPoints* points, char* text)
{
    csvFile file = {points, NULL, 0};
    bool isRead = true;
    int line = 1;
    for (char* row = nextLine(&text); row != NULL && isRead; row = nextLine(&text), line++) {
        if (!isSkipped(row)) {
            isRead = file.count == 0 ? readHeader(&file, line, row) : readRow(&file, line, row);
        }
    }
    if (isRead && file.count == 0) {
        isRead = wkTrajectoryPoints_Complain(points, line, "no header, expected time,NAME,...");
    }
    free(file.columns);
    return isRead;
}
