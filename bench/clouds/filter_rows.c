// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// filter/<filter>/<frame>: filters of a frame of a depth camera, on one thread, beside those of PCL. Points that one
// of both keeps and the other one does not are wrong, and so are voxels with another centroid. `made` is generated;
// `office` comes from the data folder, and is left out without it.

#include "bench.h"
#include "measure.h"
#include "peers/filter_peer.h"

#include "whisker/io.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define BAR 5.0

#define WIDTH 640
#define HEIGHT 480
#define FLOATS 4 // of a point

// Sums of floats in another order.
#define CENTROID_TOLERANCE 1e-4

typedef struct filterFrame {
    const char* name;
    float* points;
    int32_t count;
    wkSphere3d robot[60];
} filterFrame;

typedef struct filterJob {
    const char* name;
    wkFilterStep step;
    bool isSlow; // a run of the peer takes a second: one is enough
} filterJob;

static double drawUnit(uint32_t* seed)
{
    *seed = *seed * 1664525u + 1013904223u;
    return (*seed >> 8) * 0x1p-24;
}

// A wall, a floor and two boxes, with noise that grows with the square of the depth, and points between them.
static float drawDepth(int u, int v, uint32_t* seed)
{
    double down = (v - 239.5) / 525.0, z = 4.0;
    z = down > 0.0 && 1.2 / down < z ? 1.2 / down : z;
    z = u > 200 && u < 330 && v > 150 && v < 330 ? 1.2 : z;
    z = u > 400 && u < 520 && v > 200 && v < 300 ? 0.8 : z;
    double noise = drawUnit(seed) + drawUnit(seed) + drawUnit(seed) + drawUnit(seed) - 2.0;
    z += 0.0026 * z * z * noise;
    return (float)(drawUnit(seed) < 0.002 ? z * (0.4 + 0.4 * drawUnit(seed)) : z);
}

static bool makeFrame(filterFrame* frame)
{
    frame->points = malloc((size_t)(WIDTH * HEIGHT + 1) * FLOATS * sizeof(float));
    if (frame->points == NULL) {
        return false;
    }
    uint32_t seed = 7;
    for (int i = 0; i < WIDTH * HEIGHT; i++) {
        int u = i % WIDTH, v = i / WIDTH;
        float z = drawDepth(u, v, &seed), *p = frame->points + (size_t)i * FLOATS;
        p[0] = (float)((u - 319.5) / 525.0) * z;
        p[1] = (float)((v - 239.5) / 525.0) * z;
        p[2] = z;
        p[3] = 1.0f;
    }
    frame->count = WIDTH * HEIGHT;
    return true;
}

// Finite points of a file: PCL's filters take no others.
static bool loadFrame(filterFrame* frame)
{
    const char* folder = getenv("WHISKER_DATA");
    char path[1024];
    snprintf(path, sizeof path, "%s/clouds/kinect_scenes/office1.pcd",
             folder != NULL ? folder : WK_DATA_FOLDER);
    wkPointData* data = NULL;
    if (wkPointData_Load(path, NULL, NULL, &data) != wk_ok) {
        return false;
    }
    frame->points = malloc(((size_t)data->count + 1) * FLOATS * sizeof(float));
    for (int32_t i = 0; frame->points != NULL && i < data->count; i++) {
        const float* from = data->points + 3 * (size_t)i;
        float* to = frame->points + (size_t)frame->count * FLOATS;
        memcpy(to, from, 3 * sizeof(float));
        to[3] = 1.0f;
        frame->count += isfinite(from[0]) && isfinite(from[1]) && isfinite(from[2]);
    }
    wkPointData_Destroy(data);
    return frame->points != NULL && frame->count > 0;
}

// An arm of spheres before the camera.
static void placeRobot(filterFrame* frame)
{
    for (int i = 0; i < 60; i++) {
        double t = i / 59.0;
        frame->robot[i].center = (wkVec3d){-0.6 + t, 0.3 * sin(4.0 * t), 1.2 + 0.2 * cos(5.0 * t)};
        frame->robot[i].radius = 0.05 + 0.03 * sin(9.0 * t);
    }
}

