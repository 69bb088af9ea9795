// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// One reader for each member of a world file, in the order in which they must be read.

#include "world_file.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MAX_SHAPES 64     // of one object
#define LABEL_CAPACITY 64 // "objects[12].shapes[3]"

typedef struct worldReader {
    wkWorld* world;
    wkRobotScene* scene;
    const wkRobotState* state;
    wkAskError* error;
} worldReader;

static bool failLibrary(worldReader* reader, const char* label, wkResult result)
{
    return wkAskFail(reader->error, wkResultName(result), "%s: %s", label, wkGetLastError());
}

// Members of an object that says where its shapes are, of a shape, and of what the robot holds.
#define POSE_MEMBERS "xyz", "quat", "rpy"
static const char* const objectMembers[] = {"name", "category", "shapes", POSE_MEMBERS, NULL};
static const char* const shapeMembers[] = {
    "name",       "category", "type",      "size",      "radius",  "length",     "radii",
    "normal",     "offset",   "vertices",  "triangles", "file",    "solid",      "bv",
    "nx",         "ny",       "x_dim",     "y_dim",     "heights", "min_height", "unknown",
    "resolution", "occupied", "threshold", "rounding",  "padding", POSE_MEMBERS, NULL};
static const char* const* const partMembers = shapeMembers + 2; // what belongs to the object is not
static const char* const attachedMembers[] = {"object", "link", "touch", NULL};

// A member that nobody reads is a slip of the pen: what it was meant to say would be lost.
static bool knowsMembers(worldReader* reader, const json_t* json, const char* label,
                         const char* const* names)
{
    const char* name;
    json_t* value;
    json_object_foreach((json_t*)json, name, value)
    {
        size_t i = 0;
        while (names[i] != NULL && strcmp(names[i], name) != 0) {
            i++;
        }
        if (names[i] == NULL) {
            return wkAskFail(reader->error, "unknown_field", "%s has no member %.40s", label, name);
        }
    }
    return true;
}

// A place for the next shape, which the world keeps.
static wkAskObject* nextObject(worldReader* reader)
{
    wkWorld* world = reader->world;
    if (world->count == world->capacity) {
        size_t capacity = 2 * world->capacity + 16;
        wkAskObject* objects = realloc(world->objects, capacity * sizeof *objects);
        if (objects == NULL) {
            wkAskFail(reader->error, "out_of_memory", "no memory for more objects");
            return NULL;
        }
        world->objects = objects;
        world->capacity = capacity;
    }
    world->objects[world->count] = (wkAskObject){0};
    return &world->objects[world->count++];
}

static bool readShape(worldReader* reader, const json_t* json, const char* label,
                      const char* const* names, wkShape* shape, wkPose* pose)
{
    wkAskObject* object = nextObject(reader);
    if (object == NULL || !knowsMembers(reader, json, label, names) ||
        !wkAskReadJson(json, label, NULL, object, reader->error)) {
        return false;
    }
    *shape = object->shape;
    *pose = object->pose;
    return true;
}

// {"name": ..., "category": ..., and either a shape with its pose or "shapes" with one of their own}
static bool readObject(worldReader* reader, const json_t* json, const char* label)
{
    wkShape shapes[MAX_SHAPES];
    wkPose poses[MAX_SHAPES];
    wkRobotObjectDef def = wkDefaultRobotObjectDef();
    def.shapes = shapes;
    def.poses = poses;
    wkAskField category = wkAskFind(json, label, "category");
    if (!wkAskString(wkAskFind(json, label, "name"), &def.name, reader->error) ||
        (category.value != NULL && !wkAskString(category, &def.category, reader->error))) {
        return false;
    }
    const json_t* list = json_object_get(json, "shapes");
    size_t count = list != NULL ? json_array_size(list) : 1;
    if (count < 1 || count > MAX_SHAPES) {
        return wkAskFail(reader->error, "bad_field", "%s.shapes must be a list of 1 to %d objects",
                         label, MAX_SHAPES);
    }
    if (list == NULL) {
        poses[0] = wkIdentityPose();
        def.shapeCount = 1;
        bool isRead = readShape(reader, json, label, shapeMembers, &shapes[0], &def.pose);
        wkResult result = isRead ? wkRobotScene_Add(reader->scene, &def) : wk_ok;
        return isRead && (result == wk_ok || failLibrary(reader, label, result));
    }
    for (size_t i = 0; i < count; i++) {
        char part[LABEL_CAPACITY];
        snprintf(part, sizeof part, "%s.shapes[%zu]", label, i);
        if (!readShape(reader, json_array_get(list, i), part, partMembers, &shapes[i], &poses[i])) {
            return false;
        }
    }
    def.shapeCount = (int32_t)count;
    if (!knowsMembers(reader, json, label, objectMembers) ||
        !wkAskReadPose(json, label, &def.pose, reader->error)) {
        return false;
    }
    wkResult result = wkRobotScene_Add(reader->scene, &def);
    return result == wk_ok || failLibrary(reader, label, result);
}

