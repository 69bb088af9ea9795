// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// Planning scenes of MoveIt as YAML: moveit_msgs/PlanningScene, as messages are printed and as
// MotionBenchMaker writes them. Collision objects become objects, the allowed collision matrix becomes
// rules. Unsupported content that would change a verdict is refused by its name.

#include "io/world/world_yaml.h"

#include <string.h>

// A member of a map and its reader. NULL: it does not affect collisions.
typedef struct member {
    const char* name;
    wkResult (*read)(wkWorldYaml* w, const wkDocNode* node);
} member;

// Refuses keys that are in no row, and reads the others in the order of the rows.
static wkResult readMembers(wkWorldYaml* w, const wkDocNode* map, const member* members,
                            size_t count)
{
    wkResult result = wkDocument_NeedKind(w->document, map, wk_docMap);
    for (const wkDocNode* child = map->firstChild; child != NULL && result == wk_ok;
         child = child->next) {
        size_t i = 0;
        while (i < count && strcmp(members[i].name, child->key) != 0) {
            i++;
        }
        if (i == count) {
            result = wkDocument_Fail(w->document, child, wk_errorUnsupported,
                                     "this member of a planning scene is not supported");
        }
    }
    for (size_t i = 0; i < count && result == wk_ok; i++) {
        const wkDocNode* child = wkDocNode_Find(map, members[i].name);
        if (child != NULL && members[i].read != NULL && !wkDocNode_IsEmpty(child)) {
            result = members[i].read(w, child);
        }
    }
    return result;
}

#define MEMBERS(rows) (rows), sizeof(rows) / sizeof((rows)[0])

// Returns the pose of a frame in the world: the world itself, or one of the fixed frames.
static wkResult findFrame(const wkWorldYaml* w, const wkDocNode* node, wkPose* pose)
{
    const char* name = node->text[0] == '/' ? node->text + 1 : node->text;
    const char* own = w->builder->options->frame;
    *pose = wkIdentityPose();
    for (const wkDocNode* row = wkWorldYaml_Count(w->frames) > 0 ? w->frames->firstChild : NULL;
         row != NULL; row = row->next) {
        const wkDocNode* child = wkDocNode_Find(row, "child_frame_id");
        const wkDocNode* transform = wkDocNode_Find(row, "transform");
        if (child != NULL && transform != NULL && strcmp(child->text, name) == 0) {
            return wkWorldYaml_ReadPose(w, transform, pose);
        }
    }
    bool isWorld =
        name[0] == '\0' || strcmp(name, "world") == 0 || (own != NULL && strcmp(name, own) == 0);
    return isWorld ? wk_ok
                   : wkDocument_Fail(w->document, node, wk_errorUnsupported,
                                     "\"%.60s\" is neither \"world\", the root link, nor one of "
                                     "fixed_frame_transforms",
                                     name);
}

static wkResult checkNames(wkWorldYaml* w, const wkDocNode* object)
{
    static const char* const names[] = {
        "id",         "header",      "pose",           "operation",     "type",
        "primitives", "meshes",      "planes",         "name",          "primitive_poses",
        "mesh_poses", "plane_poses", "subframe_names", "subframe_poses"};
    for (const wkDocNode* child = object->firstChild; child != NULL; child = child->next) {
        size_t i = 0;
        while (i < sizeof names / sizeof names[0] && strcmp(names[i], child->key) != 0) {
            i++;
        }
        if (i == sizeof names / sizeof names[0]) {
            return wkDocument_Fail(w->document, child, wk_errorUnsupported,
                                   "this member of a collision object is not supported");
        }
    }
    const wkDocNode* operation = wkDocNode_Find(object, "operation");
    bool isAdded = operation == NULL || strcmp(operation->text, "0") == 0 ||
                   strcmp(operation->text, "add") == 0;
    return isAdded ? wk_ok
                   : wkDocument_Fail(w->document, operation, wk_errorUnsupported,
                                     "only 0, to add an object, is read");
}

static wkResult readObject(wkWorldYaml* w, const wkDocNode* node)
{
    const wkDocNode* id = NULL;
    wkPose frame = wkIdentityPose(), own = wkIdentityPose();
    wkResult result = wkDocument_Need(w->document, node, "id", &id);
    result = result == wk_ok ? checkNames(w, node) : result;
    const wkDocNode* frameName =
        result == wk_ok ? wkDocNode_Find(wkDocNode_Find(node, "header"), "frame_id") : NULL;
    result = frameName != NULL ? findFrame(w, frameName, &frame) : result;
    const wkDocNode* pose = result == wk_ok ? wkDocNode_Find(node, "pose") : NULL;
    result = pose != NULL ? wkWorldYaml_ReadPose(w, pose, &own) : result;
    if (result != wk_ok) {
        return result;
    }
    result = wkWorldBuilder_OpenObject(w->builder, id->text, wkMulPose(frame, own), false);
    if (result != wk_ok) {
        return wkWorldYaml_FailAgain(w, node, result);
    }
    result = wkWorldYaml_ReadShapes(w, node);
    if (result == wk_ok) {
        wkWorldBuilder_CloseObject(w->builder);
    }
    return result;
}

