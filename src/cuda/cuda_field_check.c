// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// Spheres against a field on a GPU. Those of the host are sent in pieces while others are checked.

#include "cuda/cuda_field_impl.h"

#include <inttypes.h>
#include <string.h>

#define SPHERE_BYTES ((int64_t)(4 * sizeof(float)))

static wkResult checkSpheres(const wkCudaField* field, const float* spheres, wkCudaMemory memory,
                             int64_t count)
{
    if (field == NULL || (spheres == NULL && count > 0)) {
        return wkFailCuda(wk_errorArgument, "cuda field: %s NULL",
                          field == NULL ? "field is" : "spheres are");
    }
    wkResult result = wkCheckCudaMemory("cuda field: memory", memory);
    if (result != wk_ok) {
        return result;
    }
    if (count < 0) {
        return wkFailCuda(wk_errorRange, "cuda field: count is %" PRId64 ", must be 0 or more",
                          count);
    }
    return wkCheckCudaNumbers(field->cuda, "cuda field: spheres", memory, spheres,
                              (size_t)SPHERE_BYTES);
}

// Submits the checks of spheres that are in the memory of the device.
static wkResult checkPiece(void* context, const wkCloudLayout* piece, int64_t first)
{
    wkCudaField* field = (wkCudaField*)context;
    wkLiveSpheres* spheres = &field->spheres;
    spheres->spheres = (const float*)(const void*)piece->data;
    spheres->count = piece->count;
    spheres->verdicts = field->verdicts + first;
    return wkTakeCudaError(wkLaunchLiveCheck(spheres, field->feed.kernels), "checking spheres");
}

// Checks no more than WK_FIELD_SPHERES_AT_ONCE spheres, and reads their verdicts.
static wkResult checkSome(wkCudaField* field, const wkCloudLayout* spheres, wkCudaMemory memory,
                          uint8_t* verdicts)
{
    cudaStream_t stream = field->feed.kernels;
    wkResult result = memory == wk_memoryDevice
                          ? checkPiece(field, spheres, 0)
                          : wkPointFeed_Run(&field->feed, spheres, checkPiece, field);
    if (result == wk_ok) {
        result = wkTakeCudaError(cudaMemcpyAsync(verdicts, field->verdicts, (size_t)spheres->count,
                                                 cudaMemcpyDeviceToHost, stream),
                                 "reading verdicts");
    }
    // nothing runs when the next ones begin
    wkResult done = wkTakeCudaError(cudaStreamSynchronize(stream), "checking spheres");
    if (result != wk_ok || done != wk_ok) {
        cudaStreamSynchronize(field->feed.copies);
    }
    return result == wk_ok ? done : result;
}

wkResult wkCudaField_CheckSpheres(wkCudaField* field, const float* spheres, wkCudaMemory memory,
                                  int64_t count, uint8_t* verdicts)
{
    size_t verdictCount = count > 0 ? (size_t)count : 0;
    if (verdicts == NULL && verdictCount > 0) {
        return wkFailCuda(wk_errorArgument, "cuda field: verdicts are NULL");
    }
    wkResult result = checkSpheres(field, spheres, memory, count);
    if (result == wk_ok && verdictCount == 0) {
        return wk_ok;
    }
    if (result == wk_ok) {
        result = wkUseCuda(field->cuda);
        field->spheres =
            (wkLiveSpheres){.field = field->build.field,
                            .origin = {field->origin.x, field->origin.y, field->origin.z},
                            .rounding = wkFieldRoundUp(field->rounding),
                            .objects = field->objects.view};
    }
    for (int64_t first = 0; first < count && result == wk_ok; first += WK_FIELD_SPHERES_AT_ONCE) {
        int64_t left = count - first;
        wkCloudLayout some = {.data = (const char*)spheres + first * SPHERE_BYTES,
                              .count =
                                  left < WK_FIELD_SPHERES_AT_ONCE ? left : WK_FIELD_SPHERES_AT_ONCE,
                              .stride = SPHERE_BYTES,
                              .pointBytes = SPHERE_BYTES};
        result = checkSome(field, &some, memory, verdicts + first);
    }
    // every verdict is written where nothing failed: they need not be cleared first
    if (result != wk_ok && verdictCount > 0) {
        memset(verdicts, wk_verdictUnchecked, verdictCount);
    }
    return result;
}
