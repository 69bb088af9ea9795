// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// One reader for each member of a world file, in the required order of reading.

#include "world_file.h"

#include "whole_file.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#define MAX_SHAPES 64     // of one object
#define LABEL_CAPACITY 64 // "objects[12].shapes[3]"

typedef struct worldReader {
    wkWorld* world;
    wkRobotScene* scene;
    const wkRobotState* state;
    wkAskError* error;
    const wkJson* categories; // of the file; NULL: none
    const char* folder;       // base of relative paths in the file
    const wkWorldLoadDef* options;
    const char* name; // of the current object, for warnings
} worldReader;

static bool failLibrary(worldReader* reader, const char* label, wkResult result)
{
    return wkAskFail(reader->error, wkResultName(result), "%s: %s", label, wkGetLastError());
}

// Members of an object besides those of its shape; of an object with several shapes; of an attached object;
// of the whole file.
#define NAMED_MEMBERS "name category"
static const char* const objectMembers[] = {NAMED_MEMBERS " shapes", WK_ASK_POSE_MEMBERS, NULL};
static const char* const attachedMembers[] = {"object link touch", NULL};
static const char* const worldMembers[] = {"categories objects allowed attached", NULL};

// Returns a slot for the next shape, which the world owns.
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

// Returns what a shape lacks without which nothing can touch it; NULL: nothing.
static const char* findLack(const wkShape* shape)
{
    bool isEmptyMesh = shape->type == wk_shapeMesh && wkMesh_Info(shape->mesh).triangleCount == 0;
    bool isEmptyCloud = shape->type == wk_shapeCloud && wkCloud_Info(shape->cloud).pointCount == 0;
    return isEmptyMesh    ? "the mesh has no triangles"
           : isEmptyCloud ? "the cloud has no points"
                          : NULL;
}

// Returns whether negative padding leaves something of a shape. The points of a cloud vanish one by one.
static bool isLeftBy(const wkShape* shape)
{
    if (shape->type == wk_shapeCloud) {
        return wkCloud_Info(shape->cloud).maxRadius + shape->rounding + shape->padding >= 0.0;
    }
    wkAabb box = wkShape_Bounds(shape, wkIdentityPose());
    return box.lower.x <= box.upper.x && box.lower.y <= box.upper.y && box.lower.z <= box.upper.z;
}

// Refuses a mesh without triangles, a cloud without points and a shape removed by negative padding: they would
// never collide.
static bool checkLeft(worldReader* reader, const char* label, const wkShape* shape)
{
    const char* lack = findLack(shape);
    if (lack != NULL && !reader->options->allowsEmpty) {
        return wkAskFail(
            reader->error, "bad_field",
            "%s: %s, so that nothing would ever touch it; --allow-empty takes it as it is", label,
            lack);
    }
    bool isLeft = shape->padding >= 0.0 || lack != NULL || isLeftBy(shape);
    bool isEmptyMap =
        shape->type == wk_shapeOctree && wkOctree_Info(shape->map.octree).occupiedCount == 0;
    return isLeft || isEmptyMap ||
           wkAskFail(reader->error, "out_of_range",
                     "%s.padding is %g m, which leaves nothing of the shape", label,
                     shape->padding);
}

// @param extraMembers of the JSON object besides those of a shape; NULL: none
static bool readShape(worldReader* reader, const wkJson* json, const char* label,
                      const char* extraMembers, wkShape* shape, wkPose* pose)
{
    wkAskObject* object = nextObject(reader);
    wkAskContext context = {.name = label,
                            .extraMembers = extraMembers,
                            .folder = reader->folder,
                            .allowsEmpty = reader->options->allowsEmpty};
    if (object == NULL || !wkAskReadJson(json, &context, object, reader->error)) {
        return false;
    }
    if (!checkLeft(reader, label, &object->shape)) {
        return false;
    }
    if (!wkWorld_WarnOfShape(reader->name, object, wkRobotScene_Robot(reader->scene),
                             reader->options)) {
        return failLibrary(reader, label, wk_errorMemory);
    }
    *shape = object->shape;
    *pose = object->pose;
    return true;
}

