// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// Divides meshes by planes across the axes of their frame, one or two at a time: the middle of a dumbbell is
// slimmer than its ends, and a single plane would save nothing. The box to divide next, and the planes, are those
// that save most of the volume of boxes around what each part has of the surface. Any division is correct; this
// one only aims at small hulls.

#include "batch/self_piece_boxes.h"

#include "batch/self_piece_points.h"
#include "tree/mesh/mesh_impl.h"

// A mesh that fills this share of its hull is not divided.
#define FILLED_SHARE 0.97
// Planes that are tried across an axis divide a box into as many slices.
#define SLICE_COUNT 8
// A division has to save this share of the volume of the box around the mesh.
#define LEAST_SAVED 0.01
// Triangles that volumes are measured with; of more, a regular sample is taken.
#define MEASURED_TRIANGLES 1500

static void setAlongAxis(wkVec3d* v, int axis, double value)
{
    v->x = axis == 0 ? value : v->x;
    v->y = axis == 1 ? value : v->y;
    v->z = axis == 2 ? value : v->z;
}

static wkAabb noBox(void)
{
    wkAabb box = {wkVec(INFINITY, INFINITY, INFINITY), wkVec(-INFINITY, -INFINITY, -INFINITY)};
    return box;
}

static wkAabb join(const wkAabb* a, const wkAabb* b)
{
    wkAabb both = {wkMin(a->lower, b->lower), wkMax(a->upper, b->upper)};
    return both;
}

static double volumeOf(const wkAabb* box)
{
    wkVec3d size = wkSub(box->upper, box->lower);
    return size.x >= 0.0 ? size.x * size.y * size.z : 0.0;
}

// One or two planes that divide a box.
typedef struct division {
    int axis;
    int count;
    double offsets[2];
    double saved; // volume, for each plane
} division;

static wkAabb sliceOf(const wkAabb* box, int axis, int number)
{
    wkAabb slice = *box;
    double lower = wkAlongAxis(&box->lower, axis), upper = wkAlongAxis(&box->upper, axis);
    double height = (upper - lower) / SLICE_COUNT;
    setAlongAxis(&slice.lower, axis, lower + number * height);
    setAlongAxis(&slice.upper, axis, lower + (number + 1) * height);
    return slice;
}

// Finds boxes around what slices of a box have of the surface.
static void measureSlices(const wkMesh* mesh, const wkAabb* box, int axis,
                          wkAabb measured[SLICE_COUNT])
{
    int32_t stride = mesh->triangleCount / MEASURED_TRIANGLES + 1;
    for (int i = 0; i < SLICE_COUNT; ++i) {
        wkAabb slice = sliceOf(box, axis, i);
        measured[i] = noBox();
        for (int32_t k = 0; k < mesh->triangleCount; k += stride) {
            wkVec3d triangle[3], cut[WK_CUT_VERTICES];
            wkMeshTriangleVertices(mesh, k, triangle);
            double a = wkAlongAxis(&triangle[0], axis), b = wkAlongAxis(&triangle[1], axis);
            double c = wkAlongAxis(&triangle[2], axis);
            if (wkMaxD(a, wkMaxD(b, c)) < wkAlongAxis(&slice.lower, axis) ||
                wkMinD(a, wkMinD(b, c)) > wkAlongAxis(&slice.upper, axis)) {
                continue;
            }
            int32_t count = wkCutTriangle(triangle, &slice, cut);
            for (int32_t n = 0; n < count; ++n) {
                wkAabb point = {cut[n], cut[n]};
                measured[i] = join(&measured[i], &point);
            }
        }
    }
}

// Returns the volumes of boxes around slices of a box, joined between planes.
static double volumeBetween(const wkAabb slices[SLICE_COUNT], int first, int end)
{
    wkAabb all = noBox();
    for (int i = first; i < end; ++i) {
        all = join(&all, &slices[i]);
    }
    return volumeOf(&all);
}

// Keeps the better of a division and the best one across an axis.
static void tryAxis(const wkMesh* mesh, const wkAabb* box, int axis, division* best)
{
    wkAabb slices[SLICE_COUNT];
    measureSlices(mesh, box, axis, slices);
    double whole = volumeBetween(slices, 0, SLICE_COUNT);
    for (int cut = 1; cut < SLICE_COUNT; ++cut) {
        // up to the last slice: one plane alone
        for (int next = cut + 1; next <= SLICE_COUNT; ++next) {
            int count = next < SLICE_COUNT ? 2 : 1;
            double left = volumeBetween(slices, 0, cut) + volumeBetween(slices, cut, next) +
                          volumeBetween(slices, next, SLICE_COUNT);
            double saved = (whole - left) / count;
            if (saved > best->saved) {
                wkAabb first = sliceOf(box, axis, cut), second = sliceOf(box, axis, next);
                division found = {
                    axis,
                    count,
                    {wkAlongAxis(&first.lower, axis), wkAlongAxis(&second.lower, axis)},
                    saved};
                *best = found;
            }
        }
    }
}

static division findDivision(const wkMesh* mesh, const wkAabb* box)
{
    division best = {0, 0, {0.0, 0.0}, 0.0};
    for (int axis = 0; axis < 3; ++axis) {
        tryAxis(mesh, box, axis, &best);
    }
    return best;
}

static bool fillsHull(const wkCollisionBody* body)
{
    const wkMesh* mesh = body->shape.mesh;
    if (mesh->isConvex != 0) {
        return true;
    }
    if (body->looseHull.type != wk_shapeHull || mesh->isSolid == 0) {
        return false;
    }
    wkShape hull = wkMakeHull(body->looseHull.hull);
    return fabs(mesh->volumeInside) >= FILLED_SHARE * wkShape_Mass(&hull).volume;
}

int32_t wkDivideBody(const wkCollisionBody* body, int32_t most, wkAabb boxes[WK_MESH_BOXES])
{
    bool isMesh = body->shape.type == wk_shapeMesh;
    boxes[0] = isMesh ? body->shape.mesh->bounds : noBox();
    if (most == 1 || !isMesh || fillsHull(body)) {
        return 1;
    }
    const wkMesh* mesh = body->shape.mesh;
    division divisions[WK_MESH_BOXES];
    divisions[0] = findDivision(mesh, &boxes[0]);
    double least = LEAST_SAVED * volumeOf(&boxes[0]);
    int32_t count = 1;
    while (count < most) {
        int32_t best = 0;
        for (int32_t i = 1; i < count; ++i) {
            best = divisions[i].saved > divisions[best].saved ? i : best;
        }
        if (!(divisions[best].saved > least) || count + divisions[best].count > most) {
            break;
        }
        division taken = divisions[best];
        int32_t above = best;
        for (int i = 0; i < taken.count; ++i) {
            boxes[count] = boxes[above];
            setAlongAxis(&boxes[above].upper, taken.axis, taken.offsets[i]);
            setAlongAxis(&boxes[count].lower, taken.axis, taken.offsets[i]);
            divisions[above] = findDivision(mesh, &boxes[above]);
            above = count++;
        }
        divisions[above] = findDivision(mesh, &boxes[above]);
    }
    return count;
}
