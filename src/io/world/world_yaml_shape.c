// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// Poses and shapes of collision objects: primitives, meshes and planes of moveit_msgs/CollisionObject.

#include "io/world/world_yaml.h"

#include <math.h>
#include <string.h>

wkResult wkWorldYaml_FailAgain(const wkWorldYaml* w, const wkDocNode* node, wkResult result)
{
    char words[200];
    size_t length = strlen(wkGetLastError());
    length = length < sizeof words ? length : sizeof words - 1;
    memcpy(words, wkGetLastError(), length);
    words[length] = '\0';
    return wkDocument_Fail(w->document, node, result, "%s", words);
}

// Reads numbers from a list, or from the members x, y, z and w of a map.
static wkResult readVector(const wkWorldYaml* w, const wkDocNode* node, double* numbers, int count)
{
    static const char* const names[] = {"x", "y", "z", "w"};
    wkResult result = wk_ok;
    if (node->kind == wk_docMap) {
        for (int i = 0; i < count && result == wk_ok; i++) {
            result = wkDocument_NeedNumber(w->document, node, names[i], &numbers[i]);
        }
        return result;
    }
    result = wkDocument_NeedKind(w->document, node, wk_docList);
    if (result == wk_ok && node->count != count) {
        result = wkDocument_Fail(w->document, node, wk_errorParse, "%d numbers, expected %d",
                                 (int)node->count, count);
    }
    int i = 0;
    for (const wkDocNode* child = node->firstChild; child != NULL && result == wk_ok;
         child = child->next) {
        result = wkDocument_Number(w->document, child, &numbers[i++]);
    }
    return result;
}

// {position, orientation}, or {translation, rotation} of a transform.
wkResult wkWorldYaml_ReadPose(const wkWorldYaml* w, const wkDocNode* node, wkPose* pose)
{
    double position[3] = {0.0}, quaternion[4] = {0.0, 0.0, 0.0, 1.0};
    wkResult result = wkDocument_NeedKind(w->document, node, wk_docMap);
    for (const wkDocNode* child = node->firstChild; child != NULL && result == wk_ok;
         child = child->next) {
        bool isSlot = strcmp(child->key, "position") == 0 || strcmp(child->key, "translation") == 0;
        bool isRevolute =
            strcmp(child->key, "orientation") == 0 || strcmp(child->key, "rotation") == 0;
        if (!isSlot && !isRevolute) {
            return wkDocument_Fail(w->document, child, wk_errorParse, "unknown member of a pose");
        }
        result = isSlot ? readVector(w, child, position, 3) : readVector(w, child, quaternion, 4);
    }
    if (result != wk_ok) {
        return result;
    }
    // all zeros: a default message, which MoveIt reads as no rotation
    const double* q = quaternion;
    if (q[0] == 0.0 && q[1] == 0.0 && q[2] == 0.0 && q[3] == 0.0) {
        quaternion[3] = 1.0;
    }
    result = wkWorldPose(position, quaternion, pose);
    return result == wk_ok ? wk_ok : wkWorldYaml_FailAgain(w, node, result);
}

// Primitives of shape_msgs: for cylinders and cones the height comes first.
typedef struct primitive {
    const char* name;
    const char* number; // of the type in a message
    int dimensionCount;
    wkShape (*make)(const double* d);
} primitive;

static wkShape makeBox(const double* d)
{
    return wkMakeBox(d[0], d[1], d[2]);
}

static wkShape makeSphere(const double* d)
{
    return wkMakeSphere(d[0]);
}

static wkShape makeCylinder(const double* d)
{
    return wkMakeCylinder(d[1], d[0]);
}

static wkShape makeCone(const double* d)
{
    return wkMakeCone(d[1], d[0]);
}

static const primitive primitives[] = {
    {"box", "1", 3, makeBox},
    {"sphere", "2", 1, makeSphere},
    {"cylinder", "3", 2, makeCylinder},
    {"cone", "4", 2, makeCone},
};

