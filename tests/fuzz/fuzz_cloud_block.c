// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// Forged blocks of clouds (forged_block.h) are refused with words, or can be asked anything; and nothing is left
// behind. The first byte of an input chooses the number of points, the second what they have.

#include "forged_block.h"
#include "tree/cloud/cloud_impl.h"

int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size);

#define MAX_POINTS 300

// Bits of the second byte.
enum {
    hasRadiiBit = 1,
    hasDeviationsBit = 2,
    hasNormalsBit = 4
};

static block makeBlock(uint8_t count, uint8_t choices)
{
    static float points[MAX_POINTS][8];
    for (int i = 0; i < count; i++) {
        for (int k = 0; k < 8; k++) {
            points[i][k] = (float)((i * 37 + k * 11) % 101) / 101.0f;
        }
    }
    wkCloudDef def = wkDefaultCloudDef();
    def.points = wkMakeCloudView(points, count);
    def.points.stride = sizeof points[0];
    def.allowsEmpty = true;
    def.points.radiusOffset = (choices & hasRadiiBit) != 0 ? 12 : -1;
    def.points.deviationOffset = (choices & hasDeviationsBit) != 0 ? 16 : -1;
    def.points.normalOffset = (choices & hasNormalsBit) != 0 ? 20 : -1;
    wkCloud* cloud = NULL;
    if (wkCloud_Create(&def, &cloud) != wk_ok) {
        fail("a cloud of our own is refused");
    }
    block b = emptyBlock(wkCloud_Info(cloud).byteCount);
    memcpy(b.bytes, wkCloud_Block(cloud), b.count);
    wkCloud_Destroy(cloud);
    return b;
}

static void seal(void* bytes)
{
    wkSealCloud((wkCloud*)bytes);
}

static const forgedKind kind = {WK_CLOUD_MAGIC, WK_CLOUD_VERSION, sizeof(wkCloud), makeBlock, seal};

static void askCloud(const wkCloud* cloud)
{
    wkShape shape = wkMakeCloud(cloud);
    const wkShape others[] = {wkMakeSphere(0.3), wkMakeBox(0.5, 0.4, 0.3), shape};
    const wkVec3d points[] = {{0.9, 0.1, 0.2}, {0.5, 0.5, 0.5}, {4.0, 1.0, 0.5}};
    wkContact contacts[8];
    wkCollideRequest request = wkDefaultCollideRequest();
    request.contacts = contacts;
    request.contactCapacity = 8;
    for (int i = 0; i < 3; i++) {
        wkPose pose = wkMakePose(points[i].x, points[i].y, points[i].z);
        wkRay ray = {points[i], {-0.7, -0.2, 0.1}, 10.0};
        for (int k = 0; k < 3; k++) {
            wkCollide(&shape, wkIdentityPose(), &others[k], pose, &request);
            wkDistance(&others[k], pose, &shape, wkIdentityPose(), NULL);
        }
        wkShape_RayCast(&shape, wkIdentityPose(), ray);
        wkShape_ClosestPoint(&shape, wkIdentityPose(), points[i], INFINITY);
    }
    for (int32_t rank = 0; rank < wkCloud_Info(cloud).pointCount; rank++) {
        wkCloud_Point(cloud, rank);
    }
    wkShape_Bounds(&shape, wkIdentityPose());
    wkShape_Mass(&shape);
}

int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size)
{
    block b = forgeBlock(&kind, data, size);
    wkCloud* copy;
    const wkCloud* mapped;
    wkResult copied = wkCloud_FromBlock(b.bytes, b.count, &copy);
    wkResult placed = wkCloud_MapBlock(b.bytes, b.count, &mapped);
    checkLoaded(copied, copy, placed, mapped);
    if (copy != NULL) {
        askCloud(copy);
    }
    wkCloud_Destroy(copy);
    freeBlock(b);
    return 0;
}
