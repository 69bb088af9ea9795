// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// Clouds from files of points. Coordinates that floats do not hold exactly move a little when they are read,
// and the radius of the cloud grows by as much: no point comes free by it.

#include "io/points/point_builder.h"

#include "whisker/detail/library.h"

#define SQUARE_ROOT_OF_3 1.7320508075688774 // rounded up: three coordinates move a point

static wkResult checkCount(const wkIoSource* source, const wkCloud* cloud)
{
    wkCloudInfo info = wkCloud_Info(cloud);
    return info.pointCount > 0 || source->options->allowsEmpty
               ? wk_ok
               : wkIoFail(
                     source->name, wk_errorArgument,
                     "has %d points, none of them finite, so that nothing would ever touch the "
                     "cloud; allowsEmpty (--allow-empty) takes it as it is",
                     info.notFiniteCount);
}

static wkResult buildCloud(const wkIoSource* source, const wkIoCloud* read, wkCloud** cloud)
{
    wkCloudDef def = source->options->cloud;
    def.points = wkDefaultCloudDef().points;
    def.points.data = read->data.points;
    def.points.count = read->data.count;
    def.allowsEmpty = true; // refused below, with the name of the file
    double rounding = SQUARE_ROOT_OF_3 * read->axisRounding;
    if (rounding > def.maxRounding) {
        return wkIoFail(source->name, wk_errorRange,
                        "floats move its points by up to %g m, more than maxRounding, %g m: "
                        "set or find an origin near them",
                        rounding, def.maxRounding);
    }
    def.radius += rounding;
    wkResult result = wkCloud_Create(&def, cloud);
    if (result != wk_ok) {
        return wkIoFailAgain(source, result);
    }
    result = checkCount(source, *cloud);
    if (result != wk_ok) {
        wkCloud_Destroy(*cloud);
        *cloud = NULL;
    }
    return result;
}

static wkResult takeCloud(const wkIoSource* source, const wkIoFormat* format, void* result)
{
    wkIoCloud* read;
    wkResult outcome = wkIoCloud_Read(source, format, &read);
    if (outcome == wk_ok) {
        outcome = buildCloud(source, read, (wkCloud**)result);
    }
    wkIoCloud_Destroy(read);
    return outcome;
}

wkResult wkCloud_Load(const char* path, const wkLoadDef* def, wkLoadInfo* info, wkCloud** cloud)
{
    if (path == NULL || cloud == NULL) {
        return wkSetLastError(wk_errorArgument, "load: path or cloud is NULL");
    }
    *cloud = NULL;
    return wkIoLoad(path, wk_ioPoints, def, info, takeCloud, cloud);
}
