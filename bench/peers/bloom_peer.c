// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// Bloom depth, as in the paper. See bloom_peer.h.

#include "peers/bloom_peer.h"

#include "../tests/scenes/scene_math.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

// Windows of the filter are up to twice this wide, in powers of two.
#define LEVEL_COUNT 8
#define MAX_HALF 127
// Pixels that were not measured are filtered as if they were this far away.
#define UNMEASURED_DEPTH 1.0f

// Rotation and place, by rows.
typedef struct transform {
    float m[12];
} transform;

// A joint that moves spheres. Its frame is turned such that the axis is z.
typedef struct node {
    int32_t parent; // -1: the camera
    int32_t variable;
    bool isSliding;
    float factor, offset; // of the variable
    transform fromParent;
    int32_t firstSphere, sphereCount;
} node;

typedef struct point {
    float x, y, z;
} point;

struct wkBloom {
    int32_t nodeCount, sphereCount;
    node* nodes; // the first one is the root, which does not move
    point* spheres;
    transform* transforms; // of the nodes in the configuration at hand
    int32_t width, height;
    float fx, fy, cx, cy, radius;
    float* image;  // filtered
    float* levels; // least depths of squares of 1, 2, 4 ... pixels
};

static transform toTransform(wkPose pose)
{
    wkSceneFrame frame = wkMakeSceneFrame(pose);
    transform result;
    const wkVec3d* a = frame.axes;
    const double rows[12] = {a[0].x, a[1].x, a[2].x, pose.position.x,
                             a[0].y, a[1].y, a[2].y, pose.position.y,
                             a[0].z, a[1].z, a[2].z, pose.position.z};
    for (int i = 0; i < 12; i++) {
        result.m[i] = (float)rows[i];
    }
    return result;
}

// A rotation that takes z to a unit axis.
static wkPose rotationToAxis(wkVec3d axis)
{
    wkPose pose = wkIdentityPose();
    if (axis.z < -0.999999) {
        pose.rotation = (wkQuat){1.0, 0.0, 0.0, 0.0};
        return pose;
    }
    double w = sqrt(0.5 * (1.0 + axis.z));
    pose.rotation = (wkQuat){-axis.y / (2.0 * w), axis.x / (2.0 * w), 0.0, w};
    return pose;
}

// What is known about the links while the tree is made.
typedef struct builder {
    int32_t* nodes; // that carries each link
    wkPose* poses;  // of each link in the frame of its node
    bool* isNeeded; // has spheres, or carries links that have
} builder;

static void freeBuilder(builder* d)
{
    free(d->nodes);
    free(d->poses);
    free(d->isNeeded);
}

static bool openBuilder(builder* d, const wkSphereModel* spheres, int32_t linkCount)
{
    const wkRobot* robot = wkSphereModel_Info(spheres).robot;
    size_t count = (size_t)linkCount;
    d->nodes = (int32_t*)calloc(count, sizeof(int32_t));
    d->poses = (wkPose*)calloc(count, sizeof(wkPose));
    d->isNeeded = (bool*)calloc(count, sizeof(bool));
    if (d->nodes == NULL || d->poses == NULL || d->isNeeded == NULL) {
        return false;
    }
    for (int32_t link = linkCount - 1; link >= 0; link--) {
        d->isNeeded[link] = d->isNeeded[link] || wkSphereModel_Link(spheres, link).count > 0;
        int32_t parent = wkRobot_Link(robot, link).parentLink;
        if (d->isNeeded[link] && parent >= 0) {
            d->isNeeded[parent] = true;
        }
    }
    return true;
}

// Links on fixed joints are part of what carries them.
static bool addLink(wkBloom* bloom, builder* d, const wkRobot* robot, int32_t link)
{
    wkJointInfo joint = wkRobot_Joint(robot, wkRobot_Link(robot, link).parentJoint);
    wkPose pose = wkMulPose(d->poses[joint.parentLink], joint.origin);
    int32_t parent = d->nodes[joint.parentLink];
    if (joint.type == wk_jointFixed) {
        d->nodes[link] = parent;
        d->poses[link] = pose;
        return true;
    }
    if (joint.type == wk_jointPlanar || joint.type == wk_jointFloating) {
        return false;
    }
    wkPose turn = rotationToAxis(joint.axis);
    node* made = &bloom->nodes[bloom->nodeCount];
    bool isMimic = joint.mimic >= 0;
    made->parent = parent;
    made->variable =
        isMimic ? wkRobot_Joint(robot, joint.mimic).firstVariable : joint.firstVariable;
    made->factor = isMimic ? (float)joint.mimicFactor : 1.0f;
    made->offset = isMimic ? (float)joint.mimicOffset : 0.0f;
    made->isSliding = joint.type == wk_jointPrismatic;
    made->fromParent = toTransform(wkMulPose(pose, turn));
    d->nodes[link] = bloom->nodeCount++;
    d->poses[link] = wkInvPose(turn);
    return true;
}

