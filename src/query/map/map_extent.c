// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// Extent of a map: its furthest cell along a direction, and the box around all cells, from six such
// directions. The descent is short, because cubes that cannot contain a further cell are culled.

#include "query/map/map_extent.h"

#include "query/map/map_query.h"
#include "solve/pair.h"

// A cube, and its extent along the direction.
typedef struct height {
    wkCube cube;
    double top;
} height;

static double topOf(const wkOctree* octree, const wkCube* cube, wkVec3d direction)
{
    return wkDot(direction, wkCubeCenter(octree, cube)) +
           wkCubeHalf(octree, cube) * wkSumAbs(direction);
}

// Pushes the children of a cube, the highest last.
static int pushChildren(const wkMapView* view, const wkCube* cube, wkVec3d direction, height* stack)
{
    wkCube children[8];
    int found = wkOpenCube(view, cube, children);
    for (int i = 0; i < found; ++i) {
        height next = {children[i], topOf(view->octree, &children[i], direction)};
        int k = i;
        for (; k > 0 && stack[k - 1].top > next.top; --k) {
            stack[k] = stack[k - 1];
        }
        stack[k] = next;
    }
    return found;
}

// Finds the cell furthest along a direction; of equal ones the first that is visited.
// @return false when no cell counts
static bool findFurthest(const wkMapView* view, wkVec3d direction, wkCube* furthest)
{
    height stack[WK_MAP_STACK];
    double best = -INFINITY;
    int count = wkMapRoot(view, &stack[0].cube) ? 1 : 0;
    stack[0].top = INFINITY;
    bool isFound = count > 0;
    while (count > 0) {
        height next = stack[--count];
        if (!(next.top > best)) {
            continue;
        }
        if (next.cube.link != 0) {
            count += pushChildren(view, &next.cube, direction, &stack[count]);
        } else {
            *furthest = next.cube;
            best = topOf(view->octree, &next.cube, direction);
        }
    }
    return isFound;
}

wkAabb wkMapCellBounds(const wkMapView* view)
{
    wkAabb bounds = {{INFINITY, INFINITY, INFINITY}, {-INFINITY, -INFINITY, -INFINITY}};
    for (int axis = 0; axis < 3; ++axis) {
        for (int side = -1; side <= 1; side += 2) {
            double along[3] = {0.0, 0.0, 0.0};
            along[axis] = side;
            wkCube cube;
            if (!findFurthest(view, wkVec(along[0], along[1], along[2]), &cube)) {
                return bounds;
            }
            wkVec3d center = wkCubeCenter(view->octree, &cube);
            double end = wkAlongAxis(&center, axis) + side * wkCubeHalf(view->octree, &cube);
            ((double*)(side < 0 ? &bounds.lower : &bounds.upper))[axis] = end;
        }
    }
    return bounds;
}

wkAabb wkMapBounds(const wkShape* shape, const wkPose* pose)
{
    wkMapView view = wkViewOfMap(shape);
    wkAabb everything = {{-INFINITY, -INFINITY, -INFINITY}, {INFINITY, INFINITY, INFINITY}};
    if (view.wantsUnknown) {
        return everything;
    }
    wkAabb cells = wkMapCellBounds(&view);
    if (cells.lower.x > cells.upper.x) {
        return cells;
    }
    // like a box at that position
    wkShape box = {.type = wk_shapeBox, .rounding = shape->rounding, .padding = shape->padding};
    wkVec3d middle = wkMiddle(cells.lower, cells.upper);
    box.box.half = wkScale(0.5, wkSub(cells.upper, cells.lower));
    wkPose boxPose = {wkTransformPoint(*pose, middle), pose->rotation};
    wkAabb bounds = wkShape_Bounds(&box, boxPose);

    // rounding of the position, and of half sums
    double slack = WK_ROUNDING * (wkMaxAbs(middle) + wkMaxAbs(box.box.half));
    wkVec3d wider = wkVec(slack, slack, slack);
    bounds.lower = wkSub(bounds.lower, wider);
    bounds.upper = wkAdd(bounds.upper, wider);
    return bounds;
}

wkVec3d wkMapSupport(const wkShape* shape, wkVec3d direction)
{
    wkMapView view = wkViewOfMap(shape);
    wkCube cube;
    if (view.wantsUnknown || !findFurthest(&view, direction, &cube)) {
        return wkVec(0.0, 0.0, 0.0);
    }
    double half = wkCubeHalf(view.octree, &cube);
    wkVec3d vertex = wkVec(copysign(half, direction.x), copysign(half, direction.y),
                           copysign(half, direction.z));
    return wkMulAdd(wkAdd(wkCubeCenter(view.octree, &cube), vertex), wkShapeRadius(shape),
                    direction);
}

void wkMapDigest(wkDigestBuilder* builder, const wkShape* shape)
{
    const wkMapShape* map = &shape->map;
    wkOctreeDef def = wkOctree_Def(map->octree);
    const double numbers[3] = {def.resolution, def.occupiedProbability, map->occupiedProbability};
    wkDigestBuilder_AddNumbers(builder, numbers, 3);
    wkDigestBuilder_AddInteger(builder, map->unknown);
    wkCellIterator cells = wkOctree_Cells(map->octree, NULL);
    wkCell cell;
    while (wkCellIterator_Next(&cells, &cell)) {
        double logOdds = (double)cell.logOdds;
        // without the 1 that keeps ids from being 0: digests in files have been computed so
        wkDigestBuilder_AddInteger(builder, cell.id.bits - 1);
        wkDigestBuilder_AddNumbers(builder, &logOdds, 1);
    }
    wkDigestBuilder_AddInteger(builder, -1); // the end: no cell has this number
}

const uint64_t* wkMapChanges(const wkShape* shape)
{
    return &shape->map.octree->version;
}
