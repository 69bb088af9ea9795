// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// marshall/...: a robot of 209 spheres and a depth image of 640 x 480 pixels, as in Marshall, "A
// novel method for fast collision detection on the PR2" (2012), which has 75,000 poses a second
// and 17.5 MB. poses: from joint angles to the verdict, all of the robot in view, beside the bloom
// method of that paper, our implementation; head has the camera there, and what it does not see may be
// touched, noise also an image with holes and noise. pixels, lines and pyramid are single poses by
// each of the methods. build takes in an image, frame/<n> also checks n poses. The bloom method
// knows one radius: it has the one of some that makes its verdicts right most often. Its wrong
// ones are poses that it lets pass though they touch, and those that it refuses though they are
// free.

#include "batch/marshall_case.h"
#include "bench.h"
#include "measure.h"
#include "peers/bloom_peer.h"
#include "race.h"

#include "whisker/detail/counts.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define POSE_COUNT 1024
#define REPEATS 8        // of ours, so that what the peer does to the caches counts for little
#define SINGLE_COUNT 128 // poses that are checked one at a time, at most
#define FLOAT_SLACK 1e-4 // metres that floats may add to a sphere
#define RADIUS_COUNT 12  // that are tried for the peer

#define PAPER_NS (1e9 / 75000.0)
#define PAPER_BYTES 17.5e6
#define BAR 4.0
#define MOST_NS (1e9 / 1.5e6)      // a pose, at 2.8 GHz with AVX2
#define MOST_WIDE_NS (1e9 / 2.5e6) // and with the widest lanes
#define MOST_BUILD_NS 0.5e6

// Poses that the methods are asked about: some take long.
static const int methodCounts[WK_DEPTH_METHOD_COUNT] = {
    [wk_depthByPyramid] = SINGLE_COUNT, [wk_depthByLines] = 16, [wk_depthByPixels] = 2};

static const int frameCounts[] = {1, 100, 10000};

static const char* const viewNames[wk_viewCount] = {"marshall/poses", "marshall/poses/head",
                                                    "marshall/poses/noise"};

typedef struct ourSide {
    wkBatch* batch;
    const wkMarshallCase* made;
    uint8_t verdicts[POSE_COUNT];
    wkSphere3d* spheres; // room for those of a pose
    long failedCount;
} ourSide;

typedef struct bloomSide {
    wkBloom* bloom;
    const wkMarshallCase* made;
    double radius;
    bool isHit[POSE_COUNT];
} bloomSide;

typedef struct methodSide {
    const wkMarshallCase* made;
    wkDepthMethod method;
    int count;
    wkSphere3d* spheres;
    bool isFree[SINGLE_COUNT];
} methodSide;

static void passOurs(void* context)
{
    ourSide* side = (ourSide*)context;
    for (int i = 0; i < REPEATS; i++) {
        wkResult result =
            wkBatch_CheckStates(side->batch, NULL, side->made->poses, POSE_COUNT, side->verdicts);
        side->failedCount += result == wk_ok ? 0 : 1;
    }
}

static void passBloom(void* context)
{
    bloomSide* side = (bloomSide*)context;
    for (int i = 0; i < POSE_COUNT; i++) {
        side->isHit[i] =
            wkBloom_IsHit(side->bloom, &side->made->poses[i * side->made->variableCount]);
    }
}

static long countBloomWrong(const bloomSide* side)
{
    long wrong = 0;
    for (int i = 0; i < POSE_COUNT; i++) {
        wrong += side->isHit[i] == side->made->isFree[i] ? 1 : 0;
    }
    return wrong;
}

