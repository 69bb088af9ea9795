// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// The rare parts of counting crossings: signs without rounding, and volumes other than boxes.

#include "tree/crossing.h"

#include "base/lanes.h"
#include "math/fine.h"
#include "math/round.h"
#include "tree/slot_box.h"

WK_DEFINE_LANES(wkCountCrossingsFcn, wkCountCrossings)

wkColumn wkColumnOf(const wkMesh* mesh, wkVec3d point)
{
    const wkAabb* box = &mesh->bounds;
    double lower[3] = {box->lower.x, box->lower.y, box->lower.z};
    double upper[3] = {box->upper.x, box->upper.y, box->upper.z};
    wkColumn column = {.point = {point.x, point.y, point.z}};
    double shortest = INFINITY;
    for (int k = 0; k < 3; ++k) {
        double value = column.point[k], below = value - lower[k], above = upper[k] - value;
        column.down[k] = wkRoundDown(value);
        column.up[k] = wkRoundUp(value);
        if (wkMinD(below, above) < shortest) {
            shortest = wkMinD(below, above);
            column.isUpward = above <= below;
            column.w = k;
        }
    }
    column.u = (column.w + 1) % 3;
    column.v = (column.w + 2) % 3;
    return column;
}

// A sum without rounding: numbers whose digits do not overlap, the largest last (Shewchuk 1997). A
// difference of products of differences has room.
typedef struct exactSum {
    double parts[16];
    int count;
    bool isDoubtful;
} exactSum;

static void addExactly(exactSum* sum, double value)
{
    int kept = 0;
    for (int i = 0; i < sum->count; ++i) {
        wkFine both = wkFineSum(value, sum->parts[i]);
        if (both.low != 0.0) {
            sum->parts[kept++] = both.low;
        }
        value = both.high;
    }
    if (value != 0.0) {
        sum->parts[kept++] = value;
    }
    sum->count = kept;
}

static void addProduct(exactSum* sum, double a, double b)
{
    if (a == 0.0 || b == 0.0) {
        return;
    }
    wkFine product = wkFineProduct(a, b);
    sum->isDoubtful |= !(fabs(product.high) > WK_TOO_SMALL);
    addExactly(sum, product.high);
    addExactly(sum, product.low);
}

static void addFineProduct(exactSum* sum, wkFine a, wkFine b)
{
    addProduct(sum, a.high, b.high);
    addProduct(sum, a.high, b.low);
    addProduct(sum, a.low, b.high);
    addProduct(sum, a.low, b.low);
}

int wkExactSide(const double left[2], const double right[2], const double point[2],
                bool* isDoubtful)
{
    wkFine l[2], r[2];
    for (int i = 0; i < 2; ++i) {
        l[i] = wkFineSum(left[i], -point[i]);
        r[i] = wkFineSum(right[i], -point[i]);
    }
    exactSum sum = {.count = 0};
    addFineProduct(&sum, l[0], r[1]);
    addFineProduct(&sum, wkFineNeg(l[1]), r[0]);
    *isDoubtful |= sum.isDoubtful;
    double largest = sum.count > 0 ? sum.parts[sum.count - 1] : 0.0;
    return (largest > 0.0) - (largest < 0.0);
}

// The column against boxes around the volumes, widened by far more than rounding.
WK_FORCE_FN unsigned meetVolumes(const wkTree* tree, uint32_t node, const wkColumn* c)
{
    const wkLink* links = wkTreeLinks(tree, node);
    unsigned mask = 0;
    for (uint32_t i = 0; i < WK_TREE_WIDTH && links[i] != WK_LINK_EMPTY; ++i) {
        wkObb box = wkSlotBox(tree, node * WK_TREE_WIDTH + i);
        const wkMat3d* m = &box.frame.rotation;
        wkVec3d p = box.frame.position;
        wkVec3d r = wkAdd(wkAdd(wkScale(box.half.x, wkAbs(m->x)), wkScale(box.half.y, wkAbs(m->y))),
                          wkScale(box.half.z, wkAbs(m->z)));
        double center[3] = {p.x, p.y, p.z}, reach[3] = {r.x, r.y, r.z};
        bool isMet = true;
        for (int k = 0; k < 3; ++k) {
            double away = c->point[k] - center[k], slack = 1e-9 * (reach[k] + fabs(center[k]));
            bool isBehind = k == c->w && (away < 0.0) == c->isUpward;
            isMet = isMet && (isBehind || !(fabs(away) > reach[k] + slack));
        }
        mask |= (isMet ? 1u : 0u) << i;
    }
    return mask;
}

wkCrossings wkCountAnyCrossings(const wkMesh* mesh, const wkColumn* column)
{
    return wkWalkColumn(mesh, column, meetVolumes);
}
