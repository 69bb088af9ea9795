// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// Axes of oriented volumes: eigenvectors of the covariance of a surface (Gottschalk, Lin, Manocha
// 1996), by Jacobi's rotations, which cope with every symmetric matrix.

#include "bv/axes.h"

#include "bv/volume.h"

// Limit of sweeps over the three off-diagonal elements; three or four are typical.
#define JACOBI_SWEEPS 12

// Elements that rotate the axes by less than this are left: one bit of the floats that store the axes.
#define JACOBI_DONE 1e-7

// Number of sampled triangles: more of them would rotate the axes by a few degrees at most.
#define SAMPLE_COUNT 1024

// A surface with less area than this share of its squared size counts as having none.
#define AREA_FLOOR 1e-12

// Directions with a smaller sine between them are parallel.
#define PARALLEL_SINE 1e-6

static const wkMat3d identity = {{1.0, 0.0, 0.0}, {0.0, 1.0, 0.0}, {0.0, 0.0, 1.0}};

wkPackedQuat wkMakePackedQuat(const wkMat3d* m)
{
    // four times the squares of w, x, y and z: dividing by the largest loses no bits
    double squares[4] = {1.0 + m->x.x + m->y.y + m->z.z, 1.0 + m->x.x - m->y.y - m->z.z,
                         1.0 - m->x.x + m->y.y - m->z.z, 1.0 - m->x.x - m->y.y + m->z.z};
    int largest = 0;
    for (int i = 1; i < 4; ++i) {
        largest = squares[i] > squares[largest] ? i : largest;
    }
    double wx = m->y.z - m->z.y, wy = m->z.x - m->x.z, wz = m->x.y - m->y.x;
    double xy = m->y.x + m->x.y, xz = m->z.x + m->x.z, yz = m->z.y + m->y.z;
    // products of the largest with each of w, x, y and z
    const double products[4][4] = {{squares[0], wx, wy, wz},
                                   {wx, squares[1], xy, xz},
                                   {wy, xy, squares[2], yz},
                                   {wz, xz, yz, squares[3]}};
    const double* q = products[largest];
    double scale = 0.5 / sqrt(squares[largest]);
    wkPackedQuat packedQuat = {(float)(scale * q[1]), (float)(scale * q[2]), (float)(scale * q[3]),
                               (float)(scale * q[0])};
    return packedQuat;
}

wkExtents wkMeasureExtents(const wkSpheres* spheres, const wkMat3d* axes)
{
    wkExtents extents = {spheres->points[0], wkVec(0.0, 0.0, 0.0), wkVec(0.0, 0.0, 0.0)};
    for (int32_t i = 0; i < spheres->count; ++i) {
        wkVec3d local = wkMulTMV(axes, wkSub(spheres->points[i], extents.origin));
        double radius = wkSphereRadius(spheres, i);
        wkVec3d reach = wkVec(radius, radius, radius);
        extents.lower = wkMin(extents.lower, wkSub(local, reach));
        extents.upper = wkMax(extents.upper, wkAdd(local, reach));
    }
    return extents;
}

wkMat3d wkSortAxes(const wkMat3d* axes, const wkExtents* extents)
{
    wkVec3d size = wkSub(extents->upper, extents->lower);
    const double sizes[3] = {size.x, size.y, size.z};
    const wkVec3d columns[3] = {axes->x, axes->y, axes->z};
    int first = sizes[1] > sizes[0] ? 1 : 0;
    first = sizes[2] > sizes[first] ? 2 : first;
    int second = (first + 1) % 3, third = (first + 2) % 3;
    second = sizes[third] > sizes[second] ? third : second;
    wkMat3d sorted = {columns[first], columns[second], wkCross(columns[first], columns[second])};
    return sorted;
}

// A symmetric matrix under Jacobi's rotations, and the columns rotated so far.
typedef struct symmetric {
    double m[3][3];
    wkVec3d columns[3];
} symmetric;

// Rotates columns p and q so that the element between them vanishes; false when it nearly does already.
static bool rotate(symmetric* s, int p, int q)
{
    double element = s->m[p][q];
    if (!(fabs(element) > JACOBI_DONE * fabs(s->m[q][q] - s->m[p][p]))) {
        return false;
    }
    double slope = 0.5 * (s->m[q][q] - s->m[p][p]) / element;
    double tangent = copysign(1.0, slope) / (fabs(slope) + sqrt(slope * slope + 1.0));
    double cosine = 1.0 / sqrt(tangent * tangent + 1.0), sine = tangent * cosine;
    int r = 3 - p - q;
    double rp = s->m[r][p], rq = s->m[r][q];
    s->m[p][p] -= tangent * element;
    s->m[q][q] += tangent * element;
    s->m[p][q] = s->m[q][p] = 0.0;
    s->m[r][p] = s->m[p][r] = cosine * rp - sine * rq;
    s->m[r][q] = s->m[q][r] = sine * rp + cosine * rq;
    wkVec3d cp = s->columns[p], cq = s->columns[q];
    s->columns[p] = wkMulSub(wkScale(cosine, cp), sine, cq);
    s->columns[q] = wkMulAdd(wkScale(cosine, cq), sine, cp);
    return true;
}

