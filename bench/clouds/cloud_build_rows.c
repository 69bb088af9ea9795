// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// cloud/build/<points>: a cloud of that many points, beside the index of each peer, on one core.
// cloud/build/<frame>/<threads>: a frame of a depth camera until it can be asked.

#include "bench.h"
#include "clouds/room_points.h"
#include "measure.h"
#include "peers/cloud_peer.h"

#include "../tests/scenes/rng.h"

#include "whisker/io.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define BUILD_BAR 8.0
#define FRAME_RUNS 15
#define MAX_SIDES 5

typedef struct buildSize {
    const char* name;
    int32_t count;
    int blockCount; // a pass of a peer takes up to a second
} buildSize;

static const buildSize sizes[] = {
    {"300k", 300000, 7},
    {"1M", 1000000, 3},
    {"5M", 5000000, 5},
};

typedef struct buildSide {
    const wkRoomPoints* room;
    const wkCloudPeer* peer; // NULL: ours
} buildSide;

static void passBuild(void* context)
{
    const buildSide* side = context;
    if (side->peer != NULL) {
        side->peer->destroy(side->peer->build(side->room->points, side->room->count));
    } else {
        wkCloud_Destroy(wkMakeRoomCloud(side->room, 0.0));
    }
}

// Nearest points of the cloud that are not the nearest of all.
static long countWrong(const wkRoomPoints* room)
{
    wkCloud* cloud = wkMakeRoomCloud(room, 0.0);
    if (cloud == NULL) {
        return 1;
    }
    wkShape shape = wkMakeCloud(cloud);
    wkRng rng = wkMakeRng(7);
    long wrong = wkCloud_Info(cloud).pointCount != room->count;
    for (int i = 0; i < 10; i++) {
        wkVec3d p = {wkRngRange(&rng, -2.0, 3.0), wkRngRange(&rng, -2.0, 2.0),
                     wkRngRange(&rng, 0.0, 2.0)};
        double found = wkShape_ClosestPoint(&shape, wkIdentityPose(), p, INFINITY).distance;
        wrong += fabs(found - wkRoomPoints_Nearest(room, p)) > 1e-9;
    }
    wkCloud_Destroy(cloud);
    return wrong;
}

static void runSize(wkBench* bench, const char* name, const buildSize* size)
{
    wkRoomPoints room = wkMakeRoomPoints(size->count);
    if (room.points == NULL) {
        return;
    }
    buildSide contexts[MAX_SIDES] = {{&room, NULL}};
    wkBenchSide sides[MAX_SIDES] = {{.pass = passBuild, .context = &contexts[0]}};
    int count = 1;
    for (const wkCloudPeer* peer = wkCloudPeers; peer->name != NULL && count < MAX_SIDES; peer++) {
        // others take many times as long: the smallest size tells
        if (strcmp(peer->name, "nanoflann") == 0 || size == sizes) {
            contexts[count] = (buildSide){&room, peer};
            sides[count] = (wkBenchSide){.pass = passBuild, .context = &contexts[count]};
            count++;
        }
    }
    wkMeasure(sides, count, 1, size->blockCount);
    long wrong = countWrong(&room);
    for (int i = count > 1 ? 1 : 0; i < count; i++) {
        wkBenchRow row = {.unit = "ms", .n = 1, .wrong = wrong, .ours = sides[0].median / 1e6};
        snprintf(row.name, sizeof row.name, "%s", name);
        if (i > 0) {
            row.peer = contexts[i].peer->name;
            row.variant = contexts[i].peer->variant;
            row.theirs = sides[i].median / 1e6;
            row.ratio = wkBlockRatio(&sides[i], &sides[0], size->blockCount, &row.spread);
            row.bar = strcmp(contexts[i].peer->name, "nanoflann") == 0 ? BUILD_BAR : 0.0;
        }
        wkBench_Emit(bench, &row);
    }
    wkRoomPoints_Free(&room);
}

