// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

#include "cuda/live_place.h"

#include "cuda/cuda_field.h"
#include "math/round.h"

wkResult wkCheckLiveFields(const wkCudaBatch* batch, const wkCudaStatesRequest* request)
{
    if (request->fieldCount < 0 || request->fieldCount > WK_MOST_LIVE) {
        return wkFailCuda(wk_errorRange, "cuda batch: fieldCount is %d, must be 0 to %d",
                          (int)request->fieldCount, WK_MOST_LIVE);
    }
    for (int32_t i = 0; i < request->fieldCount; ++i) {
        if (request->fields == NULL || request->fields[i] == NULL ||
            wkDeviceOfField(request->fields[i]) != batch->cuda->info.device) {
            return wkFailCuda(wk_errorArgument, "cuda batch: fields[%d] is NULL or on another GPU",
                              (int)i);
        }
    }
    return wk_ok;
}

// More than half a unit in the last place of a float, along three axes.
#define FLOAT_SHARE 0x1p-23

void wkPlaceLiveFields(const wkCudaBatch* batch, const wkCudaStatesRequest* request,
                       wkDeviceLive* lives, wkLiveObjects* objects)
{
    wkVec3d origin = batch->batch->program->origin;
    for (int32_t i = 0; i < request->fieldCount; ++i) {
        const wkCudaField* field = request->fields[i];
        wkDeviceLive* live = &lives[i];
        wkVec3d offset = wkSub(origin, wkOriginOfField(field));
        live->field = *wkViewOfField(field);
        objects[i] = *wkObjectsOfField(field);
        live->offset[0] = (float)offset.x;
        live->offset[1] = (float)offset.y;
        live->offset[2] = (float)offset.z;
        // the offset is rounded, and so are sums: centers in the region are no larger than it
        live->rounding = wkRoundUp(wkRoundingOfField(field) + FLOAT_SHARE * wkMaxAbs(offset));
    }
}
