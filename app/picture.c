// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// Pixels and the camera.

#include "picture.h"

#include "vector.h"

#include <math.h>
#include <stdlib.h>

bool wkPicture_Create(wkPicture* picture, int width, int height)
{
    size_t count = (size_t)width * (size_t)height;
    *picture = (wkPicture){.width = width, .height = height};
    picture->pixels = calloc(count, sizeof(wkColor));
    return picture->pixels != NULL;
}

void wkPicture_Destroy(wkPicture* picture)
{
    free(picture->pixels);
    free(picture->png);
    *picture = (wkPicture){0};
}

void wkPicture_Blend(wkPicture* picture, int x, int y, wkColor color, double opacity)
{
    if (x < 0 || x >= picture->width || y < 0 || y >= picture->height || !(opacity > 0.0)) {
        return;
    }
    double share = fmin(opacity, 1.0);
    wkColor* pixel = &picture->pixels[y * picture->width + x];
    pixel->r += share * (color.r - pixel->r);
    pixel->g += share * (color.g - pixel->g);
    pixel->b += share * (color.b - pixel->b);
}

wkViewpoint wkMakeViewpoint(wkVec3d eye, wkVec3d target, double fieldOfView, int width, int height)
{
    wkViewpoint camera;
    camera.eye = eye;
    camera.forward = wkVec_Unit(wkVec_Sub(target, eye));
    camera.right = wkVec_Unit(wkVec_Cross(camera.forward, (wkVec3d){0.0, 0.0, 1.0}));
    camera.down = wkVec_Cross(camera.forward, camera.right);
    camera.focal = 0.5 * width / tan(0.5 * fieldOfView);
    camera.centerX = 0.5 * width;
    camera.centerY = 0.5 * height;
    return camera;
}

wkRay wkViewpointRay(const wkViewpoint* camera, double x, double y)
{
    double u = (x - camera->centerX) / camera->focal;
    double v = (y - camera->centerY) / camera->focal;
    wkVec3d direction = wkVec_MulAdd(camera->forward, u, camera->right);
    direction = wkVec_MulAdd(direction, v, camera->down);
    return (wkRay){camera->eye, wkVec_Unit(direction), INFINITY};
}

bool wkProjectPoint(const wkViewpoint* camera, wkVec3d point, double* x, double* y)
{
    wkVec3d offset = wkVec_Sub(point, camera->eye);
    double depth = wkVec_Dot(offset, camera->forward);
    if (!(depth > 0.0)) {
        return false;
    }
    *x = camera->centerX + camera->focal * wkVec_Dot(offset, camera->right) / depth;
    *y = camera->centerY + camera->focal * wkVec_Dot(offset, camera->down) / depth;
    return true;
}
