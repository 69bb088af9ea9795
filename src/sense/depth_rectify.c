// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// Rectifies images with lens distortion to those of a pinhole.
//
// A pixel of the pinhole stands for all pixels of the image that its square can map to: it proves what
// all of them prove. The positions of the vertices of cells of a few pixels are computed. Points between them
// deviate from the bilinear patch by no more than lens_bend.h has proven.

#include "base/error.h"
#include "base/memory.h"
#include "math/angle.h"
#include "sense/depth_fill.h"
#include "sense/depth_image_impl.h"
#include "sense/lens_bend.h"
#include "whisker/detail/device.h"

#include <string.h>

// Maximum slope of rectified images: 75 degrees to each side.
#define STEEPEST 3.7320508
// Samples along each side of an image.
#define EDGE_SAMPLES 32
// Pixels along the side of a cell.
#define CELL 4
// Maximum size, in pixels of the image, that a pixel stands for: where lenses bend more nothing is proven.
#define WIDEST_PIXEL 16.0

// Widens a range by the slope that a lens has at a point of the edge of the image.
static void widen(const wkLens* lens, double u, double v, double* low, double* high, bool isColumn)
{
    wkVec3d inCamera = wkLens_Unproject(lens, u, v);
    double slope = wkClamp(isColumn ? inCamera.x : inCamera.y, -STEEPEST, STEEPEST);
    if (isfinite(inCamera.x) && isfinite(inCamera.y)) {
        *low = wkMinD(*low, slope);
        *high = wkMaxD(*high, slope);
    }
}

wkCamera wkStraightCamera(const wkCamera* camera)
{
    if (camera->distortion == wk_distortionNone) {
        return *camera;
    }
    wkLens lens = wkMakeLens(camera);
    double width = camera->width, height = camera->height;
    // at least the pixel in the middle
    double left = -0.5 / camera->fx, right = 0.5 / camera->fx;
    double top = -0.5 / camera->fy, bottom = 0.5 / camera->fy;
    for (int i = 0; i <= EDGE_SAMPLES; ++i) {
        double u = width * i / EDGE_SAMPLES - 0.5, v = height * i / EDGE_SAMPLES - 0.5;
        widen(&lens, -0.5, v, &left, &right, true);
        widen(&lens, width - 0.5, v, &left, &right, true);
        widen(&lens, u, -0.5, &top, &bottom, false);
        widen(&lens, u, height - 0.5, &top, &bottom, false);
    }
    wkCamera straight = wkDefaultCamera();
    straight.width = camera->width;
    straight.height = camera->height;
    straight.fx = width / (right - left);
    straight.fy = height / (bottom - top);
    straight.cx = -0.5 - left * straight.fx;
    straight.cy = -0.5 - top * straight.fy;
    return straight;
}

// A position in the distorted image; NaN: beyond the limit of the lens.
typedef struct pixel {
    double u, v;
} pixel;

typedef struct straightening {
    wkLens lens;
    wkCamera straight;
    wkBendBounds bend; // bounds on the deviation of points of a cell from its bilinear patch
} straightening;

static pixel pixelOf(const straightening* s, double u, double v)
{
    wkVec3d inCamera = {(u - s->straight.cx) / s->straight.fx,
                        (v - s->straight.cy) / s->straight.fy, 1.0};
    pixel p;
    wkLens_Project(&s->lens, inCamera, &p.u, &p.v);
    return p;
}

// Returns the larger magnitude of two slopes along an axis.
static double steepest(double middle, double focal, double first, double last)
{
    return wkMaxD(fabs(first - middle), fabs(last - middle)) / focal;
}

// Returns the longest slope of a rectangle of pixels, given by two opposite vertices.
static double longestSlope(const wkCamera* c, double left, double top, double right, double bottom)
{
    double x = steepest(c->cx, c->fx, left, right), y = steepest(c->cy, c->fy, top, bottom);
    return sqrt(x * x + y * y);
}