// Reads {type, dimensions}
static wkResult readPrimitive(wkWorldYaml* w, const wkDocNode* node, wkShape* shape)
{
    const wkDocNode *type = NULL, *dimensions = NULL;
    double d[3] = {0.0};
    wkResult result = wkDocument_Need(w->document, node, "type", &type);
    result =
        result == wk_ok ? wkDocument_Need(w->document, node, "dimensions", &dimensions) : result;
    if (result != wk_ok) {
        return result;
    }
    for (size_t i = 0; i < sizeof primitives / sizeof primitives[0]; i++) {
        const primitive* p = &primitives[i];
        if (strcmp(type->text, p->name) == 0 || strcmp(type->text, p->number) == 0) {
            result = readVector(w, dimensions, d, p->dimensionCount);
            *shape = result == wk_ok ? p->make(d) : *shape;
            return result;
        }
    }
    return wkDocument_Fail(w->document, type, wk_errorUnsupported,
                           "\"%.40s\" is none of box, sphere, cylinder, cone", type->text);
}

int32_t wkWorldYaml_Count(const wkDocNode* list)
{
    return list != NULL && list->kind == wk_docList ? list->count : 0;
}

static wkResult readVertices(const wkWorldYaml* w, const wkDocNode* list, wkVec3d* vertices)
{
    wkResult result = wk_ok;
    for (const wkDocNode* child = list != NULL ? list->firstChild : NULL;
         child != NULL && result == wk_ok; child = child->next) {
        double v[3] = {0.0};
        result = readVector(w, child, v, 3);
        *vertices++ = (wkVec3d){v[0], v[1], v[2]};
    }
    return result;
}

// Reads lists of three indices, or maps with the list vertex_indices.
static wkResult readTriangles(const wkWorldYaml* w, const wkDocNode* list, int32_t vertexCount,
                              int32_t* triangles)
{
    for (const wkDocNode* child = list != NULL ? list->firstChild : NULL; child != NULL;
         child = child->next) {
        const wkDocNode* indices = wkDocNode_Find(child, "vertex_indices");
        double v[3] = {0.0};
        wkResult result = readVector(w, indices != NULL ? indices : child, v, 3);
        for (int i = 0; i < 3 && result == wk_ok; i++) {
            if (v[i] != floor(v[i]) || v[i] < 0.0 || v[i] >= vertexCount) {
                result = wkDocument_Fail(w->document, child, wk_errorParse,
                                         "%g is not the index of one of %d vertices", v[i],
                                         (int)vertexCount);
            }
            *triangles++ = result == wk_ok ? (int32_t)v[i] : 0;
        }
        if (result != wk_ok) {
            return result;
        }
    }
    return wk_ok;
}

static wkResult buildMesh(wkWorldYaml* w, const wkDocNode* node, wkShape* shape)
{
    const wkDocNode* vertexList = wkDocNode_Find(node, "vertices");
    const wkDocNode* triangleList = wkDocNode_Find(node, "triangles");
    wkMeshDef def = wkDefaultMeshDef();
    def.vertexCount = wkWorldYaml_Count(vertexList);
    def.triangleCount = wkWorldYaml_Count(triangleList);
    wkIoArena arena = {NULL, 0};
    wkVec3d* vertices = wkIoArena_AllocArray(&arena, (size_t)def.vertexCount + 1, sizeof *vertices);
    int32_t* triangles =
        wkIoArena_AllocArray(&arena, (size_t)def.triangleCount + 1, 3 * sizeof *triangles);
    wkResult result = vertices != NULL && triangles != NULL
                          ? readVertices(w, vertexList, vertices)
                          : wkDocument_Fail(w->document, node, wk_errorMemory, "no memory");
    result = result == wk_ok ? readTriangles(w, triangleList, def.vertexCount, triangles) : result;
    if (result == wk_ok) {
        def.vertices = vertices;
        def.triangles = triangles;
        result = wkWorldBuilder_BuildMesh(w->builder, &def, shape);
        result = result == wk_ok ? wk_ok : wkWorldYaml_FailAgain(w, node, result);
    }
    wkIoArena_Free(&arena);
    return result;
}