static wkResult readObjects(wkWorldYaml* w, const wkDocNode* list)
{
    wkResult result = wkDocument_NeedKind(w->document, list, wk_docList);
    for (const wkDocNode* node = list->firstChild; node != NULL && result == wk_ok;
         node = node->next) {
        result = readObject(w, node);
    }
    return result;
}

// Refuses a non-empty list that would affect collisions.
static wkResult refuse(wkWorldYaml* w, const wkDocNode* node)
{
    return node->count == 0 && node->text[0] == '\0'
               ? wk_ok
               : wkDocument_Fail(w->document, node, wk_errorUnsupported,
                                 "it is not read, and must be empty");
}

// Accepts an octomap message without cells as empty.
static wkResult readOctomap(wkWorldYaml* w, const wkDocNode* node)
{
    const wkDocNode* map = wkDocNode_Find(node, "octomap");
    const wkDocNode* data = wkDocNode_Find(map != NULL ? map : node, "data");
    return data != NULL ? refuse(w, data) : refuse(w, node);
}

static wkResult readWorld(wkWorldYaml* w, const wkDocNode* node)
{
    static const member members[] = {{"collision_objects", readObjects}, {"octomap", readOctomap}};
    return readMembers(w, node, MEMBERS(members));
}

// Refuses a base pose of the robot other than the identity: commands set the base, and it affects collisions.
static wkResult readBasePoses(wkWorldYaml* w, const wkDocNode* node)
{
    const wkDocNode* list = wkDocNode_Find(node, "transforms");
    wkResult result = wk_ok;
    for (const wkDocNode* row = wkWorldYaml_Count(list) > 0 ? list->firstChild : NULL;
         row != NULL && result == wk_ok; row = row->next) {
        wkPose pose = wkIdentityPose();
        result = wkWorldYaml_ReadPose(w, row, &pose);
        bool isIdentity = pose.position.x == 0.0 && pose.position.y == 0.0 &&
                          pose.position.z == 0.0 && pose.rotation.x == 0.0 &&
                          pose.rotation.y == 0.0 && pose.rotation.z == 0.0;
        if (result == wk_ok && !isIdentity) {
            result = wkDocument_Fail(w->document, row, wk_errorUnsupported,
                                     "the pose of the robot's base is not read, and must be "
                                     "identity: move the objects instead");
        }
    }
    return result;
}

// Ignores joint values, which are given elsewhere; refuses attached objects, which must not be lost.
static wkResult readState(wkWorldYaml* w, const wkDocNode* node)
{
    static const member members[] = {{"attached_collision_objects", refuse},
                                     {"joint_state", NULL},
                                     {"multi_dof_joint_state", readBasePoses},
                                     {"is_diff", NULL}};
    return readMembers(w, node, MEMBERS(members));
}

static const wkDocNode* nth(const wkDocNode* list, int32_t index)
{
    const wkDocNode* node = list->firstChild;
    for (int32_t i = 0; i < index && node != NULL; i++) {
        node = node->next;
    }
    return node;
}

// Returns the values of a row of the matrix: a list, or a map with the list `enabled`.
static const wkDocNode* valuesOf(const wkDocNode* row)
{
    const wkDocNode* enabled = wkDocNode_Find(row, "enabled");
    return enabled != NULL ? enabled : row;
}

static wkResult readMatrixRow(wkWorldYaml* w, const wkDocNode* names, const wkDocNode* row,
                              const wkDocNode* name)
{
    const wkDocNode* values = valuesOf(row);
    wkResult result = wkDocument_NeedKind(w->document, values, wk_docList);
    if (result == wk_ok && values->count != names->count) {
        result = wkDocument_Fail(w->document, values, wk_errorParse, "%d values for %d names",
                                 (int)values->count, (int)names->count);
    }
    const wkDocNode* value = values->firstChild;
    bool isBehind = false; // past the diagonal: each pair occurs twice
    for (const wkDocNode* other = names->firstChild; other != NULL && result == wk_ok;
         other = other->next, value = value->next) {
        bool isAllowed = false;
        result = wkDocument_Bool(w->document, value, &isAllowed);
        if (result == wk_ok && isBehind) {
            result = wkWorldBuilder_AddRule(w->builder, name->text, other->text, isAllowed);
            result = result == wk_ok ? wk_ok : wkWorldYaml_FailAgain(w, value, result);
        }
        isBehind = isBehind || other == name;
    }
    return result;
}