// Checks that a category is "static" or one with a safety distance in the file: a misspelt one would get the
// distance 0.
static bool checkCategory(worldReader* reader, const char* label, const char* category)
{
    static const char standard[] = "static";
    wkSuggestion nearest = {0};
    if (strcmp(category, standard) == 0 || wkJson_Find(reader->categories, category) != NULL) {
        return true;
    }
    wkSuggestion_Try(&nearest, category, standard, strlen(standard));
    for (const wkJson* known = wkJson_First(reader->categories); known != NULL;
         known = known->next) {
        wkSuggestion_Try(&nearest, category, known->key, strlen(known->key));
    }
    return wkAskFail(reader->error, "unknown_category",
                     "%s.category is \"%.40s\", which is neither \"static\" nor in categories%s",
                     label, category, wkSuggestion_Hint(&nearest).text);
}

static bool readNames(worldReader* reader, const wkJson* json, const char* label,
                      wkRobotObjectDef* def)
{
    wkAskField category = wkAskFind(json, label, "category");
    return wkAskString(wkAskFind(json, label, "name"), &def->name, reader->error) &&
           (category.value == NULL || (wkAskString(category, &def->category, reader->error) &&
                                       checkCategory(reader, label, def->category)));
}

static bool addObject(worldReader* reader, const char* label, const wkRobotObjectDef* def)
{
    wkResult result = wkRobotScene_Add(reader->scene, def);
    return result == wk_ok || failLibrary(reader, label, result);
}

// Reads the shapes of an object, each with its own pose.
static bool readShapes(worldReader* reader, const wkJson* list, const char* label, wkShape* shapes,
                       wkPose* poses)
{
    size_t count = wkJson_Count(list);
    if (!wkJson_Is(list, wk_jsonKindArray) || count < 1 || count > MAX_SHAPES) {
        return wkAskFail(reader->error, "bad_field", "%s.shapes must be a list of 1 to %d objects",
                         label, MAX_SHAPES);
    }
    const wkJson* shape = wkJson_First(list);
    for (size_t i = 0; i < count; i++, shape = shape->next) {
        char part[LABEL_CAPACITY];
        snprintf(part, sizeof part, "%s.shapes[%zu]", label, i);
        if (!readShape(reader, shape, part, NULL, &shapes[i], &poses[i])) {
            return false;
        }
    }
    return true;
}

// Reads {"name": ..., "category": ..., and either a shape with its pose or "shapes", each with its own pose}
static bool readObject(worldReader* reader, const wkJson* json, const char* label)
{
    wkShape shapes[MAX_SHAPES];
    wkPose poses[MAX_SHAPES];
    wkRobotObjectDef def = wkDefaultRobotObjectDef();
    def.shapes = shapes;
    def.poses = poses;
    const wkJson* list = wkJson_Find(json, "shapes");
    if (!wkJson_Is(json, wk_jsonKindObject)) {
        return wkAskFail(reader->error, "bad_field", "%s must be an object", label);
    }
    const char* name = wkJson_String(wkJson_Find(json, "name"));
    reader->name = name != NULL ? name : label;
    if (list == NULL) {
        poses[0] = wkIdentityPose();
        def.shapeCount = 1;
        return readShape(reader, json, label, NAMED_MEMBERS " shapes", &shapes[0], &def.pose) &&
               readNames(reader, json, label, &def) && addObject(reader, label, &def);
    }
    def.shapeCount = (int32_t)wkJson_Count(list);
    return wkAskCheckMembers(json, label, objectMembers, reader->error) &&
           readNames(reader, json, label, &def) && readShapes(reader, list, label, shapes, poses) &&
           wkAskReadPose(json, label, &def.pose, reader->error) && addObject(reader, label, &def);
}

