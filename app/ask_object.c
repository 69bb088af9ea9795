// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// Converts a JSON object to a shape and its pose: one row per type.

#include "ask.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// A quaternion whose length is within this of 1 is normalised as rounded; beyond, it is an error.
#define QUAT_TOLERANCE 1e-3

// Maximum number of vertices of a hull.
#define MAX_HULL_POINTS ((size_t)INT32_MAX)

wkAskField wkAskMember(const wkAskReader* reader, const char* name)
{
    return wkAskFind(reader->json, reader->name, name);
}

bool wkAskFailLibrary(const wkAskReader* reader, const char* name, wkResult result)
{
    return wkAskFail(reader->error, wkResultName(result), "%s%s: %s", reader->name, name,
                     wkGetLastError());
}

bool wkAskReadPath(const wkAskReader* reader, char path[WK_ASK_PATH_CAPACITY])
{
    const char* name = NULL;
    if (!wkAskString(wkAskMember(reader, "file"), &name, reader->error)) {
        return false;
    }
    bool isRelative = reader->folder != NULL && name[0] != '/';
    // "-" is the name of a file here: the questions come from the standard input
    const char* folder = isRelative ? reader->folder : strcmp(name, "-") == 0 ? "." : "";
    int length =
        snprintf(path, WK_ASK_PATH_CAPACITY, "%s%s%s", folder, folder[0] != '\0' ? "/" : "", name);
    return length < WK_ASK_PATH_CAPACITY ||
           wkAskFail(reader->error, "file", "%s.file has %d letters, must have less than %d",
                     reader->name, length, WK_ASK_PATH_CAPACITY);
}

static bool readLength(wkAskReader* reader, const char* name, double* length)
{
    wkAskField field = wkAskMember(reader, name);
    return wkAskNumber(field, wk_askNotNegative, length, reader->error);
}

static bool readLengths(wkAskReader* reader, const char* name, wkVec3d* lengths)
{
    wkAskField field = wkAskMember(reader, name);
    return wkAskVec3(field, wk_askNotNegative, lengths, reader->error);
}

static bool readSphere(wkAskReader* reader)
{
    double radius = 0.0;
    if (!readLength(reader, "radius", &radius)) {
        return false;
    }
    reader->object->shape = wkMakeSphere(radius);
    return true;
}

static bool readBox(wkAskReader* reader)
{
    wkVec3d size;
    if (!readLengths(reader, "size", &size)) {
        return false;
    }
    reader->object->shape = wkMakeBox(size.x, size.y, size.z);
    return true;
}

static bool readEllipsoid(wkAskReader* reader)
{
    wkVec3d radii;
    if (!readLengths(reader, "radii", &radii)) {
        return false;
    }
    reader->object->shape = wkMakeEllipsoid(radii.x, radii.y, radii.z);
    return true;
}

// Reads a capsule, cylinder or cone, which share their parameters.
static bool readRound(wkAskReader* reader, wkShape (*make)(double radius, double length))
{
    double radius = 0.0;
    double length = 0.0;
    if (!readLength(reader, "radius", &radius) || !readLength(reader, "length", &length)) {
        return false;
    }
    reader->object->shape = make(radius, length);
    return true;
}

static bool readCapsule(wkAskReader* reader)
{
    return readRound(reader, wkMakeCapsule);
}

static bool readCylinder(wkAskReader* reader)
{
    return readRound(reader, wkMakeCylinder);
}

static bool readCone(wkAskReader* reader)
{
    return readRound(reader, wkMakeCone);
}

// Reads a half-space or plane, which share their parameters.
static bool readFlat(wkAskReader* reader, wkShape (*make)(wkVec3d normal, double offset))
{
    wkVec3d normal;
    double offset = 0.0;
    wkAskField normalField = wkAskMember(reader, "normal");
    wkAskField offsetField = wkAskMember(reader, "offset");
    if (!wkAskVec3(normalField, wk_askAny, &normal, reader->error) ||
        !wkAskNumber(offsetField, wk_askAny, &offset, reader->error)) {
        return false;
    }
    if (normal.x == 0.0 && normal.y == 0.0 && normal.z == 0.0) {
        return wkAskFail(reader->error, "zero_normal", "%s.normal is zero, must have a direction",
                         reader->name);
    }
    reader->object->shape = make(normal, offset);
    return true;
}

