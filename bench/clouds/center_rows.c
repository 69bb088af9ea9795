// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// cloud/exhaustive/<points>: pairs of points per second that the exhaustive search compares, beside the peak of the
// core: multiply-adds per second, measured in the same run, divided by three, which a pair needs at least in the
// expanded form. cloud/exhaustive/<points>/2: the time on the wall with two threads, beside one.
// cloud/hierarchy/<points>: the same question by the hierarchies, beside the exhaustive search. Distances are compared
// with each other and with all pairs of a sample in double precision.

#include "bench.h"
#include "clouds/fma_peak.h"
#include "clouds/workcell.h"
#include "measure.h"

#include "whisker/center_distance.h"

#include <math.h>

#define PEAK_SHARE 0.7
#define HIERARCHY_BAR 100.0
#define FMA_PER_PAIR 3.0

// A pass of the large cloud takes a second.
#define MAX_BLOCKS 5
#define LARGE_BLOCKS 1

#define THREAD_RUNS 5

typedef struct centerCase {
    const wkCloud* a;
    const wkCloud* b;
    wkCenterMethod method;
    const wkParallel* parallel;
    wkCenterResult found;
} centerCase;

static void passCenters(void* context)
{
    centerCase* c = (centerCase*)context;
    wkCenterRequest request = wkDefaultCenterRequest();
    request.method = c->method;
    request.parallel = c->parallel;
    c->found = wkCenterDistance(c->a, wkIdentityPose(), c->b, wkIdentityPose(), &request);
}

// Points of a sample that are nearer than what was found, or a distance that is not that of its points.
static long countWrong(const centerCase* c)
{
    wkCloudInfo a = wkCloud_Info(c->a), b = wkCloud_Info(c->b);
    double least = INFINITY;
    for (int i = 0; i < a.pointCount; i += 16) {
        wkVec3d p = wkCloud_Point(c->a, i).position;
        for (int k = 0; k < b.pointCount; k += 512) {
            wkVec3d q = wkCloud_Point(c->b, k).position;
            least = fmin(least, hypot(hypot(q.x - p.x, q.y - p.y), q.z - p.z));
        }
    }
    wkVec3d p = wkCloud_Point(c->a, c->found.rankA).position;
    wkVec3d q = wkCloud_Point(c->b, c->found.rankB).position;
    double distance = hypot(hypot(q.x - p.x, q.y - p.y), q.z - p.z);
    return (fabs(distance - c->found.distance) > 1e-12) + (c->found.distance > least + 1e-12);
}

static void emitExhaustive(wkBench* bench, const char* name, const centerCase* c,
                           const wkBenchSide* ours, const wkBenchSide* peak, int blockCount)
{
    double pairs = (double)wkCloud_Info(c->a).pointCount * (double)wkCloud_Info(c->b).pointCount;
    wkBenchRow row = {.unit = "Gpair/s", .peer = "peak", .variant = "FMA / 3", .n = 1};
    snprintf(row.name, sizeof row.name, "%s", name);
    row.ours = pairs / ours->median;
    row.theirs = WK_FMA_PASS / peak->median / FMA_PER_PAIR;
    row.ratio = row.ours / row.theirs;
    row.spread = wkBlockSpread(ours, blockCount);
    row.bar = PEAK_SHARE;
    row.wrong = countWrong(c);
    wkBench_Emit(bench, &row);
}

static void emitHierarchy(wkBench* bench, const char* name, const centerCase* c,
                          const centerCase* oracle, const wkBenchSide* sides, int blockCount)
{
    wkBenchRow row = {.unit = "ns", .peer = "all", .variant = "exhaustive", .n = 1};
    snprintf(row.name, sizeof row.name, "%s", name);
    row.ours = sides[1].median;
    row.theirs = sides[0].median;
    row.ratio = wkBlockRatio(&sides[0], &sides[1], blockCount, &row.spread);
    row.bar = HIERARCHY_BAR;
    row.wrong = c->found.distance != oracle->found.distance ? 1 : 0;
    wkBench_Emit(bench, &row);
}

