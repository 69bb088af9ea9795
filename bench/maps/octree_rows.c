// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// octree/insert/<cells>/<frame>: a depth image into an empty map, and the same once more;
// octree/memory/<cells>: bytes of the map after both. Then how time grows with points, and how many
// frames a second two threads take in.

#include "bench.h"
#include "measure.h"
#include "peers/map_peer.h"

#include "../tests/scenes/room_scene.h"

#include "whisker/io.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#define OUR_RUNS 7
#define FRAME_COUNT 2

// OctoMap takes half a minute for a frame at 1 cm: the short run shows it fewer pixels.
typedef struct size {
    const char* name;
    double resolution;
    int quickWidth;
    int peerRuns;
    double bar;
} size;

static const size sizes[] = {
    {"5cm", 0.05, 640, 3, 12.0},
    {"2cm", 0.02, 160, 1, 25.0},
    {"1cm", 0.01, 112, 1, 25.0},
};

static const char* const frameNames[FRAME_COUNT] = {"first", "second"};

// What one library needed: nanoseconds per frame, bytes at the end.
typedef struct effort {
    double times[FRAME_COUNT];
    double spreads[FRAME_COUNT];
    double bytes;
    long wrong;
} effort;

static wkOctree* createMap(double resolution)
{
    wkOctreeDef def = wkDefaultOctreeDef();
    def.resolution = resolution;
    wkOctree* octree = NULL;
    wkOctree_Create(&def, &octree);
    return octree;
}

// Points of the room, to be freed by the caller.
static float* seeRoom(int width, wkScan* scan)
{
    wkRoomScene room = wkMakeRoom();
    wkRoomView view = wkMakeRoomView();
    view.width = width;
    view.height = width * 3 / 4;
    size_t count = (size_t)view.width * (size_t)view.height;
    float* points = malloc(3 * count * sizeof *points);
    if (points != NULL) {
        wkRoom_See(&room, &view, points);
        *scan = wkDefaultScan();
        scan->points.points = points;
        scan->points.count = (int32_t)count;
        scan->origin = view.eye;
    }
    return points;
}

static void summarise(double runs[FRAME_COUNT][OUR_RUNS], int count, effort* result)
{
    for (int frame = 0; frame < FRAME_COUNT; frame++) {
        result->times[frame] = wkMedian(runs[frame], count);
        double range = runs[frame][count * 3 / 4] - runs[frame][count / 4];
        result->spreads[frame] = range / result->times[frame];
    }
}

static effort measureOurs(const wkScan* scan, double resolution)
{
    effort result = {.wrong = 0};
    double runs[FRAME_COUNT][OUR_RUNS];
    for (int run = 0; run < OUR_RUNS; run++) {
        wkOctree* octree = createMap(resolution);
        for (int frame = 0; frame < FRAME_COUNT; frame++) {
            double start = wkBenchNow();
            result.wrong += wkOctree_Insert(octree, scan, NULL) != wk_ok;
            runs[frame][run] = wkBenchNow() - start;
        }
        result.bytes = (double)wkOctree_Info(octree).byteCount;
        wkOctree_Destroy(octree);
    }
    summarise(runs, OUR_RUNS, &result);
    return result;
}

// Cells that are not as theirs count as ours that are wrong.
static long compareMaps(const wkMapPeer* peer, void* handle, const wkScan* scan, double resolution)
{
    wkScan same = *scan;
    same.isExact = peer->isExact;
    wkOctree* octree = createMap(resolution);
    long wrong = 0;
    for (int frame = 0; frame < FRAME_COUNT; frame++) {
        wrong += wkOctree_Insert(octree, &same, NULL) != wk_ok;
    }
    wrong += peer->countWrong(handle, octree);
    wkOctree_Destroy(octree);
    return wrong;
}

