// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// Frames of a field on a GPU: what is checked, sent and submitted. Points of the host are sent in pieces while others are
// taken; those of depth images are made on the GPU.

#include "cuda/cuda_camera.h"
#include "cuda/cuda_field_impl.h"

#include "base/cookie.h"
#include "fit/sphere_tree/scan_item.h"

#include <inttypes.h>
#include <string.h>

wkCudaFieldRequest wkDefaultCudaFieldRequest(void)
{
    wkCudaFieldRequest request = {.cookie = WK_COOKIE(wkCudaFieldRequest)};
    return request;
}

void wkForgetFrame(wkCudaField* field)
{
    field->build.field.isKnown = false;
    memset(&field->status, 0, sizeof field->status);
}

static wkResult checkOwn(const wkCudaField* field, const wkCudaFieldRequest* request)
{
    if (request->ownCount < 0 || request->ownCount > field->ownCapacity) {
        return wkFailCuda(wk_errorRange, "cuda field: ownCount is %d, must be 0 to %d, ownCapacity",
                          (int)request->ownCount, (int)field->ownCapacity);
    }
    if (request->ownSpheres == NULL && request->ownCount > 0) {
        return wkFailCuda(wk_errorArgument, "cuda field: ownSpheres are NULL, ownCount is %d",
                          (int)request->ownCount);
    }
    if (!(request->ownPadding >= 0.0) || request->ownPadding > WK_SCAN_REACH) {
        return wkFailCuda(wk_errorRange, "cuda field: ownPadding is %g m, must be 0 to %g",
                          request->ownPadding, WK_SCAN_REACH);
    }
    for (int32_t i = 0; i < request->ownCount; ++i) {
        const wkSphere3d* own = &request->ownSpheres[i];
        // comparisons with NaN are false
        if (!(wkMaxAbs(own->center) <= WK_SCAN_REACH && wkIsFiniteVec(own->center) &&
              own->radius >= 0.0 && own->radius <= WK_SCAN_REACH)) {
            return wkFailCuda(wk_errorNotFinite, "cuda field: ownSpheres[%d] is not a sphere",
                              (int)i);
        }
    }
    return wk_ok;
}

// Checks a request; NULL: the default one.
static wkResult checkRequest(const wkCudaField* field, const wkCudaFieldRequest* request,
                             wkCudaFieldRequest* checked)
{
    *checked = wkDefaultCudaFieldRequest();
    if (request == NULL) {
        return wk_ok;
    }
    if (!WK_HAS_COOKIE(request, wkCudaFieldRequest)) {
        return WK_FAIL_COOKIE(request, wkCudaFieldRequest);
    }
    *checked = *request;
    if (!(request->radius >= 0.0) || request->radius > WK_SCAN_REACH) {
        return wkFailCuda(wk_errorRange, "cuda field: radius is %g m, must be 0 to %g",
                          request->radius, WK_SCAN_REACH);
    }
    return checkOwn(field, request);
}

// Sends the spheres of the robot itself. They are smaller by all rounding: a point that is left out is inside.
static cudaError_t sendOwn(wkCudaField* field, const wkCudaFieldRequest* request,
                           cudaStream_t stream)
{
    for (int32_t i = 0; i < request->ownCount; ++i) {
        const wkSphere3d* own = &request->ownSpheres[i];
        wkVec3d center = wkSub(own->center, field->origin);
        // rounding of the center and of points, which are as far away as the center and the radius are
        double whole = own->radius + request->ownPadding;
        double lost = 4.0 * field->rounding + 0x1p-20 * (wkMaxAbs(center) + whole);
        double radius = wkMaxD(whole - lost, 0.0);
        field->pinnedOwn[i] = (wkLiveOwn){(float)center.x, (float)center.y, (float)center.z,
                                          wkFieldRoundDown(radius * radius)};
    }
    size_t bytes = (size_t)request->ownCount * sizeof(wkLiveOwn);
    return bytes > 0 ? cudaMemcpyAsync(field->own, field->pinnedOwn, bytes, cudaMemcpyHostToDevice,
                                       stream)
                     : cudaSuccess;
}

