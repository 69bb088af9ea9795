// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// Renders a stage in passes over tiles, in parallel: what the ray through the center of each pixel meets, how
// much light reaches a grid of these points, the colours, and then more rays where neighbours differ. The
// picture does not depend on the number of threads.

#include "picture_light.h"

#include "threads.h"
#include "vector.h"

#include <math.h>
#include <stdlib.h>

#define TILE 16        // pixels along a side
#define GRID 8         // stride of the pixels whose light is computed first
#define CONTRAST 0.045 // difference between neighbours that requires more rays

// Criteria for points that share their light: cosine between their normals, and distance of one from the
// plane of the other.
#define ALIKE_COSINE 0.97
#define ALIKE_OFFSET 0.01

// Table of screen values, up to the square of the reach.
#define SCREEN_STEPS 2048
#define SCREEN_REACH 4.0

// What a pixel shows.
typedef struct pixelSight {
    wkPictureRay sight;
    wkLight light;
    int key; // identifies what was hit, marks and glass included, to compare neighbours
} pixelSight;

typedef struct render {
    const wkStage* stage;
    const wkViewpoint* camera;
    wkPicture* picture;
    pixelSight* sights;  // per pixel
    wkLight* grid;       // per grid point
    const wkColor* base; // colours of one ray per pixel, which the last pass compares
    int tileColumns, gridColumns;
    float screen[SCREEN_STEPS + 1];
} render;

// A rectangle of pixels, end exclusive, and the objects that rays through it can meet.
typedef struct tile {
    int left, top, right, bottom;
    wkNearby bodies, marks, glass;
} tile;

// Converts light to sRGB; bright light is compressed instead of clipped.
static double toScreen(double light)
{
    double square = light * light;
    double value = light / sqrt(sqrt(1.0 + square * square));
    return value <= 0.0031308 ? 12.92 * value : 1.055 * pow(value, 1.0 / 2.4) - 0.055;
}

wkColor wkScreenColor(wkColor light)
{
    return (wkColor){toScreen(light.r), toScreen(light.g), toScreen(light.b)};
}

// Does the same by a table over the square root of the light, where it is nearly linear.
static double readScreen(const float* table, double light)
{
    double position = fmin(sqrt(fmax(light, 0.0)), SCREEN_REACH) * (SCREEN_STEPS / SCREEN_REACH);
    int step = (int)fmin(position, SCREEN_STEPS - 1);
    double low = (double)table[step], high = (double)table[step + 1];
    return low + (position - step) * (high - low);
}

static void fillScreen(float table[SCREEN_STEPS + 1])
{
    for (int i = 0; i <= SCREEN_STEPS; i++) {
        double root = SCREEN_REACH * i / SCREEN_STEPS;
        table[i] = (float)toScreen(root * root);
    }
}

static wkColor colorToScreen(const render* job, wkColor color)
{
    return (wkColor){readScreen(job->screen, color.r), readScreen(job->screen, color.g),
                     readScreen(job->screen, color.b)};
}

static tile tileAt(const render* job, int index)
{
    tile t = {.left = index % job->tileColumns * TILE, .top = index / job->tileColumns * TILE};
    t.right = (int)fmin(t.left + TILE, job->picture->width);
    t.bottom = (int)fmin(t.top + TILE, job->picture->height);
    return t;
}

// Returns the bundle of rays through a tile.
static wkBundle bundleOf(const render* job, const tile* t)
{
    wkVec3d middle =
        wkViewpointRay(job->camera, 0.5 * (t->left + t->right), 0.5 * (t->top + t->bottom))
            .direction;
    double cosine = 1.0;
    for (int i = 0; i < 4; i++) {
        wkVec3d vertex =
            wkViewpointRay(job->camera, i & 1 ? t->right : t->left, i & 2 ? t->bottom : t->top)
                .direction;
        cosine = fmin(cosine, wkVec_Dot(middle, vertex));
    }
    double spread = sqrt(1.0 - cosine * cosine) / cosine;
    return (wkBundle){job->camera->eye, middle, 0.0, spread * (1.0 + 1e-6)};
}

