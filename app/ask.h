// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// The JSON door of the library, in five steps: a line becomes a JSON tree (ask_line.c), the names of its
// members are compared with those that are known (ask_names.c), members become numbers (ask_field.c),
// numbers become shapes and poses (ask_object.c, ask_mesh.c, ask_octree.c), and the query is answered
// (ask_query.c). See docs/ask.md for what users are promised.

#include "ask_cache.h"
#include "suggestion.h"
#include "text_buffer.h"

#include "whisker/whisker.h"

#include <jansson.h>

// Why a question was refused.
typedef struct wkAskError {
    const char* code;  // one of the codes in docs/ask.md; NULL: nothing is wrong
    char message[520]; // words that name the field
} wkAskError;

// Notes the trouble and returns false, so that readers write `return wkAskFail(...)`.
bool wkAskFail(wkAskError* error, const char* code, const char* format, ...)
    __attribute__((format(printf, 3, 4)));

// A member of a JSON object, and how messages call it: "a.radius".
typedef struct wkAskField {
    const char* owner;   // "a", "b", "a.to"; "" for the question itself
    const char* name;    // "radius"
    const json_t* value; // NULL when absent
} wkAskField;

wkAskField wkAskFind(const json_t* object, const char* owner, const char* name);

// Refuses a member whose name is in none of the lists.
// @param owner what the messages call the object: "a", "objects[3]", "the question"
// @param lists names parted by blanks; the last list is followed by NULL
bool wkAskCheckMembers(const json_t* object, const char* owner, const char* const* lists,
                       wkAskError* error);

// Which numbers a field may hold.
typedef enum wkAskRange {
    wk_askAny,         // any finite number
    wk_askNotNegative, // >= 0
} wkAskRange;

// The readers below refuse an absent field, but for the optional ones, which then change nothing.
bool wkAskNumber(wkAskField field, wkAskRange range, double* number, wkAskError* error);
bool wkAskOptionalNumber(wkAskField field, wkAskRange range, double* number, wkAskError* error);
bool wkAskCount(wkAskField field, int* count, wkAskError* error);
bool wkAskOptionalCount(wkAskField field, int* count, wkAskError* error);
bool wkAskOptionalBool(wkAskField field, bool* value, wkAskError* error);
bool wkAskNumbers(wkAskField field, wkAskRange range, size_t count, double* numbers,
                  wkAskError* error);
bool wkAskVec3(wkAskField field, wkAskRange range, wkVec3d* vector, wkAskError* error);
bool wkAskString(wkAskField field, const char** string, wkAskError* error);

// [[x,y,z], ...]: at least `minCount` of them. The caller frees the points.
bool wkAskPoints(wkAskField field, size_t minCount, size_t maxCount, wkVec3d** points,
                 size_t* pointCount, wkAskError* error);

// [[i,j,k], ...]: whole numbers below `vertexCount`. The caller frees the triangles.
bool wkAskTriangles(wkAskField field, size_t vertexCount, size_t maxCount, int32_t** triangles,
                    size_t* triangleCount, wkAskError* error);

// A shape and where it stands.
typedef struct wkAskObject {
    wkShape shape;
    wkPose pose;
    wkHull* hull; // what the shape borrows and nobody else keeps; NULL for the others
    wkMesh* mesh;
    wkHeightField* field;
    wkOctree* octree;
    char warning[WK_WARNING_CAPACITY]; // what looks wrong about the file of a mesh; "" otherwise
} wkAskObject;

// What the readers of the types get: the object, its name in messages, and where to put the shape.
typedef struct wkAskReader {
    const json_t* json;
    const char* name;
    wkAskCache* cache;  // may be NULL
    const char* folder; // as in wkAskContext
    bool allowsEmpty;
    wkAskObject* object;
    wkAskError* error;
} wkAskReader;

// A member of the object that is read.
wkAskField wkAskMember(const wkAskReader* reader, const char* name);

// Refuses what the library has refused; `name` is that of the member, ".file", or empty.
bool wkAskFailLibrary(const wkAskReader* reader, const char* name, wkResult result);

// Path of the file that the member `file` names.
#define WK_ASK_PATH_CAPACITY 4096
bool wkAskReadPath(const wkAskReader* reader, char path[WK_ASK_PATH_CAPACITY]);

bool wkAskReadMesh(wkAskReader* reader);
bool wkAskReadHeightField(wkAskReader* reader);
bool wkAskReadOctree(wkAskReader* reader);

// Position and rotation of a JSON object, both of which may be absent. `name` is for messages.
bool wkAskReadPose(const json_t* json, const char* name, wkPose* pose, wkAskError* error);

// Members of a pose, for wkAskCheckMembers.
#define WK_ASK_POSE_MEMBERS "xyz quat rpy"

// Where a JSON object stands, and what it may have besides a shape and its pose.
typedef struct wkAskContext {
    const char* name;         // for messages: "a", "objects[3]"
    const char* extraMembers; // names parted by blanks, as "name category"; NULL: none
    wkAskCache* cache;        // may be NULL
    const char* folder;       // that paths of files are relative to; NULL: the working directory
    bool allowsEmpty;         // files of meshes without triangles are taken
} wkAskContext;

// Reads a shape and its pose. Release the object also when it was refused.
bool wkAskReadJson(const json_t* json, const wkAskContext* context, wkAskObject* object,
                   wkAskError* error);
void wkAskReleaseObject(wkAskObject* object);

// Answers the query of a question: appends members, each with a comma before it.
bool wkAskAnswer(const json_t* question, wkAskCache* cache, wkText* answer, wkAskError* error);

// Answers one line (without its line end): appends one JSON object and a newline.
// @param lineNumber counted from 1, for messages
// @param cache keeps the meshes of files for other lines; NULL: nothing is kept
// @return true when it was answered, false when the answer is an error
bool wkAskLine(const char* line, size_t length, size_t lineNumber, wkAskCache* cache,
               wkText* answer);

// Lines for the help, "  name   members", of all queries and types that are answered.
void wkAskListQueries(wkText* text);
void wkAskListTypes(wkText* text);

// One such line.
void wkAskListRow(wkText* text, const char* name, const char* members);

// The answer to a line that cannot be read at all.
void wkAskRefuse(const char* code, const char* message, wkText* answer);