static wkFilterResult runOurs(wkCloudFilter* filter, const filterFrame* frame,
                              const wkFilterStep* step)
{
    wkFilterRequest request = wkDefaultFilterRequest();
    request.points = wkMakeCloudView(frame->points, frame->count);
    request.points.stride = FLOATS * sizeof(float);
    request.steps = step;
    request.stepCount = 1;
    wkFilterResult result;
    if (wkCloudFilter_Run(filter, &request, &result) != wk_ok) {
        fprintf(stderr, "%s\n", wkGetLastError());
    }
    return result;
}

// Both lists ascend: points that one of them lacks.
static long compareIndices(const int32_t* ours, int32_t count, const int32_t* theirs,
                           int32_t theirCount)
{
    long wrong = 0;
    int32_t a = 0, b = 0;
    while (a < count || b < theirCount) {
        bool isOurs = b == theirCount || (a < count && ours[a] <= theirs[b]);
        bool isTheirs = a == count || (b < theirCount && theirs[b] <= ours[a]);
        wrong += isOurs != isTheirs;
        a += isOurs;
        b += isTheirs;
    }
    return wrong;
}

static int compareVoxels(const void* a, const void* b)
{
    const float *x = *(const float*const*)a, *y = *(const float*const*)b;
    for (int axis = 2; axis >= 0; axis--) {
        if (x[axis] != y[axis]) {
            return x[axis] < y[axis] ? -1 : 1;
        }
    }
    return 0;
}

// The peer's voxels are sorted by z, y and x. Ours are, once each has its numbers before its centroid.
static long compareCentroids(const filterFrame* frame, const wkFilterPeer* peer, void* handle,
                             const wkFilterResult* ours, int32_t theirCount, double size)
{
    long wrong = labs((long)ours->keptCount - theirCount);
    float* rows = malloc((size_t)ours->keptCount * 6 * sizeof(float));
    const float** sorted = malloc((size_t)ours->keptCount * sizeof *sorted);
    float inverse = 1.0f / (float)size;
    for (int32_t i = 0; rows != NULL && sorted != NULL && i < ours->keptCount; i++) {
        const float* p = frame->points + (size_t)ours->kept[i] * FLOATS;
        float* row = rows + 6 * (size_t)i;
        for (int axis = 0; axis < 3; axis++) {
            row[axis] = floorf(p[axis] * inverse);
            row[3 + axis] = ours->centroids[3 * (size_t)i + (size_t)axis];
        }
        sorted[i] = row;
    }
    if (wrong == 0 && rows != NULL && sorted != NULL) {
        qsort(sorted, (size_t)ours->keptCount, sizeof *sorted, compareVoxels);
        for (int32_t i = 0; i < theirCount; i++) {
            float center[3];
            peer->centroid(handle, i, center);
            bool isNear = true;
            for (int axis = 0; axis < 3; axis++) {
                isNear = isNear && fabs((double)center[axis] - (double)sorted[i][3 + axis]) <=
                                       CENTROID_TOLERANCE;
            }
            wrong += !isNear;
        }
    }
    free(sorted);
    free(rows);
    return wrong;
}

static long countWrong(wkCloudFilter* filter, const filterFrame* frame, const wkFilterPeer* peer,
                       void* handle, const wkFilterStep* step)
{
    int32_t theirCount = peer->apply(handle, step);
    wkFilterStep checked = *step;
    if (step->type == wk_filterVoxel) {
        checked.voxel.hasCentroids = true;
        wkFilterResult ours = runOurs(filter, frame, &checked);
        return compareCentroids(frame, peer, handle, &ours, theirCount, step->voxel.size);
    }
    wkFilterResult ours = runOurs(filter, frame, &checked);
    return compareIndices(ours.kept, ours.keptCount, peer->kept(handle), theirCount);
}

static double timeOurs(wkCloudFilter* filter, const filterFrame* frame, const wkFilterStep* step)
{
    double start = wkBenchNow();
    runOurs(filter, frame, step);
    return wkBenchNow() - start;
}

static double timePeer(const wkFilterPeer* peer, void* handle, const wkFilterStep* step)
{
    double start = wkBenchNow();
    peer->apply(handle, step);
    return wkBenchNow() - start;
}