// Reads {"object": name, "link": name, "touch": [names]}
static bool readAttached(worldReader* reader, const wkJson* json, const char* label)
{
    const char *name = NULL, *link = NULL;
    const char* touch[MAX_SHAPES] = {NULL};
    if (!wkJson_Is(json, wk_jsonKindObject)) {
        return wkAskFail(reader->error, "bad_field", "%s must be an object", label);
    }
    if (!wkAskCheckMembers(json, label, attachedMembers, reader->error) ||
        !wkAskString(wkAskFind(json, label, "object"), &name, reader->error) ||
        !wkAskString(wkAskFind(json, label, "link"), &link, reader->error)) {
        return false;
    }
    const wkJson* list = wkJson_Find(json, "touch");
    size_t count = wkJson_Count(list);
    if ((list != NULL && !wkJson_Is(list, wk_jsonKindArray)) || count > MAX_SHAPES) {
        return wkAskFail(reader->error, "bad_field", "%s.touch must be a list of names", label);
    }
    const wkJson* item = wkJson_First(list);
    for (size_t i = 0; i < count; i++, item = item->next) {
        touch[i] = wkJson_String(item);
        if (touch[i] == NULL) {
            return wkAskFail(reader->error, "bad_field", "%s.touch[%zu] must be a string", label,
                             i);
        }
    }
    wkResult result =
        wkRobotScene_Attach(reader->scene, reader->state, name, link, touch, (int32_t)count);
    return result == wk_ok || failLibrary(reader, label, result);
}

// Checks a name of an allowed pair: a misspelt one would leave the intended pair unchanged.
static bool checkPartner(worldReader* reader, const char* label, const char* name)
{
    const wkRobot* robot = wkRobotScene_Robot(reader->scene);
    wkSuggestion nearest = {0};
    if (wkRobot_FindLink(robot, name) >= 0 || wkRobotScene_Find(reader->scene, name) >= 0) {
        return true;
    }
    for (int32_t i = 0; i < wkRobot_Info(robot).linkCount; i++) {
        const char* link = wkRobot_Link(robot, i).name;
        wkSuggestion_Try(&nearest, name, link, strlen(link));
    }
    for (int32_t i = 0; i < wkRobotScene_Count(reader->scene); i++) {
        const char* object = wkRobotScene_Object(reader->scene, i).name;
        wkSuggestion_Try(&nearest, name, object, strlen(object));
    }
    return wkAskFail(reader->error, "bad_field", "%s: \"%.60s\" is neither a link nor an object%s",
                     label, name, wkSuggestion_Hint(&nearest).text);
}

