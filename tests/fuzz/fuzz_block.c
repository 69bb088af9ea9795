// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// Forged blocks of meshes (forged_block.h) are refused with words, or can be asked anything; and nothing is left
// behind. The first byte of an input chooses a model, the second the kind of volumes and what else there is to choose.

#include "forged_block.h"
#include "tree/mesh/mesh_impl.h"
#include "unit/solid_sets.h"
#include "whisker/detail/counts.h"

int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size);

typedef meshSet makeSetFcn(int32_t size);

static makeSetFcn* const models[] = {cubeSet, sphereSet, torusSet,    shellSet,
                                     bowlSet, twoSet,    ordinarySet, emptySet};

#define MODEL_COUNT (sizeof models / sizeof *models)

// Bits of the second byte, above those of the kind.
enum {
    isSolidBit = 8,
    isMortonBit = 16,
    hasPreviousBit = 32
};

// A mesh that has moved, with room for where it was.
static wkMesh* moveMesh(const wkMeshDef* def, wkMeshBuilder* builder)
{
    wkVec3d moved = {0.5, 0.25, 2.0};
    bool isMade =
        wkMeshBuilder_BeginModel(builder, def->vertexCount, def->triangleCount) == wk_ok &&
        wkMeshBuilder_AddPart(builder, def->vertices, def->vertexCount, def->triangles,
                              def->triangleCount) == wk_ok &&
        wkMeshBuilder_EndModel(builder) == wk_ok && wkMeshBuilder_BeginUpdate(builder) == wk_ok &&
        (def->vertexCount == 0 || wkMeshBuilder_UpdateVertices(builder, 0, &moved, 1) == wk_ok) &&
        wkMeshBuilder_EndUpdate(builder, false) == wk_ok;
    if (!isMade) {
        fail("a mesh could not be moved");
    }
    wkMesh* copy;
    const wkMesh* mesh = wkMeshBuilder_Mesh(builder);
    wkMesh_FromBlock(wkMesh_Block(mesh), wkMesh_Info(mesh).byteCount, &copy);
    return copy;
}

static block makeBlock(uint8_t model, uint8_t choices)
{
    meshSet set = models[model % MODEL_COUNT](4);
    wkMeshDef def = wkDefaultMeshDef();
    wkMesh* mesh = NULL;
    def.volume = (wkVolumeKind)(choices % WK_VOLUME_KIND_COUNT);
    def.isSolid = (choices & isSolidBit) != 0;
    def.split = (choices & isMortonBit) != 0 ? wk_splitMorton : wk_splitSah;
    wkMeshBuilder* builder = NULL;
    if (wkMeshBuilder_Create(&def, &builder) != wk_ok) {
        fail("no builder");
    }
    def.vertices = set.vertices;
    def.vertexCount = set.vertexCount;
    def.triangles = set.triangles;
    def.triangleCount = set.triangleCount;
    if ((choices & hasPreviousBit) != 0) {
        mesh = moveMesh(&def, builder);
    } else {
        wkMesh_Create(&def, &mesh);
    }
    wkMeshBuilder_Destroy(builder);
    freeSet(&set);
    if (mesh == NULL) {
        fail("a mesh of our own is refused");
    }
    block b = emptyBlock(wkMesh_Info(mesh).byteCount);
    memcpy(b.bytes, wkMesh_Block(mesh), b.count);
    wkMesh_Destroy(mesh);
    return b;
}

static void seal(void* bytes)
{
    wkSealMesh((wkMesh*)bytes);
}

static const forgedKind kind = {WK_MESH_MAGIC, WK_MESH_VERSION, sizeof(wkMesh), makeBlock, seal};

static void askShape(const wkMesh* mesh, const wkShape* other, wkPose pose)
{
    wkShape shape = wkMakeMesh(mesh);
    wkContact contacts[8];
    wkCollideRequest collide = wkDefaultCollideRequest();
    wkDistanceRequest distance = wkDefaultDistanceRequest();
    wkCollide(&shape, wkIdentityPose(), other, pose, &collide);
    collide.contacts = contacts;
    collide.contactCapacity = 8;
    wkCollideResult r = wkCollide(&shape, wkIdentityPose(), other, pose, &collide);
    for (int32_t i = 0; i < r.contactCount; i++) {
        wkMesh_Triangle(mesh, (int32_t)contacts[i].partA);
    }
    wkDistanceResult d = wkDistance(other, pose, &shape, wkIdentityPose(), &distance);
    if (d.partB >= 0) {
        wkMesh_Triangle(mesh, (int32_t)d.partB);
    }
    distance.isSigned = false;
    distance.cutoff = 0.5;
    wkDistance(&shape, wkIdentityPose(), other, pose, &distance);
}

static void askMesh(const wkMesh* mesh)
{
    wkShape shape = wkMakeMesh(mesh), padded = shape;
    padded.padding = 0.1;
    const wkShape others[] = {
        wkMakeSphere(0.3),
        wkMakeBox(0.5, 0.4, 0.3),
        wkMakeHalfspace(wkVec(0.0, 0.6, 0.8), 0.1),
        wkMakePlane(wkVec(0.0, 0.6, 0.8), 0.1),
    };
    const wkVec3d points[] = {{0.9, 0.1, 0.2}, {0.0, 0.0, 0.0}, {4.0, 1.0, 0.5}};
    askShape(mesh, &padded, wkMakePose(1.2, 0.1, 0.2));
    for (int i = 0; i < 3; i++) {
        wkVec3d p = points[i];
        for (size_t k = 0; k < sizeof others / sizeof *others; k++) {
            askShape(mesh, &others[k], wkMakePose(p.x, p.y, p.z));
        }
        wkRay ray = {p, wkVec(-0.7, -0.2, 0.1), 10.0};
        wkShape_RayCast(&shape, wkIdentityPose(), ray);
        wkShape_RayHits(&padded, wkIdentityPose(), ray);
        wkShape_ClosestPoint(&shape, wkIdentityPose(), p, INFINITY);
        wkShape_ContainsPoint(&shape, wkIdentityPose(), p);
        wkShape_Support(&shape, wkIdentityPose(), wkVec(0.1, 0.2, 0.9));
    }
    wkShape_Mass(&shape);
    wkShape_Bounds(&shape, wkIdentityPose());
}

int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size)
{
    block b = forgeBlock(&kind, data, size);
    wkMesh* copy;
    const wkMesh* mapped;
    wkResult copied = wkMesh_FromBlock(b.bytes, b.count, &copy);
    wkResult placed = wkMesh_MapBlock(b.bytes, b.count, &mapped);
    checkLoaded(copied, copy, placed, mapped);
    if (copy != NULL) {
        askMesh(copy);
    }
    wkMesh_Destroy(copy);
    freeBlock(b);
    return 0;
}