// Computes the colour along a ray whose body and light are known.
static wkColor colorAlong(const render* job, const tile* t, wkRay ray, pixelSight* pixel)
{
    const wkStage* stage = job->stage;
    const wkPictureRay* sight = &pixel->sight;
    pixel->key = sight->index;
    wkColor color = sight->index == WK_SIGHT_NONE
                        ? wkBackdrop(ray.direction)
                        : wkShadeBody(stage, sight, pixel->light, ray.direction);
    color = wkSeeThroughPane(stage, ray, sight->distance, color, &pixel->key);
    color = wkSeeThroughGlass(stage, &t->glass, ray, sight->distance, color, &pixel->key);
    color = wkOverlayMarks(stage, &t->marks, ray, sight->distance, color, &pixel->key);
    return colorToScreen(job, color);
}

// First pass: visibility.
static void findSights(void* context, int index)
{
    const render* job = context;
    tile t = tileAt(job, index);
    wkBundle bundle = bundleOf(job, &t);
    wkGatherAlong(&job->stage->bodies, &bundle, &t.bodies);
    for (int y = t.top; y < t.bottom; y++) {
        for (int x = t.left; x < t.right; x++) {
            wkRay ray = wkViewpointRay(job->camera, x + 0.5, y + 0.5);
            job->sights[y * job->picture->width + x].sight = wkFindBody(job->stage, &t.bodies, ray);
        }
    }
}

// Returns a bounding sphere of the points that a tile shows; false when it shows none.
static bool sphereOf(const render* job, const tile* t, wkVec3d* center, double* radius)
{
    wkVec3d lower = {INFINITY, INFINITY, INFINITY}, upper = {-INFINITY, -INFINITY, -INFINITY};
    for (int y = t->top; y < t->bottom; y++) {
        for (int x = t->left; x < t->right; x++) {
            const wkPictureRay* sight = &job->sights[y * job->picture->width + x].sight;
            if (sight->index != WK_SIGHT_NONE) {
                wkVec3d p = sight->point;
                lower = (wkVec3d){fmin(lower.x, p.x), fmin(lower.y, p.y), fmin(lower.z, p.z)};
                upper = (wkVec3d){fmax(upper.x, p.x), fmax(upper.y, p.y), fmax(upper.z, p.z)};
            }
        }
    }
    wkVec3d diagonal = wkVec_Sub(upper, lower);
    *center = wkVec_MulAdd(lower, 0.5, diagonal);
    *radius = 0.5 * wkVec_Length(diagonal);
    return lower.x <= upper.x;
}

// Bodies between the points of a tile and the light.
typedef struct shadows {
    wkNearby blockers; // of the lamp
    wkNearby covers;   // of the sky
} shadows;

static bool gatherShadows(const render* job, const tile* t, shadows* s)
{
    wkVec3d center;
    double radius;
    bool isEmpty = !sphereOf(job, t, &center, &radius);
    s->blockers.count = 0;
    s->covers.count = 0;
    if (!isEmpty) {
        wkGatherBlockers(job->stage, center, radius, &s->blockers);
        wkGatherCovers(job->stage, center, radius, &s->covers);
    }
    return !isEmpty;
}

// Second pass: the light at the points of the grid.
static void lightGrid(void* context, int index)
{
    const render* job = context;
    tile t = tileAt(job, index);
    shadows s;
    if (!gatherShadows(job, &t, &s)) {
        return;
    }
    for (int y = t.top; y < t.bottom; y += GRID) {
        for (int x = t.left; x < t.right; x += GRID) {
            const wkPictureRay* sight = &job->sights[y * job->picture->width + x].sight;
            if (sight->index != WK_SIGHT_NONE) {
                wkLight* light = &job->grid[y / GRID * job->gridColumns + x / GRID];
                light->sky = (float)wkSkyShare(job->stage, sight, &s.covers);
                light->lamp = (float)wkLampShare(job->stage, sight, &s.blockers, -1.0);
            }
        }
    }
}

static bool areAlike(const wkPictureRay* a, const wkPictureRay* b)
{
    double offset = wkVec_Dot(wkVec_Sub(b->point, a->point), a->normal);
    return a->index == b->index && wkVec_Dot(a->normal, b->normal) > ALIKE_COSINE &&
           fabs(offset) < ALIKE_OFFSET + 0.01 * a->distance;
}

// Interpolated light from grid points on the same surface.
typedef struct gridLight {
    double sky;  // negative: no such point nearby
    double lamp; // 0 or 1 where all agree; negative: they differ, or there are none
} gridLight;

