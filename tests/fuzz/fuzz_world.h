// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// What the fuzz targets of worlds share: a world or words, and no memory left behind.

#include "whisker/io.h"

#include <stdio.h>
#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size);

static inline void fuzzFail(const char* what)
{
    fprintf(stderr, "%s: %s\n", what, wkGetLastError());
    abort();
}

static inline int fuzzWorld(const uint8_t* data, size_t size, const char* format)
{
    wkWorldData* world = NULL;
    wkWorldLoadDef options = wkDefaultWorldLoadDef();
    options.format = format;
    options.folder = "/nowhere";
    wkResult result = wkWorldData_Parse(data, size, &options, &world);
    if ((result == wk_ok) != (world != NULL)) {
        fuzzFail("a world and a failure");
    }
    for (int32_t i = 0; world != NULL && i < world->objectCount; i++) {
        const wkWorldObject* object = &world->objects[i];
        if (object->shapeCount < 1 || !wkIsValidPose(object->pose)) {
            fuzzFail("an object that cannot be used");
        }
        for (int32_t k = 0; k < object->shapeCount; k++) {
            if (wkShape_Check(&object->shapes[k]) != wk_ok || !wkIsValidPose(object->poses[k])) {
                fuzzFail("a shape that cannot be used");
            }
        }
    }
    if (result != wk_ok && wkGetLastError()[0] == '\0') {
        fuzzFail("refused without words");
    }
    wkWorldData_Destroy(world);
    if (wkGetByteCount() != 0) {
        fuzzFail("memory was left behind");
    }
    return 0;
}
