// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// What holds for maps from files: refused with words, or as good as any other. The cells of such a
// map, put into the full code and read again, are the same map.

#include "whisker/io.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size);

static void fuzzFail(const char* what)
{
    fprintf(stderr, "%s; last words: %s\n", what, wkGetLastError());
    abort();
}

// The cells in the full code; given back with free().
static uint8_t* fuzzEncode(const wkOctree* octree, wkOctreeCodeInfo* info)
{
    *info = wkOctree_Encode(octree, wk_octreeCodeFull, NULL);
    uint8_t* bytes = (uint8_t*)malloc(info->byteCount + 1);
    if (bytes == NULL) {
        abort();
    }
    wkOctreeCodeInfo written = wkOctree_Encode(octree, wk_octreeCodeFull, bytes);
    if (written.byteCount != info->byteCount || written.cubeCount != info->cubeCount) {
        fuzzFail("bytes are counted otherwise than written");
    }
    return bytes;
}

static void fuzzAgain(const wkOctree* octree)
{
    wkOctreeDef def = wkOctree_Def(octree);
    wkOctreeCodeInfo info, infoAgain;
    wkOctree* again = NULL;
    uint8_t* bytes = fuzzEncode(octree, &info);
    if (wkOctree_Decode(&def, wk_octreeCodeFull, bytes, info.byteCount, NULL, &again) != wk_ok) {
        fuzzFail("cannot be read again");
    }
    uint8_t* bytesAgain = fuzzEncode(again, &infoAgain);
    if (info.byteCount != infoAgain.byteCount || memcmp(bytes, bytesAgain, info.byteCount) != 0) {
        fuzzFail("is another map when read again");
    }
    wkOctreeInfo stats = wkOctree_Info(octree);
    if (stats.leafCount + stats.innerCount != info.cubeCount) {
        fuzzFail("cubes are counted otherwise");
    }
    wkOctree_Destroy(again);
    free(bytes);
    free(bytesAgain);
}

static int fuzzMap(const uint8_t* data, size_t size)
{
    wkOctree* octree = NULL;
    wkResult result = wkOctree_Parse(data, size, &octree);
    if ((result == wk_ok) != (octree != NULL)) {
        fuzzFail("result and map disagree");
    }
    if (result == wk_ok) {
        fuzzAgain(octree);
    } else if (wkGetLastError()[0] == '\0') {
        fuzzFail("refused without words");
    }
    wkOctree_Destroy(octree);
    if (wkGetByteCount() != 0) {
        fuzzFail("memory was left behind");
    }
    return 0;
}