static gridLight lightFromGrid(const render* job, int x, int y, int margin)
{
    const wkPictureRay* sight = &job->sights[y * job->picture->width + x].sight;
    double sum = 0.0, weights = 0.0, lowest = 1.0, highest = 0.0;
    const double reach = GRID * (1.0 + margin);
    for (int row = y / GRID - margin; row <= y / GRID + 1 + margin; row++) {
        for (int column = x / GRID - margin; column <= x / GRID + 1 + margin; column++) {
            int px = column * GRID, py = row * GRID;
            bool isInside =
                px >= 0 && px < job->picture->width && py >= 0 && py < job->picture->height;
            if (isInside && areAlike(sight, &job->sights[py * job->picture->width + px].sight)) {
                double weight = (1.0 - abs(x - px) / reach) * (1.0 - abs(y - py) / reach);
                wkLight light = job->grid[row * job->gridColumns + column];
                sum += weight * (double)light.sky;
                weights += weight;
                lowest = fmin(lowest, (double)light.lamp);
                highest = fmax(highest, (double)light.lamp);
            }
        }
    }
    bool isFound = weights > 0.1;
    return (gridLight){isFound ? sum / weights : -1.0,
                       isFound && (lowest == 1.0 || highest == 0.0) ? lowest : -1.0};
}

static wkLight lightAt(const render* job, int x, int y, shadows* s)
{
    const wkPictureRay* sight = &job->sights[y * job->picture->width + x].sight;
    gridLight near = lightFromGrid(job, x, y, 0);
    if (near.sky < 0.0) {
        near.sky = lightFromGrid(job, x, y, 1).sky;
    }
    double sky = near.sky >= 0.0 ? near.sky : wkSkyShare(job->stage, sight, &s->covers);
    return (wkLight){(float)wkLampShare(job->stage, sight, &s->blockers, near.lamp), (float)sky};
}

// Third pass: the colours.
static void colorTile(void* context, int index)
{
    const render* job = context;
    tile t = tileAt(job, index);
    wkBundle bundle = bundleOf(job, &t);
    shadows s;
    wkGatherAlong(&job->stage->marks, &bundle, &t.marks);
    wkGatherAlong(&job->stage->glass, &bundle, &t.glass);
    gatherShadows(job, &t, &s);
    for (int y = t.top; y < t.bottom; y++) {
        for (int x = t.left; x < t.right; x++) {
            pixelSight* pixel = &job->sights[y * job->picture->width + x];
            if (pixel->sight.index != WK_SIGHT_NONE) {
                pixel->light = lightAt(job, x, y, &s);
            }
            wkRay ray = wkViewpointRay(job->camera, x + 0.5, y + 0.5);
            job->picture->pixels[y * job->picture->width + x] = colorAlong(job, &t, ray, pixel);
        }
    }
}

static bool isFarFrom(wkColor a, wkColor b)
{
    return fabs(a.r - b.r) > CONTRAST || fabs(a.g - b.g) > CONTRAST || fabs(a.b - b.b) > CONTRAST;
}

// Returns true when a pixel differs from one of its eight neighbours.
static bool needsFinePass(const render* job, int x, int y)
{
    int width = job->picture->width;
    int here = y * width + x;
    for (int j = y > 0 ? y - 1 : 0; j <= y + 1 && j < job->picture->height; j++) {
        for (int i = x > 0 ? x - 1 : 0; i <= x + 1 && i < width; i++) {
            int there = j * width + i;
            if (job->sights[there].key != job->sights[here].key ||
                isFarFrom(job->base[there], job->base[here])) {
                return true;
            }
        }
    }
    return false;
}

// Returns the light at a point next to a pixel: that of a neighbour on the same surface, or its own.
static wkLight lightNear(const render* job, const wkPictureRay* sight, int x, int y)
{
    for (int j = y > 0 ? y - 1 : 0; j <= y + 1 && j < job->picture->height; j++) {
        for (int i = x > 0 ? x - 1 : 0; i <= x + 1 && i < job->picture->width; i++) {
            const pixelSight* pixel = &job->sights[j * job->picture->width + i];
            if (areAlike(sight, &pixel->sight)) {
                return pixel->light;
            }
        }
    }
    wkNearby nearby;
    wkGatherBlockers(job->stage, sight->point, 0.0, &nearby);
    wkLight light = {(float)wkLampShare(job->stage, sight, &nearby, -1.0), 1.0f};
    wkGatherCovers(job->stage, sight->point, 0.0, &nearby);
    light.sky = (float)wkSkyShare(job->stage, sight, &nearby);
    return light;
}