// Times a frame: CPU time of one thread, or with several the time on the wall.
static void runFrame(wkBench* bench, const char* name, const wkCloudView* view, int threads,
                     double most)
{
    wkCloudDef def = wkDefaultCloudDef();
    wkParallel parallel = {.threadCount = threads};
    def.points = *view;
    def.parallel = threads > 1 ? &parallel : NULL;
    double times[FRAME_RUNS];
    wkBenchRow row = {.unit = "ms", .n = 1, .most = most};
    if (threads > 1) {
        wkBenchUnpin();
    }
    for (int i = -1; i < FRAME_RUNS; i++) { // the first warms up
        double start = threads > 1 ? wkBenchWallNow() : wkBenchNow();
        wkCloud* cloud = NULL;
        row.wrong += wkCloud_Create(&def, &cloud) != wk_ok;
        double end = threads > 1 ? wkBenchWallNow() : wkBenchNow();
        times[i < 0 ? 0 : i] = (end - start) / 1e6;
        wkCloud_Destroy(cloud);
    }
    wkBenchPin();
    row.ours = wkMedian(times, FRAME_RUNS);
    row.spread = (times[FRAME_RUNS * 3 / 4] - times[FRAME_RUNS / 4]) / row.ours;
    snprintf(row.name, sizeof row.name, "%s", name);
    wkBench_Emit(bench, &row);
}

// A frame of a depth camera, one row for each number of threads.
static void runFrames(wkBench* bench, const char* kind,
                      void (*withFrame)(wkBench* bench, const char* names[2], const bool wants[2]))
{
    char names[2][WK_ROW_NAME_CAPACITY];
    bool wants[2];
    for (int i = 0; i < 2; i++) {
        snprintf(names[i], sizeof names[i], "cloud/build/%s/%d", kind, i + 1);
        wants[i] = wkBench_Wants(bench, names[i]);
    }
    if (wants[0] || wants[1]) {
        const char* both[2] = {names[0], names[1]};
        withFrame(bench, both, wants);
    }
}

static void runView(wkBench* bench, const char* names[2], const bool wants[2],
                    const wkCloudView* view)
{
    static const double most[] = {6.0, 3.5};
    for (int i = 0; i < 2; i++) {
        if (wants[i]) {
            runFrame(bench, names[i], view, i + 1, most[i]);
        }
    }
}

static void runRoomFrame(wkBench* bench, const char* names[2], const bool wants[2])
{
    int32_t count = 0;
    wkFramePoint* frame = wkMakeRoomFrame(&count);
    if (frame != NULL) {
        wkCloudView view = wkViewOfFrame(frame, count);
        runView(bench, names, wants, &view);
    }
    free(frame);
}

// A frame of a Kinect, where the data folder is.
static void runKinectFrame(wkBench* bench, const char* names[2], const bool wants[2])
{
    const char* folder = getenv("WHISKER_DATA");
    char path[1024];
    snprintf(path, sizeof path, "%s/clouds/kinect_scenes/office1.pcd",
             folder != NULL ? folder : WK_DATA_FOLDER);
    wkPointData* data = NULL;
    if (wkPointData_Load(path, NULL, NULL, &data) == wk_ok) {
        wkCloudView view = wkMakeCloudView(data->points, data->count);
        runView(bench, names, wants, &view);
    }
    wkPointData_Destroy(data);
}

void wkRunCloudBuildRows(wkBench* bench)
{
    for (size_t i = 0; i < sizeof sizes / sizeof sizes[0]; i++) {
        char name[WK_ROW_NAME_CAPACITY];
        snprintf(name, sizeof name, "cloud/build/%s", sizes[i].name);
        if (wkBench_Wants(bench, name)) {
            runSize(bench, name, &sizes[i]);
        }
    }
    runFrames(bench, "frame", runRoomFrame);
    runFrames(bench, "kinect", runKinectFrame);
}
