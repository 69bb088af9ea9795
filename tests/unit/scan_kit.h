// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// Scans of a room, and maps that are made from them.

#include "octree_kit.h"
#include "scenes/room_scene.h"

#define WIDTH 48
#define HEIGHT 36
#define POINT_COUNT (WIDTH * HEIGHT)

static float roomPoints[3 * POINT_COUNT];

// The points that a camera observes from the n-th of several poses, valid until the next call.
static inline wkScan roomScan(int n)
{
    wkRoomScene room = wkMakeRoom();
    wkRoomView view = wkMakeRoomView();
    view.eye.x += 0.31 * n;
    view.eye.y -= 0.17 * n;
    view.yaw = 0.4 * n;
    view.width = WIDTH;
    view.height = HEIGHT;
    view.seed += (uint64_t)n;
    wkRoom_See(&room, &view, roomPoints);
    wkScan scan = wkDefaultScan();
    scan.points.points = roomPoints;
    scan.points.count = POINT_COUNT;
    scan.origin = view.eye;
    return scan;
}

static inline void assertSameCells(const wkOctree* a, const wkOctree* b)
{
    wkCellIterator cellsOfA = wkOctree_Cells(a, NULL), cellsOfB = wkOctree_Cells(b, NULL);
    wkCell cellOfA, cellOfB;
    while (wkCellIterator_Next(&cellsOfA, &cellOfA)) {
        assert_true(wkCellIterator_Next(&cellsOfB, &cellOfB));
        assert_true(wkCellId_Equals(cellOfA.id, cellOfB.id) && cellOfA.logOdds == cellOfB.logOdds);
    }
    assert_false(wkCellIterator_Next(&cellsOfB, &cellOfB));
    assert_null(octreeTrouble(a));
}
