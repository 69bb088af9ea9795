// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// Configurations from numbers, names and files.

#include "robot_job.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int wkRobotJob_PlainCount(const wkRobotJob* job)
{
    return job->group < 0 ? job->variableCount
                          : wkRobot_Group(job->robot, job->group).variableCount;
}

int32_t wkRobotJob_PlainVariable(const wkRobotJob* job, int index)
{
    return job->group < 0 ? index : wkRobot_Group(job->robot, job->group).variables[index];
}

// Allocates `count` default configurations.
static bool reserve(const wkRobotJob* job, int count, wkConfigurations* list)
{
    size_t length = (size_t)job->variableCount;
    list->count = count;
    list->values = malloc(((size_t)count * length + 1) * sizeof(double));
    if (list->values == NULL) {
        return wkRobotJob_Complain(job, "out of memory for %d configurations", count);
    }
    for (int i = 0; i < count; i++) {
        wkRobot_DefaultConfiguration(job->robot, list->values + (size_t)i * length);
    }
    return true;
}

// Returns whether a state matches a name: the group's own state if it has one, else that of any group.
static bool isMeant(const wkRobotJob* job, int32_t state, const char* name)
{
    int32_t own = job->group >= 0 ? wkRobot_FindNamedState(job->robot, job->group, name) : -1;
    return own >= 0 ? state == own : strcmp(wkRobot_NamedState(job->robot, state).name, name) == 0;
}

static bool holds(const wkNamedStateInfo* state, const double* q)
{
    for (int32_t i = 0; i < state->count; i++) {
        if (q[state->variables[i]] != state->values[i]) {
            return false;
        }
    }
    return true;
}

// Applies all states of a name, such as one for each arm. Contradicting values are refused.
// @param count of the states found
static bool applyStates(const wkRobotJob* job, const char* name, double* q, int* count)
{
    int32_t stateCount = wkRobot_Info(job->robot).stateCount;
    *count = 0;
    for (int32_t i = 0; i < stateCount; i++) {
        if (isMeant(job, i, name)) {
            wkRobot_ApplyNamedState(job->robot, i, q);
            ++*count;
        }
    }
    for (int32_t i = 0; i < stateCount; i++) {
        wkNamedStateInfo state = wkRobot_NamedState(job->robot, i);
        if (isMeant(job, i, name) && !holds(&state, q)) {
            return wkRobotJob_Complain(
                job, "groups have different states '%s': --group says which is meant", name);
        }
    }
    return true;
}

// Reads one number, or a pair "name=number"; `index` counts the numbers without names.
static bool readWord(const wkRobotJob* job, char* word, int* index, double* q)
{
    char* equals = strchr(word, '=');
    int32_t variable = -1;
    if (equals != NULL) {
        *equals = '\0';
        variable = wkRobot_FindVariable(job->robot, word);
        if (variable < 0) {
            return wkRobotJob_Complain(job, "the robot has no variable '%.60s'%s", word,
                                       wkRobotJob_NearestVariable(job, word).text);
        }
    } else if (*index < wkRobotJob_PlainCount(job)) {
        variable = wkRobotJob_PlainVariable(job, (*index)++);
    } else {
        return wkRobotJob_Complain(job, "more than %d numbers: see whisker info for the variables",
                                   wkRobotJob_PlainCount(job));
    }
    const char* number = equals != NULL ? equals + 1 : word;
    return wkReadNumber(number, &q[variable]) ||
           wkRobotJob_Complain(job, "'%s' is no number", number);
}

// Prints that a text is not a configuration, and which named states there are.
static bool complainAboutText(const wkRobotJob* job, const char* text, int numberCount)
{
    char names[280] = "";
    size_t length = 0;
    int32_t stateCount = wkRobot_Info(job->robot).stateCount;
    for (int32_t i = 0; i < stateCount && length < sizeof names - 1; i++) {
        wkNamedStateInfo state = wkRobot_NamedState(job->robot, i);
        const char* group =
            state.group < 0 ? "whole robot" : wkRobot_Group(job->robot, state.group).name;
        length += (size_t)snprintf(names + length, sizeof names - length, "%s%s (%s)",
                                   length > 0 ? ", " : "", state.name, group);
    }
    char found[48] = "";
    if (numberCount > 0) {
        snprintf(found, sizeof found, "%d numbers, ", numberCount);
    }
    return wkRobotJob_Complain(
        job, "'%.60s': %sexpected %d numbers, variable=number pairs, or a named state; %s%s", text,
        found, wkRobotJob_PlainCount(job),
        length > 0 ? "the robot has: " : "the robot has no named states", names);
}

// Returns true for a word that is neither a number nor a pair, which must be the name of a state.
static bool isName(const char* text)
{
    double ignored;
    return strchr(text, '=') == NULL && strchr(text, ',') == NULL && strpbrk(text, " \t") == NULL &&
           !wkReadNumber(text, &ignored);
}

