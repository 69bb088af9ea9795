// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// The walk over two hierarchies at once, or over the pairs below one: recursive, no deeper than both trees. Boxes are
// in the world; those of meshes that are rotated are larger, never smaller.

#include "query/deform/swept_walk.h"

#include "tree/bvh/slot_box.h"

// Of the coordinates of a box in another frame, relative: some hundred times the rounding.
#define BOX_ROUNDING 1e-13

// Of a volume of three edges, relative to the cube of their largest coordinate: some ten times the rounding.
#define PLANE_ROUNDING 1e-14

// Whether a triangle is on one side of the plane of another one, for certain.
static bool isBesides(const wkVec3d plane[3], const wkVec3d points[3])
{
    wkVec3d first = wkSub(plane[1], plane[0]), second = wkSub(plane[2], plane[0]);
    wkVec3d normal = wkCross(first, second);
    double size = wkMaxD(wkMaxAbs(first), wkMaxAbs(second));
    double lower = INFINITY, upper = -INFINITY;
    for (int k = 0; k < 3; ++k) {
        wkVec3d way = wkSub(points[k], plane[0]);
        double height = wkDot(normal, way);
        size = wkMaxD(size, wkMaxAbs(way));
        lower = wkMinD(lower, height);
        upper = wkMaxD(upper, height);
    }
    double rounding = PLANE_ROUNDING * size * size * size;
    return lower > rounding || upper < -rounding;
}

bool wkDoTrianglesCross(const wkVec3d a[3], const wkVec3d b[3])
{
    if (isBesides(a, b) || isBesides(b, a)) {
        return false;
    }
    wkShape shapeA = wkShapeOfTriangle(a), shapeB = wkShapeOfTriangle(b);
    return wkCollide(&shapeA, wkIdentityPose(), &shapeB, wkIdentityPose(), NULL).isTouching;
}

static bool isIdentity(wkPose pose)
{
    wkVec3d p = pose.position;
    wkQuat q = pose.rotation;
    return p.x == 0.0 && p.y == 0.0 && p.z == 0.0 && q.x == 0.0 && q.y == 0.0 && q.z == 0.0 &&
           q.w == 1.0;
}

void wkPlaceSweptMesh(const wkMeshElements* elements, wkPose pose, bool hasMotion,
                      wkSweptMesh* swept)
{
    const wkMesh* mesh = elements->mesh;
    swept->mesh = mesh;
    swept->masks = elements->masks;
    swept->end = wkMeshVertices(mesh);
    swept->start = hasMotion && mesh->hasPrevious ? wkMeshPrevious(mesh) : swept->end;
    swept->tree = wkMeshTree(mesh);
    swept->pose = pose;
    swept->frame = wkFrameFromPose(pose);
    swept->isIdentity = isIdentity(pose);
}

// The box around an oriented one.
static wkAabb boxAround(const wkObb* box)
{
    const wkMat3d* axes = &box->frame.rotation;
    wkVec3d center = box->frame.position, half = wkScale(box->half.x, wkAbs(axes->x));
    half = wkMulAdd(half, box->half.y, wkAbs(axes->y));
    half = wkMulAdd(half, box->half.z, wkAbs(axes->z));
    wkAabb result = {wkSub(center, half), wkAdd(center, half)};
    return result;
}

static wkAabb widen(wkAabb box, double by)
{
    wkVec3d margin = wkVec(by, by, by);
    wkAabb result = {wkSub(box.lower, margin), wkAdd(box.upper, margin)};
    return result;
}

static double sizeOf(const wkAabb* box)
{
    return wkMaxD(wkMaxAbs(box->lower), wkMaxAbs(box->upper));
}

// The box around the content of a slot, in the world.
static wkAabb worldBox(const wkSweptMesh* swept, wkSlot slot)
{
    if (swept->isIdentity && swept->tree.kind == wk_volumeAabb) {
        const wkBoxNode* node = wkTreeBoxes(&swept->tree, slot / WK_TREE_WIDTH);
        int i = (int)(slot % WK_TREE_WIDTH);
        wkAabb box = {wkVec(node->lower[0][i], node->lower[1][i], node->lower[2][i]),
                      wkVec(node->upper[0][i], node->upper[1][i], node->upper[2][i])};
        return box;
    }
    wkObb oriented = wkSlotBox(&swept->tree, slot);
    wkAabb local = boxAround(&oriented);
    double rounding = BOX_ROUNDING * sizeOf(&local);
    if (swept->isIdentity) {
        return widen(local, rounding);
    }
    wkObb moved = {swept->frame, wkScale(0.5, wkSub(local.upper, local.lower))};
    moved.frame.position = wkFramePoint(&swept->frame, wkMiddle(local.lower, local.upper));
    wkAabb box = boxAround(&moved);
    return widen(box,
                 4.0 * rounding + BOX_ROUNDING * (sizeOf(&box) + wkMaxAbs(swept->frame.position)));
}

static wkVec3d worldPoint(const wkSweptMesh* swept, wkVec3d point)
{
    return swept->isIdentity ? point : wkTransformPoint(swept->pose, point);
}

