// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// Trajectories as JSON, with the fields of ROS's trajectory_msgs/JointTrajectory.

#include "json_tree.h"
#include "trajectory_points.h"

#include <math.h>
#include <string.h>

#define NANOSECONDS 1e9

static const char* const rateNames[3] = {"positions", "velocities", "accelerations"};

// A text being read.
typedef struct jsonFile {
    wkTrajectoryPoints* points;
    const char* text;
    const char* at; // lines were counted up to here
    int line;
} jsonFile;

static int lineOf(jsonFile* file, const wkJson* value)
{
    if (value == NULL || value->source < file->at) {
        file->at = file->text;
        file->line = 1;
    }
    for (; value != NULL && file->at < value->source; file->at++) {
        file->line += *file->at == '\n' ? 1 : 0;
    }
    return file->line;
}

// Checks that an object has no other members than the known ones.
static bool hasKnownMembers(jsonFile* file, const wkJson* object, const char* const* known,
                            int count)
{
    for (const wkJson* member = wkJson_First(object); member != NULL; member = member->next) {
        bool isKnown = false;
        for (int i = 0; i < count; i++) {
            isKnown = isKnown || strcmp(member->key, known[i]) == 0;
        }
        if (!isKnown) {
            return wkTrajectoryPoints_Complain(file->points, lineOf(file, member),
                                               "'%.60s' is not known here", member->key);
        }
    }
    return true;
}

static bool readNames(jsonFile* file, const wkJson* root)
{
    const wkJson* names = wkJson_Find(root, "joint_names");
    if (!wkJson_Is(names, wk_jsonKindArray) || wkJson_Count(names) == 0) {
        return wkTrajectoryPoints_Complain(file->points, lineOf(file, names),
                                           "joint_names is missing, expected an array of names");
    }
    for (const wkJson* name = wkJson_First(names); name != NULL; name = name->next) {
        const char* text = wkJson_String(name);
        if (text == NULL) {
            return wkTrajectoryPoints_Complain(
                file->points, lineOf(file, name), "%.*s in joint_names, expected a name",
                name->sourceLength < 40 ? (int)name->sourceLength : 40, name->source);
        }
        if (!wkTrajectoryPoints_AddColumn(file->points, lineOf(file, name), text)) {
            return false;
        }
    }
    return true;
}

// Reads a member of a time; absent: 0.
static bool readPart(jsonFile* file, const wkJson* time, const char* name, double limit,
                     double* number)
{
    const wkJson* part = wkJson_Find(time, name);
    *number = part != NULL ? part->number : 0.0;
    bool isWhole = part == NULL || (part->kind == wk_jsonKindNumber && *number >= 0.0 &&
                                    *number < limit && *number == floor(*number));
    return isWhole || wkTrajectoryPoints_Complain(file->points, lineOf(file, part),
                                                  "%s is not a whole number from 0 to %.0f", name,
                                                  limit - 1.0);
}

// Reads seconds, as a number or as {sec, nanosec}.
static bool readTime(jsonFile* file, const wkJson* point, double* seconds)
{
    static const char* const parts[2] = {"sec", "nanosec"};
    const wkJson* time = wkJson_Find(point, "time_from_start");
    if (wkJson_Is(time, wk_jsonKindNumber)) {
        *seconds = time->number;
        return isfinite(*seconds) || wkTrajectoryPoints_Complain(file->points, lineOf(file, time),
                                                                 "time_from_start is too large");
    }
    double whole = 0.0, nanoseconds = 0.0;
    if (!wkJson_Is(time, wk_jsonKindObject) || wkJson_Count(time) == 0) {
        return wkTrajectoryPoints_Complain(file->points, lineOf(file, time != NULL ? time : point),
                                           "time_from_start is missing or no time, expected "
                                           "seconds or {\"sec\": .., \"nanosec\": ..}");
    }
    bool isRead = hasKnownMembers(file, time, parts, 2) &&
                  readPart(file, time, parts[0], 0x1p32, &whole) &&
                  readPart(file, time, parts[1], NANOSECONDS, &nanoseconds);
    *seconds = whole + nanoseconds / NANOSECONDS;
    return isRead;
}

