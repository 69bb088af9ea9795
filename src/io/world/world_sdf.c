// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// Worlds and models of SDF: one object for each model of the world, with the collision shapes of all its
// links and nested models. Models are at the poses of the file, static or not. Elements known to have no
// collision shapes are skipped; any other element is refused.

#include "io/world/sdf.h"

#include <stdio.h>
#include <string.h>

// Names of elements without collision shapes, in worlds, models, links and collisions.
static const char* const worldSkips[] = {"light",
                                         "scene",
                                         "physics",
                                         "gravity",
                                         "atmosphere",
                                         "magnetic_field",
                                         "wind",
                                         "gui",
                                         "plugin",
                                         "audio",
                                         "spherical_coordinates",
                                         "frame",
                                         "joint",
                                         NULL};
static const char* const modelSkips[] = {"pose",    "static", "self_collide", "allow_auto_disable",
                                         "frame",   "joint",  "enable_wind",  "plugin",
                                         "gripper", NULL};
static const char* const linkSkips[] = {"pose",           "inertial",          "visual",
                                        "sensor",         "projector",         "light",
                                        "plugin",         "gravity",           "audio_sink",
                                        "audio_source",   "battery",           "enable_wind",
                                        "kinematic",      "must_be_base_link", "self_collide",
                                        "velocity_decay", "particle_emitter",  NULL};

static bool isIn(const char* const* names, const char* name)
{
    while (*names != NULL && strcmp(*names, name) != 0) {
        names++;
    }
    return *names != NULL;
}

// Returns true for skipped names; elements with a prefix are extensions of other programs.
static bool isSkipped(const char* const* names, const wkXmlElement* element)
{
    return isIn(names, element->name) || strchr(element->name, ':') != NULL;
}

static wkResult refuse(const wkXmlFile* file, const wkXmlElement* element)
{
    bool isState = strcmp(element->name, "state") == 0;
    return wkXmlFile_Fail(file, element, wk_errorUnsupported,
                          isState ? "poses of a saved simulation are not read: take <state> out to "
                                    "use those of the models"
                                  : "it is not read, and may have collision shapes");
}

static wkResult readCollision(wkSdfReader* r, const wkXmlFile* file, const wkXmlElement* element,
                              wkPose linkPose)
{
    const wkXmlElement* geometry = wkXmlElement_Child(element, "geometry");
    const wkXmlElement* pose = wkXmlElement_Child(element, "pose");
    const char* base = wkXmlElement_Value(pose, "relative_to");
    wkPose own;
    wkShape shape;
    if (base != NULL && base[0] != '\0') {
        return wkXmlFile_Fail(file, pose, wk_errorUnsupported,
                              "relative_to \"%.60s\": the pose of a collision shape is read in the "
                              "frame of its link only",
                              base);
    }
    if (geometry == NULL) {
        return wkXmlFile_Fail(file, element, wk_errorParse, "<geometry> is missing");
    }
    wkResult result = wkSdf_ReadPose(file, element, &own);
    result = result == wk_ok ? wkSdf_ReadShape(r, file, geometry, &shape) : result;
    if (result != wk_ok || shape.type == wk_shapeNone) {
        return result;
    }
    result = wkWorldBuilder_AddShape(r->builder, shape, wkMulPose(linkPose, own));
    return result == wk_ok ? wk_ok : wkSdf_FailAgain(file, element, result);
}

static wkResult readLink(wkSdfReader* r, const wkXmlFile* file, const wkXmlElement* link,
                         wkPose linkPose)
{
    wkResult result = wk_ok;
    for (const wkXmlElement* child = link->firstChild; child != NULL && result == wk_ok;
         child = child->next) {
        if (strcmp(child->name, "collision") == 0) {
            result = readCollision(r, file, child, linkPose);
        } else if (!isSkipped(linkSkips, child)) {
            result = refuse(file, child);
        }
    }
    bool isOnlyVisual =
        wkXmlElement_Child(link, "collision") == NULL && wkXmlElement_Child(link, "visual") != NULL;
    if (isOnlyVisual) {
        const char* name = wkXmlElement_Value(link, "name");
        wkWorldBuilder_Warn(r->builder,
                            "%.60s:%d: link \"%.60s\" has visuals and no collision shapes",
                            file->name, (int)link->line, name != NULL ? name : "");
    }
    return result;
}

static wkResult readInclude(wkSdfReader* r, const wkSdfScope* scope, const wkXmlElement* element,
                            wkPose scopePose, bool isObject);