// Returns the longest slope of cells within the limit of the lens: cells with a vertex beyond prove nothing.
static double longestOf(const straightening* s)
{
    const wkCamera* c = &s->straight;
    double longest = longestSlope(c, -0.5, -0.5, c->width + CELL, c->height + CELL);
    double limit = s->lens.limit;
    if (s->lens.camera.distortion == wk_distortionFisheye) {
        double sine = 0.0, cosine = 1.0;
        wkSinCos(limit, &sine, &cosine);
        limit = sine / cosine;
    }
    return wkMinD(longest, limit);
}

static double least(double a, double b, double c, double d)
{
    return wkMinD(wkMinD(a, b), wkMinD(c, d));
}

static double most(double a, double b, double c, double d)
{
    return wkMaxD(wkMaxD(a, b), wkMaxD(c, d));
}

// Finds the pixels that a pixel stands for, from the positions of its vertices: those of its upper edge, and of its
// lower one.
static wkSourcePixels sourceOf(const straightening* s, const pixel* upper, const pixel* lower,
                               double slack)
{
    double left = least(upper[0].u, upper[1].u, lower[0].u, lower[1].u) - slack + 0.5;
    double right = most(upper[0].u, upper[1].u, lower[0].u, lower[1].u) + slack + 0.5;
    double top = least(upper[0].v, upper[1].v, lower[0].v, lower[1].v) - slack + 0.5;
    double bottom = most(upper[0].v, upper[1].v, lower[0].v, lower[1].v) + slack + 0.5;
    double sum = (upper[0].u + upper[1].u) + (lower[0].u + lower[1].u);
    const wkCamera* c = &s->lens.camera;
    bool isInView = isfinite(sum) && left >= 0.0 && top >= 0.0 && right < c->width &&
                    bottom < c->height && right - left <= WIDEST_PIXEL &&
                    bottom - top <= WIDEST_PIXEL;
    wkSourcePixels none = {0, -1, 0, -1};
    if (!isInView) {
        return none;
    }
    wkSourcePixels source = {(int16_t)left, (int16_t)right, (int16_t)top, (int16_t)bottom};
    return source;
}

// Computes the vertices of the row of cells that begins at a row of pixels.
static void placeCells(const straightening* s, int32_t v, pixel* vertices)
{
    for (int32_t u = 0; u <= s->straight.width + CELL - 1; u += CELL) {
        vertices[u / CELL] = pixelOf(s, u - 0.5, v - 0.5);
    }
}

static pixel between(pixel a, pixel b, double share)
{
    pixel p = {a.u + share * (b.u - a.u), a.v + share * (b.v - a.v)};
    return p;
}

// Interpolates the vertices of pixels along a line across a row of cells, at a share of its height.
static void placeVertices(const straightening* s, const pixel* upper, const pixel* lower,
                          double share, pixel* vertices)
{
    for (int32_t u = 0; u < s->straight.width; u += CELL) {
        int32_t i = u / CELL;
        pixel left = between(upper[i], lower[i], share);
        pixel right = between(upper[i + 1], lower[i + 1], share);
        for (int32_t k = 0; k <= CELL; ++k) {
            vertices[u + k] = between(left, right, (double)k / CELL);
        }
    }
}

// Rows of positions in scratch.
typedef struct placeRows {
    pixel *upperCells, *lowerCells;
    pixel *upper, *lower;
} placeRows;

static void swapRows(pixel** a, pixel** b)
{
    pixel* kept = *a;
    *a = *b;
    *b = kept;
}

// Finds the pixels that the pixels of a row stand for.
static void findRow(const straightening* s, const placeRows* rows, int32_t v,
                    wkSourcePixels* sources)
{
    int32_t firstOfCell = v - v % CELL;
    double slack = 0.0, top = firstOfCell - 0.5;
    for (int32_t u = 0; u < s->straight.width; ++u) {
        if (u % CELL == 0) {
            double left = u - 0.5;
            slack = wkBendSlack(&s->bend,
                                longestSlope(&s->straight, left, top, left + CELL, top + CELL));
        }
        sources[u] = sourceOf(s, rows->upper + u, rows->lower + u, slack);
    }
}

