// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

#include "info_mesh.h"

#include <math.h>
#include <stdio.h>

// Describes the orientation of the triangles of a watertight mesh; "" for outward.
static const char* facingOf(const wkMeshInfo* info)
{
    return info->isClosed && info->volumeInside < 0.0 ? ", inside out" : "";
}

void wkPrintMesh(const wkMeshInfo* info)
{
    printf("  %-10s %d\n", "pieces", (int)info->componentCount);
    if (info->degenerateCount > 0) {
        printf("  %-10s %d triangles\n", "flat", (int)info->degenerateCount);
    }
    if (info->isClosed) {
        printf("  %-10s yes%s\n", "watertight", facingOf(info));
    } else {
        printf("  %-10s no, boundary loops %d\n", "watertight", (int)info->boundaryLoopCount);
    }
    if (info->sewnGap > 0.0) {
        printf("  %-10s gaps of up to %.2g m are closed\n", "sewn", info->sewnGap);
    }
    if (info->hullCount > 0) {
        printf("  %-10s parts bounded by their convex hulls: %d, triangles contradict each other\n",
               "doubtful", (int)info->hullCount);
    }
    printf("  %-10s %s\n", "convex", info->isConvex ? "yes" : "no");
    printf("  %-10s %g m2\n", "area", info->area);
    printf("  %-10s %g m3%s\n", "volume", fabs(info->volumeInside),
           info->isClosed ? "" : " with its lids");
}

void wkPrintLinkMesh(const char* link, const wkMeshInfo* info)
{
    printf("    %-30s triangles %d, pieces %d, ", link, (int)info->triangleCount,
           (int)info->componentCount);
    if (!info->isClosed && !info->isSolid) {
        printf("not watertight\n"); // boundary loops are known for solids only
        return;
    }
    if (info->isClosed) {
        printf("watertight%s", facingOf(info));
    } else {
        printf("boundary loops %d", (int)info->boundaryLoopCount);
    }
    if (info->hullCount > 0) {
        printf(", hulls of doubtful parts %d", (int)info->hullCount);
    }
    printf("%s, %g m3\n", info->isConvex ? ", convex" : "", fabs(info->volumeInside));
}
