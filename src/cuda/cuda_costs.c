// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// What follows from measured costs: times of calls, crossing points, and the fastest way for two clouds. Nothing here
// needs a GPU.

#include "cuda/cost_ways.h"

#include <math.h>

// From one size of clouds to the next.
#define FIRST_SIZE 64
#define SIZE_BITS 4
#define STEP_RATIO 16.0
#define STEP_LOG 2.7725887222397811 // its logarithm
#define LAST_STEP ((double)(WK_CENTER_SIZES - 1))

// The largest number of points for which a crossing is sought.
#define MOST_POINTS ((int64_t)1 << 30)

static bool isCost(const wkWorkCost* cost)
{
    return cost != NULL && cost->fixed >= 0.0 && cost->each >= 0.0 && isfinite(cost->fixed) &&
           isfinite(cost->each);
}

double wkWorkCost_Seconds(const wkWorkCost* cost, double itemCount)
{
    bool isKnown = isCost(cost) && itemCount >= 0.0 && isfinite(itemCount);
    return isKnown ? cost->fixed + cost->each * itemCount : (double)INFINITY;
}

bool wkCpuGpuCost_Pays(const wkCpuGpuCost* cost, double itemCount)
{
    if (cost == NULL) {
        return false;
    }
    double onCpu = wkWorkCost_Seconds(&cost->cpu, itemCount);
    return isfinite(onCpu) && wkWorkCost_Seconds(&cost->gpu, itemCount) < onCpu;
}

double wkCpuGpuCost_Crossing(const wkCpuGpuCost* cost)
{
    if (cost == NULL || !isCost(&cost->cpu) || !isCost(&cost->gpu)) {
        return (double)INFINITY;
    }
    double lead = cost->gpu.fixed - cost->cpu.fixed, gain = cost->cpu.each - cost->gpu.each;
    if (gain <= 0.0) {
        return gain == 0.0 && lead < 0.0 ? 1.0 : (double)INFINITY;
    }
    double count = floor(lead / gain) + 1.0;
    return count > 1.0 ? count : 1.0;
}

static const wkCenterWayRow ways[WK_CENTER_WAYS] = {
    [wk_wayCpuExhaustive] = {"cpu exhaustive", wk_centersExhaustive, false},
    [wk_wayCpuHierarchy] = {"cpu hierarchy", wk_centersHierarchy, false},
    [wk_wayGpuExhaustive] = {"gpu exhaustive", wk_centersExhaustive, true},
    [wk_wayGpuHierarchy] = {"gpu hierarchy", wk_centersHierarchy, true},
};

const wkCenterWayRow* wkRowOfWay(wkCenterWay way)
{
    return &ways[way];
}

const char* wkCenterWayName(wkCenterWay way)
{
    return (unsigned)way < WK_CENTER_WAYS ? ways[way].name : "none";
}

int32_t wkCenterSizePoints(int32_t size)
{
    return size >= 0 && size < WK_CENTER_SIZES ? FIRST_SIZE << (SIZE_BITS * size) : 0;
}

// Steps of 16 from the smallest size to a number of points.
static double stepsTo(int32_t count)
{
    return count > FIRST_SIZE ? log((double)count / FIRST_SIZE) / STEP_LOG : 0.0;
}

static double between(double lower, double upper, double share)
{
    return lower + share * (upper - lower);
}

// Interpolates the logarithms of times.
// @param a, b steps to the numbers of points, 0 to LAST_STEP
// @return infinity where a time is not known
static double interpolate(const double times[WK_CENTER_SIZES][WK_CENTER_SIZES], double a, double b)
{
    int lowerA = a < LAST_STEP ? (int)a : WK_CENTER_SIZES - 2;
    int lowerB = b < LAST_STEP ? (int)b : WK_CENTER_SIZES - 2;
    double logs[2];
    for (int i = 0; i < 2; ++i) {
        const double* row = &times[lowerA + i][lowerB];
        bool isKnown = row[0] > 0.0 && isfinite(row[0]) && row[1] > 0.0 && isfinite(row[1]);
        if (!isKnown) {
            return (double)INFINITY;
        }
        logs[i] = between(log(row[0]), log(row[1]), b - lowerB);
    }
    return exp(between(logs[0], logs[1], a - lowerA));
}

