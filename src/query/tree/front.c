// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// The public interface of fronts, and the distance that B has moved since the last query.

#include "query/tree/front.h"

#include "base/error.h"
#include "base/memory.h"

// Enough for two scanned bodies in contact.
#define WK_DEFAULT_CAPACITY 8192
#define WK_MAX_CAPACITY (1 << 26)

// A front only ever gets deeper: with this many more entries than after a walk from the stems, a new walk
// from the stems is the better start. Measured between 50 and twice as many: no great difference.
#define WK_FRONT_GROWTH 100

wkResult wkFront_Create(int32_t capacity, wkFront** front)
{
    if (front == NULL) {
        return wkFail(wk_errorArgument, "front: nowhere to put it");
    }
    *front = NULL;
    if (capacity < 0 || capacity > WK_MAX_CAPACITY) {
        return wkFail(wk_errorRange, "front: capacity is %d, must be 0 to %d", (int)capacity,
                      WK_MAX_CAPACITY);
    }
    int32_t boxCapacity = capacity > 0 ? capacity : WK_DEFAULT_CAPACITY;
    size_t byteCount = sizeof(wkFront) + (size_t)boxCapacity * sizeof(wkFrontEntry);
    wkFront* made = (wkFront*)wkAlloc(byteCount);
    if (made == NULL) {
        return wkFail(wk_errorMemory, "front: no memory for %d pairs", (int)boxCapacity);
    }
    made->byteCount = byteCount;
    made->capacity = boxCapacity;
    wkFront_Clear(made);
    *front = made;
    return wk_ok;
}

void wkFront_Destroy(wkFront* front)
{
    if (front != NULL) {
        wkFree(front, front->byteCount);
    }
}

void wkFront_Clear(wkFront* front)
{
    front->count = 0;
    front->isOverflown = false;
    front->sourceA = NULL;
    front->sourceB = NULL;
    front->contentA = 0;
    front->contentB = 0;
    front->travel = 0.0;
    front->itemA = -1;
    front->itemB = -1;
}

int32_t wkFront_Count(const wkFront* front)
{
    return front->count;
}

// Upper bound of the displacement of a point within the bounds between two poses: that of the center, plus
// the rotation about it.
static double travelBetween(const wkFrame* from, const wkFrame* to, const wkAabb* bounds)
{
    wkVec3d center = wkMiddle(bounds->lower, bounds->upper);
    double radius = 0.5 * wkLength(wkSub(bounds->upper, bounds->lower));
    wkVec3d x = wkSub(to->rotation.x, from->rotation.x);
    wkVec3d y = wkSub(to->rotation.y, from->rotation.y);
    wkVec3d z = wkSub(to->rotation.z, from->rotation.z);
    double angle = sqrt(wkDot(x, x) + wkDot(y, y) + wkDot(z, z));
    wkVec3d way = wkSub(wkFramePoint(to, center), wkFramePoint(from, center));
    double scale = wkMaxAbs(to->position) + wkMaxAbs(from->position) + wkMaxAbs(center) + radius;
    return wkLength(way) + angle * radius + 1e-14 * scale;
}

void wkFrontBegin(wkFront* front, const void* sourceA, uint64_t contentA, const void* sourceB,
                  uint64_t contentB, const wkFrame* bInA, const wkAabb* boundsB)
{
    bool isSame = front->sourceA == sourceA && front->sourceB == sourceB &&
                  front->contentA == contentA && front->contentB == contentB;
    double travel = isSame ? travelBetween(&front->bInA, bInA, boundsB) : 0.0;
    if (!isSame || !(travel < 1e30)) {
        wkFront_Clear(front);
        front->sourceA = sourceA;
        front->sourceB = sourceB;
        front->contentA = contentA;
        front->contentB = contentB;
        travel = 0.0;
    }
    front->isFresh = false;
    front->travel += travel;
    front->bInA = *bInA;
}

void wkFrontEnd(wkFront* front)
{
    int32_t kept = 0;
    for (int32_t i = 0; i < front->count; ++i) {
        if (!front->entries[i].isGone) {
            front->entries[kept++] = front->entries[i];
        }
    }
    front->count = kept;
    front->freshCount = front->isFresh ? kept : front->freshCount;
    if (front->isOverflown || kept > front->freshCount + WK_FRONT_GROWTH) {
        front->count = 0;
        front->isOverflown = false;
        front->travel = 0.0;
    }
}