// Spheres of a node follow each other.
static void addSpheres(wkBloom* bloom, const builder* d, const wkSphereModel* spheres)
{
    int32_t sphereCount = wkSphereModel_Info(spheres).sphereCount;
    for (int32_t n = 0; n < bloom->nodeCount; n++) {
        bloom->nodes[n].firstSphere = bloom->sphereCount;
        for (int32_t i = 0; i < sphereCount; i++) {
            wkLinkSphere sphere = wkSphereModel_Sphere(spheres, i);
            if (d->nodes[sphere.link] == n) {
                wkPose local = wkMakePose(sphere.sphere.center.x, sphere.sphere.center.y,
                                          sphere.sphere.center.z);
                wkVec3d center = wkMulPose(d->poses[sphere.link], local).position;
                bloom->spheres[bloom->sphereCount++] =
                    (point){(float)center.x, (float)center.y, (float)center.z};
            }
        }
        bloom->nodes[n].sphereCount = bloom->sphereCount - bloom->nodes[n].firstSphere;
    }
}

static bool makeTree(wkBloom* bloom, const wkSphereModel* spheres, wkPose rootInCamera)
{
    const wkRobot* robot = wkSphereModel_Info(spheres).robot;
    int32_t linkCount = wkRobot_Info(robot).linkCount;
    builder d = {NULL, NULL, NULL};
    bool isMade = openBuilder(&d, spheres, linkCount);
    if (isMade) {
        bloom->nodes[0] =
            (node){.parent = -1, .variable = -1, .fromParent = toTransform(rootInCamera)};
        bloom->nodeCount = 1;
        d.poses[0] = wkIdentityPose();
    }
    for (int32_t link = 1; link < linkCount && isMade; link++) {
        isMade = !d.isNeeded[link] || addLink(bloom, &d, robot, link);
    }
    if (isMade) {
        addSpheres(bloom, &d, spheres);
    }
    freeBuilder(&d);
    return isMade;
}

wkBloom* wkBloom_Create(const wkSphereModel* spheres, wkPose base, const wkCamera* camera,
                        wkPose cameraPose)
{
    wkBloom* bloom = (wkBloom*)calloc(1, sizeof *bloom);
    if (bloom == NULL) {
        return NULL;
    }
    wkSphereModelInfo info = wkSphereModel_Info(spheres);
    size_t links = (size_t)wkRobot_Info(info.robot).linkCount;
    size_t pixels = (size_t)camera->width * (size_t)camera->height;
    bloom->width = camera->width;
    bloom->height = camera->height;
    bloom->fx = (float)camera->fx;
    bloom->fy = (float)camera->fy;
    bloom->cx = (float)camera->cx;
    bloom->cy = (float)camera->cy;
    bloom->nodes = (node*)calloc(links, sizeof(node));
    bloom->spheres = (point*)calloc((size_t)info.sphereCount, sizeof(point));
    bloom->transforms = (transform*)calloc(links, sizeof(transform));
    bloom->image = (float*)calloc(pixels, sizeof(float));
    bloom->levels = (float*)calloc(pixels * LEVEL_COUNT, sizeof(float));
    if (bloom->nodes == NULL || bloom->spheres == NULL || bloom->transforms == NULL ||
        bloom->image == NULL || bloom->levels == NULL ||
        !makeTree(bloom, spheres, wkMulPose(wkInvPose(cameraPose), base))) {
        wkBloom_Destroy(bloom);
        return NULL;
    }
    return bloom;
}

void wkBloom_Destroy(wkBloom* bloom)
{
    if (bloom != NULL) {
        free(bloom->nodes);
        free(bloom->spheres);
        free(bloom->transforms);
        free(bloom->image);
        free(bloom->levels);
        free(bloom);
    }
}

size_t wkBloom_ByteCount(const wkBloom* bloom)
{
    size_t pixels = (size_t)bloom->width * (size_t)bloom->height;
    return sizeof *bloom + (size_t)bloom->nodeCount * (sizeof(node) + sizeof(transform)) +
           (size_t)bloom->sphereCount * sizeof(point) + pixels * (1 + LEVEL_COUNT) * sizeof(float);
}

static float least(float a, float b)
{
    return a < b ? a : b;
}

// Squares of the next level from four of the one below; they are cut at the borders.
static void makeLevel(const wkBloom* bloom, int level)
{
    int width = bloom->width, height = bloom->height, step = 1 << (level - 1);
    size_t pixels = (size_t)width * (size_t)height;
    const float* below = &bloom->levels[pixels * (size_t)(level - 1)];
    float* made = &bloom->levels[pixels * (size_t)level];
    for (int v = 0; v < height; v++) {
        const float* upper = &below[(size_t)v * (size_t)width];
        const float* lower = v + step < height ? upper + (size_t)step * (size_t)width : upper;
        float* row = &made[(size_t)v * (size_t)width];
        for (int u = 0; u < width - step; u++) {
            row[u] = least(least(upper[u], upper[u + step]), least(lower[u], lower[u + step]));
        }
        for (int u = width > step ? width - step : 0; u < width; u++) {
            row[u] = least(upper[u], lower[u]);
        }
    }
}