// Tries radii between the smallest and the largest of the model.
static void chooseRadius(bloomSide* side)
{
    double smallest = INFINITY, largest = 0.0, best = 0.0;
    int32_t count = wkSphereModel_Info(side->made->spheres).sphereCount;
    for (int32_t i = 0; i < count; i++) {
        double radius = wkSphereModel_Sphere(side->made->spheres, i).sphere.radius;
        smallest = fmin(smallest, radius);
        largest = fmax(largest, radius);
    }
    long bestWrong = POSE_COUNT + 1;
    for (int i = 0; i < RADIUS_COUNT; i++) {
        double radius = smallest + (largest - smallest) * i / (RADIUS_COUNT - 1);
        wkBloom_SetImage(side->bloom, side->made->depths, radius);
        passBloom(side);
        long wrong = countBloomWrong(side);
        if (wrong < bestWrong) {
            bestWrong = wrong;
            best = radius;
        }
    }
    side->radius = best;
    wkBloom_SetImage(side->bloom, side->made->depths, best);
}

// A pose that touches must not pass; one that is free by more than what floats take must.
static long countWrong(const ourSide* side)
{
    long wrong = side->failedCount;
    for (int i = 0; i < POSE_COUNT; i++) {
        bool isFree = side->verdicts[i] == wk_verdictFree;
        bool isTruth = side->made->isFree[i];
        bool isWrong = isFree && !isTruth;
        if (!isFree && isTruth) {
            isWrong =
                wkMarshallCase_IsFree(side->made, i, wk_depthByPixels, FLOAT_SLACK, side->spheres);
        }
        wrong += isWrong ? 1 : 0;
    }
    return wrong;
}

static bool openSides(const wkMarshallCase* made, ourSide** ours, bloomSide** bloom)
{
    wkBatchDef def = wkMarshallCase_Def(made);
    *ours = (ourSide*)calloc(1, sizeof **ours);
    *bloom = (bloomSide*)calloc(1, sizeof **bloom);
    if (*ours == NULL || *bloom == NULL) {
        return false;
    }
    size_t sphereCount = (size_t)wkSphereModel_Info(made->spheres).sphereCount;
    (*ours)->spheres = (wkSphere3d*)calloc(sphereCount, sizeof(wkSphere3d));
    (*ours)->made = made;
    (*bloom)->made = made;
    (*bloom)->bloom =
        wkBloom_Create(made->spheres, wkIdentityPose(), &made->camera, made->cameraPose);
    if ((*ours)->spheres == NULL || (*bloom)->bloom == NULL ||
        wkBatch_Create(&def, &(*ours)->batch) != wk_ok) {
        return false;
    }
    chooseRadius(*bloom);
    return true;
}

static void closeSides(ourSide* ours, bloomSide* bloom)
{
    if (ours != NULL) {
        wkBatch_Destroy(ours->batch);
        free(ours->spheres);
    }
    if (bloom != NULL) {
        wkBloom_Destroy(bloom->bloom);
    }
    free(ours);
    free(bloom);
}

static const wkRacer bloomRacer = {.name = "bloom", .variant = "one radius"};

static void racePoses(wkBench* bench, const char* name, ourSide* ours, bloomSide* bloom)
{
    wkBenchSide sides[2];
    memset(sides, 0, sizeof sides);
    sides[0].pass = passOurs;
    sides[0].context = ours;
    sides[0].itemCount = REPEATS * POSE_COUNT;
    sides[1].pass = passBloom;
    sides[1].context = bloom;
    wkMeasure(sides, 2, POSE_COUNT, bench->blockCount);
    wkBenchRow row = wkRaceRow(name, &sides[0], POSE_COUNT, bench->blockCount);
    wkAddPeer(&row, &bloomRacer, &sides[1], &sides[0], bench->blockCount);
    row.wrong = countWrong(ours);
    row.peerWrong = countBloomWrong(bloom);
    row.bar = BAR;
    row.paper = PAPER_NS;
    row.most = wkBench_HasWideLanes() ? MOST_WIDE_NS : MOST_NS;
    wkBench_Emit(bench, &row);
}

static void runPoses(wkBench* bench, const wkMarshallCase* made, const char* name)
{
    ourSide* ours = NULL;
    bloomSide* bloom = NULL;
    if (openSides(made, &ours, &bloom)) {
        racePoses(bench, name, ours, bloom);
    } else {
        fprintf(stderr, "%s: %s\n", name, wkGetLastError());
        bench->wrongCount++;
    }
    closeSides(ours, bloom);
}