// Both in turn, so that a slow moment of the machine meets them alike.
static void race(const wkBench* bench, wkCloudFilter* filter, const filterFrame* frame,
                 const filterJob* job, const wkFilterPeer* peer, void* handle, wkBenchRow* row)
{
    int runCount = job->isSlow && !wkBench_IsFull(bench) ? 1 : bench->blockCount;
    double ours[WK_MAX_BLOCKS], theirs[WK_MAX_BLOCKS], ratios[WK_MAX_BLOCKS];
    for (int run = 0; run < runCount; run++) {
        ours[run] = timeOurs(filter, frame, &job->step);
        theirs[run] = handle != NULL ? timePeer(peer, handle, &job->step) : 0.0;
        ratios[run] = theirs[run] / ours[run];
    }
    row->ours = 1e-6 * wkMedian(ours, runCount);
    if (handle != NULL) {
        row->peer = peer->name;
        row->theirs = 1e-6 * wkMedian(theirs, runCount);
        row->ratio = wkMedian(ratios, runCount);
        row->spread = (ratios[runCount * 3 / 4] - ratios[runCount / 4]) / row->ratio;
        row->bar = BAR;
    }
}

static void runJob(wkBench* bench, wkCloudFilter* filter, const filterFrame* frame,
                   const filterJob* job)
{
    wkBenchRow row;
    memset(&row, 0, sizeof row);
    snprintf(row.name, sizeof row.name, "filter/%s/%s", job->name, frame->name);
    if (!wkBench_Wants(bench, row.name)) {
        return;
    }
    const wkFilterPeer* peer = wkFilterPeers;
    bool hasPeer = peer->name != NULL && job->step.type != wk_filterSelf &&
                   job->step.type != wk_filterDistance;
    void* handle = hasPeer ? peer->open(frame->points, frame->count) : NULL;
    row.unit = "ms";
    row.n = frame->count;
    row.wrong = hasPeer ? countWrong(filter, frame, peer, handle, &job->step) : 0;
    timeOurs(filter, frame, &job->step); // memory grows
    race(bench, filter, frame, job, peer, handle, &row);
    wkBench_Emit(bench, &row);
    if (hasPeer) {
        peer->close(handle);
    }
}

static void runFrame(wkBench* bench, wkCloudFilter* filter, const filterFrame* frame)
{
    const wkAabb slab = {{-INFINITY, -INFINITY, 0.5}, {INFINITY, INFINITY, 3.0}};
    const wkAabb box = {{-1.0, -1.0, 0.5}, {1.0, 1.0, 3.0}};
    wkFilterRobot robot = {.spheres = frame->robot, .sphereCount = 60};
    filterJob jobs[] = {
        {"pass_through", wkMakeBoxFilter(slab, wkIdentityPose()), false},
        {"crop_box", wkMakeBoxFilter(box, wkIdentityPose()), false},
        {"voxel_1cm", wkMakeVoxelFilter(0.01), false},
        {"voxel_5cm", wkMakeVoxelFilter(0.05), false},
        {"centroid_1cm", wkMakeVoxelFilter(0.01), false},
        {"centroid_5cm", wkMakeVoxelFilter(0.05), false},
        {"statistical_20", wkMakeStatisticalFilter(20, 1.0), true},
        {"statistical_50", wkMakeStatisticalFilter(50, 1.0), true},
        {"radius", wkMakeRadiusFilter(0.05, 5), true},
        {"self", wkMakeSelfFilter(robot, 0.02), false},
        {"distance", wkMakeDistanceFilter(robot, 1.0), false},
    };
    jobs[4].step.voxel.hasCentroids = jobs[5].step.voxel.hasCentroids = true;
    for (size_t i = 0; i < sizeof jobs / sizeof jobs[0]; i++) {
        runJob(bench, filter, frame, &jobs[i]);
    }
}

void wkRunFilterRows(wkBench* bench)
{
    static const struct {
        const char* name;
        bool (*make)(filterFrame* frame);
    } frames[] = {{"made", makeFrame}, {"office", loadFrame}};
    wkCloudFilter* filter = NULL;
    if (wkCloudFilter_Create(&filter) != wk_ok) {
        return;
    }
    for (size_t i = 0; i < sizeof frames / sizeof frames[0]; i++) {
        filterFrame frame = {.name = frames[i].name};
        placeRobot(&frame);
        // a listing needs no points
        if (bench->isListing || frames[i].make(&frame)) {
            runFrame(bench, filter, &frame);
        } else {
            fprintf(stderr, "filter/*/%s: left out: %s\n", frame.name, wkGetLastError());
        }
        free(frame.points);
    }
    wkCloudFilter_Destroy(filter);
}
