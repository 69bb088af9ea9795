// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// A field on a GPU: its memory (cuda_field.c), its frames (cuda_field_frame.c), its objects (cuda_field_objects.c) and its
// queries (cuda_field_check.c).

#include "cuda/cuda_field.h"
#include "cuda/point_feed.h"

// Spheres whose verdicts are read at once.
#define WK_FIELD_SPHERES_AT_ONCE ((int64_t)1 << 20)

// Objects of a field. Those in the lists of tiles come first, large ones last.
typedef struct wkFieldObjects {
    int32_t capacity;
    int32_t listedCount, largeCount;
    int64_t tileCount;          // entries of lists
    bool isSet;                 // else they were refused, and so are frames
    bool isSent;                // these are on the device, with their lists
    wkLiveObject* pinned;       // on the host
    wkLiveBounds* pinnedBounds; //
    wkLiveObject* objects;      // of the device
    wkLiveBounds* bounds;       //
    uint32_t* list;             //
    wkLiveRange* tiles;         //
    uint32_t* listCount;        // behind the tiles
    size_t clearBytes;          // from the tiles on
    float cellRadius;           // of spheres around cells, rounding included
    wkLiveObjects view;         // those of the last frame
} wkFieldObjects;

struct wkCudaField {
    wkCuda* cuda;
    wkVec3d origin; // the middle of the region
    double rounding;
    int64_t pointCapacity;
    wkLiveBuild build;
    char* memory;               // of the device: all arrays, and slots for points
    size_t byteCount;           //
    size_t clearBytes;          // from the status on: what is zero before points are taken
    bool isClean;               // kernels have left all of it zero, but for the status
    uint8_t* verdicts;          // of WK_FIELD_SPHERES_AT_ONCE spheres
    wkLiveOwn* own;             // spheres of the robot itself
    int32_t ownCapacity;        //
    wkLiveOwn* pinnedOwn;       // on the host
    wkLiveStatus* pinnedStatus; //
    wkLiveStatus status;        // of the last frame
    wkFieldObjects objects;
    wkPointFeed feed;
    cudaEvent_t isTaken, isListed; // points, of the update that runs
    cudaEvent_t isReady;           // all of it
    bool allowsEmpty;              // of the request
    wkLiveTake take;               // of the update that runs
    wkLiveSpheres spheres;         // of the query that runs
};

// Forgets the last frame: it is out of date, whatever fails.
void wkForgetFrame(wkCudaField* field);

// Submits what a frame needs of the objects before points: new ones are sent.
// @return wk_errorArgument where the last objects were refused
wkResult wkBeginObjects(wkCudaField* field, cudaStream_t stream);

// Submits the lists of new objects, and the marks of all: when cells of points may have theirs, and before distances.
cudaError_t wkSubmitObjects(wkCudaField* field, cudaStream_t stream);

// Returns the greatest float that is at most a number, or somewhat less.
WK_FN float wkFieldRoundDown(double value)
{
    return (float)(value * (1.0 - 0x1p-22));
}

WK_FN float wkFieldRoundUp(double value)
{
    return (float)(value * (1.0 + 0x1p-22));
}