static void passMethod(void* context)
{
    methodSide* side = (methodSide*)context;
    for (int i = 0; i < side->count; i++) {
        side->isFree[i] = wkMarshallCase_IsFree(side->made, i, side->method, 0.0, side->spheres);
    }
}

static void runMethod(wkBench* bench, const wkMarshallCase* made, wkDepthMethod method,
                      const char* name)
{
    methodSide methods = {.made = made, .method = method, .count = methodCounts[method]};
    size_t sphereCount = (size_t)wkSphereModel_Info(made->spheres).sphereCount;
    methods.spheres = (wkSphere3d*)calloc(sphereCount, sizeof(wkSphere3d));
    if (methods.spheres == NULL) {
        bench->wrongCount++;
        return;
    }
    wkBenchSide side = {.pass = passMethod, .context = &methods};
    wkMeasure(&side, 1, methods.count, bench->blockCount);
    wkBenchRow row = wkRaceRow(name, &side, methods.count, bench->blockCount);
    row.paper = PAPER_NS;
    for (int i = 0; i < methods.count; i++) {
        row.wrong += methods.isFree[i] != made->isFree[i] ? 1 : 0;
    }
    wkBench_Emit(bench, &row);
    free(methods.spheres);
}

static void passBuild(void* context)
{
    const wkMarshallCase* made = ((ourSide*)context)->made;
    bool isDone = wkDepthMap_Update(made->map, &made->image, NULL, NULL) == wk_ok;
    ((ourSide*)context)->failedCount += isDone ? 0 : 1;
}

static void passBloomBuild(void* context)
{
    bloomSide* side = (bloomSide*)context;
    wkBloom_SetImage(side->bloom, side->made->depths, side->radius);
}

static void emitBytes(wkBench* bench, const char* name, const ourSide* ours, const bloomSide* bloom)
{
    wkBenchRow row;
    memset(&row, 0, sizeof row);
    snprintf(row.name, sizeof row.name, "%s", name);
    row.unit = "bytes";
    row.peer = bloomRacer.name;
    row.ours =
        (double)(wkDepthMap_Info(ours->made->map).byteCount + wkBatch_Info(ours->batch).byteCount);
    row.theirs = (double)wkBloom_ByteCount(bloom->bloom);
    row.ratio = row.theirs / row.ours;
    row.paper = PAPER_BYTES;
    row.most = PAPER_BYTES;
    row.n = 1;
    wkBench_Emit(bench, &row);
}

// What taking in an image costs, and with it so many poses.
static void raceBuild(wkBench* bench, const char* name, ourSide* ours, bloomSide* bloom)
{
    wkBenchSide sides[4];
    memset(sides, 0, sizeof sides);
    sides[0] = (wkBenchSide){.pass = passBuild, .context = ours, .itemCount = 1};
    sides[1] = (wkBenchSide){.pass = passBloomBuild, .context = bloom, .itemCount = 1};
    sides[2] = (wkBenchSide){.pass = passOurs, .context = ours, .itemCount = REPEATS * POSE_COUNT};
    sides[3] = (wkBenchSide){.pass = passBloom, .context = bloom};
    wkMeasure(sides, 4, POSE_COUNT, bench->blockCount);
    wkBenchRow row = wkRaceRow(name, &sides[0], 1, bench->blockCount);
    wkAddPeer(&row, &bloomRacer, &sides[1], &sides[0], bench->blockCount);
    row.wrong = countWrong(ours);
    row.most = MOST_BUILD_NS;
    wkBench_Emit(bench, &row);
    for (size_t i = 0; i < sizeof frameCounts / sizeof *frameCounts; i++) {
        double n = frameCounts[i];
        row = wkRaceRow("", &sides[0], frameCounts[i], bench->blockCount);
        snprintf(row.name, sizeof row.name, "marshall/frame/%d", frameCounts[i]);
        row.ours = sides[0].median + n * sides[2].median;
        row.peer = bloomRacer.name;
        row.theirs = sides[1].median + n * sides[3].median;
        row.ratio = row.theirs / row.ours;
        wkBench_Emit(bench, &row);
    }
}