// Reads the numbers of the last waypoint.
static bool readNumbers(jsonFile* file, const wkJson* point, wkPointRates rates)
{
    const wkTrajectoryPoints* points = file->points;
    const wkJson* list = wkJson_Find(point, rateNames[rates]);
    size_t count = wkJson_Count(list), expected = (size_t)points->columnCount;
    if (list != NULL && list->kind != wk_jsonKindArray) {
        return wkTrajectoryPoints_Complain(points, lineOf(file, list), "%s is no array",
                                           rateNames[rates]);
    }
    // ROS has empty arrays for what is not given
    if (rates > points->rates ? count > 0 : count != expected) {
        return wkTrajectoryPoints_Complain(
            points, lineOf(file, list != NULL ? list : point), "%zu %s, expected %zu%s", count,
            rateNames[rates], rates > points->rates ? 0 : expected,
            rates == wk_pointPositions ? ", one for each joint" : " as in the first point");
    }
    const wkJson* number = wkJson_First(list);
    for (size_t i = 0; i < count; i++, number = number->next) {
        if (number->kind != wk_jsonKindNumber || !isfinite(number->number)) {
            return wkTrajectoryPoints_Complain(points, lineOf(file, number),
                                               "%s[%zu] is no finite number", rateNames[rates], i);
        }
        wkTrajectoryPoints_Row(points, rates)[i] = number->number;
    }
    return true;
}

static bool readPoint(jsonFile* file, const wkJson* point)
{
    // efforts do not change where the robot is
    static const char* const known[5] = {"positions", "velocities", "accelerations", "effort",
                                         "time_from_start"};
    wkTrajectoryPoints* points = file->points;
    double time = 0.0;
    if (!wkJson_Is(point, wk_jsonKindObject)) {
        return wkTrajectoryPoints_Complain(points, lineOf(file, point), "a point is no object");
    }
    bool isRead = hasKnownMembers(file, point, known, 5) && readTime(file, point, &time);
    if (isRead && points->count == 0) {
        bool hasVelocities = wkJson_Count(wkJson_Find(point, rateNames[1])) > 0;
        bool hasBoth = hasVelocities && wkJson_Count(wkJson_Find(point, rateNames[2])) > 0;
        points->rates = hasBoth ? wk_pointAccelerations
                                : (hasVelocities ? wk_pointVelocities : wk_pointPositions);
    }
    isRead = isRead && wkTrajectoryPoints_Add(points, lineOf(file, point), time);
    for (int i = 0; i < 3 && isRead; i++) {
        isRead = readNumbers(file, point, (wkPointRates)i);
    }
    return isRead;
}

static bool readTree(jsonFile* file, const wkJson* root)
{
    static const char* const known[3] = {"header", "joint_names", "points"};
    const wkJson* list = wkJson_Find(root, "points");
    bool isRead = hasKnownMembers(file, root, known, 3) && readNames(file, root);
    if (isRead && !wkJson_Is(list, wk_jsonKindArray)) {
        return wkTrajectoryPoints_Complain(file->points, lineOf(file, list),
                                           "points is missing, expected an array");
    }
    for (const wkJson* point = wkJson_First(list); point != NULL && isRead; point = point->next) {
        isRead = readPoint(file, point);
    }
    return isRead;
}

bool wkTrajectoryPoints_ReadJson(wkTrajectoryPoints* points, const char* text, size_t length)
{
    wkJsonTree tree = {0};
    jsonFile file = {points, text, text, 1};
    bool isRead =
        wkJsonTree_Parse(&tree, text, length)
            ? readTree(&file, tree.root)
            : wkTrajectoryPoints_Complain(points, (int)tree.line, "%s",
                                          tree.isOutOfMemory ? "out of memory" : tree.message);
    wkJsonTree_Free(&tree);
    return isRead;
}