// Returns the eigenvectors of a symmetric matrix given by its upper half, largest eigenvalue first.
static wkMat3d eigenvectors(symmetric s)
{
    s.m[1][0] = s.m[0][1];
    s.m[2][0] = s.m[0][2];
    s.m[2][1] = s.m[1][2];
    s.columns[0] = identity.x;
    s.columns[1] = identity.y;
    s.columns[2] = identity.z;
    bool isRotating = true;
    for (int sweep = 0; isRotating && sweep < JACOBI_SWEEPS; ++sweep) {
        isRotating = rotate(&s, 0, 1);
        isRotating = rotate(&s, 0, 2) || isRotating;
        isRotating = rotate(&s, 1, 2) || isRotating;
    }
    wkMat3d axes = {s.columns[0], s.columns[1], s.columns[2]};
    wkExtents values = {identity.x, wkVec(0.0, 0.0, 0.0), wkVec(s.m[0][0], s.m[1][1], s.m[2][2])};
    axes = wkSortAxes(&axes, &values);
    wkVec3d directions[2] = {axes.x, axes.y};
    return wkMakeAxes(directions, &axes) ? axes : identity;
}

// Adds weight * v * transpose(v) to the upper half.
static void addSquare(symmetric* s, double weight, wkVec3d v)
{
    wkVec3d weighted = wkScale(weight, v);
    s->m[0][0] += weighted.x * v.x;
    s->m[0][1] += weighted.x * v.y;
    s->m[0][2] += weighted.x * v.z;
    s->m[1][1] += weighted.y * v.y;
    s->m[1][2] += weighted.y * v.z;
    s->m[2][2] += weighted.z * v.z;
}

wkMat3d wkSpreadAxes(const wkVec3d* points, int32_t count)
{
    wkVec3d sum = wkVec(0.0, 0.0, 0.0);
    symmetric squares = {0};
    for (int32_t i = 1; i < count; ++i) {
        wkVec3d p = wkSub(points[i], points[0]);
        sum = wkAdd(sum, p);
        addSquare(&squares, 1.0, p);
    }
    addSquare(&squares, -1.0 / count, sum);
    return eigenvectors(squares);
}

// Sums over triangles, each with its area as weight.
typedef struct areaSums {
    double area;
    wkVec3d centers;
    symmetric squares;
} areaSums;

// The second moment of a triangle, averaged over its area, is (9 m m' + a a' + b b' + c c') / 12 with
// vertices a, b, c and centre m.
static void addTriangle(areaSums* sums, wkVec3d a, wkVec3d b, wkVec3d c)
{
    double area = wkLength(wkCross(wkSub(b, a), wkSub(c, a)));
    wkVec3d sum = wkAdd(wkAdd(a, b), c);
    sums->area += area;
    sums->centers = wkMulAdd(sums->centers, area / 3.0, sum);
    addSquare(&sums->squares, area / 12.0, sum);
    addSquare(&sums->squares, area / 12.0, a);
    addSquare(&sums->squares, area / 12.0, b);
    addSquare(&sums->squares, area / 12.0, c);
}

wkMat3d wkFitAxes(const wkVec3d* points, int32_t count)
{
    // relative to one of the points, so that their distance from the origin costs no digits
    wkVec3d origin = points[0];
    areaSums sums = {0};
    int32_t step = 3 * (1 + count / (3 * SAMPLE_COUNT));
    for (int32_t i = 0; i + 2 < count; i += step) {
        addTriangle(&sums, wkSub(points[i], origin), wkSub(points[i + 1], origin),
                    wkSub(points[i + 2], origin));
    }
    double sizeSquared =
        (sums.squares.m[0][0] + sums.squares.m[1][1] + sums.squares.m[2][2]) / sums.area;
    if (!(sums.area > AREA_FLOOR * sizeSquared)) {
        return wkSpreadAxes(points, count);
    }
    addSquare(&sums.squares, -1.0 / sums.area, sums.centers);
    return eigenvectors(sums.squares);
}

bool wkMakeAxes(const wkVec3d directions[2], wkMat3d* axes)
{
    wkVec3d none = wkVec(0.0, 0.0, 0.0);
    wkVec3d x = wkNormalizeOr(directions[0], none);
    wkVec3d other = wkNormalizeOr(directions[1], none);
    wkVec3d across = wkAcross(other, wkDot(other, x), x);
    double sine = wkLength(across);
    if (!(sine > PARALLEL_SINE) || wkDot(x, x) < 0.5) {
        return false;
    }
    axes->x = x;
    axes->y = wkScale(1.0 / sine, across);
    axes->z = wkCross(axes->x, axes->y);
    return true;
}
