// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// Transforms bodies of the world into the frame of a map. The SIMD kernels do the rest.

#include "query/map/map_candidates.h"

#include "base/isa_table.h"
#include "query/map/map_query.h"
#include "solve/pair.h"
#include "tree/bvh/tree_shape.h"

WK_DEFINE_LANES(const wkMapCandidateKernels, wkMapCandidateKernels)

// Lengths above this are treated as unbounded.
#define ENDLESS 1e30

void wkMapCandidates_Init(wkMapCandidates* candidates, const wkShape* map, const wkPose* pose)
{
    candidates->map = map;
    candidates->view = wkViewOfMap(map);
    candidates->worldFromMap = wkMatFromQuat(wkTameQuat(pose->rotation));
    candidates->position = pose->position;
    candidates->wider = wkPositive(wkShapeRadius(map));
    // not from the matrix, whose diagonal is 1 for small angles as well
    candidates->isStraight =
        pose->rotation.x == 0.0 && pose->rotation.y == 0.0 && pose->rotation.z == 0.0;
}

// Bodies as passed to the SIMD kernels.
typedef struct bodyBoxes {
    wkCandidateBox boxes[WK_CANDIDATE_BODIES];
    double reach[WK_CANDIDATE_BODIES];    // with margins of the map and rounding
    int slotIndices[WK_CANDIDATE_BODIES]; // indices of the bodies
    int count;
} bodyBoxes;

// Half of an axis-aligned box around a rotated one.
static wkVec3d halfInMap(const wkMat3d* m, wkVec3d half)
{
    return wkVec(wkDot(wkAbs(m->x), half), wkDot(wkAbs(m->y), half), wkDot(wkAbs(m->z), half));
}

// Adds a body unless it is unbounded. @return false in that case
static bool addBox(const wkMapCandidates* candidates, const wkAabb* around, double reach,
                   bodyBoxes* b)
{
    wkVec3d half = wkAbs(wkScale(0.5, wkSub(around->upper, around->lower)));
    wkVec3d middle = wkMiddle(around->lower, around->upper);
    wkVec3d center = wkSub(middle, candidates->position);
    if (!candidates->isStraight) {
        center = wkMulTMV(&candidates->worldFromMap, center);
        half = halfInMap(&candidates->worldFromMap, half);
    }
    // covers the rounding of positions and rotations
    reach += WK_ROUNDING * (wkMaxAbs(middle) + wkMaxAbs(candidates->position) + wkMaxAbs(half));
    half = wkAdd(half, wkVec(reach, reach, reach));
    b->boxes[b->count] = (wkCandidateBox){center, half};
    b->reach[b->count] = reach;
    return wkSumAbs(half) < ENDLESS;
}

// A box around a bounded core or a hierarchy, in its own frame.
static wkAabb boxOfBody(const wkShape* body)
{
    const wkTreeShapeRow* tree = wkTreeShapeRowOf(body);
    if (tree != NULL) {
        wkTreeView view;
        tree->view(body, &view);
        return view.bounds;
    }
    wkFrame identity = {{{1.0, 0.0, 0.0}, {0.0, 1.0, 0.0}, {0.0, 0.0, 1.0}}, {0.0, 0.0, 0.0}};
    return wkConvexRowOf(body)->bounds(body, &identity);
}

// Whether the body reaches one of the cells that its axis-aligned box reaches.
static bool reachesCell(const wkMapCandidates* candidates, const wkCandidateBody* body,
                        const wkCandidateBox* box, double reach, const wkCandidateCells* cells)
{
    const wkMat3d* m = &candidates->worldFromMap;
    wkFrame frame = {wkMatFromQuat(wkTameQuat(body->pose->rotation)), body->pose->position};
    const wkMat3d* r = &frame.rotation;
    wkMat3d axes = {wkMulTMV(m, r->x), wkMulTMV(m, r->y), wkMulTMV(m, r->z)};
    wkAabb own = boxOfBody(body->shape);
    wkVec3d middle = wkFramePoint(&frame, wkMiddle(own.lower, own.upper));
    middle = wkMulTMV(m, wkSub(middle, candidates->position));
    wkMapBody rotated = {
        .axes = &axes,
        .center = wkSub(middle, box->center),
        .half = wkScale(0.5, wkSub(own.upper, own.lower)),
    };
    return wkMapCandidateKernelsOfMachine()->isAnyNear(
        cells, &rotated, reach + wkPositive(wkShapeRadius(body->shape)));
}

unsigned wkMapCandidates_Bodies(const wkMapCandidates* candidates, const wkCandidateBody* bodies,
                                int count, double reach)
{
    unsigned found = 0;
    double wide = wkPositive(reach) + candidates->wider;
    if (candidates->view.wantsUnknown || !(wide < ENDLESS)) {
        return (1u << count) - 1u; // unknown space is unbounded
    }
    bodyBoxes b;
    b.count = 0;
    for (int i = 0; i < count; ++i) {
        b.slotIndices[b.count] = i;
        if (addBox(candidates, &bodies[i].around, wide, &b)) {
            ++b.count;
        } else {
            found |= 1u << i;
        }
    }
    wkCandidateCells cells[WK_CANDIDATE_BODIES];
    wkMapCandidateKernelsOfMachine()->listCells(&candidates->view, b.boxes, b.count, cells);
    for (int k = 0; k < b.count; ++k) {
        const wkCandidateBody* body = &bodies[b.slotIndices[k]];
        if (cells[k].isFull || (cells[k].count > 0 && reachesCell(candidates, body, &b.boxes[k],
                                                                  b.reach[k], &cells[k]))) {
            found |= 1u << b.slotIndices[k];
        }
    }
    return found;
}
