// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// Cameras as text: refused with words and nothing changed, or a camera that can be used, for pixels too.

#include "whisker/io.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size);

static void fuzzFail(const char* what)
{
    fprintf(stderr, "%s; last words: %s\n", what, wkGetLastError());
    abort();
}

// What a pixel sees is seen by that pixel.
static void fuzzPixel(const wkCamera* camera, double u, double v)
{
    double backU = 0.0, backV = 0.0;
    wkVec3d ray = wkCamera_Unproject(camera, u, v);
    if (isnan(ray.z)) {
        return;
    }
    if (!isfinite(ray.x) || !isfinite(ray.y) || ray.z != 1.0) {
        fuzzFail("a pixel that sees no point");
    }
    if (wkCamera_Project(camera, ray, &backU, &backV) && (isnan(backU) || isnan(backV))) {
        fuzzFail("a point at no pixel");
    }
}

int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size)
{
    wkDepthImage image = wkDefaultDepthImage(), before = image;
    wkResult result = wkDepthImage_ParseCamera(data, size, &image);
    if (result == wk_ok) {
        if (image.camera.width == 0 && image.camera.height == 0) {
            image.camera.width = image.camera.height = 2; // the file leaves the size to the pixels
        }
        if (wkCamera_Check(&image.camera) != wk_ok || !wkIsValidPose(image.pose)) {
            fuzzFail("a camera that cannot be used");
        }
        fuzzPixel(&image.camera, 0.0, 0.0);
        fuzzPixel(&image.camera, image.camera.cx, image.camera.cy);
        fuzzPixel(&image.camera, image.camera.width, image.camera.height);
    } else if (wkGetLastError()[0] == '\0') {
        fuzzFail("refused without words");
    } else if (memcmp(&image.camera.fx, &before.camera.fx, sizeof image.camera.fx) != 0) {
        fuzzFail("refused, and changed");
    }
    if (wkGetByteCount() != 0) {
        fuzzFail("memory was left behind");
    }
    return 0;
}