static wkColor renderFinely(const render* job, const tile* t, int x, int y)
{
    int steps = job->stage->fineSteps;
    wkColor sum = {0.0, 0.0, 0.0};
    for (int j = 0; j < steps; j++) {
        for (int i = 0; i < steps; i++) {
            wkRay ray = wkViewpointRay(job->camera, x + (i + 0.5) / steps, y + (j + 0.5) / steps);
            pixelSight pixel = {.sight = wkFindBody(job->stage, &t->bodies, ray)};
            const pixelSight* own = &job->sights[y * job->picture->width + x];
            if (pixel.sight.index != WK_SIGHT_NONE) {
                pixel.light = areAlike(&pixel.sight, &own->sight)
                                  ? own->light
                                  : lightNear(job, &pixel.sight, x, y);
            }
            wkColor color = colorAlong(job, t, ray, &pixel);
            sum = (wkColor){sum.r + color.r, sum.g + color.g, sum.b + color.b};
        }
    }
    const double share = 1.0 / (steps * steps);
    return (wkColor){sum.r * share, sum.g * share, sum.b * share};
}

// Last pass: more rays where neighbours differ.
static void refineTile(void* context, int index)
{
    const render* job = context;
    tile t = tileAt(job, index);
    bool hasGathered = false;
    for (int y = t.top; y < t.bottom; y++) {
        for (int x = t.left; x < t.right; x++) {
            if (!needsFinePass(job, x, y)) {
                continue;
            }
            if (!hasGathered) {
                wkBundle bundle = bundleOf(job, &t);
                wkGatherAlong(&job->stage->bodies, &bundle, &t.bodies);
                wkGatherAlong(&job->stage->marks, &bundle, &t.marks);
                wkGatherAlong(&job->stage->glass, &bundle, &t.glass);
                hasGathered = true;
            }
            job->picture->pixels[y * job->picture->width + x] = renderFinely(job, &t, x, y);
        }
    }
}

// Builds a scene of the bodies, for rays in any direction.
static bool buildScene(wkStage* stage)
{
    wkScene_Destroy(stage->scene);
    stage->scene = NULL;
    bool isBuilt = wkScene_Create(NULL, &stage->scene) == wk_ok;
    for (int i = 0; i < stage->bodies.count && isBuilt; i++) {
        wkObjectDef def = wkDefaultObjectDef();
        wkObjectId id = wk_nullObjectId;
        def.shape = stage->bodies.items[i].shape;
        def.pose = stage->bodies.items[i].pose;
        def.user = &stage->bodies.items[i];
        isBuilt = wkScene_Add(stage->scene, &def, &id) == wk_ok;
    }
    if (isBuilt) {
        wkScene_Update(stage->scene);
    }
    return isBuilt;
}

bool wkRenderStage(wkStage* stage, const wkViewpoint* camera, wkPicture* picture)
{
    size_t count = (size_t)picture->width * (size_t)picture->height;
    int gridColumns = picture->width / GRID + 1, gridRows = picture->height / GRID + 1;
    pixelSight* sights = calloc(count, sizeof *sights);
    wkLight* grid = calloc((size_t)gridColumns * (size_t)gridRows, sizeof *grid);
    wkColor* base = malloc(count * sizeof *base);
    bool hasMemory = sights != NULL && grid != NULL && base != NULL &&
                     !stage->bodies.isOutOfMemory && !stage->marks.isOutOfMemory &&
                     !stage->glass.isOutOfMemory && buildScene(stage);
    if (hasMemory) {
        int tileColumns = (picture->width + TILE - 1) / TILE;
        int tileCount = tileColumns * ((picture->height + TILE - 1) / TILE);
        render job = {.stage = stage,
                      .camera = camera,
                      .picture = picture,
                      .sights = sights,
                      .grid = grid,
                      .base = base,
                      .tileColumns = tileColumns,
                      .gridColumns = gridColumns};
        fillScreen(job.screen);
        wkAimLamp(stage);
        wkRunOnThreads(findSights, &job, tileCount);
        wkRunOnThreads(lightGrid, &job, tileCount);
        wkRunOnThreads(colorTile, &job, tileCount);
        for (size_t i = 0; i < count; i++) {
            base[i] = picture->pixels[i];
        }
        wkRunOnThreads(refineTile, &job, tileCount);
    }
    free(sights);
    free(grid);
    free(base);
    return hasMemory;
}