// The least depth in a square around a pixel, from four squares that cover it.
static float leastAround(const wkBloom* bloom, int u, int v, int half)
{
    int level = 31 - __builtin_clz((unsigned)(2 * half + 1)), side = 1 << level;
    int left = u > half ? u - half : 0, top = v > half ? v - half : 0;
    int right = u + half + 1 - side, bottom = v + half + 1 - side;
    right = right > left ? right : left;
    bottom = bottom > top ? bottom : top;
    right = right < bloom->width ? right : bloom->width - 1;
    bottom = bottom < bloom->height ? bottom : bloom->height - 1;
    size_t width = (size_t)bloom->width, pixels = width * (size_t)bloom->height;
    const float* squares = &bloom->levels[pixels * (size_t)level];
    const float* upper = &squares[(size_t)top * width];
    const float* lower = &squares[(size_t)bottom * width];
    return least(least(upper[left], upper[right]), least(lower[left], lower[right]));
}

void wkBloom_SetImage(wkBloom* bloom, const float* depths, double radius)
{
    int width = bloom->width, height = bloom->height;
    bloom->radius = (float)radius;
    for (int i = 0; i < width * height; i++) {
        bloom->levels[i] = depths[i] > 0.0f ? depths[i] : INFINITY;
    }
    for (int level = 1; level < LEVEL_COUNT; level++) {
        makeLevel(bloom, level);
    }
    float reach = bloom->radius * fmaxf(bloom->fx, bloom->fy);
    for (int v = 0; v < height; v++) {
        for (int u = 0; u < width; u++) {
            // a sphere that touches what is seen here has its middle a radius in front of it
            float depth = bloom->levels[v * width + u];
            depth = (depth < INFINITY ? depth : UNMEASURED_DEPTH) - bloom->radius;
            float half = depth > 0.0f ? ceilf(reach / depth) : (float)MAX_HALF;
            int pixels = half < (float)MAX_HALF ? (int)half : MAX_HALF;
            bloom->image[v * width + u] = leastAround(bloom, u, v, pixels);
        }
    }
}

// a * b, both rotation and place.
static void multiply(const float* a, const float* b, float* result)
{
    for (int row = 0; row < 3; row++) {
        const float* r = &a[4 * row];
        for (int column = 0; column < 4; column++) {
            result[4 * row + column] =
                r[0] * b[column] + r[1] * b[4 + column] + r[2] * b[8 + column];
        }
        result[4 * row + 3] += r[3];
    }
}

// Turns about z, or slides along it.
static void moveJoint(const node* n, const double* q, float* m)
{
    float value = (float)q[n->variable] * n->factor + n->offset;
    if (n->isSliding) {
        m[3] += value * m[2];
        m[7] += value * m[6];
        m[11] += value * m[10];
        return;
    }
    float sine = sinf(value), cosine = cosf(value);
    for (int row = 0; row < 3; row++) {
        float x = m[4 * row], y = m[4 * row + 1];
        m[4 * row] = cosine * x + sine * y;
        m[4 * row + 1] = cosine * y - sine * x;
    }
}

static bool isSphereHit(const wkBloom* bloom, const float* m, point p)
{
    float z = m[8] * p.x + m[9] * p.y + m[10] * p.z + m[11];
    if (z <= 0.0f) {
        return false;
    }
    float x = m[0] * p.x + m[1] * p.y + m[2] * p.z + m[3];
    float y = m[4] * p.x + m[5] * p.y + m[6] * p.z + m[7];
    float inverse = 1.0f / z;
    float u = bloom->fx * x * inverse + bloom->cx + 0.5f;
    float v = bloom->fy * y * inverse + bloom->cy + 0.5f;
    if (!(u >= 0.0f && v >= 0.0f && u < (float)bloom->width && v < (float)bloom->height)) {
        return false;
    }
    return z + bloom->radius >= bloom->image[(int)v * bloom->width + (int)u];
}

bool wkBloom_IsHit(const wkBloom* bloom, const double* q)
{
    transform* transforms = bloom->transforms;
    for (int n = 0; n < bloom->nodeCount; n++) {
        const node* joint = &bloom->nodes[n];
        float* m = transforms[n].m;
        if (joint->parent < 0) {
            memcpy(m, joint->fromParent.m, sizeof joint->fromParent.m);
        } else {
            multiply(transforms[joint->parent].m, joint->fromParent.m, m);
            moveJoint(joint, q, m);
        }
        for (int i = 0; i < joint->sphereCount; i++) {
            if (isSphereHit(bloom, m, bloom->spheres[joint->firstSphere + i])) {
                return true;
            }
        }
    }
    return false;
}