static bool readHalfspace(wkAskReader* reader)
{
    return readFlat(reader, wkMakeHalfspace);
}

static bool readPlane(wkAskReader* reader)
{
    return readFlat(reader, wkMakePlane);
}

static bool readTriangle(wkAskReader* reader)
{
    wkVec3d* vertices = NULL;
    size_t count = 0;
    wkAskField field = wkAskMember(reader, "vertices");
    bool isRead = wkAskPoints(field, 3, 3, &vertices, &count, reader->error);
    if (isRead) {
        reader->object->shape = wkMakeTriangle(vertices[0], vertices[1], vertices[2]);
    }
    free(vertices);
    return isRead;
}

static bool readConvex(wkAskReader* reader)
{
    wkVec3d* points = NULL;
    size_t count = 0;
    wkAskField field = wkAskMember(reader, "vertices");
    bool isRead = wkAskPoints(field, 1, MAX_HULL_POINTS, &points, &count, reader->error);
    if (isRead) {
        wkHullDef def = wkDefaultHullDef();
        def.points = points;
        def.pointCount = (int32_t)count;
        wkResult result = wkHull_Create(&def, &reader->object->hull);
        if (result != wk_ok) {
            isRead = wkAskFailLibrary(reader, "", result);
        } else {
            reader->object->shape = wkMakeHull(reader->object->hull);
        }
    }
    free(points);
    return isRead;
}

typedef struct typeRow {
    const char* name;
    bool (*read)(wkAskReader* reader); // NULL: a type that this release does not have yet
    const char* members;               // its own, besides those of every object
} typeRow;

// clang-format off
static const typeRow types[] = {
    {"sphere",      readSphere,           "radius"},
    {"box",         readBox,              "size"},
    {"capsule",     readCapsule,          "radius length"},
    {"cylinder",    readCylinder,         "radius length"},
    {"cone",        readCone,             "radius length"},
    {"ellipsoid",   readEllipsoid,        "radii"},
    {"convex",      readConvex,           "vertices"},
    {"halfspace",   readHalfspace,        "normal offset"},
    {"plane",       readPlane,            "normal offset"},
    {"triangle",    readTriangle,         "vertices"},
    {"mesh",        wkAskReadMesh,        "vertices triangles file scale solid bv"},
    {"heightfield", wkAskReadHeightField, "nx ny heights x_dim y_dim min_height"},
    {"octree",      wkAskReadOctree,      "resolution occupied file threshold unknown"},
    {"cloud",       wkAskReadCloud,       "points file radius spacing sigma"},
    {"spheres",     wkAskReadSpheres,     "spheres file"},
};
// clang-format on

#define TYPE_COUNT (sizeof types / sizeof types[0])

// Members of every object, whatever its type.
#define OBJECT_MEMBERS "type padding rounding " WK_ASK_POSE_MEMBERS

void wkAskListTypes(wkText* text)
{
    for (size_t i = 0; i < TYPE_COUNT; i++) {
        if (types[i].read != NULL) {
            wkAskListRow(text, types[i].name, types[i].members);
        }
    }
    wkAskListRow(text, "each also", OBJECT_MEMBERS);
}

static const typeRow* findType(const wkAskReader* reader, const char* name)
{
    wkSuggestion nearest = {0};
    for (size_t i = 0; i < TYPE_COUNT; i++) {
        if (strcmp(types[i].name, name) == 0) {
            return &types[i];
        }
        wkSuggestion_Try(&nearest, name, types[i].name, strlen(types[i].name));
    }
    wkAskFail(reader->error, "unknown_type", "%s.type is '%.40s', which is no type%s", reader->name,
              name, wkSuggestion_Hint(&nearest).text);
    return NULL;
}

// Refuses an object without a type; a misspelt member may have been meant as the type.
static bool failWithoutType(const wkAskReader* reader, const char* extraMembers)
{
    const char* lists[TYPE_COUNT + 3] = {OBJECT_MEMBERS, extraMembers};
    for (size_t i = 0; i < TYPE_COUNT; i++) {
        lists[i + 2] = types[i].members;
    }
    return wkAskCheckMembers(reader->json, reader->name, lists, reader->error) &&
           wkAskFail(reader->error, "missing_field", "%s.type is missing", reader->name);
}

