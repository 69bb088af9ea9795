// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// Brings points of the host to a GPU, piece by piece: a few slots in the memory of the GPU are filled in turn on one
// stream, while kernels on another one read those that are full.

#include "cuda/cuda_impl.h"
#include "tree/cloud/cloud_view.h"

#define WK_FEED_SLOTS 4

typedef struct wkPointFeed {
    char* memory;     // of all slots, in the memory of the device; borrowed
    size_t slotBytes; //
    cudaStream_t copies, kernels;
    cudaEvent_t isFull[WK_FEED_SLOTS];  // on the stream of copies
    cudaEvent_t isEmpty[WK_FEED_SLOTS]; // on the stream of kernels
} wkPointFeed;

// Returns whether coordinates are at multiples of their size, which kernels read fastest.
bool wkIsAligned(const wkCloudLayout* points);

// Makes streams and events.
// @return wk_errorMemory, wk_errorDevice; wkPointFeed_Close is called even then
wkResult wkPointFeed_Open(wkPointFeed* feed);
void wkPointFeed_Close(wkPointFeed* feed);

// Compares the points of a piece that is in the memory of the device, on the stream of kernels.
// @param layout of the piece
// @param first index of its first point among all
typedef wkResult wkPieceFcn(void* context, const wkCloudLayout* layout, int64_t first);

// Sends all points of a layout and calls `piece` for each part of them, in their order.
// @return wk_errorRange: a point is larger than a slot; wk_errorDevice; what `piece` returns
wkResult wkPointFeed_Run(wkPointFeed* feed, const wkCloudLayout* layout, wkPieceFcn* piece,
                         void* context);