wkResult wkBeginField(wkCudaField* field, int64_t pointCount, wkPose pose,
                      const wkCudaFieldRequest* request, wkLiveTake* take, cudaStream_t stream)
{
    double radius = request->radius;
    wkLiveBuild* build = &field->build;
    wkForgetFrame(field);
    build->pointCount = (int32_t)pointCount;
    wkResult result = wkBeginObjects(field, stream);
    if (result != wk_ok) {
        return result;
    }
    build->leastRadius = wkFieldRoundDown(radius);
    if (wkHasLiveObjects(&field->objects.view)) {
        build->leastRadius = -WK_MARK_SLACK * build->sizeAbove;
    }
    field->allowsEmpty = request->allowsEmpty;
    // The origin is subtracted before points are transformed. Coordinates of points that count are at most those of the
    // field and of their frame: what doubles lose of them is added, too.
    wkFrame frame = wkFrameFromPose(pose);
    frame.position = wkSub(frame.position, field->origin);
    double largest = wkMaxAbs(frame.position) + field->rounding * 0x1p24;
    *take = (wkLiveTake){.build = *build,
                         .frame = frame,
                         .radius = radius + field->rounding + 0x1p-48 * largest,
                         .own = field->own,
                         .ownCount = request->ownCount};
    size_t bytes = field->isClean ? sizeof *build->status : field->clearBytes;
    field->isClean = false;
    cudaError_t error = cudaMemsetAsync(build->status, 0, bytes, stream);
    error = error == cudaSuccess ? sendOwn(field, request, stream) : error;
    return wkTakeCudaError(error, "clearing a field");
}

wkResult wkFinishField(wkCudaField* field, cudaStream_t stream)
{
    wkLiveBuild* build = &field->build;
    cudaStream_t aside = field->feed.copies;
    // the list is made while distances are computed
    cudaError_t error = cudaEventRecord(field->isTaken, stream);
    error = error == cudaSuccess ? cudaStreamWaitEvent(aside, field->isTaken, 0) : error;
    error = error == cudaSuccess ? wkLaunchLiveRanges(build, aside) : error;
    if (error == cudaSuccess && build->pointCount > 0) {
        error = wkLaunchLiveList(build, aside);
    }
    error = error == cudaSuccess ? cudaEventRecord(field->isListed, aside) : error;
    error = error == cudaSuccess ? wkSubmitObjects(field, stream) : error;
    error = error == cudaSuccess ? wkLaunchLiveSquares(build, stream) : error;
    error = error == cudaSuccess ? wkLaunchLiveWords(build, stream) : error;
    error = error == cudaSuccess ? cudaStreamWaitEvent(stream, field->isListed, 0) : error;
    build->field.isKnown = field->isClean = error == cudaSuccess;
    return wkTakeCudaError(error, "filling a field");
}

static wkResult checkFrame(const wkCudaField* field, int64_t pointCount, wkPose pose)
{
    if (pointCount > field->pointCapacity) {
        return wkFailCuda(wk_errorRange,
                          "cuda field: %" PRId64 " points, pointCapacity is %" PRId64, pointCount,
                          field->pointCapacity);
    }
    if (!wkIsValidPose(pose)) {
        return wkFailCuda(wk_errorNotFinite,
                          "cuda field: pose is not finite, or its rotation is zero");
    }
    if (wkMaxAbs(pose.position) > WK_SCAN_REACH) {
        return wkFailCuda(wk_errorRange, "cuda field: pose.position is beyond %g", WK_SCAN_REACH);
    }
    return wk_ok;
}

static wkResult takePiece(void* context, const wkCloudLayout* points, int64_t first)
{
    wkCudaField* field = (wkCudaField*)context;
    wkLiveTake* take = &field->take;
    take->layout = *points;
    take->firstPoint = first;
    take->isAligned = wkIsAligned(points);
    return wkTakeCudaError(wkLaunchLiveTake(take, field->feed.kernels), "sorting points");
}

// Submits what makes a field of the points that were taken, and tells what it has found.
static wkResult finishFrame(wkCudaField* field)
{
    cudaStream_t stream = field->feed.kernels;
    wkResult result = wkFinishField(field, stream);
    if (result != wk_ok) {
        return result;
    }
    cudaError_t error =
        cudaMemcpyAsync(field->pinnedStatus, field->build.status, sizeof *field->pinnedStatus,
                        cudaMemcpyDeviceToHost, stream);
    error = error == cudaSuccess ? cudaEventRecord(field->isReady, stream) : error;
    return wkTakeCudaError(error, "reading counts of points");
}

// Submits an update.
static wkResult submitFrame(wkCudaField* field, const wkCloudLayout* points, wkCudaMemory memory,
                            wkPose pose, const wkCudaFieldRequest* request)
{
    cudaStream_t stream = field->feed.kernels;
    wkResult result = wkBeginField(field, points->count, pose, request, &field->take, stream);
    if (result == wk_ok && points->count > 0) {
        result = memory == wk_memoryDevice
                     ? takePiece(field, points, 0)
                     : wkPointFeed_Run(&field->feed, points, takePiece, field);
    }
    return result == wk_ok ? finishFrame(field) : result;
}

