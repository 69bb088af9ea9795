// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// Memory of runs of filters on a GPU.

#include "cuda/device_filter.h"
#include "cuda/point_feed.h"
#include "cuda/radix_sort.h"

struct wkCudaFilter {
    wkCuda* cuda;
    int32_t pointCapacity;
    int32_t sphereCapacity;
    char* memory;          // of the device: everything below, and slots for points
    wkDevicePoints points; // without a count
    int32_t* given;        // indices of a request
    int32_t* kept[2];      // indices of points that are left, in turn
    wkPointItem* items;    // of the steps
    wkSphere3d* spheres;   // of all robots
    char* written;         // positions of kept points
    uint64_t* entries;     //
    uint64_t* spare;       //
    uint32_t* sortCounts;  //
    float* sorted[3];      // coordinates
    int32_t* ids;          //
    wkPointNode* nodes;    //
    float* means;          //
    wkMeanSums* sums;      //
    float* centroids;      // of kept points
    char* pinned;          // on the host: everything below
    wkDeviceFigures* pinnedFigures;
    wkPointItem* pinnedItems;
    wkSphere3d* pinnedSpheres;
    uint8_t* pinnedMarks;
    int32_t* pinnedKept;
    char* pinnedPoints;
    wkVec3d* pinnedOrigin;
    wkMeanSums* pinnedSums;
    float* pinnedCentroids;
    wkPointFeed feed;
};