// Adds the shapes of a model to the open object.
// @param pose of the model in the frame of the object
static wkResult readModelParts(wkSdfReader* r, const wkXmlFile* file, const wkXmlElement* model,
                               wkPose pose, int depth)
{
    wkSdfScope scope = {file, model, false};
    wkResult result =
        depth > WK_SDF_MAX_DEPTH
            ? wkXmlFile_Fail(file, model, wk_errorParse,
                             "models are nested too deep: more than %d levels", WK_SDF_MAX_DEPTH)
            : wk_ok;
    for (const wkXmlElement* child = model->firstChild; child != NULL && result == wk_ok;
         child = child->next) {
        bool isLink = strcmp(child->name, "link") == 0;
        bool isModel = strcmp(child->name, "model") == 0;
        wkPose own = wkIdentityPose();
        if (isLink || isModel) {
            result = wkSdf_ResolvePose(r, &scope, child, &own);
            own = wkMulPose(pose, own);
        }
        if (result == wk_ok && isLink) {
            result = readLink(r, file, child, own);
        } else if (result == wk_ok && isModel) {
            result = readModelParts(r, file, child, own, depth + 1);
        } else if (result == wk_ok && strcmp(child->name, "include") == 0) {
            result = readInclude(r, &scope, child, pose, false);
        } else if (result == wk_ok && !isSkipped(modelSkips, child)) {
            result = refuse(file, child);
        }
    }
    return result;
}

static bool isStatic(wkSdfReader* r, const wkXmlElement* element)
{
    const wkXmlElement* child = wkXmlElement_Child(element, "static");
    const char* text = child != NULL ? wkSdf_Text(r, child) : NULL;
    return text != NULL && (strcmp(text, "true") == 0 || strcmp(text, "1") == 0);
}

// Reads a model of the world.
static wkResult readModel(wkSdfReader* r, const wkXmlFile* file, const wkXmlElement* model,
                          const char* name, wkPose pose, bool isMovable)
{
    wkWorldBuilder* builder = r->builder;
    wkResult result = wkWorldBuilder_OpenObject(builder, name, pose, isMovable);
    if (result != wk_ok) {
        return wkSdf_FailAgain(file, model, result);
    }
    result = readModelParts(r, file, model, wkIdentityPose(), 0);
    if (result == wk_ok) {
        wkWorldBuilder_CloseObject(builder);
    }
    return result;
}

// An include element with its attributes for the model.
typedef struct inclusion {
    const wkXmlFile* file; // with the element
    const wkXmlElement* element;
    const char* name; // NULL: the model's own name
    wkPose pose;      // of the scope, and of the include if it has one
    bool hasPose;
    bool isObject; // a model of the world, not a nested one
} inclusion;

static wkResult readIncludedModel(wkSdfReader* r, const wkXmlFile* file, const inclusion* i)
{
    const wkXmlElement* model = wkXmlElement_Child(file->root, "model");
    if (strcmp(file->root->name, "sdf") != 0 || model == NULL) {
        return wkXmlFile_Fail(file, file->root, wk_errorParse, "it has no <model> in <sdf>");
    }
    wkPose own = wkIdentityPose();
    wkResult result = i->hasPose ? wk_ok : wkSdf_ReadPose(file, model, &own);
    const char* name = i->name != NULL ? i->name : wkXmlElement_Value(model, "name");
    wkPose pose = wkMulPose(i->pose, own);
    if (result != wk_ok || !i->isObject) {
        return result == wk_ok ? readModelParts(r, file, model, pose, 1) : result;
    }
    bool isMovable = !isStatic(r, model) && !isStatic(r, i->element);
    return readModel(r, file, model, name != NULL ? name : "", pose, isMovable);
}

// Reads the file of an include; paths in it are relative to it.
static wkResult readIncludedFile(wkSdfReader* r, const char* path, const inclusion* i)
{
    wkWorldBuilder* builder = r->builder;
    const char* copy = wkIoArena_CopyText(&builder->arena, path, strlen(path));
    const char* folder = wkIoFolderOf(path, &builder->arena);
    if (copy == NULL || folder == NULL) {
        return wkXmlFile_FailMemory(i->file);
    }
    wkIoSource source = {.name = copy, .path = copy};
    wkXmlFile file = {.keepsText = true};
    wkWorldBuilder_NoteRead(builder, path);
    wkResult result = wkIoReadFile(path, &source);
    if (result == wk_ok) {
        result = wkXmlFile_Parse(&file, &source, &builder->arena);
        wkIoUnread(&source);
    }
    if (result != wk_ok) {
        return result;
    }
    const char* before = builder->finder.folder;
    builder->finder.folder = folder;
    r->fileDepth++;
    result = readIncludedModel(r, &file, i);
    r->fileDepth--;
    builder->finder.folder = before;
    return result;
}