static void runClouds(wkBench* bench, const char* names[2], const wkCloud* a, const wkCloud* b)
{
    bool isLarge = wkCloud_Info(b).pointCount > WK_WORKCELL_SMALL && !wkBench_IsFull(bench);
    int most = isLarge ? LARGE_BLOCKS : MAX_BLOCKS;
    int blockCount = bench->blockCount < most ? bench->blockCount : most;
    centerCase cases[2] = {{.a = a, .b = b, .method = wk_centersExhaustive},
                           {.a = a, .b = b, .method = wk_centersHierarchy}};
    wkBenchSide sides[3] = {{.pass = passCenters, .context = &cases[0]},
                            {.pass = passCenters, .context = &cases[1]},
                            {.pass = wkPassFma}};
    wkMeasure(sides, 3, 1, blockCount);
    emitExhaustive(bench, names[0], &cases[0], &sides[0], &sides[2], blockCount);
    emitHierarchy(bench, names[1], &cases[1], &cases[0], sides, blockCount);
}

// Two threads and one in turn, on the wall.
static void runThreads(wkBench* bench, const char* name, const wkCloud* a, const wkCloud* b)
{
    const wkParallel two = {.threadCount = 2};
    centerCase cases[2] = {{.a = a, .b = b, .method = wk_centersExhaustive},
                           {.a = a, .b = b, .method = wk_centersExhaustive, .parallel = &two}};
    double times[2][THREAD_RUNS];
    wkBenchRow row = {.unit = "ms", .peer = "one thread", .variant = "exhaustive", .n = 1};
    snprintf(row.name, sizeof row.name, "%s", name);
    wkBenchUnpin();
    for (int i = 0; i < 2 * THREAD_RUNS; i++) {
        double start = wkBenchWallNow();
        passCenters(&cases[i % 2]);
        times[i % 2][i / 2] = (wkBenchWallNow() - start) / 1e6;
    }
    wkBenchPin();
    row.theirs = wkMedian(times[0], THREAD_RUNS);
    row.ours = wkMedian(times[1], THREAD_RUNS);
    row.ratio = row.theirs / row.ours;
    row.spread = (times[1][THREAD_RUNS * 3 / 4] - times[1][THREAD_RUNS / 4]) / row.ours;
    row.wrong = (cases[0].found.distance != cases[1].found.distance) +
                (cases[0].found.rankA != cases[1].found.rankA) +
                (cases[0].found.rankB != cases[1].found.rankB);
    wkBench_Emit(bench, &row);
}

void wkRunCenterRows(wkBench* bench)
{
    const int counts[] = {WK_WORKCELL_SMALL, WK_WORKCELL_LARGE};
    wkWorkcell cell;
    bool isOpen = false;
    for (int i = 0; i < 2; i++) {
        char exhaustive[WK_ROW_NAME_CAPACITY], hierarchy[WK_ROW_NAME_CAPACITY];
        snprintf(exhaustive, sizeof exhaustive, "cloud/exhaustive/%d", counts[i]);
        snprintf(hierarchy, sizeof hierarchy, "cloud/hierarchy/%d", counts[i]);
        char threads[WK_ROW_NAME_CAPACITY];
        snprintf(threads, sizeof threads, "cloud/exhaustive/%d/2", counts[i]);
        bool isWanted = wkBench_Wants(bench, exhaustive);
        isWanted = wkBench_Wants(bench, hierarchy) || isWanted;
        bool wantsThreads = counts[i] == WK_WORKCELL_SMALL && wkBench_Wants(bench, threads);
        if (!(isWanted || wantsThreads) || (!isOpen && !wkWorkcell_Open(&cell))) {
            continue;
        }
        isOpen = true;
        wkCloud* a = wkWorkcell_Cloud(cell.robotPoints, WK_WORKCELL_ROBOT);
        wkCloud* b = wkWorkcell_Cloud(cell.cellPoints, counts[i]);
        if (a != NULL && b != NULL && isWanted) {
            runClouds(bench, (const char* [2]){exhaustive, hierarchy}, a, b);
        }
        if (a != NULL && b != NULL && wantsThreads) {
            runThreads(bench, threads, a, b);
        }
        wkCloud_Destroy(a);
        wkCloud_Destroy(b);
    }
    if (isOpen) {
        wkWorkcell_Close(&cell);
    }
}