// Reads {vertices, triangles}, or {resource, dimensions}: a file and its scale.
static wkResult readMesh(wkWorldYaml* w, const wkDocNode* node, wkShape* shape)
{
    const wkDocNode* resource = wkDocNode_Find(node, "resource");
    if (resource == NULL) {
        return buildMesh(w, node, shape);
    }
    const wkDocNode* dimensions = wkDocNode_Find(node, "dimensions");
    double scale[3] = {1.0, 1.0, 1.0};
    wkResult result = dimensions != NULL ? readVector(w, dimensions, scale, 3) : wk_ok;
    if (result != wk_ok) {
        return result;
    }
    result = wkWorldBuilder_LoadMesh(w->builder, resource->text,
                                     (wkVec3d){scale[0], scale[1], scale[2]}, shape);
    return result == wk_ok ? wk_ok : wkWorldYaml_FailAgain(w, resource, result);
}

// Reads {coef: [a, b, c, d]}: a x + b y + c z + d = 0
static wkResult readPlane(wkWorldYaml* w, const wkDocNode* node, wkShape* shape)
{
    const wkDocNode* list = NULL;
    double n[4] = {0.0};
    wkResult result = wkDocument_Need(w->document, node, "coef", &list);
    result = result == wk_ok ? readVector(w, list, n, 4) : result;
    *shape = result == wk_ok ? wkMakePlane((wkVec3d){n[0], n[1], n[2]}, -n[3]) : *shape;
    return result;
}

// A kind of shapes of an object, and the list of their poses.
typedef struct shapeKind {
    const char* name;
    const char* poses;
    wkResult (*read)(wkWorldYaml* w, const wkDocNode* node, wkShape* shape);
} shapeKind;

static const shapeKind shapeKinds[] = {
    {"primitives", "primitive_poses", readPrimitive},
    {"meshes", "mesh_poses", readMesh},
    {"planes", "plane_poses", readPlane},
};

static wkResult readKind(wkWorldYaml* w, const wkDocNode* object, const shapeKind* kind)
{
    const wkDocNode* list = wkDocNode_Find(object, kind->name);
    const wkDocNode* poses = wkDocNode_Find(object, kind->poses);
    // in newer messages the object has a pose, and its shapes may then have none
    if (wkWorldYaml_Count(poses) != wkWorldYaml_Count(list) && wkWorldYaml_Count(poses) != 0) {
        return wkDocument_Fail(w->document, poses, wk_errorParse, "%d poses for %d %s",
                               (int)wkWorldYaml_Count(poses), (int)wkWorldYaml_Count(list),
                               kind->name);
    }
    const wkDocNode* poseNode = wkWorldYaml_Count(poses) > 0 ? poses->firstChild : NULL;
    wkResult result = wk_ok;
    for (const wkDocNode* node = wkWorldYaml_Count(list) > 0 ? list->firstChild : NULL;
         node != NULL && result == wk_ok; node = node->next) {
        wkShape shape = {0};
        wkPose pose = wkIdentityPose();
        result = kind->read(w, node, &shape);
        result =
            result == wk_ok && poseNode != NULL ? wkWorldYaml_ReadPose(w, poseNode, &pose) : result;
        if (result == wk_ok) {
            result = wkWorldBuilder_AddShape(w->builder, shape, pose);
            result = result == wk_ok ? wk_ok : wkWorldYaml_FailAgain(w, node, result);
        }
        poseNode = poseNode != NULL ? poseNode->next : NULL;
    }
    return result;
}

wkResult wkWorldYaml_ReadShapes(wkWorldYaml* w, const wkDocNode* object)
{
    wkResult result = wk_ok;
    for (size_t i = 0; i < sizeof shapeKinds / sizeof shapeKinds[0] && result == wk_ok; i++) {
        result = readKind(w, object, &shapeKinds[i]);
    }
    return result;
}