// Finds the file of an include: the file that it names, or model.sdf in the folder that it names.
static wkResult findIncluded(wkSdfReader* r, const wkXmlFile* file, const wkXmlElement* uri,
                             char path[WK_IO_PATH_CAPACITY])
{
    char name[WK_IO_PATH_CAPACITY], words[WK_IO_FINDER_WORDS];
    const char* text = wkSdf_Text(r, uri);
    if (text == NULL) {
        return wkXmlFile_FailMemory(file);
    }
    bool isFile = strcmp(wkIoExtension(text), "sdf") == 0;
    int length = snprintf(name, sizeof name, "%s%s", text, isFile ? "" : "/model.sdf");
    wkResult result = length < (int)sizeof name
                          ? wkIoFinder_Find(&r->builder->finder, name, path, words)
                          : wk_errorRange;
    return result == wk_ok
               ? wk_ok
               : wkXmlFile_Fail(file, uri, result, "%s",
                                result == wk_errorRange ? "the name is too long" : words);
}

static wkResult readInclude(wkSdfReader* r, const wkSdfScope* scope, const wkXmlElement* element,
                            wkPose scopePose, bool isObject)
{
    static const char* const known[] = {"uri", "name", "pose", "static", "plugin", NULL};
    const wkXmlFile* file = scope->file;
    const wkXmlElement* uri = wkXmlElement_Child(element, "uri");
    const wkXmlElement* name = wkXmlElement_Child(element, "name");
    for (const wkXmlElement* child = element->firstChild; child != NULL; child = child->next) {
        if (!isSkipped(known, child)) {
            return refuse(file, child);
        }
    }
    if (r->includeCount++ == WK_SDF_MAX_INCLUDES) {
        return wkXmlFile_Fail(file, element, wk_errorParse, "more than %d includes",
                              WK_SDF_MAX_INCLUDES);
    }
    if (uri == NULL || r->fileDepth == WK_SDF_MAX_FILES) {
        return wkXmlFile_Fail(file, element, wk_errorParse,
                              uri == NULL ? "<uri> is missing"
                                          : "files include each other too deep");
    }
    wkPose own;
    char path[WK_IO_PATH_CAPACITY];
    wkResult result = wkSdf_ResolvePose(r, scope, element, &own);
    result = result == wk_ok ? findIncluded(r, file, uri, path) : result;
    if (result != wk_ok) {
        return result;
    }
    inclusion i = {.file = file,
                   .element = element,
                   .name = name != NULL ? wkSdf_Text(r, name) : NULL,
                   .pose = wkMulPose(scopePose, own),
                   .hasPose = wkXmlElement_Child(element, "pose") != NULL,
                   .isObject = isObject};
    return readIncludedFile(r, path, &i);
}

static wkResult readWorld(wkSdfReader* r, const wkXmlFile* file, const wkXmlElement* world)
{
    wkSdfScope scope = {file, world, true};
    wkResult result = wk_ok;
    for (const wkXmlElement* child = world->firstChild; child != NULL && result == wk_ok;
         child = child->next) {
        wkPose pose;
        const char* name = NULL;
        if (strcmp(child->name, "model") == 0) {
            result = wkXmlFile_NeedValue(file, child, "name", &name);
            result = result == wk_ok ? wkSdf_ResolvePose(r, &scope, child, &pose) : result;
            result = result == wk_ok ? readModel(r, file, child, name, pose, !isStatic(r, child))
                                     : result;
        } else if (strcmp(child->name, "include") == 0) {
            result = readInclude(r, &scope, child, wkIdentityPose(), true);
        } else if (!isSkipped(worldSkips, child)) {
            result = refuse(file, child);
        }
    }
    return result;
}

wkResult wkWorldBuilder_ReadSdf(wkWorldBuilder* builder)
{
    // comparing this many names takes about a second
    wkSdfReader r = {.builder = builder, .budget = 100000000};
    wkXmlFile file = {.keepsText = true};
    wkResult result = wkXmlFile_Parse(&file, builder->source, &builder->arena);
    if (result != wk_ok) {
        return result;
    }
    if (strcmp(file.root->name, "sdf") != 0) {
        return wkIoFailNumberedLine(file.name, (size_t)file.root->line, wk_errorUnsupported,
                                    "the root is <%.40s>, not <sdf>", file.root->name);
    }
    int32_t worldCount = wkXmlElement_CountChildren(file.root, "world");
    int32_t modelCount = wkXmlElement_CountChildren(file.root, "model");
    if (worldCount + modelCount != 1) {
        return wkIoFail(file.name, wk_errorUnsupported,
                        "it has %d worlds and %d models, expected one of either", (int)worldCount,
                        (int)modelCount);
    }
    const wkXmlElement* world = wkXmlElement_Child(file.root, "world");
    return readWorld(&r, &file, world != NULL ? world : file.root);
}