// Takes the pixels that those of a row stand for.
typedef void sourceRowFcn(void* context, int32_t v, const wkSourcePixels* sources);

// Finds the pixels that those of a rectified image stand for, row by row.
// @param scratch wkDepthScratchBytes of the width, or of more
static void findSources(const wkCamera* camera, const wkCamera* straight, void* scratch,
                        sourceRowFcn* take, void* context)
{
    straightening s = {.lens = wkMakeLens(camera), .straight = *straight};
    s.bend = wkBoundBending(&s.lens, &s.straight, CELL, longestOf(&s));
    int32_t cellCount = straight->width / CELL + 2, vertexCount = straight->width + CELL + 1;
    pixel* first = (pixel*)scratch;
    placeRows rows = {first, first + cellCount, first + 2 * cellCount,
                      first + 2 * cellCount + vertexCount};
    wkSourcePixels* sources = (wkSourcePixels*)(first + 2 * (cellCount + vertexCount));
    placeCells(&s, 0, rows.lowerCells);
    for (int32_t v = 0; v < straight->height; ++v) {
        int32_t row = v % CELL;
        if (row == 0) {
            swapRows(&rows.upperCells, &rows.lowerCells);
            placeCells(&s, v + CELL, rows.lowerCells);
            placeVertices(&s, rows.upperCells, rows.lowerCells, 0.0, rows.upper);
        }
        placeVertices(&s, rows.upperCells, rows.lowerCells, (row + 1.0) / CELL, rows.lower);
        findRow(&s, &rows, v, sources);
        take(context, v, sources);
        swapRows(&rows.upper, &rows.lower);
    }
}

// An image that is rectified into a map.
typedef struct rectifying {
    wkDepthMap* map;
    const wkDepthImage* image;
    wkDepthRecipe recipe;
    int32_t measuredCount;
} rectifying;

static void proveRow(void* context, int32_t v, const wkSourcePixels* sources)
{
    rectifying* r = (rectifying*)context;
    float* freeTo = r->map->freeTo + (size_t)v * (size_t)r->map->pitch;
    float* surfaceEnd = r->map->surfaceEnd + (size_t)v * (size_t)r->map->pitch;
    for (int32_t u = 0; u < r->map->camera.width; ++u) {
        wkProvenDepth proven = wkProveSource(&r->recipe, r->image, sources[u]);
        freeTo[u] = proven.freeTo;
        surfaceEnd[u] = proven.surfaceEnd;
        r->measuredCount += proven.freeTo > 0.0f || proven.surfaceEnd >= 0.0f;
    }
    wkEndDepthRow(r->map, v);
}

int32_t wkRectifyDepths(wkDepthMap* map, const wkDepthImage* image)
{
    rectifying r = {map, image, wkMakeDepthRecipe(&map->def, image->scale), 0};
    findSources(&image->camera, &map->camera, map->scratch, proveRow, &r);
    return r.measuredCount;
}

// Where sources are written.
typedef struct sourceRows {
    wkSourcePixels* sources;
    int32_t width;
} sourceRows;

static void copyRow(void* context, int32_t v, const wkSourcePixels* sources)
{
    const sourceRows* rows = (const sourceRows*)context;
    memcpy(rows->sources + (size_t)v * (size_t)rows->width, sources,
           (size_t)rows->width * sizeof *sources);
}

wkResult wkCamera_Sources(const wkCamera* camera, wkSourcePixels* sources)
{
    wkResult result = wkCamera_Check(camera);
    if (result != wk_ok) {
        return result;
    }
    size_t byteCount = wkDepthScratchBytes(camera->width);
    void* scratch = wkAlloc(byteCount);
    if (scratch == NULL) {
        return wkFail(wk_errorMemory, "camera: no memory for rows of %d pixels",
                      (int)camera->width);
    }
    wkCamera straight = wkStraightCamera(camera);
    sourceRows rows = {sources, camera->width};
    findSources(camera, &straight, scratch, copyRow, &rows);
    wkFree(scratch, byteCount);
    return wk_ok;
}