// Reads [name, name]
static bool readAllowed(worldReader* reader, const wkJson* json, const char* label)
{
    const wkJson* first = wkJson_Is(json, wk_jsonKindArray) ? json->first : NULL;
    const char* a = wkJson_String(first);
    const char* b = first != NULL ? wkJson_String(first->next) : NULL;
    if (a == NULL || b == NULL || json->count != 2) {
        return wkAskFail(reader->error, "bad_field", "%s must be a list of two names", label);
    }
    if (!checkPartner(reader, label, a) || !checkPartner(reader, label, b)) {
        return false;
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
    bool (*read)(worldReader* reader, const wkJson* json, const char* label);
} memberRow;

static const memberRow members[] = {
    {"objects", readObject}, {"allowed", readAllowed}, {"attached", readAttached}};

static bool readList(worldReader* reader, const wkJson* root, const memberRow* row)
{
    const wkJson* list = wkJson_Find(root, row->name);
    if (list != NULL && !wkJson_Is(list, wk_jsonKindArray)) {
        return wkAskFail(reader->error, "bad_field", "%s must be a list", row->name);
    }
    size_t index = 0;
    for (const wkJson* item = wkJson_First(list); item != NULL; item = item->next) {
        char label[LABEL_CAPACITY];
        snprintf(label, sizeof label, "%s[%zu]", row->name, index++);
        if (!row->read(reader, item, label)) {
            return false;
        }
    }
    return true;
}

// Reads {"category": safety distance, ...}
static bool readCategories(worldReader* reader, const wkJson* root)
{
    const wkJson* categories = wkJson_Find(root, "categories");
    if (categories != NULL && !wkJson_Is(categories, wk_jsonKindObject)) {
        return wkAskFail(reader->error, "bad_field", "categories must be an object");
    }
    reader->categories = categories;
    for (const wkJson* item = wkJson_First(categories); item != NULL; item = item->next) {
        double distance = 0.0;
        if (!wkAskNumber((wkAskField){"categories", item->key, item}, wk_askAny, &distance,
                         reader->error)) {
            return false;
        }
        wkResult result = wkRobotScene_SetCategory(reader->scene, item->key, distance);
        if (result != wk_ok) {
            return failLibrary(reader, "categories", result);
        }
    }
    return true;
}

static bool readRoot(worldReader* reader, const wkJson* root)
{
    bool isRead = wkAskCheckMembers(root, "the world", worldMembers, reader->error) &&
                  readCategories(reader, root);
    for (size_t i = 0; i < sizeof members / sizeof members[0] && isRead; i++) {
        isRead = readList(reader, root, &members[i]);
    }
    return isRead;
}

// Returns the folder that paths in a file are relative to; for a pipe, the working directory.
static char* copyFolder(const char* path)
{
    struct stat about;
    const char* slash = strrchr(path, '/');
    bool isFile = stat(path, &about) == 0 && S_ISREG(about.st_mode);
    size_t length = slash == NULL || !isFile ? 0 : slash == path ? 1 : (size_t)(slash - path);
    return length > 0 ? strndup(path, length) : strdup(".");
}

static bool readJson(worldReader* reader, const wkWholeFile* all)
{
    wkJsonTree tree;
    wkAskError* error = reader->error;
    bool isRead = wkJsonTree_Parse(&tree, all->bytes, all->count);
    if (tree.isOutOfMemory) {
        isRead = wkAskFail(error, "out_of_memory", "%s: out of memory to read it", all->name);
    } else if (!isRead) {
        wkAskFail(error, "bad_json", "%s:%zu:%zu: %s", all->name, tree.line, tree.column,
                  tree.message);
    } else if (!wkJson_Is(tree.root, wk_jsonKindObject)) {
        isRead = wkAskFail(error, "bad_json", "%s: must hold an object", all->name);
    } else {
        isRead = readRoot(reader, tree.root);
        if (!isRead) {
            char words[sizeof error->message];
            snprintf(words, sizeof words, "%s", error->message);
            wkAskFail(error, error->code, "%s: %s", all->name, words);
        }
    }
    wkJsonTree_Free(&tree);
    return isRead;
}

// Returns true for Whisker's own JSON: no other format that is read starts with a brace.
static bool isJson(const wkWholeFile* all)
{
    size_t at = all->count >= 3 && memcmp(all->bytes, "\xef\xbb\xbf", 3) == 0 ? 3 : 0;
    while (at < all->count && strchr(" \t\r\n", all->bytes[at]) != NULL && all->bytes[at] != '\0') {
        at++;
    }
    return at < all->count && (all->bytes[at] == '{' || all->bytes[at] == '[');
}

// Reads worlds of SDF and MoveIt. Errors of the library name the file and line.
static bool readOther(worldReader* reader, const wkWholeFile* all)
{
    const wkRobot* robot = wkRobotScene_Robot(reader->scene);
    wkWorldLoadDef own = *reader->options;
    own.name = all->name;
    own.folder = reader->folder;
    own.frame = wkRobot_Link(robot, 0).name;
    wkWorldData** data = &reader->world->data;
    wkResult result = wkWorldData_Parse(all->bytes, all->count, &own, data);
    if (result == wk_ok) {
        result = wkWorldData_AddTo(*data, reader->scene);
        if (result != wk_ok) {
            return wkAskFail(reader->error, wkResultName(result), "%s: %s", all->name,
                             wkGetLastError());
        }
    }
    return result == wk_ok ||
           wkAskFail(reader->error, wkResultName(result), "%s", wkGetLastError());
}

bool wkWorld_Load(wkWorld* world, const char* path, wkRobotScene* scene, const wkRobotState* state,
                  const wkWorldLoadDef* options, wkAskError* error)
{
    wkWholeFile all = {path, NULL, 0};
    char* folder = copyFolder(path);
    worldReader reader = {.world = world,
                          .scene = scene,
                          .state = state,
                          .error = error,
                          .folder = folder,
                          .options = options};
    bool isRead = folder != NULL
                      ? wkWholeFile_Read(&all, path, error) &&
                            (isJson(&all) ? readJson(&reader, &all) : readOther(&reader, &all))
                      : wkAskFail(error, "out_of_memory", "%s: no memory to read it", path);
    wkWholeFile_Free(&all);
    free(folder);
    return isRead;
}

void wkWorld_Free(wkWorld* world)
{
    for (size_t i = 0; i < world->count; i++) {
        wkAskReleaseObject(&world->objects[i]);
    }
    free(world->objects);
    wkWorldData_Destroy(world->data);
    *world = (wkWorld){0};
}
