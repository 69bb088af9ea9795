// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// Blocks of meshes as a forger would make them: a block of our own, changed in places, with a fresh
// checksum. It is refused with words, or can be asked anything; and nothing is left behind.
//
// The first byte of an input chooses a model, the second the kind of volumes and what else there is
// to choose; each four more are a change. So an input stays good when the layout of blocks changes.
// After a first byte of 255 come the bytes of a block as they are.

#include "forged_block.h"
#include "tree/mesh/mesh_impl.h"
#include "unit/solid_sets.h"
#include "whisker/detail/counts.h"

#include <float.h>
#include <stdio.h>

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

// A change is four bytes: how, where (two of them) and what.
enum {
    flipsBits,
    putsInteger,
    putsFloat,
    putsDouble
};

static void change(const block* b, const uint8_t* bytes)
{
    static const int32_t integers[] = {0, 1, -1, 2, 7, 63, 64, INT32_MAX, INT32_MIN};
    static const double numbers[] = {0.0,  NAN,   INFINITY, -INFINITY, 1.0,  -1.0,
                                     1e15, -1e15, DBL_MAX,  -DBL_MAX,  1e30, DBL_TRUE_MIN};
    bool isInHeader = (bytes[0] & 0x80) != 0;
    size_t wordCount = (isInHeader ? sizeof(wkMesh) : b->count) / 8;
    size_t offset = 8 * ((bytes[1] + 256u * bytes[2]) % wordCount);
    double number = numbers[bytes[3] % (sizeof numbers / sizeof *numbers)];
    float narrow = (float)fmin(fmax(number, -(double)FLT_MAX), (double)FLT_MAX);
    narrow = isfinite(number) ? narrow : (float)number;
    size_t half = (bytes[0] & 4) != 0 ? 4 : 0, byte = bytes[0] >> 4 & 7;
    switch (bytes[0] & 3) {
    case flipsBits:
        b->bytes[offset + byte] = (char)(b->bytes[offset + byte] ^ bytes[3]);
        break;
    case putsInteger:
        memcpy(b->bytes + offset + half, &integers[bytes[3] % (sizeof integers / 4)], 4);
        break;
    case putsFloat:
        memcpy(b->bytes + offset + half, &narrow, 4);
        break;
    default:
        memcpy(b->bytes + offset, &number, 8);
    }
}

static block forge(const uint8_t* data, size_t size)
{
    if (size < 2 || data[0] == RAW_BLOCK) {
        size_t count = size > 0 ? size - 1 : 0;
        block raw = emptyBlock(count);
        memcpy(raw.bytes, data + (size > 0), count);
        return raw;
    }
    block b = makeBlock(data[0], data[1]);
    for (size_t i = 2; i + 4 <= size && i < 200; i += 4) {
        change(&b, data + i);
    }
    wkMesh* mesh = (wkMesh*)b.bytes;
    mesh->magic = WK_MESH_MAGIC;
    mesh->version = WK_MESH_VERSION;
    if (mesh->byteCount >= sizeof *mesh && mesh->byteCount <= b.count) {
        wkSealMesh(mesh);
    }
    return b;
}

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
    block b = forge(data, size);
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
