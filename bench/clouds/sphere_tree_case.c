// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// The robot, the room and the peers of the rows of sphere trees: see sphere_tree_case.h.

#include "clouds/sphere_tree_case.h"

#include "../tests/scenes/room_scene.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// Size of a link, and the step to the next one.
#define LINK_RADIUS 0.06
#define LINK_LENGTH 0.16
#define BASE_X (-1.6)
#define BASE_Z 0.3

#define PEER_LEAF 10 // spheres, as nanoflann has by default

// An arm that bends forward, its links one above the other.
static void placeLinks(wkSphereTreeCase* c)
{
    wkPose pose = wkMakePose(BASE_X, 0.0, BASE_Z);
    for (int i = 0; i < WK_IST_LINKS; i++) {
        if (i > 0) {
            pose.position = wkTransformPoint(pose, (wkVec3d){0.0, 0.0, LINK_LENGTH});
        }
        double half = 0.5 * (0.25 + 0.16 * i);
        pose.rotation = (wkQuat){0.0, sin(half), 0.0, cos(half)};
        c->placed[i] = (wkPlacedSphereTree){.tree = c->trees[i], .pose = pose};
    }
}

// One tree is packed; every link has a copy in memory of its own.
static bool makeTrees(wkSphereTreeCase* c)
{
    wkShape shape = wkMakeCylinder(LINK_RADIUS, LINK_LENGTH);
    wkSphereTreeBody body = {&shape, wkIdentityPose()};
    wkSphereTreeDef def = wkDefaultSphereTreeDef();
    def.bodies = &body;
    def.bodyCount = 1;
    def.innerCount = (WK_IST_SPHERES + WK_IST_LINKS - 1) / WK_IST_LINKS;
    bool isMade = wkSphereTree_Create(&def, &c->trees[0]) == wk_ok;
    for (int i = 1; i < WK_IST_LINKS && isMade; i++) {
        isMade =
            wkSphereTree_FromBlock(wkSphereTree_Block(c->trees[0]),
                                   wkSphereTree_Info(c->trees[0]).byteCount, &c->trees[i]) == wk_ok;
    }
    if (!isMade) {
        fprintf(stderr, "cloud/ist: left out: %s\n", wkGetLastError());
    }
    return isMade;
}

static void copySpheres(wkSphereTreeCase* c)
{
    for (int i = 0; i < WK_IST_LINKS; i++) {
        int count = wkSphereTree_Info(c->trees[i]).innerCount;
        for (int k = 0; k < count; k++) {
            wkSphere3d s = wkSphereTree_InnerSphere(c->trees[i], k);
            wkVec3d center = wkTransformPoint(c->placed[i].pose, s.center);
            c->spheres[c->sphereCount++] = (wkRoomLinkSphere){(float)center.x, (float)center.y,
                                                              (float)center.z, (float)s.radius};
        }
    }
}

static int compareX(const void* a, const void* b)
{
    float l = ((const wkRoomLinkSphere*)a)->x, r = ((const wkRoomLinkSphere*)b)->x;
    return (l > r) - (l < r);
}

static int compareY(const void* a, const void* b)
{
    float l = ((const wkRoomLinkSphere*)a)->y, r = ((const wkRoomLinkSphere*)b)->y;
    return (l > r) - (l < r);
}

static int compareZ(const void* a, const void* b)
{
    float l = ((const wkRoomLinkSphere*)a)->z, r = ((const wkRoomLinkSphere*)b)->z;
    return (l > r) - (l < r);
}

static void boundNode(const wkSphereTreeCase* c, int first, int count, wkPeerNode* node)
{
    for (int axis = 0; axis < 3; axis++) {
        node->lower[axis] = INFINITY;
        node->upper[axis] = -INFINITY;
    }
    node->maxRadius = 0.0f;
    for (int i = first; i < first + count; i++) {
        const float* p = &c->spheres[i].x;
        for (int axis = 0; axis < 3; axis++) {
            node->lower[axis] = fminf(node->lower[axis], p[axis]);
            node->upper[axis] = fmaxf(node->upper[axis], p[axis]);
        }
        node->maxRadius = fmaxf(node->maxRadius, c->spheres[i].radius);
    }
}

static int buildPeer(wkSphereTreeCase* c, int first, int count)
{
    static int (*const compare[3])(const void*, const void*) = {compareX, compareY, compareZ};
    int index = c->nodeCount++;
    boundNode(c, first, count, &c->nodes[index]);
    c->nodes[index].first = first;
    c->nodes[index].count = count;
    if (count > PEER_LEAF) {
        int longest = 0;
        const wkPeerNode* node = &c->nodes[index];
        for (int axis = 1; axis < 3; axis++) {
            float length = node->upper[axis] - node->lower[axis];
            longest = length > node->upper[longest] - node->lower[longest] ? axis : longest;
        }
        qsort(c->spheres + first, (size_t)count, sizeof *c->spheres, compare[longest]);
        int left = buildPeer(c, first, count / 2);
        int right = buildPeer(c, first + count / 2, count - count / 2);
        c->nodes[index].count = 0;
        c->nodes[index].children[0] = left;
        c->nodes[index].children[1] = right;
    }
    return index;
}