// Checks that the matrix is symmetric.
static wkResult checkSymmetry(wkWorldYaml* w, const wkDocNode* rows)
{
    int32_t i = 0;
    for (const wkDocNode* row = rows->firstChild; row != NULL; row = row->next, i++) {
        int32_t j = 0;
        const wkDocNode* other = rows->firstChild;
        for (const wkDocNode* value = valuesOf(row)->firstChild; value != NULL && j < i;
             value = value->next, other = other->next, j++) {
            const wkDocNode* mirrored = nth(valuesOf(other), i);
            if (mirrored == NULL || strcmp(mirrored->text, value->text) != 0) {
                return wkDocument_Fail(w->document, value, wk_errorParse,
                                       "row %d and column %d of the matrix differ", (int)i + 1,
                                       (int)i + 1);
            }
        }
    }
    return wk_ok;
}

// Real scenes have a few hundred names; the matrix grows with their square.
#define MAX_NAMES 500

static wkResult readMatrix(wkWorldYaml* w, const wkDocNode* node)
{
    const wkDocNode *names = NULL, *rows = NULL;
    wkResult result = wkDocument_Need(w->document, node, "entry_names", &names);
    result = result == wk_ok ? wkDocument_Need(w->document, node, "entry_values", &rows) : result;
    result = result == wk_ok ? wkDocument_NeedKind(w->document, names, wk_docList) : result;
    result = result == wk_ok ? wkDocument_NeedKind(w->document, rows, wk_docList) : result;
    const wkDocNode* others = result == wk_ok ? wkDocNode_Find(node, "default_entry_names") : NULL;
    result = others != NULL ? refuse(w, others) : result;
    if (result == wk_ok && (rows->count != names->count || names->count > MAX_NAMES)) {
        result = wkDocument_Fail(w->document, rows, wk_errorParse,
                                 "%d rows for %d names, of which there may be %d", (int)rows->count,
                                 (int)names->count, MAX_NAMES);
    }
    const wkDocNode* row = result == wk_ok ? rows->firstChild : NULL;
    for (const wkDocNode* name = names != NULL ? names->firstChild : NULL;
         name != NULL && row != NULL && result == wk_ok; name = name->next, row = row->next) {
        result = readMatrixRow(w, names, row, name);
    }
    return result == wk_ok && rows != NULL ? checkSymmetry(w, rows) : result;
}

// Checks link paddings or scales: paddings must be 0, scales 1.
static wkResult checkLinks(wkWorldYaml* w, const wkDocNode* list, const char* key,
                           double defaultValue)
{
    wkResult result = wkDocument_NeedKind(w->document, list, wk_docList);
    for (const wkDocNode* node = list->firstChild; node != NULL && result == wk_ok;
         node = node->next) {
        double value = 0.0;
        result = wkDocument_NeedNumber(w->document, node, key, &value);
        if (result == wk_ok && value != defaultValue) {
            result = wkDocument_Fail(w->document, node, wk_errorUnsupported,
                                     "%s is %g: links are padded by --padding, here it must be %g",
                                     key, value, defaultValue);
        }
    }
    return result;
}

static wkResult checkPaddings(wkWorldYaml* w, const wkDocNode* list)
{
    return checkLinks(w, list, "padding", 0.0);
}

static wkResult checkScales(wkWorldYaml* w, const wkDocNode* list)
{
    return checkLinks(w, list, "scale", 1.0);
}

static wkResult takeFrames(wkWorldYaml* w, const wkDocNode* list)
{
    w->frames = list;
    return wkDocument_NeedKind(w->document, list, wk_docList);
}

// Refuses another robot's scene: poses of objects refer to frames of the robot.
static wkResult checkRobot(wkWorldYaml* w, const wkDocNode* node)
{
    const char* robot = w->builder->options->robot;
    if (robot != NULL && node->text[0] != '\0' && strcmp(node->text, robot) != 0) {
        wkWorldBuilder_Warn(w->builder,
                            "line %d: the planning scene is for robot \"%.80s\", not \"%.80s\"",
                            (int)node->line, node->text, robot);
    }
    return wk_ok;
}

wkResult wkWorldBuilder_ReadYaml(wkWorldBuilder* builder)
{
    static const member members[] = {
        {"fixed_frame_transforms", takeFrames},
        {"world", readWorld},
        {"robot_state", readState},
        {"allowed_collision_matrix", readMatrix},
        {"link_padding", checkPaddings},
        {"link_scale", checkScales},
        {"name", NULL},
        {"robot_model_name", checkRobot},
        {"object_colors", NULL},
        {"is_diff", NULL},
    };
    wkIoArena arena = {NULL, 0};
    wkDocument document;
    wkResult result = wkDocument_ParseYaml(&document, builder->source, &arena);
    if (result == wk_ok && document.root->kind != wk_docMap) {
        result = wkDocument_Fail(&document, document.root, wk_errorParse,
                                 "not a world file: expected JSON, SDF or a MoveIt scene");
    }
    if (result == wk_ok) {
        wkWorldYaml w = {builder, &document, NULL};
        result = readMembers(&w, document.root, MEMBERS(members));
        if (result == wk_ok && wkDocNode_Find(document.root, "world") == NULL) {
            result = wkDocument_Fail(&document, document.root, wk_errorParse, "world is missing");
        }
    }
    wkIoArena_Free(&arena);
    return result;
}
