// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// The JSON interface, in five steps: a line becomes a JSON tree (ask_line.c), the names of its members are
// compared with the known ones (ask_names.c), members become numbers (ask_field.c), numbers become shapes and
// poses (ask_object.c, ask_mesh.c, ask_octree.c, ask_cloud.c), and the query is answered (ask_query.c). docs/ask.md
// describes the guarantees to users.

#include "ask_cache.h"
#include "json_tree.h"
#include "suggestion.h"
#include "text_buffer.h"

#include "whisker/whisker.h"

// Why a question was refused.
typedef struct wkAskError {
    const char* code;  // one of the codes in docs/ask.md; NULL: no error
    char message[520]; // names the field
} wkAskError;

// Sets the error and returns false, so that readers write `return wkAskFail(...)`.
bool wkAskFail(wkAskError* error, const char* code, const char* format, ...)
    __attribute__((format(printf, 3, 4)));

// A member of a JSON object, and its name in messages: "a.radius".
typedef struct wkAskField {
    const char* owner;   // "a", "b", "a.to"; "" for the question itself
    const char* name;    // "radius"
    const wkJson* value; // NULL when absent
} wkAskField;

wkAskField wkAskFind(const wkJson* object, const char* owner, const char* name);

// Refuses a member whose name is in none of the lists.
// @param owner name of the object in messages: "a", "objects[3]", "the question"
// @param lists names separated by blanks; NULL follows the last list
bool wkAskCheckMembers(const wkJson* object, const char* owner, const char* const* lists,
                       wkAskError* error);

// Range of the numbers of a field.
typedef enum wkAskRange {
    wk_askAny,         // any finite number
    wk_askNotNegative, // >= 0
} wkAskRange;

// The readers below refuse a missing field. The optional ones leave the value unchanged instead.
bool wkAskNumber(wkAskField field, wkAskRange range, double* number, wkAskError* error);
bool wkAskOptionalNumber(wkAskField field, wkAskRange range, double* number, wkAskError* error);
bool wkAskCount(wkAskField field, int* count, wkAskError* error);
bool wkAskOptionalCount(wkAskField field, int* count, wkAskError* error);
bool wkAskOptionalBool(wkAskField field, bool* value, wkAskError* error);
bool wkAskNumbers(wkAskField field, wkAskRange range, size_t count, double* numbers,
                  wkAskError* error);
bool wkAskVec3(wkAskField field, wkAskRange range, wkVec3d* vector, wkAskError* error);
bool wkAskString(wkAskField field, const char** string, wkAskError* error);

// Reads [[x,y,z], ...]: at least `minCount` points. The caller frees them.
bool wkAskPoints(wkAskField field, size_t minCount, size_t maxCount, wkVec3d** points,
                 size_t* pointCount, wkAskError* error);

// Reads [[x,y,z,...], ...]: rows of `columnCount` numbers, which `what` describes. The caller frees them.
bool wkAskRows(wkAskField field, const char* what, size_t columnCount, size_t maxCount,
               double** rows, size_t* rowCount, wkAskError* error);

// Reads [[i,j,k], ...]: integers below `vertexCount`. The caller frees the triangles.
bool wkAskTriangles(wkAskField field, size_t vertexCount, size_t maxCount, int32_t** triangles,
                    size_t* triangleCount, wkAskError* error);

// A shape and its pose.
typedef struct wkAskObject {
    wkShape shape;
    wkPose pose;
    wkHull* hull; // geometry owned by this object and borrowed by its shape; NULL for other types
    wkMesh* mesh;
    wkHeightField* field;
    wkOctree* octree;
    wkCloud* cloud;
    wkVec3d origin; // of the frame of a cloud whose points are far away; part of the pose
    double sigma;   // standard deviation of the points of a cloud
    bool isUnion;   // a cloud of spheres that were given as such, not of a sensor
    char warning[WK_WARNING_CAPACITY]; // about the file of a mesh or cloud; "": none
} wkAskObject;

// State of the readers of the types: the JSON object, its name in messages, and the result.
typedef struct wkAskReader {
    const wkJson* json;
    const char* name;
    wkAskCache* cache;  // may be NULL
    const char* folder; // as in wkAskContext
    bool allowsEmpty;
    wkAskObject* object;
    wkAskError* error;
} wkAskReader;

// Returns a member of the object that is read.
wkAskField wkAskMember(const wkAskReader* reader, const char* name);

// Reports an error of the library; `name` is that of the member, ".file", or empty.
bool wkAskFailLibrary(const wkAskReader* reader, const char* name, wkResult result);

// Returns the path of the file in the member `file`.
#define WK_ASK_PATH_CAPACITY 4096
bool wkAskReadPath(const wkAskReader* reader, char path[WK_ASK_PATH_CAPACITY]);

bool wkAskReadMesh(wkAskReader* reader);
bool wkAskReadHeightField(wkAskReader* reader);
bool wkAskReadOctree(wkAskReader* reader);
bool wkAskReadCloud(wkAskReader* reader);
bool wkAskReadSpheres(wkAskReader* reader);

// Reads position and rotation of a JSON object, both optional. `name` is for messages.
bool wkAskReadPose(const wkJson* json, const char* name, wkPose* pose, wkAskError* error);

// Members of a pose, for wkAskCheckMembers.
#define WK_ASK_POSE_MEMBERS "xyz quat rpy"

// Where a JSON object occurs, and its permitted members besides a shape and its pose.
typedef struct wkAskContext {
    const char* name;         // for messages: "a", "objects[3]"
    const char* extraMembers; // names separated by blanks, as "name category"; NULL: none
    wkAskCache* cache;        // may be NULL
    const char* folder;       // base of relative file paths; NULL: the working directory
    bool allowsEmpty;         // mesh files without triangles are accepted
} wkAskContext;

// Reads a shape and its pose. Release the object also when this fails.
bool wkAskReadJson(const wkJson* json, const wkAskContext* context, wkAskObject* object,
                   wkAskError* error);
void wkAskReleaseObject(wkAskObject* object);

// Returns the pose of the shape of an object that is in a pose.
wkPose wkAskShapePose(const wkAskObject* object, wkPose pose);

// Answers a question: appends members, each with a comma before it.
bool wkAskAnswer(const wkJson* question, wkAskCache* cache, wkText* answer, wkAskError* error);

// Answers one line (without its line end): appends one JSON object and a newline.
// @param lineNumber counted from 1, for messages
// @param cache keeps meshes of files for later lines; NULL: none
// @return true for an answer, false for an error
bool wkAskLine(const char* line, size_t length, size_t lineNumber, wkAskCache* cache,
               wkText* answer);

// Append lines for the help, "  name   members", of all queries and types.
void wkAskListQueries(wkText* text);
void wkAskListTypes(wkText* text);

// Appends one such line.
void wkAskListRow(wkText* text, const char* name, const char* members);

// Writes the answer to a line that cannot be parsed.
void wkAskRefuse(const char* code, const char* message, wkText* answer);