// {"object": name, "link": name, "touch": [names]}
static bool readAttached(worldReader* reader, const json_t* json, const char* label)
{
    const char *name = NULL, *link = NULL;
    const char* touch[MAX_SHAPES] = {NULL};
    if (!knowsMembers(reader, json, label, attachedMembers) ||
        !wkAskString(wkAskFind(json, label, "object"), &name, reader->error) ||
        !wkAskString(wkAskFind(json, label, "link"), &link, reader->error)) {
        return false;
    }
    const json_t* list = json_object_get(json, "touch");
    size_t count = json_array_size(list);
    if ((list != NULL && !json_is_array(list)) || count > MAX_SHAPES) {
        return wkAskFail(reader->error, "bad_field", "%s.touch must be a list of names", label);
    }
    for (size_t i = 0; i < count; i++) {
        touch[i] = json_string_value(json_array_get(list, i));
        if (touch[i] == NULL) {
            return wkAskFail(reader->error, "bad_field", "%s.touch[%zu] must be a string", label,
                             i);
        }
    }
    wkResult result =
        wkRobotScene_Attach(reader->scene, reader->state, name, link, touch, (int32_t)count);
    return result == wk_ok || failLibrary(reader, label, result);
}

// [name, name]
static bool readAllowed(worldReader* reader, const json_t* json, const char* label)
{
    const char* a = json_string_value(json_array_get(json, 0));
    const char* b = json_string_value(json_array_get(json, 1));
    if (a == NULL || b == NULL || json_array_size(json) != 2) {
        return wkAskFail(reader->error, "bad_field", "%s must be a list of two names", label);
    }
    wkAllowed* allowed = NULL;
    wkResult result = wkAllowed_Copy(wkRobotScene_Allowed(reader->scene), &allowed);
    if (result == wk_ok) {
        result = wkAllowed_Set(allowed, a, b, wk_ruleAllowed);
    }
    if (result == wk_ok) {
        result = wkRobotScene_SetAllowed(reader->scene, allowed);
    }
    wkAllowed_Destroy(allowed);
    return result == wk_ok || failLibrary(reader, label, result);
}

typedef struct memberRow {
    const char* name;
    bool (*read)(worldReader* reader, const json_t* json, const char* label);
} memberRow;

static const memberRow members[] = {
    {"objects", readObject}, {"allowed", readAllowed}, {"attached", readAttached}};

static bool readList(worldReader* reader, const json_t* root, const memberRow* row)
{
    const json_t* list = json_object_get(root, row->name);
    if (list != NULL && !json_is_array(list)) {
        return wkAskFail(reader->error, "bad_field", "%s must be a list", row->name);
    }
    for (size_t i = 0; i < json_array_size(list); i++) {
        char label[LABEL_CAPACITY];
        snprintf(label, sizeof label, "%s[%zu]", row->name, i);
        if (!row->read(reader, json_array_get(list, i), label)) {
            return false;
        }
    }
    return true;
}

// {"category": safety distance, ...}
static bool readCategories(worldReader* reader, json_t* root)
{
    json_t* categories = json_object_get(root, "categories");
    const char* name;
    json_t* value;
    if (categories != NULL && !json_is_object(categories)) {
        return wkAskFail(reader->error, "bad_field", "categories must be an object");
    }
    json_object_foreach(categories, name, value)
    {
        double distance = 0.0;
        if (!wkAskNumber((wkAskField){"categories", name, value}, wk_askAny, &distance,
                         reader->error)) {
            return false;
        }
        wkResult result = wkRobotScene_SetCategory(reader->scene, name, distance);
        if (result != wk_ok) {
            return failLibrary(reader, "categories", result);
        }
    }
    return true;
}

static bool readRoot(worldReader* reader, json_t* root)
{
    const char* name;
    json_t* value;
    json_object_foreach(root, name, value)
    {
        bool isKnown = strcmp(name, "categories") == 0;
        for (size_t i = 0; i < sizeof members / sizeof members[0]; i++) {
            isKnown = isKnown || strcmp(name, members[i].name) == 0;
        }
        if (!isKnown) {
            return wkAskFail(reader->error, "unknown_field",
                             "%s is none of categories, objects, allowed, attached", name);
        }
    }
    bool isRead = readCategories(reader, root);
    for (size_t i = 0; i < sizeof members / sizeof members[0] && isRead; i++) {
        isRead = readList(reader, root, &members[i]);
    }
    return isRead;
}

bool wkWorld_Load(wkWorld* world, const char* path, wkRobotScene* scene, const wkRobotState* state,
                  wkAskError* error)
{
    json_error_t trouble;
    json_t* root = json_load_file(path, JSON_REJECT_DUPLICATES, &trouble);
    worldReader reader = {world, scene, state, error};
    bool isRead = false;
    if (root == NULL) {
        isRead = trouble.line < 0 ? wkAskFail(error, "file", "%s: %s", path, trouble.text)
                                  : wkAskFail(error, "bad_json", "%s:%d:%d: %s", path, trouble.line,
                                              trouble.column, trouble.text);
    } else if (!json_is_object(root)) {
        isRead = wkAskFail(error, "bad_json", "%s: must hold an object", path);
    } else {
        isRead = readRoot(&reader, root);
        if (!isRead) {
            char words[sizeof error->message];
            snprintf(words, sizeof words, "%s", error->message);
            wkAskFail(error, error->code, "%s: %s", path, words);
        }
    }
    json_decref(root);
    return isRead;
}

void wkWorld_Free(wkWorld* world)
{
    for (size_t i = 0; i < world->count; i++) {
        wkAskReleaseObject(&world->objects[i]);
    }
    free(world->objects);
    *world = (wkWorld){0};
}
