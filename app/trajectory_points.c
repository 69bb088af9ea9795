// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// Waypoints of a file, and the trajectory that they make.

#include "trajectory_points.h"

#include "whole_file.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

bool wkTrajectoryPoints_Complain(const wkTrajectoryPoints* points, int line, const char* format,
                                 ...)
{
    char words[400];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(words, sizeof words, format, arguments);
    va_end(arguments);
    return wkRobotJob_Complain(points->job, "%s:%d: %s", points->path, line, words);
}

// Says why a name is no variable: it may be that of a joint without a variable of its own.
static bool complainAboutName(const wkTrajectoryPoints* points, int line, const char* name)
{
    const wkRobot* robot = points->job->robot;
    int32_t joint = wkRobot_FindJoint(robot, name);
    wkJointInfo info = wkRobot_Joint(robot, joint);
    if (joint >= 0 && info.mimic >= 0) {
        return wkTrajectoryPoints_Complain(points, line,
                                           "'%.60s' mimics '%.60s', and has no number of its own",
                                           name, wkRobot_Joint(robot, info.mimic).name);
    }
    return wkTrajectoryPoints_Complain(points, line, "'%.60s' is no variable of the robot%s", name,
                                       wkRobotJob_NearestVariable(points->job, name).text);
}

bool wkTrajectoryPoints_AddColumn(wkTrajectoryPoints* points, int line, const char* name)
{
    int32_t variable = wkRobot_FindVariable(points->job->robot, name);
    if (variable < 0) {
        return complainAboutName(points, line, name);
    }
    for (int i = 0; i < points->columnCount; i++) {
        if (points->variables[i] == variable) {
            return wkTrajectoryPoints_Complain(points, line, "'%.60s' is there twice", name);
        }
    }
    points->variables[points->columnCount++] = variable;
    return true;
}

// Makes an array longer; it stays as it is when there is no memory.
static bool lengthen(double** array, size_t count)
{
    double* longer = realloc(*array, count * sizeof *longer + 1);
    if (longer == NULL) {
        return false;
    }
    *array = longer;
    return true;
}

static bool reserve(wkTrajectoryPoints* points)
{
    size_t capacity = 2 * (size_t)points->capacity + 64, columns = (size_t)points->columnCount;
    int* lines = realloc(points->lines, capacity * sizeof *lines);
    if (lines == NULL) {
        return false;
    }
    points->lines = lines;
    bool isDone = lengthen(&points->times, capacity);
    for (int i = 0; i <= (int)points->rates && isDone; i++) {
        isDone = lengthen(&points->numbers[i], capacity * columns);
    }
    points->capacity = isDone ? (int)capacity : points->capacity;
    return isDone;
}

bool wkTrajectoryPoints_Add(wkTrajectoryPoints* points, int line, double time)
{
    if (points->count > 0 && !(time > points->times[points->count - 1])) {
        return wkTrajectoryPoints_Complain(points, line,
                                           "time is %.9g, expected more than the %.9g before it",
                                           time, points->times[points->count - 1]);
    }
    if (points->count == points->capacity && !reserve(points)) {
        return wkTrajectoryPoints_Complain(points, line, "out of memory for %d waypoints",
                                           points->count + 1);
    }
    points->times[points->count] = time;
    points->lines[points->count++] = line;
    return true;
}

double* wkTrajectoryPoints_Row(const wkTrajectoryPoints* points, wkPointRates rates)
{
    return points->numbers[rates] + (size_t)(points->count - 1) * (size_t)points->columnCount;
}

// Prints the message of the library with the line of the waypoint that it names.
static bool complainOfLibrary(const wkTrajectoryPoints* points)
{
    static const char start[] = "trajectory: waypoint ";
    const char* words = wkGetLastError();
    bool hasWaypoint = strncmp(words, start, sizeof start - 1) == 0;
    char* rest = NULL;
    long waypoint = hasWaypoint ? strtol(words + sizeof start - 1, &rest, 10) : -1;
    if (waypoint < 0 || waypoint >= points->count || strncmp(rest, ": ", 2) != 0) {
        return wkRobotJob_Complain(points->job, "%s: %s", points->path, words);
    }
    bool isTurn = strstr(words, "takesShorterWay") != NULL;
    return wkTrajectoryPoints_Complain(points, points->lines[waypoint], "%s%s", rest + 2,
                                       isTurn ? " (--shorter-way)" : "");
}

static bool makeTrajectory(const wkTrajectoryPoints* points, bool takesShorterWay,
                           wkTrajectory** trajectory)
{
    if (points->count < 2) {
        return wkRobotJob_Complain(points->job, "%s: %d waypoints, expected 2 or more",
                                   points->path, points->count);
    }
    wkTrajectoryDef def = wkDefaultTrajectoryDef();
    def.robot = points->job->robot;
    def.times = points->times;
    def.positions = points->numbers[0];
    def.velocities = points->numbers[1];
    def.accelerations = points->numbers[2];
    def.variables = points->variables;
    def.variableCount = points->columnCount;
    def.count = points->count;
    def.takesShorterWay = takesShorterWay;
    return wkTrajectory_Create(&def, trajectory) == wk_ok || complainOfLibrary(points);
}

static bool readPoints(wkTrajectoryPoints* points, wkWholeFile* file)
{
    size_t variableCount = (size_t)points->job->variableCount;
    char* text = realloc(file->bytes, file->count + 1);
    points->variables = malloc((variableCount + 1) * sizeof *points->variables);
    if (text == NULL || points->variables == NULL) {
        file->bytes = text != NULL ? text : file->bytes;
        return wkRobotJob_Complain(points->job, "%s: out of memory", points->path);
    }
    file->bytes = text;
    text[file->count] = '\0';
    if (strlen(text) != file->count) {
        return wkRobotJob_Complain(points->job, "%s: has a zero byte, expected CSV or JSON",
                                   points->path);
    }
    bool isJson = text[strspn(text, " \t\r\n")] == '{';
    return isJson ? wkTrajectoryPoints_ReadJson(points, text, file->count)
                  : wkTrajectoryPoints_ReadCsv(points, text);
}

bool wkRobotJob_ReadTrajectory(const wkRobotJob* job, const char* path, bool takesShorterWay,
                               wkTrajectory** trajectory)
{
    wkWholeFile file = {0};
    wkAskError error = {0};
    *trajectory = NULL;
    if (!wkWholeFile_Read(&file, path, &error)) {
        wkWholeFile_Free(&file);
        return wkRobotJob_Complain(job, "%s", error.message);
    }
    wkTrajectoryPoints points = {.job = job, .path = file.name};
    bool isRead =
        readPoints(&points, &file) && makeTrajectory(&points, takesShorterWay, trajectory);
    for (int i = 0; i < 3; i++) {
        free(points.numbers[i]);
    }
    free(points.times);
    free(points.lines);
    free(points.variables);
    wkWholeFile_Free(&file);
    return isRead;
}
