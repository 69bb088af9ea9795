// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

#include "info_mesh.h"

#include <math.h>
#include <stdio.h>

// Which way the triangles of a watertight mesh face; "" where the usual way.
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
        printf("  %-10s no\n", "watertight");
    }
    printf("  %-10s %s\n", "convex", info->isConvex ? "yes" : "no");
    printf("  %-10s %g m2\n", "area", info->area);
    if (info->isClosed) {
        printf("  %-10s %g m3\n", "volume", fabs(info->volumeInside));
    }
}

void wkPrintLinkMesh(const char* link, const wkMeshInfo* info)
{
    printf("    %-30s triangles %d, pieces %d, ", link, (int)info->triangleCount,
           (int)info->componentCount);
    if (info->isClosed) {
        printf("watertight%s%s, %g m3\n", facingOf(info), info->isConvex ? ", convex" : "",
               fabs(info->volumeInside));
    } else {
        printf("not watertight\n");
    }
}
