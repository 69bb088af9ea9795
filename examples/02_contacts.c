// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// Contacts: a crate that overlaps a table slightly touches it in four points. The penetration query gives
// the smallest translation that separates them.

#include "whisker/whisker.h"

#include <stdio.h>

int main(void)
{
    wkShape table = wkMakeBox(2.0, 1.0, 0.1);
    wkShape crate = wkMakeBox(0.4, 0.3, 0.3);
    wkPose tablePose = wkMakePose(0.0, 0.0, 0.7);
    wkPose cratePose = wkMakePose(0.5, 0.1, 0.7 + 0.05 + 0.15 - 0.002);

    // Results go into memory of the caller; a query allocates nothing.
    wkContact contacts[WK_MAX_CONTACTS];
    wkCollideRequest request = wkDefaultCollideRequest();
    request.contacts = contacts;
    request.contactCapacity = WK_MAX_CONTACTS;
    wkCollideResult touch = wkCollide(&table, tablePose, &crate, cratePose, &request);

    // Normals point from the first shape to the second; the deepest contact comes first.
    printf("%d contacts between table and crate\n", touch.contactCount);
    double lowestX = contacts[0].point.x;
    double highestX = contacts[0].point.x;
    for (int i = 0; i < touch.contactCount; i++) {
        lowestX = contacts[i].point.x < lowestX ? contacts[i].point.x : lowestX;
        highestX = contacts[i].point.x > highestX ? contacts[i].point.x : highestX;
    }
    printf("they span x = %.2f ... %.2f, depth %.4f, normal z %.1f\n", lowestX, highestX,
           contacts[0].depth, contacts[0].normal.z);

    // The smallest translation of the crate that ends the overlap.
    wkPenetrationResult way = wkPenetration(&table, tablePose, &crate, cratePose);
    printf("move the crate by z = %.4f\n", way.translation.z);

    // A margin widens the notion of touching: here, to keep two millimetres clear.
    cratePose.position.z += way.translation.z + 0.001;
    request = wkDefaultCollideRequest();
    bool isFree = !wkCollide(&table, tablePose, &crate, cratePose, &request).isTouching;
    request.margin = 0.002;
    bool isClear = !wkCollide(&table, tablePose, &crate, cratePose, &request).isTouching;
    printf("one millimetre above: %s, %s\n", isFree ? "free" : "touching",
           isClear ? "clear of the margin" : "within the margin");
    return 0;
}