// Extrapolates the times of the three largest sizes as fixed + factor * count^power: what a step adds grows by the same
// ratio from step to step, from 1 to 16.
// @return the time that many steps beyond the last one, as a multiple of its time
static double growthBeyond(double steps, double first, double second, double last)
{
    double before = second - first, added = last - second;
    if (added <= 0.0 || steps <= 0.0) {
        return 1.0;
    }
    double ratio = before > 0.0 ? added / before : STEP_RATIO;
    ratio = ratio < STEP_RATIO ? ratio : STEP_RATIO;
    double sum = ratio > 1.0 + 1e-6 ? ratio * (pow(ratio, steps) - 1.0) / (ratio - 1.0) : steps;
    return 1.0 + sum * added / last;
}

double wkCudaCosts_CenterSeconds(const wkCudaCosts* costs, wkCenterWay way, int32_t countA,
                                 int32_t countB)
{
    if (costs == NULL || (unsigned)way >= WK_CENTER_WAYS) {
        return (double)INFINITY;
    }
    const double(*times)[WK_CENTER_SIZES] = costs->centers[way];
    double stepsA = stepsTo(countA), stepsB = stepsTo(countB);
    double a = stepsA < LAST_STEP ? stepsA : LAST_STEP, b = stepsB < LAST_STEP ? stepsB : LAST_STEP;
    double alongA[3], alongB[3];
    for (int i = 0; i < 3; ++i) {
        double step = LAST_STEP - 2.0 + i;
        alongA[i] = interpolate(times, step, b);
        alongB[i] = interpolate(times, a, step);
    }
    double seconds = interpolate(times, a, b);
    bool isBeyondKnown = (stepsA <= LAST_STEP || isfinite(alongA[0] + alongA[1])) &&
                         (stepsB <= LAST_STEP || isfinite(alongB[0] + alongB[1]));
    if (!isfinite(seconds) || !isBeyondKnown) {
        return (double)INFINITY;
    }
    return seconds * growthBeyond(stepsA - LAST_STEP, alongA[0], alongA[1], alongA[2]) *
           growthBeyond(stepsB - LAST_STEP, alongB[0], alongB[1], alongB[2]);
}

wkCenterChoice wkChooseAmongWays(const wkCudaCosts* costs, const wkCenterWork* work,
                                 wkCenterMethod method)
{
    wkCenterChoice choice = {.way = method == wk_centersExhaustive ? wk_wayCpuExhaustive
                                                                   : wk_wayCpuHierarchy};
    double copies = 0.0, least = (double)INFINITY;
    if (!work->isOnGpuA) {
        copies += wkWorkCost_Seconds(&costs->copy, work->countA > 0 ? work->countA : 0);
    }
    if (!work->isOnGpuB) {
        copies += wkWorkCost_Seconds(&costs->copy, work->countB > 0 ? work->countB : 0);
    }
    double queries = work->queryCount > 1 ? work->queryCount : 1;
    for (int way = 0; way < WK_CENTER_WAYS; ++way) {
        double query =
            wkCudaCosts_CenterSeconds(costs, (wkCenterWay)way, work->countA, work->countB);
        choice.seconds[way] = queries * query + (ways[way].isOnGpu ? copies : 0.0);
        bool isUsable = method == wk_centersChosen || method == ways[way].method;
        if (isUsable && choice.seconds[way] < least) {
            least = choice.seconds[way];
            choice.way = (wkCenterWay)way;
        }
    }
    return choice;
}

wkCenterChoice wkCudaCosts_ChooseCenters(const wkCudaCosts* costs, const wkCenterWork* work)
{
    static const wkCudaCosts unknown;
    static const wkCenterWork nothing;
    return wkChooseAmongWays(costs != NULL ? costs : &unknown, work != NULL ? work : &nothing,
                             wk_centersChosen);
}

int32_t wkCudaCosts_CenterCrossing(const wkCudaCosts* costs, int32_t count)
{
    int64_t crossing = -1;
    for (int64_t other = 1; other <= MOST_POINTS; other += other / 16 + 1) {
        wkCenterWork work = {
            .countA = count, .countB = (int32_t)other, .isOnGpuA = true, .isOnGpuB = true};
        bool isOnGpu = ways[wkCudaCosts_ChooseCenters(costs, &work).way].isOnGpu;
        crossing = !isOnGpu ? -1 : crossing < 0 ? other : crossing;
    }
    return (int32_t)crossing;
}
