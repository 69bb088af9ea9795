// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// Points in solids, and the rare parts of counting crossings: exact signs, and volumes other than
// boxes.

#include "tree/mesh/crossing.h"

#include "base/isa_table.h"
#include "math/double_double.h"
#include "math/round.h"
#include "tree/bvh/slot_box.h"

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

static bool isWithin(const wkAabb* box, wkVec3d p)
{
    return p.x >= box->lower.x && p.x <= box->upper.x && p.y >= box->lower.y &&
           p.y <= box->upper.y && p.z >= box->lower.z && p.z <= box->upper.z;
}

bool wkMeshContains(const void* source, wkVec3d point)
{
    const wkMesh* mesh = (const wkMesh*)source;
    if (!mesh->isSolid || mesh->triangleCount == 0 || !isWithin(&mesh->bounds, point)) {
        return false;
    }
    wkColumn column = wkColumnOf(mesh, point);
    for (int i = 0; i < 3; ++i) {
        wkCrossings count = mesh->kind == wk_volumeAabb ? wkCountCrossingsOfMachine()(mesh, &column)
                                                        : wkCountAnyCrossings(mesh, &column);
        if (!count.isDoubtful) {
            return count.isOnSurface || count.winding != 0;
        }
        column.w = column.u;
        column.u = (column.w + 1) % 3;
        column.v = (column.w + 2) % 3;
    }
    return true; // undecided along every axis: the safe side
}

// An exact sum: numbers whose digits do not overlap, the largest last (Shewchuk 1997). The capacity suffices
// for a determinant of three differences: 6 products of three numbers with two parts each, in which 4
// parts are left of each product.
typedef struct exactSum {
    int count;
    bool isDoubtful;
    double parts[6 * 8 * 4];
} exactSum;

static void addExactly(exactSum* sum, double value)
{
    int kept = 0;
    for (int i = 0; i < sum->count; ++i) {
        wkDoubleDouble both = wkDdSum(value, sum->parts[i]);
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

// The exact product of two numbers. Products that may have lost digits are doubtful.
static wkDoubleDouble multiply(exactSum* sum, double a, double b)
{
    wkDoubleDouble product = {0.0, 0.0};
    if (a != 0.0 && b != 0.0) {
        product = wkDdProduct(a, b);
        sum->isDoubtful |= !(fabs(product.high) > WK_TOO_SMALL);
    }
    return product;
}

static void addProduct(exactSum* sum, wkDoubleDouble a, wkDoubleDouble b)
{
    const double partsA[2] = {a.high, a.low}, partsB[2] = {b.high, b.low};
    for (int i = 0; i < 4; ++i) {
        wkDoubleDouble product = multiply(sum, partsA[i / 2], partsB[i % 2]);
        addExactly(sum, product.high);
        addExactly(sum, product.low);
    }
}

static void addTripleProduct(exactSum* sum, wkDoubleDouble a, wkDoubleDouble b, wkDoubleDouble c)
{
    const double partsA[2] = {a.high, a.low}, partsB[2] = {b.high, b.low};
    for (int i = 0; i < 4; ++i) {
        addProduct(sum, multiply(sum, partsA[i / 2], partsB[i % 2]), c);
    }
}

static int signOf(const exactSum* sum)
{
    double largest = sum->count > 0 ? sum->parts[sum->count - 1] : 0.0;
    return (largest > 0.0) - (largest < 0.0);
}

// Exact differences from `origin`, all scaled by one power of two to about 1: that changes no sign of a
// determinant, and small meshes lose no digits.
static void subtract(const double* values, int count, double origin, wkDoubleDouble* differences)
{
    double largest = 0.0;
    for (int i = 0; i < count; ++i) {
        differences[i] = wkDdSum(values[i], -origin);
        largest = wkMaxD(largest, fabs(differences[i].high));
    }
    int exponent = 0;
    frexp(largest, &exponent);
    for (int i = 0; i < count; ++i) {
        differences[i].high = ldexp(differences[i].high, -exponent);
        differences[i].low = ldexp(differences[i].low, -exponent);
    }
}

int wkExactSide(const double left[2], const double right[2], const double point[2],
                bool* isDoubtful)
{
    wkDoubleDouble u[2], v[2];
    const double atU[2] = {left[0], right[0]}, atV[2] = {left[1], right[1]};
    subtract(atU, 2, point[0], u);
    subtract(atV, 2, point[1], v);
    exactSum sum;
    sum.count = 0;
    sum.isDoubtful = false;
    addProduct(&sum, u[0], v[1]);
    addProduct(&sum, wkDdNeg(v[0]), u[1]);
    *isDoubtful |= sum.isDoubtful;
    return signOf(&sum);
}

int wkExactHeight(const wkColumn* column, const double* a, const double* b, const double* c,
                  bool* isDoubtful)
{
    const int axes[3] = {column->u, column->v, column->w};
    wkDoubleDouble d[3][3]; // by axis and vertex
    for (int k = 0; k < 3; ++k) {
        const double values[3] = {a[axes[k]], b[axes[k]], c[axes[k]]};
        subtract(values, 3, column->point[axes[k]], d[k]);
    }
    exactSum sum;
    sum.count = 0;
    sum.isDoubtful = false;
    for (int i = 0; i < 3; ++i) {
        int j = (i + 1) % 3, k = (i + 2) % 3;
        addTripleProduct(&sum, d[0][j], d[1][k], d[2][i]);
        addTripleProduct(&sum, wkDdNeg(d[1][j]), d[0][k], d[2][i]);
    }
    *isDoubtful |= sum.isDoubtful;
    return signOf(&sum);
}

// Tests the column against boxes around the volumes, widened by far more than rounding.
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