static void loadTriangle(const wkSweptMesh* swept, int32_t item, wkSweptTriangle* triangle)
{
    const int32_t* indices = wkMeshTriangles(swept->mesh) + 3 * (size_t)item;
    for (int k = 0; k < 3; ++k) {
        wkVec3d start = worldPoint(swept, swept->start[indices[k]]);
        wkVec3d end = worldPoint(swept, swept->end[indices[k]]);
        triangle->vertices[k] = indices[k];
        triangle->start[k] = start;
        triangle->end[k] = end;
        wkVec3d lower = wkMin(start, end), upper = wkMax(start, end);
        triangle->paths[k].lower = lower;
        triangle->paths[k].upper = upper;
        triangle->box.lower = k == 0 ? lower : wkMin(triangle->box.lower, lower);
        triangle->box.upper = k == 0 ? upper : wkMax(triangle->box.upper, upper);
    }
    triangle->id = wkMeshIds(swept->mesh)[item];
    triangle->mask = swept->masks[triangle->id];
}

static int loadLeaf(const wkSweptMesh* swept, wkLink link, wkSweptTriangle triangles[WK_TREE_WIDTH])
{
    int count = wkLeafCount(link);
    for (int i = 0; i < count; ++i) {
        loadTriangle(swept, wkLeafFirst(link) + i, &triangles[i]);
    }
    return count;
}

static void visitLeaves(wkSweptWalk* walk, wkLink leafA, wkLink leafB)
{
    wkSweptTriangle a[WK_TREE_WIDTH], b[WK_TREE_WIDTH];
    int countA = loadLeaf(&walk->a, leafA, a), countB = loadLeaf(&walk->b, leafB, b);
    for (int i = 0; i < countA; ++i) {
        for (int k = 0; k < countB && !walk->isDone; ++k) {
            if (wkDoOverlap(&a[i].box, &b[k].box)) {
                walk->visit(walk, &a[i], &b[k]);
            }
        }
    }
}

static void visitLeaf(wkSweptWalk* walk, wkLink leaf)
{
    wkSweptTriangle triangles[WK_TREE_WIDTH];
    int count = loadLeaf(&walk->a, leaf, triangles);
    for (int i = 0; i < count; ++i) {
        for (int k = i + 1; k < count && !walk->isDone; ++k) {
            if (wkDoOverlap(&triangles[i].box, &triangles[k].box)) {
                walk->visit(walk, &triangles[i], &triangles[k]);
            }
        }
    }
}

// The slots of the node that a link leads to.
static int countSlots(const wkTree* tree, wkLink node)
{
    const wkLink* links = wkTreeLinks(tree, node);
    int count = 0;
    while (count < WK_TREE_WIDTH && links[count] != WK_LINK_EMPTY) {
        ++count;
    }
    return count;
}

static double volumeOf(const wkAabb* box)
{
    wkVec3d size = wkSub(box->upper, box->lower);
    return size.x * size.y + size.y * size.z + size.z * size.x;
}

// Visits what is below two slots whose boxes overlap; the larger one is divided.
static void visitSlots(wkSweptWalk* walk, wkSlot slotA, const wkAabb* boxA, wkSlot slotB,
                       const wkAabb* boxB)
{
    wkLink linkA = wkTreeLink(&walk->a.tree, slotA), linkB = wkTreeLink(&walk->b.tree, slotB);
    if (wkIsLeaf(linkA) && wkIsLeaf(linkB)) {
        visitLeaves(walk, linkA, linkB);
        return;
    }
    bool dividesA = !wkIsLeaf(linkA) && (wkIsLeaf(linkB) || volumeOf(boxA) >= volumeOf(boxB));
    const wkSweptMesh* swept = dividesA ? &walk->a : &walk->b;
    wkLink node = dividesA ? linkA : linkB;
    int count = countSlots(&swept->tree, node);
    for (int i = 0; i < count && !walk->isDone; ++i) {
        wkSlot slot = node * WK_TREE_WIDTH + (wkSlot)i;
        wkAabb box = worldBox(swept, slot);
        if (!wkDoOverlap(&box, dividesA ? boxB : boxA)) {
            continue;
        }
        if (dividesA) {
            visitSlots(walk, slot, &box, slotB, boxB);
        } else {
            visitSlots(walk, slotA, boxA, slot, &box);
        }
    }
}

// Visits the pairs below one slot.
static void visitSlot(wkSweptWalk* walk, wkSlot slot)
{
    wkLink link = wkTreeLink(&walk->a.tree, slot);
    if (wkIsLeaf(link)) {
        visitLeaf(walk, link);
        return;
    }
    wkAabb boxes[WK_TREE_WIDTH];
    int count = countSlots(&walk->a.tree, link);
    wkSlot first = link * WK_TREE_WIDTH;
    for (int i = 0; i < count; ++i) {
        boxes[i] = worldBox(&walk->a, first + (wkSlot)i);
    }
    for (int i = 0; i < count && !walk->isDone; ++i) {
        visitSlot(walk, first + (wkSlot)i);
        for (int k = i + 1; k < count && !walk->isDone; ++k) {
            if (wkDoOverlap(&boxes[i], &boxes[k])) {
                visitSlots(walk, first + (wkSlot)i, &boxes[i], first + (wkSlot)k, &boxes[k]);
            }
        }
    }
}

static bool isEmpty(const wkSweptMesh* swept)
{
    return swept->mesh->triangleCount == 0 || wkTreeLink(&swept->tree, 0) == WK_LINK_EMPTY;
}

void wkWalkTwoMeshes(wkSweptWalk* walk)
{
    if (isEmpty(&walk->a) || isEmpty(&walk->b)) {
        return;
    }
    wkAabb boxA = worldBox(&walk->a, 0), boxB = worldBox(&walk->b, 0);
    if (wkDoOverlap(&boxA, &boxB)) {
        visitSlots(walk, 0, &boxA, 0, &boxB);
    }
}

void wkWalkOneMesh(wkSweptWalk* walk)
{
    if (!isEmpty(&walk->a)) {
        visitSlot(walk, 0);
    }
}
