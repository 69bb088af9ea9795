// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

#include "cuda/depth_frame.h"

#include <string.h>

// Names the first field in which two cameras differ; NULL: none.
static const char* differenceOf(const wkCamera* a, const wkCamera* b)
{
    const struct {
        const char* name;
        bool isSame;
    } fields[] = {
        {"width", a->width == b->width},
        {"height", a->height == b->height},
        {"fx", a->fx == b->fx},
        {"fy", a->fy == b->fy},
        {"cx", a->cx == b->cx},
        {"cy", a->cy == b->cy},
        {"distortion", a->distortion == b->distortion},
        {"coefficients", memcmp(a->coefficients, b->coefficients, sizeof a->coefficients) == 0},
    };
    for (size_t i = 0; i < sizeof fields / sizeof fields[0]; ++i) {
        if (!fields[i].isSame) {
            return fields[i].name;
        }
    }
    return NULL;
}

wkResult wkCheckFrame(const char* what, const wkCamera* camera, const wkDepthImage* image)
{
    wkResult result = wkDepthImage_Check(image);
    if (result != wk_ok) {
        return result;
    }
    const char* field = differenceOf(camera, &image->camera);
    return field == NULL ? wk_ok
                         : wkFailCuda(wk_errorArgument,
                                      "%s: %s of the image is not that of the camera on the GPU",
                                      what, field);
}

wkResult wkSendFrame(wkDepthImage* image, void* pixels, cudaStream_t stream)
{
    size_t pixelBytes = image->type == wk_depthFloat ? sizeof(float) : sizeof(uint16_t);
    size_t width = (size_t)image->camera.width * pixelBytes, height = (size_t)image->camera.height;
    size_t rowBytes = image->rowBytes > 0 ? (size_t)image->rowBytes : width;
    const void* ofHost = image->pixels;
    image->pixels = pixels;
    image->rowBytes = 0;
    cudaError_t error =
        rowBytes == width
            ? cudaMemcpyAsync(pixels, ofHost, width * height, cudaMemcpyHostToDevice, stream)
            : cudaMemcpy2DAsync(pixels, width, ofHost, rowBytes, width, height,
                                cudaMemcpyHostToDevice, stream);
    return wkTakeCudaError(error, "sending pixels");
}
