// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// octree/depth/<cells>: a depth image into an empty map, against its points in an array first and then
// those.

#include "bench.h"
#include "measure.h"

#include "whisker/depth_image.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define WIDTH 640
#define HEIGHT 480
#define RUNS 15

static const struct {
    const char* name;
    double resolution;
} sizes[] = {{"octree/depth/5cm", 0.05}, {"octree/depth/2cm", 0.02}};

// A wall with waves, seen by a camera that is tilted.
static wkDepthImage makeImage(uint16_t* pixels)
{
    wkDepthImage image = wkDefaultDepthImage();
    for (int v = 0; v < HEIGHT; v++) {
        for (int u = 0; u < WIDTH; u++) {
            double depth = 2.0 + 0.5 * sin(0.02 * u) + 0.3 * cos(0.03 * v);
            pixels[v * WIDTH + u] = (uint16_t)(1000.0 * depth);
        }
    }
    image.pixels = pixels;
    image.pose = wkMakePoseRpy((wkVec3d){0.1, 0.2, 0.9}, 0.3, 0.2, -1.0);
    return image;
}

static wkOctree* makeMap(double resolution)
{
    wkOctreeDef def = wkDefaultOctreeDef();
    def.resolution = resolution;
    wkOctree* map = NULL;
    wkOctree_Create(&def, &map);
    return map;
}

static wkResult insertPoints(wkOctree* map, const wkDepthImage* image, float* points)
{
    wkScan scan = wkDefaultScan();
    scan.points.points = points;
    scan.points.count = wkDepthImage_Points(image, NULL, points, NULL, WIDTH * HEIGHT);
    scan.frame = image->pose;
    return wkOctree_Insert(map, &scan, NULL);
}

static bool isOther(const wkCellChange* change, void* context)
{
    (void)change;
    ++*(long*)context;
    return true;
}

static void runRow(wkBench* bench, const char* name, double resolution, const wkDepthImage* image,
                   float* points)
{
    double ours[RUNS], theirs[RUNS];
    wkBenchRow row;
    memset(&row, 0, sizeof row);
    for (int i = 0; i < RUNS; i++) {
        wkOctree *a = makeMap(resolution), *b = makeMap(resolution);
        double start = wkBenchNow();
        row.wrong += wkOctree_InsertDepth(a, image, NULL, NULL, wkIdentityPose(), NULL) != wk_ok;
        ours[i] = wkBenchNow() - start;
        start = wkBenchNow();
        row.wrong += insertPoints(b, image, points) != wk_ok;
        theirs[i] = wkBenchNow() - start;
        wkOctree_Compare(a, b, isOther, &row.wrong);
        wkOctree_Destroy(a);
        wkOctree_Destroy(b);
    }
    snprintf(row.name, sizeof row.name, "%s", name);
    row.unit = "ms";
    row.ours = 1e-6 * wkMedian(ours, RUNS);
    row.spread = (ours[RUNS * 3 / 4] - ours[RUNS / 4]) / ours[RUNS / 2];
    row.peer = "points first";
    row.theirs = 1e-6 * wkMedian(theirs, RUNS);
    row.ratio = row.theirs / row.ours;
    row.n = WIDTH * HEIGHT;
    wkBench_Emit(bench, &row);
}

void wkRunOctreeDepthRows(wkBench* bench)
{
    uint16_t* pixels = malloc(WIDTH * HEIGHT * sizeof *pixels);
    float* points = malloc(WIDTH * HEIGHT * 3 * sizeof *points);
    for (size_t i = 0; i < sizeof sizes / sizeof sizes[0]; i++) {
        if (wkBench_Wants(bench, sizes[i].name) && pixels != NULL && points != NULL) {
            wkDepthImage image = makeImage(pixels);
            runRow(bench, sizes[i].name, sizes[i].resolution, &image, points);
        }
    }
    free(pixels);
    free(points);
}
