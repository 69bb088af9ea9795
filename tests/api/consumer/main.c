// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// The smallest program of somebody else: prints the version and one distance.

#include <stdio.h>
#include <whisker/whisker.h>

int main(void)
{
    wkVersion version = wkGetVersion();
    wkShape box = wkMakeBox(1.0, 1.0, 1.0);
    wkShape ball = wkMakeSphere(0.5);
    wkDistanceResult result =
        wkDistance(&box, wkIdentityPose(), &ball, wkMakePose(3.0, 0.0, 0.0), NULL);
    printf("whisker %d.%d.%d: distance %.3f\n", version.major, version.minor, version.patch,
           result.distance);
    return result.distance > 1.999 && result.distance <= 2.0 ? 0 : 1;
}
