// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// Formats of whole scenes, through assimp: every mesh of every node, transformed to the world frame, in
// metres, with z up.

#include "io/file/format.h"

#include <string.h>

bool wkIoMatchGlb(const uint8_t* bytes, size_t byteCount)
{
    return byteCount >= 12 && memcmp(bytes, "glTF", 4) == 0;
}

#if !defined(WK_HAS_ASSIMP)

wkResult wkIoReadScene(const wkIoSource* source, wkIoBuilder* builder)
{
    (void)builder;
    char names[128];
    wkIoFormat_List(wk_ioMesh, false, names, sizeof names);
    return wkIoFail(source->name, wk_errorUnsupported,
                    "format \"%.40s\" needs assimp, which this build lacks; it reads %s",
                    source->extension, names);
}

#else

#include <assimp/cimport.h>
#include <assimp/config.h>
#include <assimp/postprocess.h>
#include <assimp/scene.h>

// Maximum nesting of nodes; more than any program writes.
#define MAX_DEPTH 100

// FBX measures in centimetres times its unit.
#define METRES_PER_FBX_UNIT 0.01

// An affine map: a matrix and a translation.
typedef struct affine {
    double rows[3][4];
} affine;

typedef enum upAxis {
    up_x,
    up_y,
    up_z, // as in Whisker; also the default when unknown
} upAxis;

// clang-format off
// What turns an up axis into z and keeps right-handed.
static const affine fromUp[] = {
    [up_x] = {{{0, -1, 0, 0}, {0, 0, -1, 0}, {1, 0, 0, 0}}},
    [up_y] = {{{1,  0, 0, 0}, {0, 0, -1, 0}, {0, 1, 0, 0}}},
    [up_z] = {{{1,  0, 0, 0}, {0, 1,  0, 0}, {0, 0, 1, 0}}},
};

// Formats with a fixed up axis; assimp converts every dae to y up and to metres.
static const struct { const char* name; upAxis up; } knownAxes[] = {
    {"dae",  up_y},
    {"gltf", up_y},
    {"glb",  up_y},
};
// clang-format on

static affine multiply(const affine* a, const affine* b)
{
    affine product;
    for (int row = 0; row < 3; row++) {
        const double* r = a->rows[row];
        for (int column = 0; column < 4; column++) {
            product.rows[row][column] = r[0] * b->rows[0][column] + r[1] * b->rows[1][column] +
                                        r[2] * b->rows[2][column] + (column == 3 ? r[3] : 0.0);
        }
    }
    return product;
}

static affine fromMatrix(const struct aiMatrix4x4* m)
{
    affine map = {{{(double)m->a1, (double)m->a2, (double)m->a3, (double)m->a4},
                   {(double)m->b1, (double)m->b2, (double)m->b3, (double)m->b4},
                   {(double)m->c1, (double)m->c2, (double)m->c3, (double)m->c4}}};
    return map;
}

static wkVec3d apply(const affine* map, struct aiVector3D v)
{
    double x = (double)v.x, y = (double)v.y, z = (double)v.z;
    const double(*r)[4] = map->rows;
    wkVec3d moved = {r[0][0] * x + r[0][1] * y + r[0][2] * z + r[0][3],
                     r[1][0] * x + r[1][1] * y + r[1][2] * z + r[1][3],
                     r[2][0] * x + r[2][1] * y + r[2][2] * z + r[2][3]};
    return moved;
}

static bool isMirror(const affine* map)
{
    const double(*r)[4] = map->rows;
    return r[0][0] * (r[1][1] * r[2][2] - r[1][2] * r[2][1]) -
               r[0][1] * (r[1][0] * r[2][2] - r[1][2] * r[2][0]) +
               r[0][2] * (r[1][0] * r[2][1] - r[1][1] * r[2][0]) <
           0.0;
}

// Finds a number in the metadata of a scene.
static bool findNote(const struct aiScene* scene, const char* name, double* value)
{
    const struct aiMetadata* notes = scene->mMetaData;
    for (unsigned i = 0; notes != NULL && i < notes->mNumProperties; i++) {
        const struct aiMetadataEntry* entry = &notes->mValues[i];
        if (strcmp(notes->mKeys[i].data, name) != 0) {
            continue;
        }
        if (entry->mType == AI_INT32) {
            *value = (double)*(const int32_t*)entry->mData;
        } else if (entry->mType == AI_FLOAT) {
            *value = (double)*(const float*)entry->mData;
        } else if (entry->mType == AI_DOUBLE) {
            *value = *(const double*)entry->mData;
        } else {
            return false;
        }
        return true;
    }
    return false;
}

// Returns the map from the scene's frame to metres and z up.
static affine sceneFrame(const wkIoSource* source, const struct aiScene* scene,
                         const wkIoFormat* format)
{
    upAxis up = up_z;
    double unit = 1.0, note;
    for (size_t i = 0; format != NULL && i < sizeof knownAxes / sizeof knownAxes[0]; i++) {
        up = strcmp(format->name, knownAxes[i].name) == 0 ? knownAxes[i].up : up;
    }
    if (format != NULL && strcmp(format->name, "fbx") == 0) {
        up = findNote(scene, "UpAxis", &note) && note >= 0.0 && note <= 2.0 ? (upAxis)note : up_y;
        unit = findNote(scene, "UnitScaleFactor", &note) && note > 0.0 ? note : 1.0;
        unit *= METRES_PER_FBX_UNIT;
    }
    affine frame = fromUp[source->options->ignoresUpAxis ? up_z : up];
    for (int i = 0; i < 9; i++) {
        frame.rows[i / 3][i % 3] *= unit;
    }
    return frame;
}

