// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// Converts pixels to points. All pixels are written, and invalid ones are overwritten by
// the next: there is no branch to mispredict.

#include "sense/depth_reader.h"

#include "base/cookie.h"
#include "base/error.h"
#include "sense/depth_item.h"
#include "sense/pixel_rays.h"
#include "whisker/detail/device.h"

wkPixelRequest wkDefaultPixelRequest(void)
{
    wkPixelRequest filter = {
        .maxDepth = INFINITY, .step = 1, .maxJump = INFINITY, .cookie = WK_COOKIE(wkPixelRequest)};
    return filter;
}

wkResult wkPixelRequest_Check(const wkPixelRequest* filter)
{
    if (!WK_HAS_COOKIE(filter, wkPixelRequest)) {
        return WK_FAIL_COOKIE(filter, wkPixelRequest);
    }
    if (!(filter->minDepth >= 0.0) || !(filter->maxDepth >= filter->minDepth)) {
        return wkFail(wk_errorRange, "depth filter: depths from %g to %g", filter->minDepth,
                      filter->maxDepth);
    }
    if (filter->step < 1) {
        return wkFail(wk_errorRange, "depth filter: step is %d, must be at least 1",
                      (int)filter->step);
    }
    if (!(filter->maxJump >= 0.0)) {
        return wkFail(wk_errorRange, "depth filter: maxJump is %g, must be at least 0",
                      filter->maxJump);
    }
    return wk_ok;
}

static int32_t divideUp(int32_t a, int32_t b)
{
    return (a - 1) / b + 1;
}

wkResult wkMakeDepthReader(const wkDepthImage* image, const wkPixelRequest* filter,
                           wkDepthReader* reader)
{
    wkPixelRequest own = filter != NULL ? *filter : wkDefaultPixelRequest();
    wkResult result = wkDepthImage_Check(image);
    if (result == wk_ok) {
        result = wkPixelRequest_Check(&own);
    }
    if (result != wk_ok) {
        return result;
    }
    int32_t columnCount = divideUp(image->camera.width, own.step);
    int32_t piecesPerRow = divideUp(columnCount, WK_POINTS_PER_PIECE);
    wkDepthReader made = {
        .image = image,
        .filter = own,
        .lens = wkMakeLens(&image->camera),
        .columnCount = columnCount,
        .rowCount = divideUp(image->camera.height, own.step),
        .rowsPerPiece = piecesPerRow > 1 ? 1 : WK_POINTS_PER_PIECE / columnCount,
        .piecesPerRow = piecesPerRow,
        .columnsPerPiece = divideUp(columnCount, piecesPerRow),
    };
    *reader = made;
    return wk_ok;
}

int32_t wkDepthReader_PieceCount(const wkDepthReader* reader)
{
    return reader->piecesPerRow * divideUp(reader->rowCount, reader->rowsPerPiece);
}

// Part of a row.
typedef struct interval {
    int32_t v;
    int32_t first, end; // columns among the pixels that are read
} interval;

WK_FORCE_FN int32_t readInterval(const wkDepthReader* reader, interval s, bool isStraight,
                                 bool dropsFlying, wkPiece* piece, int32_t* pixels, int32_t count)
{
    const wkDepthImage* image = reader->image;
    const wkCamera* camera = &image->camera;
    const void* row = wkDepthRow(image, s.v);
    wkRowRays rays = wkMakeRowRays(&reader->lens, s.v);
    for (int32_t column = s.first; column < s.end; ++column) {
        int32_t u = column * reader->filter.step;
        float depth = wkDepthInRow(image, row, u);
        wkSlope ray = wkBentSlope(camera, rays.perPixel, u, s.v);
        bool isTaken = wkIsDepthWithin(&reader->filter, depth);
        if (!isStraight && isTaken) {
            ray = wkRowRays_At(&rays, u);
            isTaken = isfinite(ray.x) && isfinite(ray.y);
        }
        if (dropsFlying && isTaken) {
            isTaken = !wkIsFlyingPixel(image, reader->filter.maxJump, depth, u, s.v);
        }
        wkPixelPoint point = wkPointOnRay(ray, depth);
        piece->x[count] = point.x;
        piece->y[count] = point.y;
        piece->z[count] = point.z;
        if (pixels != NULL) {
            pixels[count] = s.v * camera->width + u;
        }
        count += isTaken;
    }
    return count;
}

int32_t wkDepthReader_Read(const wkDepthReader* reader, int32_t number, wkPiece* piece,
                           int32_t* pixels)
{
    int32_t part = number % reader->piecesPerRow;
    int32_t firstRow = number / reader->piecesPerRow * reader->rowsPerPiece;
    int32_t first = part * reader->columnsPerPiece;
    int32_t end = first + reader->columnsPerPiece;
    end = end < reader->columnCount ? end : reader->columnCount;
    bool isPlain = reader->lens.camera.distortion == wk_distortionNone &&
                   reader->filter.maxJump == INFINITY && pixels == NULL;
    int32_t count = 0;
    for (int32_t i = firstRow; i < firstRow + reader->rowsPerPiece && i < reader->rowCount; ++i) {
        interval s = {i * reader->filter.step, first, end};
        count = isPlain
                    ? readInterval(reader, s, true, false, piece, NULL, count)
                    : readInterval(reader, s, reader->lens.camera.distortion == wk_distortionNone,
                                   reader->filter.maxJump < INFINITY, piece, pixels, count);
    }
    return count;
}
