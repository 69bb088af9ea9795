// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

#include "cuda/point_feed.h"

// Bytes of a piece where slots are larger: the kernel of the last one, which nothing hides, is short, and copies take
// longer than their submission.
#define PIECE_BYTES ((size_t)8 << 20)

wkResult wkPointFeed_Open(wkPointFeed* feed)
{
    cudaError_t error = cudaStreamCreateWithFlags(&feed->copies, cudaStreamNonBlocking);
    if (error == cudaSuccess) {
        error = cudaStreamCreateWithFlags(&feed->kernels, cudaStreamNonBlocking);
    }
    for (int i = 0; i < WK_FEED_SLOTS && error == cudaSuccess; ++i) {
        error = cudaEventCreateWithFlags(&feed->isFull[i], cudaEventDisableTiming);
        if (error == cudaSuccess) {
            error = cudaEventCreateWithFlags(&feed->isEmpty[i], cudaEventDisableTiming);
        }
    }
    return wkTakeCudaError(error, "making streams and events");
}

void wkPointFeed_Close(wkPointFeed* feed)
{
    for (int i = 0; i < WK_FEED_SLOTS; ++i) {
        if (feed->isFull[i] != NULL) {
            cudaEventDestroy(feed->isFull[i]);
        }
        if (feed->isEmpty[i] != NULL) {
            cudaEventDestroy(feed->isEmpty[i]);
        }
    }
    if (feed->kernels != NULL) {
        cudaStreamDestroy(feed->kernels);
    }
    if (feed->copies != NULL) {
        cudaStreamDestroy(feed->copies);
    }
}

bool wkIsAligned(const wkCloudLayout* points)
{
    uint64_t size = points->isDouble ? sizeof(double) : sizeof(float);
    uint64_t all = (uint64_t)(uintptr_t)points->data | (uint64_t)points->stride;
    for (int axis = 0; axis < 3; ++axis) {
        all |= (uint64_t)(uint32_t)points->offsets[axis];
    }
    return all % size == 0;
}

// Points of a piece: as many as fit into it.
static int64_t piecePoints(const wkPointFeed* feed, const wkCloudLayout* layout)
{
    size_t bytes = feed->slotBytes < PIECE_BYTES ? feed->slotBytes : PIECE_BYTES;
    size_t last = (size_t)layout->pointBytes;
    size_t step = (size_t)(layout->stride < 0 ? -layout->stride : layout->stride);
    if (last > bytes) {
        bytes = feed->slotBytes;
    }
    if (last > bytes) {
        return 0;
    }
    return step == 0 ? layout->count : (int64_t)((bytes - last) / step) + 1;
}

// Sends points to a slot and describes them there. Their bytes are sent as they are.
static cudaError_t fillSlot(wkPointFeed* feed, const wkCloudLayout* layout, int64_t first,
                            int64_t count, int slot, wkCloudLayout* piece)
{
    const char* begin = layout->data + first * layout->stride;
    int64_t behind = (count - 1) * layout->stride;
    const char* lowest = behind < 0 ? begin + behind : begin;
    size_t bytes = (size_t)((behind < 0 ? -behind : behind) + layout->pointBytes);
    char* memory = feed->memory + (size_t)slot * feed->slotBytes;
    *piece = *layout;
    piece->data = memory + (begin - lowest);
    piece->count = count;
    cudaError_t error = cudaStreamWaitEvent(feed->copies, feed->isEmpty[slot], 0);
    if (error == cudaSuccess) {
        error = cudaMemcpyAsync(memory, lowest, bytes, cudaMemcpyHostToDevice, feed->copies);
    }
    error = error == cudaSuccess ? cudaEventRecord(feed->isFull[slot], feed->copies) : error;
    return error == cudaSuccess ? cudaStreamWaitEvent(feed->kernels, feed->isFull[slot], 0) : error;
}

wkResult wkPointFeed_Run(wkPointFeed* feed, const wkCloudLayout* layout, wkPieceFcn* piece,
                         void* context)
{
    int64_t most = piecePoints(feed, layout);
    if (most <= 0) {
        return wkFailCuda(wk_errorRange,
                          "cuda: a point has %lld bytes, pointBytes has space for %zu",
                          (long long)layout->pointBytes, feed->slotBytes);
    }
    wkResult result = wk_ok;
    int slot = 0;
    for (int64_t first = 0; first < layout->count && result == wk_ok; first += most) {
        int64_t left = layout->count - first;
        wkCloudLayout sent;
        result =
            wkTakeCudaError(fillSlot(feed, layout, first, left < most ? left : most, slot, &sent),
                            "sending points");
        result = result == wk_ok ? piece(context, &sent, first) : result;
        if (result == wk_ok) {
            result = wkTakeCudaError(cudaEventRecord(feed->isEmpty[slot], feed->kernels),
                                     "sending points");
        }
        slot = (slot + 1) % WK_FEED_SLOTS;
    }
    return result;
}
