// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// Divides meshes by planes across the axes of their frame, one after the other. The box to divide next, and the
// plane, are those that save most of the volume of boxes around what each side has of the surface. Any
// division is correct; this one only aims at small hulls.

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

// A plane that divides a box.
typedef struct division {
    int axis;
    double offset;
    double saved; // volume
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

// Keeps the better of a division and the best one across an axis.
static void tryAxis(const wkMesh* mesh, const wkAabb* box, int axis, division* best)
{
    wkAabb slices[SLICE_COUNT], all = noBox();
    measureSlices(mesh, box, axis, slices);
    for (int i = 0; i < SLICE_COUNT; ++i) {
        all = join(&all, &slices[i]);
    }
    for (int cut = 1; cut < SLICE_COUNT; ++cut) {
        wkAabb below = noBox(), above = noBox();
        for (int i = 0; i < SLICE_COUNT; ++i) {
            wkAabb* side = i < cut ? &below : &above;
            *side = join(side, &slices[i]);
        }
        double saved = volumeOf(&all) - volumeOf(&below) - volumeOf(&above);
        if (saved > best->saved) {
            wkAabb slice = sliceOf(box, axis, cut);
            division found = {axis, wkAlongAxis(&slice.lower, axis), saved};
            *best = found;
        }
    }
}

static division findDivision(const wkMesh* mesh, const wkAabb* box)
{
    division best = {0, 0.0, 0.0};
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

int32_t wkDivideBody(const wkCollisionBody* body, wkAabb boxes[WK_MESH_BOXES])
{
    bool isMesh = body->shape.type == wk_shapeMesh;
    boxes[0] = isMesh ? body->shape.mesh->bounds : noBox();
    if (!isMesh || fillsHull(body)) {
        return 1;
    }
    const wkMesh* mesh = body->shape.mesh;
    division divisions[WK_MESH_BOXES];
    divisions[0] = findDivision(mesh, &boxes[0]);
    double least = LEAST_SAVED * volumeOf(&boxes[0]);
    int32_t count = 1;
    while (count < WK_MESH_BOXES) {
        int32_t best = 0;
        for (int32_t i = 1; i < count; ++i) {
            best = divisions[i].saved > divisions[best].saved ? i : best;
        }
        if (!(divisions[best].saved > least)) {
            break;
        }
        division taken = divisions[best];
        boxes[count] = boxes[best];
        setAlongAxis(&boxes[best].upper, taken.axis, taken.offset);
        setAlongAxis(&boxes[count].lower, taken.axis, taken.offset);
        divisions[best] = findDivision(mesh, &boxes[best]);
        divisions[count] = findDivision(mesh, &boxes[count]);
        ++count;
    }
    return count;
}