static bool readShape(wkAskReader* reader, const char* extraMembers)
{
    const char* name = NULL;
    wkAskField field = wkAskMember(reader, "type");
    extraMembers = extraMembers != NULL ? extraMembers : "";
    if (field.value == NULL) {
        return failWithoutType(reader, extraMembers);
    }
    if (!wkAskString(field, &name, reader->error)) {
        return false;
    }
    const typeRow* type = findType(reader, name);
    if (type == NULL) {
        return false;
    }
    if (type->read == NULL) {
        return wkAskFail(reader->error, "unsupported",
                         "%s.type is %s, which this version does not have yet", reader->name, name);
    }
    const char* lists[] = {OBJECT_MEMBERS, type->members, extraMembers, NULL};
    return wkAskCheckMembers(reader->json, reader->name, lists, reader->error) &&
           type->read(reader);
}

// Reads rounding and padding, which every object may have.
static bool readSurface(wkAskReader* reader)
{
    wkShape* shape = &reader->object->shape;
    wkAskField rounding = wkAskMember(reader, "rounding");
    wkAskField padding = wkAskMember(reader, "padding");
    return wkAskOptionalNumber(rounding, wk_askNotNegative, &shape->rounding, reader->error) &&
           wkAskOptionalNumber(padding, wk_askAny, &shape->padding, reader->error);
}

static bool readQuat(wkAskField field, wkQuat* quat, wkAskError* error)
{
    double q[4];
    if (!wkAskNumbers(field, wk_askAny, 4, q, error)) {
        return false;
    }
    double length = hypot(hypot(q[0], q[1]), hypot(q[2], q[3]));
    if (!(fabs(length - 1.0) <= QUAT_TOLERANCE)) {
        return wkAskFail(error, "bad_quaternion", "%s.quat has length %g, must be 1 within %g",
                         field.owner, length, QUAT_TOLERANCE);
    }
    *quat = (wkQuat){q[0] / length, q[1] / length, q[2] / length, q[3] / length};
    return true;
}

bool wkAskReadPose(const wkJson* json, const char* name, wkPose* pose, wkAskError* error)
{
    wkAskField xyz = wkAskFind(json, name, "xyz");
    wkAskField quat = wkAskFind(json, name, "quat");
    wkAskField rpy = wkAskFind(json, name, "rpy");
    *pose = wkIdentityPose();
    if (xyz.value != NULL && !wkAskVec3(xyz, wk_askAny, &pose->position, error)) {
        return false;
    }
    if (quat.value != NULL && rpy.value != NULL) {
        return wkAskFail(error, "bad_field", "%s has both quat and rpy, must have one", name);
    }
    if (quat.value != NULL) {
        return readQuat(quat, &pose->rotation, error);
    }
    if (rpy.value != NULL) {
        wkVec3d angles;
        if (!wkAskVec3(rpy, wk_askAny, &angles, error)) {
            return false;
        }
        *pose = wkMakePoseRpy(pose->position, angles.x, angles.y, angles.z);
    }
    return wkIsValidPose(*pose) ||
           wkAskFail(error, "not_finite", "%s: the pose is not finite", name);
}

bool wkAskReadJson(const wkJson* json, const wkAskContext* context, wkAskObject* object,
                   wkAskError* error)
{
    const char* name = context->name;
    *object = (wkAskObject){0};
    if (!wkJson_Is(json, wk_jsonKindObject)) {
        return wkAskFail(error, "bad_field", "%s must be an object with a type", name);
    }
    wkAskReader reader = {json,   name, context->cache, context->folder, context->allowsEmpty,
                          object, error};
    if (!readShape(&reader, context->extraMembers) || !readSurface(&reader) ||
        !wkAskReadPose(reader.json, name, &object->pose, error)) {
        return false;
    }
    object->pose = wkAskShapePose(object, object->pose);

    // every field has been checked: only combinations that overflow are left
    wkResult result = wkShape_Check(&object->shape);
    if (result != wk_ok) {
        return wkAskFail(error, wkResultName(result), "%s: %s", name, wkGetLastError());
    }
    return true;
}

wkPose wkAskShapePose(const wkAskObject* object, wkPose pose)
{
    pose.position = wkTransformPoint(pose, object->origin);
    return pose;
}

void wkAskReleaseObject(wkAskObject* object)
{
    wkHull_Destroy(object->hull);
    wkMesh_Destroy(object->mesh);
    wkHeightField_Destroy(object->field);
    wkOctree_Destroy(object->octree);
    wkCloud_Destroy(object->cloud);
    *object = (wkAskObject){0};
}