static void runBuild(wkBench* bench, const wkMarshallCase* made, bool wantsBuild, bool wantsBytes)
{
    ourSide* ours = NULL;
    bloomSide* bloom = NULL;
    if (!openSides(made, &ours, &bloom)) {
        bench->wrongCount++;
    } else {
        if (wantsBuild) {
            raceBuild(bench, "marshall/build", ours, bloom);
        }
        if (wantsBytes) {
            emitBytes(bench, "marshall/bytes", ours, bloom);
        }
    }
    closeSides(ours, bloom);
}

typedef struct wishes {
    bool poses[wk_viewCount];
    bool methods[WK_DEPTH_METHOD_COUNT];
    bool build, bytes;
    bool views[wk_viewCount]; // that any of these takes
    char poseNames[wk_viewCount][WK_ROW_NAME_CAPACITY];
    char methodNames[WK_DEPTH_METHOD_COUNT][WK_ROW_NAME_CAPACITY];
} wishes;

// Only the first rows depend on the instruction set much.
static bool readWishes(wkBench* bench, wishes* wanted)
{
    bool wantsAny = false;
    memset(wanted, 0, sizeof *wanted);
    for (int view = 0; view < wk_viewCount; view++) {
        wkBench_NameVectorRow(bench, viewNames[view], wanted->poseNames[view]);
        wanted->poses[view] = wkBench_Wants(bench, wanted->poseNames[view]);
        wanted->views[view] = wanted->poses[view];
        wantsAny = wantsAny || wanted->poses[view];
    }
    if (bench->isa != NULL) {
        return wantsAny;
    }
    for (int method = 0; method < WK_DEPTH_METHOD_COUNT; method++) {
        char* name = wanted->methodNames[method];
        snprintf(name, WK_ROW_NAME_CAPACITY, "marshall/poses/%s",
                 wkDepthMethodName((wkDepthMethod)method));
        wanted->methods[method] = wkBench_Wants(bench, name);
        wanted->views[wk_viewWhole] = wanted->views[wk_viewWhole] || wanted->methods[method];
    }
    wanted->build = wkBench_Wants(bench, "marshall/build");
    wanted->bytes = wkBench_Wants(bench, "marshall/bytes");
    wanted->views[wk_viewWhole] = wanted->views[wk_viewWhole] || wanted->build || wanted->bytes;
    return wantsAny || wanted->views[wk_viewWhole];
}

static void runOtherRows(wkBench* bench, const wkMarshallCase* made, const wishes* wanted)
{
    for (int method = 0; method < WK_DEPTH_METHOD_COUNT; method++) {
        if (wanted->methods[method]) {
            runMethod(bench, made, (wkDepthMethod)method, wanted->methodNames[method]);
        }
    }
    if (wanted->build || wanted->bytes) {
        runBuild(bench, made, wanted->build, wanted->bytes);
    }
}

void wkRunMarshallRows(wkBench* bench)
{
    wishes wanted;
    wkMarshallCase made;
    if (!readWishes(bench, &wanted)) {
        return;
    }
    if (!wkMarshallCase_Open(&made, POSE_COUNT)) {
        fprintf(stderr, "marshall: left out: %s\n", wkGetLastError());
        return;
    }
    for (int view = 0; view < wk_viewCount; view++) {
        if (!wanted.views[view]) {
            continue;
        }
        if (!wkMarshallCase_Render(&made, (wkMarshallView)view)) {
            fprintf(stderr, "%s: %s\n", viewNames[view], wkGetLastError());
            bench->wrongCount++;
            continue;
        }
        if (wanted.poses[view]) {
            runPoses(bench, &made, wanted.poseNames[view]);
        }
        if (view == wk_viewWhole) {
            runOtherRows(bench, &made, &wanted);
        }
    }
    wkMarshallCase_Close(&made);
}
