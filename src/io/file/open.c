// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// Opens a path or bytes as a source and finds the row of its format.

#include "io/file/format.h"

#include "base/cookie.h"

#include "whisker/detail/library.h"

wkLoadDef wkDefaultLoadDef(void)
{
    wkLoadDef options = {.scale = {1.0, 1.0, 1.0},
                         .isSolid = true,
                         .volume = wk_volumeAabb,
                         .split = wk_splitSah,
                         .cloud = wkDefaultCloudDef(),
                         .cookie = WK_COOKIE(wkLoadDef)};
    return options;
}

wkResult wkIoCheckOptions(const wkLoadDef** options, wkLoadDef* defaults)
{
    if (*options == NULL) {
        *defaults = wkDefaultLoadDef();
        *options = defaults;
    }
    if (!WK_HAS_COOKIE((*options), wkLoadDef)) {
        return WK_FAIL_COOKIE((*options), wkLoadDef);
    }
    wkVec3d scale = (*options)->scale;
    if (!wkIoIsFinite(scale) || scale.x == 0.0 || scale.y == 0.0 || scale.z == 0.0) {
        return wkIoFail("load", wk_errorRange,
                        "scale is %g %g %g, expected finite factors that are not 0", scale.x,
                        scale.y, scale.z);
    }
    wkVec3d origin = (*options)->origin;
    if (!wkIoIsFinite(origin)) {
        return wkIoFail("load", wk_errorNotFinite, "origin is %g %g %g", origin.x, origin.y,
                        origin.z);
    }
    return wk_ok;
}

static wkResult chooseFormat(const wkIoSource* source, wkIoKind kind, const wkIoFormat** format)
{
    const char* wanted = source->options->format;
    const wkIoFormat* row = wanted != NULL
                                ? wkIoFormat_Find(wanted)
                                : wkIoFormat_Match(kind, source->bytes, source->byteCount);
    if (row == NULL && wanted == NULL) {
        row = wkIoFormat_Find(source->extension);
    }
    if (row == NULL && wanted == NULL && source->extension[0] != '\0' && kind == wk_ioMesh) {
        row = wkIoFormat_Others();
    }
    *format = row;
    if (row == NULL || !wkIoFormat_Holds(row, kind)) {
        static const char* const things[] = {"a mesh", "points", "a map"};
        char names[128];
        wkIoFormat_List(kind, false, names, sizeof names);
        return wkIoFail(source->name, wk_errorUnsupported,
                        "format \"%.40s\" is none of those that hold %s: %s",
                        wanted != NULL ? wanted : source->extension, things[kind], names);
    }
    return wk_ok;
}

static wkResult chooseAndTake(const wkIoSource* source, wkIoKind kind, wkIoTakeFcn* take,
                              void* result)
{
    const wkIoFormat* format = NULL;
    wkResult outcome = chooseFormat(source, kind, &format);
    return outcome == wk_ok ? take(source, format, result) : outcome;
}

wkResult wkIoLoad(const char* path, wkIoKind kind, const wkLoadDef* options, wkLoadInfo* info,
                  wkIoTakeFcn* take, void* result)
{
    wkLoadDef defaults;
    wkResult outcome = wkIoCheckOptions(&options, &defaults);
    if (outcome != wk_ok) {
        return outcome;
    }
    wkIoSource source = {.name = path,
                         .path = path,
                         .options = options,
                         .extension = wkIoExtension(path),
                         .info = info};
    // sensors write points to pipes; meshes and maps are files
    outcome = (kind == wk_ioPoints ? wkIoReadInput : wkIoReadFile)(path, &source);
    if (outcome == wk_ok) {
        outcome = chooseAndTake(&source, kind, take, result);
        wkIoUnread(&source);
    }
    return outcome;
}

wkResult wkIoParse(const void* bytes, size_t byteCount, const char* format, wkIoKind kind,
                   const wkLoadDef* options, wkLoadInfo* info, wkIoTakeFcn* take, void* result)
{
    static const uint8_t none[1] = {0};
    wkLoadDef kept;
    wkResult outcome = wkIoCheckOptions(&options, &kept);
    if (outcome != wk_ok) {
        return outcome;
    }
    kept = *options;
    kept.format = format;
    wkIoSource source = {.name = format != NULL ? format : "bytes",
                         .bytes = byteCount > 0 ? bytes : none,
                         .byteCount = byteCount,
                         .options = &kept,
                         .extension = format != NULL ? format : "",
                         .info = info};
    return chooseAndTake(&source, kind, take, result);
}
