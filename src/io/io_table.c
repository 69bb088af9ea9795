// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// One row per format. A new one is a reader, a writer or both, and a row here.

#include "io/format.h"
#include "io/text.h"

#include <stdio.h>
#include <string.h>

// clang-format off
static const wkIoFormat table[] = {
    // name      matches         read           write         writesFloats repeatsCorners
    {"stl",     wkIoMatchStl,   wkIoReadStl,   wkIoWriteStl, true,        true},
    {"obj",     NULL,           wkIoReadObj,   wkIoWriteObj, false,       false},
    {"ply",     wkIoMatchPly,   wkIoReadPly,   wkIoWritePly, false,       false},
    {"whisker", wkIoMatchBlock, wkIoReadBlock, NULL,         false,       false},
    {"dae",     NULL,           wkIoReadScene, NULL,         false,       true},
    {"gltf",    NULL,           wkIoReadScene, NULL,         false,       true},
    {"glb",     wkIoMatchGlb,   wkIoReadScene, NULL,         false,       true},
    {"fbx",     NULL,           wkIoReadScene, NULL,         false,       true},
};
// clang-format on

#define ROW_COUNT ((int32_t)(sizeof table / sizeof table[0]))

static const wkIoFormat others = {"other", NULL, wkIoReadScene, NULL, false, true};

const wkIoFormat* wkIoFormat_Others(void)
{
    return &others;
}

const wkIoFormat* wkIoFormat_Find(const char* name)
{
    for (int32_t row = 0; row < ROW_COUNT; row++) {
        size_t length = strlen(name);
        if (length == strlen(table[row].name) && wkIoIsWord(name, name + length, table[row].name)) {
            return &table[row];
        }
    }
    return NULL;
}

const wkIoFormat* wkIoFormat_Match(const uint8_t* bytes, size_t byteCount)
{
    for (int32_t row = 0; row < ROW_COUNT; row++) {
        if (table[row].matches != NULL && table[row].matches(bytes, byteCount)) {
            return &table[row];
        }
    }
    return NULL;
}

static bool isRead(const wkIoFormat* format)
{
#if defined(WK_HAS_ASSIMP)
    return format->read != NULL;
#else
    return format->read != wkIoReadScene;
#endif
}

const char* wkMeshFormatName(int32_t index)
{
    for (int32_t row = 0; row < ROW_COUNT; row++) {
        if (isRead(&table[row]) && index-- == 0) {
            return table[row].name;
        }
    }
    return NULL;
}

void wkIoFormat_List(bool isWritten, char* words, size_t capacity)
{
    size_t length = 0;
    words[0] = '\0';
    for (int32_t row = 0; row < ROW_COUNT; row++) {
        bool isListed = isWritten ? table[row].write != NULL : isRead(&table[row]);
        if (isListed && length < capacity) {
            length += (size_t)snprintf(words + length, capacity - length, "%s%s",
                                       length > 0 ? ", " : "", table[row].name);
        }
    }
}
