// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// The pair table as walks over hierarchies of shapes use it. Both items are translated to the position of
// the first, so that rounding is in proportion to their distance and not to the size of the hierarchies.

#include "query/tree/item_pair.h"

#include "query/pair/question.h"

void wkLoadItem(const wkTreeView* view, const wkShape* tree, int32_t index, wkItem* item)
{
    wkViewItem(view, index, item);
    item->shape.rounding += tree->rounding;
    item->shape.padding += tree->padding;
}

void wkTransformItem(const wkPose* pose, wkItem* item)
{
    item->pose = wkMulPose(*pose, item->pose);
    item->pose.rotation = wkNormalizeQuat(item->pose.rotation);
}

void wkLoadItemOfB(const wkBodyQuestion* q, int32_t index, wkItem* item)
{
    wkLoadItem(&q->viewB, q->b, index, item);
    if (q->viewB.groups != NULL) { // spheres have no orientation
        item->pose.position = wkFramePoint(&q->bInA, item->pose.position);
        return;
    }
    if (q->viewB.item != NULL) {
        wkTransformItem(&q->bPoseInA, item);
        return;
    }
    wkVec3d* faceVertices = item->shape.triangle.points;
    for (int k = 0; k < 3; ++k) {
        faceVertices[k] = wkFramePoint(&q->bInA, faceVertices[k]);
    }
}

wkItemSphere wkSphereAroundItem(const wkItem* item)
{
    wkInnerOuterSpheres core = wkConvexRowOf(&item->shape)->sphere(&item->shape);
    wkItemSphere sphere = {
        wkAdd(item->pose.position, wkRotateByQuat(item->pose.rotation, core.center)),
        core.radius + wkShapeRadius(&item->shape),
    };
    return sphere;
}

void wkAskItemPair(const wkBodyQuestion* q, const wkItem* a, const wkItem* b, double reach,
                   wkDistanceResult* found)
{
    bool isSwapped = a->shape.type > b->shape.type;
    const wkItem *first = isSwapped ? b : a, *second = isSwapped ? a : b;
    const wkPairRow* row = &wkPairTable[first->shape.type][second->shape.type];
    wkVec3d origin = first->pose.position;
    wkPose poseFirst = {{0.0, 0.0, 0.0}, first->pose.rotation};
    wkPose poseSecond = {wkSub(second->pose.position, origin), second->pose.rotation};
    if (wkIsVerdict(q) && row->gap != NULL) {
        double gap = row->gap(&first->shape, &poseFirst, &second->shape, &poseSecond, reach);
        *found = (wkDistanceResult){.distance = gap, .status = wk_statusExact};
        return;
    }
    wkQuestion pair = wkQuestionOfParts(q, &first->shape, &poseFirst, &second->shape, &poseSecond);
    pair.cutoff = reach;
    if (q->isCommon) {
        wkAnswerPairUnsigned(row, &pair, found);
    } else {
        wkAnswerPair(row, &pair, found);
    }
    if (isSwapped) {
        *found = wkSwapAnswer(*found);
    }
    found->pointA = wkAdd(found->pointA, origin);
    found->pointB = wkAdd(found->pointB, origin);
}
