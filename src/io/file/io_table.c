// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// One row per format: its content, readers and writers.

#include "io/file/format.h"
#include "io/text/text_reader.h"

#include <stdio.h>
#include <string.h>

// clang-format off
static const wkIoFormat table[] = {
    {"stl",     wkIoMatchStl,   .readMesh = wkIoReadStl,   .writeMesh = wkIoWriteStl,
        .writesFloats = true, .repeatsVertices = true},
    {"obj",     NULL,           .readMesh = wkIoReadObj,   .writeMesh = wkIoWriteObj},
    {"ply",     wkIoMatchPly,   .readMesh = wkIoReadPly,   .writeMesh = wkIoWritePly,
        .readPoints = wkIoReadPlyPoints, .writePoints = wkIoWritePlyPoints},
    {"whisker", wkIoMatchBlock, .readMesh = wkIoReadBlock},
    {"dae",     NULL,           .readMesh = wkIoReadScene, .repeatsVertices = true},
    {"gltf",    NULL,           .readMesh = wkIoReadScene, .repeatsVertices = true},
    {"glb",     wkIoMatchGlb,   .readMesh = wkIoReadScene, .repeatsVertices = true},
    {"fbx",     NULL,           .readMesh = wkIoReadScene, .repeatsVertices = true},
    {"pcd",     wkIoMatchPcd,   .readPoints = wkIoReadPcd,   .writePoints = wkIoWritePcd},
    {"npy",     wkIoMatchNpy,   .readPoints = wkIoReadNpy,   .writePoints = wkIoWriteNpy},
    {"bin",     NULL,           .readPoints = wkIoReadKitti, .writePoints = wkIoWriteKitti,
        .writesFloats = true},
    {"las",     wkIoMatchLas,   .readPoints = wkIoReadLas,   .writePoints = wkIoWriteLas},
    {"vtk",     wkIoMatchVtk,   .readPoints = wkIoReadVtk},
    {"csv",     NULL,           .readPoints = wkIoReadCsv},
    {"xyz",     NULL,           .readPoints = wkIoReadCsv},
    {"bt",      wkIoMatchBt,    .readMap = wkIoReadOctomap,  .saveMap = wkIoSaveBt},
    {"ot",      wkIoMatchOt,    .readMap = wkIoReadOctomap,  .saveMap = wkIoSaveOt},
};
// clang-format on

#define ROW_COUNT ((int32_t)(sizeof table / sizeof table[0]))

static const wkIoFormat others = {
    .name = "other", .readMesh = wkIoReadScene, .repeatsVertices = true};

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

bool wkIoFormat_Holds(const wkIoFormat* format, wkIoKind kind)
{
    return kind == wk_ioMesh     ? format->readMesh != NULL
           : kind == wk_ioPoints ? format->readPoints != NULL
                                 : format->readMap != NULL;
}

const wkIoFormat* wkIoFormat_Match(wkIoKind kind, const uint8_t* bytes, size_t byteCount)
{
    for (int32_t row = 0; row < ROW_COUNT; row++) {
        if (wkIoFormat_Holds(&table[row], kind) && table[row].matches != NULL &&
            table[row].matches(bytes, byteCount)) {
            return &table[row];
        }
    }
    return NULL;
}

static bool isRead(const wkIoFormat* format, wkIoKind kind)
{
#if defined(WK_HAS_ASSIMP)
    bool isThere = true;
#else
    bool isThere = format->readMesh != wkIoReadScene;
#endif
    return isThere && wkIoFormat_Holds(format, kind);
}

static bool isWritten(const wkIoFormat* format, wkIoKind kind)
{
    return kind == wk_ioMesh     ? format->writeMesh != NULL
           : kind == wk_ioPoints ? format->writePoints != NULL
                                 : format->saveMap != NULL;
}

static const char* nameOfRead(wkIoKind kind, int32_t index)
{
    for (int32_t row = 0; row < ROW_COUNT; row++) {
        if (isRead(&table[row], kind) && index-- == 0) {
            return table[row].name;
        }
    }
    return NULL;
}

const char* wkMeshFormatName(int32_t index)
{
    return nameOfRead(wk_ioMesh, index);
}

const char* wkPointFormatName(int32_t index)
{
    return nameOfRead(wk_ioPoints, index);
}

void wkIoFormat_List(wkIoKind kind, bool wantsWritten, char* words, size_t capacity)
{
    size_t length = 0;
    words[0] = '\0';
    for (int32_t row = 0; row < ROW_COUNT; row++) {
        const wkIoFormat* format = &table[row];
        bool isListed = wantsWritten ? isWritten(format, kind) : isRead(format, kind);
        if (isListed && length < capacity) {
            length += (size_t)snprintf(words + length, capacity - length, "%s%s",
                                       length > 0 ? ", " : "", format->name);
        }
    }
}

wkResult wkIoFormat_ForPath(const char* path, wkIoKind kind, const wkIoFormat** format)
{
    *format = wkIoFormat_Find(wkIoExtension(path));
    if (*format == NULL || !isWritten(*format, kind)) {
        char names[128];
        wkIoFormat_List(kind, true, names, sizeof names);
        return wkIoFail(path, wk_errorUnsupported, "extension \"%.40s\" is none of %s",
                        wkIoExtension(path), names);
    }
    return wk_ok;
}
