// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// The nearest points of two clouds by the way that is predicted to be the fastest.

#include "cuda/cost_ways.h"
#include "cuda/cuda_cloud.h"

#include <math.h>

// Searches on the CPU. Of several pairs at distance 0, its hierarchy may report another one than all other ways do: the GPU
// is asked for theirs then.
static wkCenterResult searchOnCpu(wkCudaCloud* a, wkPose poseA, wkCudaCloud* b, wkPose poseB,
                                  const wkCenterRequest* request)
{
    wkCenterResult found =
        wkCenterDistance(wkCloudOfHost(a), poseA, wkCloudOfHost(b), poseB, request);
    bool isOpen = found.status == wk_statusExact && found.distance == 0.0 &&
                  request->method == wk_centersHierarchy;
    return isOpen ? wkCudaCloud_CenterDistance(a, poseA, b, poseB, request) : found;
}

wkCenterResult wkCudaCosts_CenterDistance(const wkCudaCosts* costs, wkCudaCloud* a, wkPose poseA,
                                          wkCudaCloud* b, wkPose poseB,
                                          const wkCenterRequest* request, wkCenterChoice* choice)
{
    wkCenterRequest chosen = request != NULL ? *request : wkDefaultCenterRequest();
    wkResult result = costs != NULL ? wkCheckCudaClouds(a, b)
                                    : wkFailCuda(wk_errorArgument, "cuda costs: costs is NULL");
    wkCenterChoice way = {.way = wk_wayCpuHierarchy};
    for (int i = 0; i < WK_CENTER_WAYS; ++i) {
        way.seconds[i] = (double)INFINITY;
    }
    if (result == wk_ok) {
        wkCenterWork work = {.countA = wkCloud_Info(wkCloudOfHost(a)).pointCount,
                             .countB = wkCloud_Info(wkCloudOfHost(b)).pointCount,
                             .isOnGpuA = true,
                             .isOnGpuB = true};
        way = wkChooseAmongWays(costs, &work, chosen.method);
    }
    if (choice != NULL) {
        *choice = way;
    }
    if (result != wk_ok) {
        return (wkCenterResult){
            .distance = (double)-INFINITY, .rankA = -1, .rankB = -1, .status = wk_statusInvalid};
    }
    const wkCenterWayRow* row = wkRowOfWay(way.way);
    bool isKnown = (unsigned)chosen.method <= wk_centersHierarchy; // others are refused by both
    chosen.method = isKnown ? row->method : chosen.method;
    return row->isOnGpu ? wkCudaCloud_CenterDistance(a, poseA, b, poseB, &chosen)
                        : searchOnCpu(a, poseA, b, poseB, &chosen);
}