wkResult wkSubmitDepthToField(wkCudaField* field, const wkCudaCamera* camera,
                              const wkDepthImage* image, wkCudaMemory memory,
                              const wkCudaFieldRequest* request)
{
    cudaStream_t stream = field->feed.kernels;
    wkCudaFieldRequest checked;
    wkForgetFrame(field);
    wkResult result = wkCheckCameraImage(camera, image, memory);
    result = result == wk_ok ? checkRequest(field, request, &checked) : result;
    if (result == wk_ok && wkDeviceOfCamera(camera) != field->cuda->info.device) {
        return wkFailCuda(wk_errorArgument, "cuda field: the field is on GPU %d, the camera on %d",
                          (int)field->cuda->info.device, (int)wkDeviceOfCamera(camera));
    }
    wkDeviceDepth depth;
    if (result == wk_ok) {
        depth = wkDepthOfCamera(camera, image);
        result = checkFrame(field, (int64_t)depth.columnCount * depth.rowCount, image->pose);
    }
    result = result == wk_ok ? wkUseCuda(field->cuda) : result;
    result = result == wk_ok ? wkUnproject(camera, &depth, memory, stream) : result;
    if (result != wk_ok) {
        return result;
    }
    wkLiveTake take;
    int64_t count = (int64_t)depth.columnCount * depth.rowCount;
    wkCloudView view = wkMakeCloudView(depth.points, count);
    result = wkBeginField(field, count, image->pose, &checked, &take, stream);
    result = result == wk_ok ? wkCloudView_LayOut(&view, &take.layout) : result;
    take.isAligned = true;
    if (result == wk_ok) {
        result = wkTakeCudaError(wkLaunchLiveTake(&take, stream), "sorting points");
    }
    return result == wk_ok ? finishFrame(field) : result;
}

// Why the frame that has ended is refused, or wk_ok.
static wkResult classifyFrame(const wkCudaField* field)
{
    const wkLiveStatus* status = field->pinnedStatus;
    if (status->badMark != 0) {
        return wkFailCuda(wk_errorRange,
                          "cuda field: the radius of point %" PRIu32 " is not 0 to %g",
                          UINT32_MAX - status->badMark, WK_SCAN_REACH);
    }
    if (!field->allowsEmpty && status->takenCount == 0 && status->beyondCount == 0 &&
        status->ownCount == 0) {
        return wkFailCuda(wk_errorArgument,
                          "cuda field: none of %d points is finite; allowsEmpty takes that",
                          (int)field->build.pointCount);
    }
    return wk_ok;
}

wkResult wkEndFrame(wkCudaField* field, wkResult result)
{
    cudaStream_t stream = field->feed.kernels;
    wkResult done = wkTakeCudaError(cudaStreamSynchronize(stream), "filling a field");
    if (result != wk_ok || done != wk_ok) {
        cudaStreamSynchronize(field->feed.copies); // nothing reads the points any more
        wkForgetFrame(field);
        field->objects.isSent = false;
        return result != wk_ok ? result : done;
    }
    result = classifyFrame(field);
    if (result == wk_ok) {
        field->status = *field->pinnedStatus;
    } else {
        wkForgetFrame(field);
    }
    return result;
}

wkResult wkCudaField_Update(wkCudaField* field, const wkCloudView* points, wkCudaMemory memory,
                            wkPose pose, const wkCudaFieldRequest* request)
{
    if (field == NULL) {
        return wkFailCuda(wk_errorArgument, "cuda field: field is NULL");
    }
    wkForgetFrame(field);
    if (points == NULL) {
        return wkFailCuda(wk_errorArgument, "cuda field: points are NULL");
    }
    wkCloudLayout layout;
    wkCudaFieldRequest checked;
    wkResult result = wkCheckCudaMemory("cuda field: memory", memory);
    result = result == wk_ok ? wkCloudView_LayOut(points, &layout) : result;
    result = result == wk_ok ? checkRequest(field, request, &checked) : result;
    result = result == wk_ok ? checkFrame(field, layout.count, pose) : result;
    if (result == wk_ok && layout.count > 0) {
        result = wkCheckCudaNumbers(field->cuda, "cuda field: points", memory, layout.data, 1);
    }
    result = result == wk_ok ? wkUseCuda(field->cuda) : result;
    if (result != wk_ok) {
        return result;
    }
    return wkEndFrame(field, submitFrame(field, &layout, memory, pose, &checked));
}

wkResult wkCudaField_UpdateFromDepth(wkCudaField* field, wkCudaCamera* camera,
                                     const wkDepthImage* image, wkCudaMemory memory,
                                     const wkCudaFieldRequest* request)
{
    if (field == NULL) {
        return wkFailCuda(wk_errorArgument, "cuda field: field is NULL");
    }
    return wkEndFrame(field, wkSubmitDepthToField(field, camera, image, memory, request));
}