static effort measurePeer(const wkMapPeer* peer, const wkScan* scan, double resolution, int count)
{
    effort result = {.wrong = 0};
    double runs[FRAME_COUNT][OUR_RUNS];
    for (int run = 0; run < count; run++) {
        void* handle = peer->open(resolution, scan);
        for (int frame = 0; frame < FRAME_COUNT; frame++) {
            double start = wkBenchNow();
            peer->insert(handle, peer->isExact);
            runs[frame][run] = wkBenchNow() - start;
        }
        result.bytes = peer->countBytes(handle);
        if (run == 0) {
            result.wrong = compareMaps(peer, handle, scan, resolution);
        }
        peer->close(handle);
    }
    summarise(runs, count, &result);
    return result;
}

static wkBenchRow makeRow(const char* name, const char* unit, double ours, const wkScan* scan)
{
    wkBenchRow row;
    memset(&row, 0, sizeof row);
    snprintf(row.name, sizeof row.name, "%s", name);
    row.unit = unit;
    row.ours = ours;
    row.n = scan->points.count;
    return row;
}

static void addPeer(wkBenchRow* row, const wkMapPeer* peer, double theirs, double bar)
{
    row->peer = peer->name;
    row->variant = peer->variant;
    row->theirs = theirs;
    row->ratio = theirs / row->ours;
    row->bar = bar;
}

// Rows of one scan at one size of cells: which of them are wanted, and their names.
typedef struct rowSet {
    char inserts[FRAME_COUNT][WK_ROW_NAME_CAPACITY];
    char memory[WK_ROW_NAME_CAPACITY];
    bool wantsInserts[FRAME_COUNT];
    bool wantsMemory;
} rowSet;

static bool chooseRows(wkBench* bench, const char* cells, const char* scene, rowSet* rows)
{
    bool isAny = false;
    for (int frame = 0; frame < FRAME_COUNT; frame++) {
        snprintf(rows->inserts[frame], sizeof rows->inserts[frame], "octree/insert/%s/%s/%s", cells,
                 scene, frameNames[frame]);
        rows->wantsInserts[frame] = wkBench_Wants(bench, rows->inserts[frame]);
        isAny |= rows->wantsInserts[frame];
    }
    snprintf(rows->memory, sizeof rows->memory, "octree/memory/%s/%s", cells, scene);
    rows->wantsMemory = wkBench_Wants(bench, rows->memory);
    return isAny || rows->wantsMemory;
}

static void runScan(wkBench* bench, const rowSet* rows, const size* s, const wkScan* scan)
{
    effort ours = measureOurs(scan, s->resolution);
    effort best = {.wrong = 0};
    const wkMapPeer* fastest = NULL;
    for (const wkMapPeer* peer = wkMapPeers; peer->name != NULL; peer++) {
        // beams to every point take OctoMap longer: at small cells the full run alone shows it
        if (peer->isExact && s->peerRuns == 1 && !wkBench_IsFull(bench)) {
            continue;
        }
        effort theirs = measurePeer(peer, scan, s->resolution, peer->isExact ? 1 : s->peerRuns);
        ours.wrong += theirs.wrong;
        if (fastest == NULL || theirs.times[0] < best.times[0]) {
            fastest = peer;
            best = theirs;
        }
    }
    for (int frame = 0; frame < FRAME_COUNT; frame++) {
        wkBenchRow row = makeRow(rows->inserts[frame], "ms", 1e-6 * ours.times[frame], scan);
        row.spread = ours.spreads[frame];
        row.wrong = frame == 0 ? ours.wrong : 0;
        if (fastest != NULL) {
            addPeer(&row, fastest, 1e-6 * best.times[frame], s->bar);
        }
        if (rows->wantsInserts[frame]) {
            wkBench_Emit(bench, &row);
        }
    }
    wkBenchRow row = makeRow(rows->memory, "bytes", ours.bytes, scan);
    if (fastest != NULL) {
        addPeer(&row, fastest, best.bytes, 2.0);
    }
    if (rows->wantsMemory) {
        wkBench_Emit(bench, &row);
    }
}

