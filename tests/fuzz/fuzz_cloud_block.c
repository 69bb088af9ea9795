// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// Blocks of clouds as a forger would make them: a block of our own, changed in places, with a fresh checksum. It is
// refused with words, or can be asked anything; and nothing is left behind.
//
// The first byte of an input chooses the number of points, the second what they have; each four more are a change.
// After a first byte of 255 come the bytes of a block as they are.

#include "forged_block.h"
#include "tree/cloud/cloud_impl.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

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

// A change is four bytes: how, where (two of them) and what.
static void change(const block* b, const uint8_t* bytes)
{
    static const int32_t integers[] = {0, 1, -1, 7, 64, INT32_MAX, INT32_MIN, 0x7fc00000};
    bool isInHeader = (bytes[0] & 0x80) != 0;
    size_t wordCount = (isInHeader ? sizeof(wkCloud) : b->count) / 4;
    size_t offset = 4 * ((bytes[1] + 256u * bytes[2]) % wordCount);
    if ((bytes[0] & 1) != 0) {
        memcpy(b->bytes + offset, &integers[bytes[3] % 8], 4);
    } else {
        b->bytes[offset + (bytes[0] >> 1 & 3)] ^= (char)bytes[3];
    }
}

static block forge(const uint8_t* data, size_t size)
{
    if (size < 2 || data[0] == RAW_BLOCK) {
        size_t count = size > 0 ? size - 1 : 0;
        block raw = emptyBlock(count);
        if (count > 0) {
            memcpy(raw.bytes, data + 1, count);
        }
        return raw;
    }
    block b = makeBlock(data[0], data[1]);
    for (size_t i = 2; i + 4 <= size && i < 200; i += 4) {
        change(&b, data + i);
    }
    wkCloud* cloud = (wkCloud*)b.bytes;
    cloud->magic = WK_CLOUD_MAGIC;
    cloud->version = WK_CLOUD_VERSION;
    if (cloud->byteCount >= sizeof *cloud && cloud->byteCount <= b.count) {
        wkSealCloud(cloud);
    }
    return b;
}

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
    block b = forge(data, size);
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
