// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// The smallest program that uses an installed Whisker: prints the version, one distance, and what it read.

#include <stdio.h>
#include <string.h>
#include <whisker/io.h>
#include <whisker/whisker.h>

int main(void)
{
    wkVersion version = wkGetVersion();
    wkShape box = wkMakeBox(1.0, 1.0, 1.0);
    wkShape sphere = wkMakeSphere(0.5);
    wkDistanceResult result =
        wkDistance(&box, wkIdentityPose(), &sphere, wkMakePose(3.0, 0.0, 0.0), NULL);
    const char* text = "v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n";
    wkMeshData* data = NULL;
    wkResult parsed = wkMeshData_Parse(text, strlen(text), "obj", NULL, NULL, &data);
    int triangleCount = parsed == wk_ok ? data->triangleCount : 0;
    wkMeshData_Destroy(data);
    printf("whisker %d.%d.%d: distance %.3f, %d triangle\n", version.major, version.minor,
           version.patch, result.distance, triangleCount);
    return result.distance > 1.999 && result.distance <= 2.0 && triangleCount == 1 ? 0 : 1;
}
