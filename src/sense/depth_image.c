// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// Cameras and depth images: defaults, validation, single pixels.

#include "sense/depth_image_impl.h"

#include "base/cookie.h"
#include "base/error.h"
#include "base/range.h"
#include "sense/lens.h"

#include "whisker/detail/counts.h"

// Maximum focal length and distance between pixels: products of them stay finite.
#define LARGEST_LENGTH 1e9
#define LEAST_LENGTH 1e-6
// Maximum coordinate of a camera position: as for the coordinates of shapes.
#define LARGEST_COORDINATE 1e60
#define LARGEST_SCALE 1e9
#define LEAST_SCALE 1e-9

wkCamera wkDefaultCamera(void)
{
    wkCamera camera = {
        .cookie = WK_COOKIE(wkCamera),
        .width = 640,
        .height = 480,
        .fx = 525.0,
        .fy = 525.0,
        .cx = 319.5,
        .cy = 239.5,
    };
    return camera;
}

wkDepthImage wkDefaultDepthImage(void)
{
    wkDepthImage image = {
        .camera = wkDefaultCamera(),
        .pose = wkIdentityPose(),
        .scale = 0.001,
        .cookie = WK_COOKIE(wkDepthImage),
    };
    return image;
}

wkResult wkCamera_Check(const wkCamera* camera)
{
    if (!WK_HAS_COOKIE(camera, wkCamera)) {
        return WK_FAIL_COOKIE(camera, wkCamera);
    }
    const wkNamedNumber numbers[] = {
        {"width", camera->width, 1, WK_MAX_IMAGE_SIDE},
        {"height", camera->height, 1, WK_MAX_IMAGE_SIDE},
        {"fx", camera->fx, LEAST_LENGTH, LARGEST_LENGTH},
        {"fy", camera->fy, LEAST_LENGTH, LARGEST_LENGTH},
        {"cx", camera->cx, -LARGEST_LENGTH, LARGEST_LENGTH},
        {"cy", camera->cy, -LARGEST_LENGTH, LARGEST_LENGTH},
        {"distortion", (double)(int)camera->distortion, 0, WK_DISTORTION_COUNT - 1},
        {"coefficients[0]", camera->coefficients[0], -LARGEST_LENGTH, LARGEST_LENGTH},
        {"coefficients[1]", camera->coefficients[1], -LARGEST_LENGTH, LARGEST_LENGTH},
        {"coefficients[2]", camera->coefficients[2], -LARGEST_LENGTH, LARGEST_LENGTH},
        {"coefficients[3]", camera->coefficients[3], -LARGEST_LENGTH, LARGEST_LENGTH},
        {"coefficients[4]", camera->coefficients[4], -LARGEST_LENGTH, LARGEST_LENGTH},
        {"coefficients[5]", camera->coefficients[5], -LARGEST_LENGTH, LARGEST_LENGTH},
        {"coefficients[6]", camera->coefficients[6], -LARGEST_LENGTH, LARGEST_LENGTH},
        {"coefficients[7]", camera->coefficients[7], -LARGEST_LENGTH, LARGEST_LENGTH},
    };
    return wkCheckNumbers("camera", numbers, sizeof numbers / sizeof numbers[0]);
}

static wkResult checkRows(const wkDepthImage* image)
{
    int64_t pixelBytes = image->type == wk_depthFloat ? 4 : 2;
    int64_t leastBytes = image->camera.width * pixelBytes;
    bool isValid = image->rowBytes >= leastBytes && image->rowBytes % pixelBytes == 0;
    if (image->rowBytes != 0 && !isValid) {
        return wkFail(wk_errorRange,
                      "depth image: rowBytes is %d, must be 0, or %d and more in steps of %d",
                      (int)image->rowBytes, (int)leastBytes, (int)pixelBytes);
    }
    return wk_ok;
}

wkResult wkDepthImage_Check(const wkDepthImage* image)
{
    if (!WK_HAS_COOKIE(image, wkDepthImage)) {
        return WK_FAIL_COOKIE(image, wkDepthImage);
    }
    wkResult result = wkCamera_Check(&image->camera);
    if (result != wk_ok) {
        return result;
    }
    if (image->pixels == NULL) {
        return wkFail(wk_errorArgument, "depth image: pixels are NULL");
    }
    const wkNamedNumber numbers[] = {
        {"type", (double)(int)image->type, 0, wk_depthFloat},
        {"scale", image->scale, LEAST_SCALE, LARGEST_SCALE},
    };
    result = wkCheckNumbers("depth image", numbers, sizeof numbers / sizeof numbers[0]);
    if (result == wk_ok && !wkIsValidPose(image->pose)) {
        result = wkFail(wk_errorNotFinite, "depth image: pose is not finite, or has no rotation");
    }
    if (result == wk_ok && wkMaxAbs(image->pose.position) > LARGEST_COORDINATE) {
        result =
            wkFail(wk_errorRange, "depth image: position of pose is beyond %g", LARGEST_COORDINATE);
    }
    return result == wk_ok ? checkRows(image) : result;
}

float wkDepthImage_At(const wkDepthImage* image, int32_t u, int32_t v)
{
    return wkDepthAt(image, u, v);
}

static bool isKnownDistortion(const wkCamera* camera)
{
    return (unsigned)camera->distortion < WK_DISTORTION_COUNT;
}

bool wkCamera_Project(const wkCamera* camera, wkVec3d point, double* u, double* v)
{
    *u = *v = NAN;
    if (!isKnownDistortion(camera)) {
        return false;
    }
    wkLens lens = wkMakeLens(camera);
    return wkLens_Project(&lens, point, u, v);
}

wkVec3d wkCamera_Unproject(const wkCamera* camera, double u, double v)
{
    if (!isKnownDistortion(camera)) {
        return wkVec(NAN, NAN, NAN);
    }
    wkLens lens = wkMakeLens(camera);
    return wkLens_Unproject(&lens, u, v);
}