static void runRoom(wkBench* bench, const size* s)
{
    rowSet rows;
    wkScan scan;
    if (!chooseRows(bench, s->name, "room", &rows)) {
        return;
    }
    float* points = seeRoom(wkBench_IsFull(bench) ? 640 : s->quickWidth, &scan);
    if (points != NULL) {
        runScan(bench, &rows, s, &scan);
    }
    free(points);
}

// A frame of the data folder; left out where it is not there.
static void runOffice(wkBench* bench, const size* s)
{
    rowSet rows;
    if (!chooseRows(bench, s->name, "office", &rows)) {
        return;
    }
    char path[1024];
    const char* folder = getenv("WHISKER_DATA");
    snprintf(path, sizeof path, "%s/clouds/kinect_scenes/office1.pcd",
             folder != NULL ? folder : WK_DATA_FOLDER);
    wkScan scan = wkDefaultScan();
    wkPointData* frame = NULL;
    if (wkPointData_Load(path, NULL, NULL, &frame) != wk_ok) {
        fprintf(stderr, "%s: left out: %s\n", rows.inserts[0], wkGetLastError());
        return;
    }
    scan.points.points = frame->points;
    scan.points.count = frame->count;
    runScan(bench, &rows, s, &scan);
    wkPointData_Destroy(frame);
}

// The exponent p of time = c * points^p, a beam for every point.
static void runGrowth(wkBench* bench, const char* name)
{
    enum {
        sizeCount = 4
    };
    static const int widths[sizeCount] = {80, 160, 320, 640};
    double sumX = 0.0, sumY = 0.0, sumXX = 0.0, sumXY = 0.0;
    wkScan scan = wkDefaultScan();
    for (int i = 0; i < sizeCount; i++) {
        float* points = seeRoom(widths[i], &scan);
        if (points == NULL) {
            return;
        }
        scan.isExact = true;
        double x = log(scan.points.count), y = log(measureOurs(&scan, 0.05).times[1]);
        free(points);
        sumX += x;
        sumY += y;
        sumXX += x * x;
        sumXY += x * y;
    }
    double exponent = (sizeCount * sumXY - sumX * sumY) / (sizeCount * sumXX - sumX * sumX);
    wkBenchRow row = makeRow(name, "exponent", exponent, &scan);
    wkBench_Emit(bench, &row);
}

static double wallSeconds(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

// By the clock on the wall, as the frames of a camera come.
static void runRate(wkBench* bench, const char* name)
{
    enum {
        frameCount = 30
    };
    wkScan scan;
    float* points = seeRoom(640, &scan);
    wkOctree* octree = createMap(0.05);
    wkParallel parallel = {.threadCount = 2};
    if (points != NULL && octree != NULL) {
        scan.parallel = &parallel;
        double times[frameCount];
        for (int i = 0; i < frameCount; i++) {
            double start = wallSeconds();
            wkOctree_Insert(octree, &scan, NULL);
            times[i] = wallSeconds() - start;
        }
        wkBenchRow row = makeRow(name, "frames/s", 1.0 / wkMedian(times, frameCount), &scan);
        wkBench_Emit(bench, &row);
    }
    free(points);
    wkOctree_Destroy(octree);
}

void wkRunOctreeRows(wkBench* bench)
{
    for (size_t i = 0; i < sizeof sizes / sizeof sizes[0]; i++) {
        runRoom(bench, &sizes[i]);
        // small cells take OctoMap minutes here
        if (i == 0 || wkBench_IsFull(bench) || bench->isListing) {
            runOffice(bench, &sizes[i]);
        }
    }
    if (wkBench_Wants(bench, "octree/insert/growth")) {
        runGrowth(bench, "octree/insert/growth");
    }
    if (wkBench_Wants(bench, "octree/insert/rate")) {
        runRate(bench, "octree/insert/rate");
    }
}
