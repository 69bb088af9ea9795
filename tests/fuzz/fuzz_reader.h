// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// What holds for every reader of meshes: it refuses with words, or gives triangles that can be used
// as they are; and nothing is left behind.

#include "whisker/io.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size);

static void fuzzFail(const char* what)
{
    fprintf(stderr, "%s; last words: %s\n", what, wkGetLastError());
    abort();
}

static void fuzzCheck(const wkMeshData* mesh)
{
    for (int32_t i = 0; i < mesh->vertexCount; i++) {
        wkVec3d v = mesh->vertices[i];
        if (!isfinite(v.x) || !isfinite(v.y) || !isfinite(v.z)) {
            fuzzFail("a vertex is not finite");
        }
    }
    for (int64_t i = 0; i < 3 * (int64_t)mesh->triangleCount; i++) {
        if (mesh->triangles[i] < 0 || mesh->triangles[i] >= mesh->vertexCount) {
            fuzzFail("an index is out of range");
        }
    }
}

static int fuzzReader(const uint8_t* data, size_t size, const char* format)
{
    for (int keepsVertices = 0; keepsVertices < 2; keepsVertices++) {
        wkMeshData* mesh = NULL;
        wkLoadDef options = wkDefaultLoadDef();
        options.keepsVertices = keepsVertices != 0;
        wkResult result = wkMeshData_Parse(data, size, format, &options, NULL, &mesh);
        if ((result == wk_ok) != (mesh != NULL)) {
            fuzzFail("result and mesh disagree");
        }
        if (result == wk_ok) {
            fuzzCheck(mesh);
        } else if (wkGetLastError()[0] == '\0') {
            fuzzFail("refused without words");
        }
        wkMeshData_Destroy(mesh);
    }
    if (wkGetByteCount() != 0) {
        fuzzFail("memory was left behind");
    }
    return 0;
}