bool wkSphereTreeCase_Open(wkSphereTreeCase* c)
{
    memset(c, 0, sizeof *c);
    size_t capacity = WK_IST_SPHERES + WK_IST_LINKS;
    c->spheres = malloc(capacity * sizeof *c->spheres);
    c->nodes = malloc(2 * capacity * sizeof *c->nodes);
    if (c->spheres == NULL || c->nodes == NULL || !makeTrees(c)) {
        wkSphereTreeCase_Close(c);
        return false;
    }
    placeLinks(c);
    copySpheres(c);
    buildPeer(c, 0, c->sphereCount);
    return true;
}

void wkSphereTreeCase_Close(wkSphereTreeCase* c)
{
    for (int i = 0; i < WK_IST_LINKS; i++) {
        wkSphereTree_Destroy(c->trees[i]);
    }
    free(c->spheres);
    free(c->nodes);
    free(c->points);
    memset(c, 0, sizeof *c);
}

bool wkSphereTreeCase_See(wkSphereTreeCase* c, int width, int height)
{
    wkRoomScene room = wkMakeRoom();
    wkRoomView view = wkMakeRoomView();
    view.width = width;
    view.height = height;
    view.noise = 0.002;
    free(c->points);
    c->pointCount = width * height;
    c->points = malloc(3 * (size_t)c->pointCount * sizeof *c->points);
    if (c->points != NULL) {
        wkRoom_See(&room, &view, c->points);
    }
    return c->points != NULL;
}

void wkPassSphereTrees(void* context)
{
    wkSphereTreeCase* c = (wkSphereTreeCase*)context;
    wkCloudView points = wkDefaultCloudDef().points;
    points.data = c->points;
    points.count = c->pointCount;
    c->ours = INFINITY;
    if (wkPlacedSphereTree_PointDistances(c->placed, WK_IST_LINKS, &points, wkIdentityPose(), NULL,
                                          c->results) != wk_ok) {
        return;
    }
    for (int i = 0; i < WK_IST_LINKS; i++) {
        c->ours = fmin(c->ours, c->results[i].upper);
    }
}

static float toBox(const wkPeerNode* node, const float p[3])
{
    float square = 0.0f;
    for (int axis = 0; axis < 3; axis++) {
        float outside =
            fmaxf(fmaxf(node->lower[axis] - p[axis], p[axis] - node->upper[axis]), 0.0f);
        square += outside * outside;
    }
    return square;
}

// Whether a node has spheres that may be nearer than the best.
static bool mayBeNearer(const wkPeerNode* node, float square, float best)
{
    float reach = best + node->maxRadius;
    return reach > 0.0f && square < reach * reach;
}

static void searchPeer(const wkSphereTreeCase* c, int index, const float p[3], float* best)
{
    const wkPeerNode* node = &c->nodes[index];
    for (int i = node->first; i < node->first + node->count; i++) {
        const wkRoomLinkSphere* s = &c->spheres[i];
        float dx = s->x - p[0], dy = s->y - p[1], dz = s->z - p[2];
        float square = dx * dx + dy * dy + dz * dz, reach = *best + s->radius;
        if (reach > 0.0f && square < reach * reach) {
            *best = sqrtf(square) - s->radius;
        }
    }
    if (node->count > 0) {
        return;
    }
    float squares[2];
    for (int i = 0; i < 2; i++) {
        squares[i] = toBox(&c->nodes[node->children[i]], p);
    }
    int near = squares[1] < squares[0];
    for (int i = 0; i < 2; i++) {
        int side = i == 0 ? near : 1 - near;
        if (mayBeNearer(&c->nodes[node->children[side]], squares[side], *best)) {
            searchPeer(c, node->children[side], p, best);
        }
    }
}

void wkPassPeerTree(void* context)
{
    wkSphereTreeCase* c = (wkSphereTreeCase*)context;
    float best = 1e9f;
    for (int i = 0; i < c->pointCount; i++) {
        if (mayBeNearer(&c->nodes[0], toBox(&c->nodes[0], c->points + 3 * i), best)) {
            searchPeer(c, 0, c->points + 3 * i, &best);
        }
    }
    c->tree = (double)best;
}

// The nearest of a block of points to a centre; the compiler makes SIMD code of it.
static float nearestSquare(const float* x, const float* y, const float* z, int count,
                           const wkRoomLinkSphere* s)
{
    float least[16];
    for (int k = 0; k < 16; k++) {
        least[k] = INFINITY;
    }
    for (int i = 0; i < count; i += 16) {
        for (int k = 0; k < 16; k++) {
            float dx = x[i + k] - s->x, dy = y[i + k] - s->y, dz = z[i + k] - s->z;
            float square = dx * dx + dy * dy + dz * dz;
            least[k] = square < least[k] ? square : least[k];
        }
    }
    float best = least[0];
    for (int k = 1; k < 16; k++) {
        best = least[k] < best ? least[k] : best;
    }
    return best;
}

void wkPassAllPairs(void* context)
{
    enum {
        blockSize = 4096
    };
    static float x[blockSize], y[blockSize], z[blockSize];
    wkSphereTreeCase* c = (wkSphereTreeCase*)context;
    c->brute = INFINITY;
    for (int first = 0; first < c->pointCount; first += blockSize) {
        for (int i = 0; i < blockSize; i++) {
            int index = first + i < c->pointCount ? first + i : c->pointCount - 1;
            x[i] = c->points[3 * index];
            y[i] = c->points[3 * index + 1];
            z[i] = c->points[3 * index + 2];
        }
        for (int k = 0; k < c->sphereCount; k++) {
            float square = nearestSquare(x, y, z, blockSize, &c->spheres[k]);
            c->brute = fmin(c->brute, (double)(sqrtf(square) - c->spheres[k].radius));
        }
    }
}