bool wkRobotJob_ReadText(const wkRobotJob* job, const char* text, wkConfigurations* list)
{
    if (!reserve(job, 1, list)) {
        return false;
    }
    int stateCount = 0;
    bool isRead = applyStates(job, text, list->values, &stateCount);
    if (!isRead || stateCount > 0) {
        return isRead;
    }
    if (isName(text)) {
        return complainAboutText(job, text, 0);
    }
    size_t size = strlen(text) + 1;
    char* copy = malloc(size);
    if (copy == NULL) {
        return wkRobotJob_Complain(job, "out of memory for a configuration");
    }
    memcpy(copy, text, size);
    int index = 0;
    bool hasNames = strchr(text, '=') != NULL;
    for (char* word = strtok(copy, ", \t"); word != NULL && isRead; word = strtok(NULL, ", \t")) {
        isRead = readWord(job, word, &index, list->values);
    }
    free(copy);
    if (isRead && !hasNames && index != wkRobotJob_PlainCount(job)) {
        return complainAboutText(job, text, index);
    }
    return isRead;
}

static bool isAmong(int32_t number, const int32_t* numbers, int32_t count)
{
    for (int32_t i = 0; i < count; i++) {
        if (numbers[i] == number) {
            return true;
        }
    }
    return false;
}

// Returns the column names. A comment with as many words as columns, some of them variables, names the
// columns: skipping it would assign numbers to the wrong joints.
static const char* const* namesOf(const wkRobotJob* job, const wkColumns* columns)
{
    for (int32_t i = 0; columns->commentNames != NULL && i < columns->count; i++) {
        if (wkRobot_FindVariable(job->robot, columns->commentNames[i]) >= 0) {
            return columns->commentNames;
        }
    }
    return columns->names;
}

wkHint wkRobotJob_NearestVariable(const wkRobotJob* job, const char* name)
{
    wkSuggestion nearest = {0};
    for (int32_t i = 0; i < job->variableCount; i++) {
        const char* known = wkRobot_Variable(job->robot, i).name;
        wkSuggestion_Try(&nearest, name, known, strlen(known));
    }
    return wkSuggestion_Hint(&nearest);
}

bool wkRobotJob_MatchColumns(const wkRobotJob* job, const char* path, wkColumns columns,
                             int32_t* variables)
{
    const char* const* names = namesOf(job, &columns);
    if (names == NULL && columns.count != wkRobotJob_PlainCount(job)) {
        return wkRobotJob_Complain(job, "%s: %d columns without names, expected %d (%s)", path,
                                   columns.count, wkRobotJob_PlainCount(job),
                                   job->group < 0 ? "all variables of the robot"
                                                  : wkRobot_Group(job->robot, job->group).name);
    }
    for (int32_t i = 0; i < columns.count; i++) {
        variables[i] = names != NULL ? wkRobot_FindVariable(job->robot, names[i])
                                     : wkRobotJob_PlainVariable(job, i);
        if (variables[i] < 0) {
            return wkRobotJob_Complain(job, "%s: column '%.60s' is no variable of the robot%s",
                                       path, names[i],
                                       wkRobotJob_NearestVariable(job, names[i]).text);
        }
        if (names != NULL && isAmong(variables[i], variables, i)) {
            return wkRobotJob_Complain(job, "%s: column '%s' is there twice", path, names[i]);
        }
    }
    return true;
}

static bool readTable(const wkRobotJob* job, const char* path, const wkTableData* table,
                      wkConfigurations* list)
{
    size_t columnCount = (size_t)table->columnCount, length = (size_t)job->variableCount;
    int32_t* variables = calloc(columnCount + 1, sizeof *variables);
    if (variables == NULL) {
        return wkRobotJob_Complain(job, "%s: out of memory for %zu columns", path, columnCount);
    }
    wkColumns columns = {table->columnCount, table->names, table->commentNames};
    bool isRead =
        (table->rowCount == 0 || wkRobotJob_MatchColumns(job, path, columns, variables)) &&
        reserve(job, table->rowCount, list);
    for (size_t row = 0; row < (size_t)table->rowCount && isRead; row++) {
        for (size_t column = 0; column < columnCount; column++) {
            list->values[row * length + (size_t)variables[column]] =
                table->values[row * columnCount + column];
        }
    }
    free(variables);
    return isRead;
}

bool wkRobotJob_ReadConfigurations(const wkRobotJob* job, const char* text, const char* path,
                                   wkConfigurations* list)
{
    bool isRead =
        text != NULL ? wkRobotJob_ReadText(job, text, list) : wkRobotJob_ReadFile(job, path, list);
    return isRead && (list->count > 0 || wkRobotJob_Complain(job, "%s has no rows", path));
}

bool wkRobotJob_ReadFile(const wkRobotJob* job, const char* path, wkConfigurations* list)
{
    wkTableData* table = NULL;
    if (wkTableData_Load(path, &table) != wk_ok) {
        return wkRobotJob_Complain(job, "%s", wkGetLastError());
    }
    bool isRead = readTable(job, path, table, list);
    wkTableData_Destroy(table);
    return isRead;
}