static wkResult addFaces(const wkIoSource* source, wkIoBuilder* builder, const struct aiMesh* mesh,
                         int32_t first, bool isMirrored)
{
    wkResult result = wk_ok;
    for (unsigned i = 0; i < mesh->mNumFaces && result == wk_ok; i++) {
        const struct aiFace* face = &mesh->mFaces[i];
        for (unsigned vertex = 2; vertex < face->mNumIndices && result == wk_ok; vertex++) {
            unsigned a = face->mIndices[0], b = face->mIndices[vertex - 1];
            unsigned c = face->mIndices[vertex];
            if (a >= mesh->mNumVertices || b >= mesh->mNumVertices || c >= mesh->mNumVertices) {
                return wkIoFail(source->name, wk_errorParse,
                                "mesh \"%.40s\", face %u: no vertex has this index",
                                mesh->mName.data, i);
            }
            result = wkIoBuilder_AddTriangle(builder, source, first + (int32_t)a,
                                             first + (int32_t)(isMirrored ? c : b),
                                             first + (int32_t)(isMirrored ? b : c));
        }
    }
    return result;
}

static wkResult addMesh(const wkIoSource* source, wkIoBuilder* builder, const struct aiMesh* mesh,
                        const affine* worldFromMesh)
{
    int32_t first = builder->data.vertexCount;
    wkResult result = wk_ok;
    for (unsigned i = 0; i < mesh->mNumVertices && result == wk_ok; i++) {
        wkVec3d vertex = apply(worldFromMesh, mesh->mVertices[i]);
        if (!wkIoIsFinite(vertex)) {
            return wkIoFail(source->name, wk_errorNotFinite,
                            "mesh \"%.40s\": vertex %u is not finite", mesh->mName.data, i);
        }
        result = wkIoBuilder_AddVertex(builder, source, vertex);
    }
    return result == wk_ok ? addFaces(source, builder, mesh, first, isMirror(worldFromMesh))
                           : result;
}

static wkResult addNode(const wkIoSource* source, wkIoBuilder* builder, const struct aiScene* scene,
                        const struct aiNode* node, const affine* worldFromNode)
{
    wkResult result = wk_ok;
    for (unsigned i = 0; i < node->mNumMeshes && result == wk_ok; i++) {
        result = addMesh(source, builder, scene->mMeshes[node->mMeshes[i]], worldFromNode);
    }
    return result;
}

// A node on the path from the root, and its next child.
typedef struct nodeVisit {
    const struct aiNode* node;
    unsigned nextChild;
    affine worldFromNode;
} nodeVisit;

static wkResult addScene(const wkIoSource* source, wkIoBuilder* builder,
                         const struct aiScene* scene, const affine* frame)
{
    nodeVisit stack[MAX_DEPTH];
    int depth = 0;
    affine rootMap = fromMatrix(&scene->mRootNode->mTransformation);
    stack[0].node = scene->mRootNode;
    stack[0].nextChild = 0;
    stack[0].worldFromNode = multiply(frame, &rootMap);
    wkResult result = addNode(source, builder, scene, stack[0].node, &stack[0].worldFromNode);
    while (depth >= 0 && result == wk_ok) {
        nodeVisit* top = &stack[depth];
        if (top->nextChild == top->node->mNumChildren) {
            depth--;
            continue;
        }
        if (depth + 1 == MAX_DEPTH) {
            return wkIoFail(source->name, wk_errorUnsupported, "nodes are nested %d deep",
                            MAX_DEPTH);
        }
        nodeVisit* child = &stack[++depth];
        child->node = top->node->mChildren[top->nextChild++];
        child->nextChild = 0;
        affine map = fromMatrix(&child->node->mTransformation);
        child->worldFromNode = multiply(&top->worldFromNode, &map);
        result = addNode(source, builder, scene, child->node, &child->worldFromNode);
    }
    return result;
}

static const struct aiScene* import(const wkIoSource* source)
{
    unsigned flags = aiProcess_Triangulate;
    struct aiPropertyStore* properties = aiCreatePropertyStore();
    if (properties == NULL) {
        return NULL;
    }
    aiSetImportPropertyInteger(properties, AI_CONFIG_IMPORT_COLLADA_IGNORE_UP_DIRECTION,
                               source->options->ignoresUpAxis ? 1 : 0);
    // by its path, so that files beside it are found
    const struct aiScene* scene =
        source->path != NULL
            ? aiImportFileExWithProperties(source->path, flags, NULL, properties)
            : aiImportFileFromMemoryWithProperties((const char*)source->bytes,
                                                   (unsigned)source->byteCount, flags,
                                                   source->extension, properties);
    aiReleasePropertyStore(properties);
    return scene;
}

wkResult wkIoReadScene(const wkIoSource* source, wkIoBuilder* builder)
{
    if (source->byteCount > INT32_MAX) {
        return wkIoFail(source->name, wk_errorUnsupported, "%zu bytes are too many for assimp",
                        source->byteCount);
    }
    const wkIoFormat* format = wkIoFormat_Find(
        source->options->format != NULL ? source->options->format : source->extension);
    const struct aiScene* scene = import(source);
    if (scene == NULL || scene->mRootNode == NULL) {
        const char* words = aiGetErrorString();
        bool isKnown = format != NULL || strstr(words, "No suitable reader") == NULL;
        wkResult result = isKnown ? wk_errorParse : wk_errorUnsupported;
        result = wkIoFail(source->name, result, "assimp: %.300s", words);
        aiReleaseImport(scene);
        return result;
    }
    affine frame = sceneFrame(source, scene, format);
    wkResult result = addScene(source, builder, scene, &frame);
    aiReleaseImport(scene);
    return result;
}

#endif
