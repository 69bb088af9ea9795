// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// Scans of the KITTI data set: four floats per point (x, y, z, intensity) without a header.

#include "io/points/point_builder.h"

#define POINT_BYTES 16

// The format has no mark. Files with three or five numbers for each point give themselves away by coordinates where
// intensities should be, some of which are negative.
static void warnOfIntensities(const wkIoSource* source, wkIoCloud* cloud, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        float intensity = wkIoFloat(wkIoLoad32As(source->bytes + i * POINT_BYTES + 12, false));
        if (!(intensity >= 0.0f)) {
            wkIoWarn(cloud->warning,
                     "point %zu has an intensity of %g: are there four floats for each point?", i,
                     (double)intensity);
            return;
        }
    }
}

wkResult wkIoReadKitti(const wkIoSource* source, wkIoCloud* cloud)
{
    size_t count = source->byteCount / POINT_BYTES;
    if (source->byteCount % POINT_BYTES != 0) {
        return wkIoFailByte(source, source->bytes + count * POINT_BYTES, wk_errorParse,
                            "the file ends inside point %zu: points have 16 bytes", count);
    }
    wkResult result = wkIoCloud_Reserve(cloud, source, count);
    if (result == wk_ok) {
        wkIoColumn columns[3];
        for (int axis = 0; axis < 3; axis++) {
            columns[axis] = (wkIoColumn){source->bytes + 4 * axis, POINT_BYTES, wk_numberFloat};
        }
        wkIoCloud_AddColumns(cloud, columns, count, false);
        warnOfIntensities(source, cloud, count);
    }
    return result;
}
