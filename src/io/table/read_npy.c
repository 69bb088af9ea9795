// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// NPY: one NumPy array. Either a row per point, with x, y and z in its first columns, or an image of points.

#include "io/points/point_builder.h"
#include "io/table/npy.h"

// Columns of three or four rows: with more, these are x, y and z of points, and not points.
#define MOST_COLUMNS 8

static wkResult checkShape(const wkIoSource* source, const wkNpyHeader* header)
{
    bool isTable = header->dimensionCount == 2 || header->dimensionCount == 3;
    if (!isTable || header->shape[header->dimensionCount - 1] < 3) {
        return wkIoFailNpy(source, header, "shape",
                           "is neither (n, 3 or more) nor (height, width, 3 or more)");
    }
    bool isTransposed = header->dimensionCount == 2 && header->shape[1] > MOST_COLUMNS &&
                        (header->shape[0] == 3 || header->shape[0] == 4);
    if (isTransposed) {
        return wkIoFailNpy(source, header, "shape",
                           "has a point in each column; save the transpose, (n, 3 or more)");
    }
    if (header->isFortran && header->dimensionCount == 3) {
        return wkIoFailNpy(source, header, "fortran_order", "is True for three sizes");
    }
    return wk_ok;
}

wkResult wkIoReadNpy(const wkIoSource* source, wkIoCloud* cloud)
{
    wkNpyHeader header;
    wkResult result = wkIoReadNpyHeader(source, &header);
    if (result == wk_ok) {
        result = checkShape(source, &header);
    }
    if (result != wk_ok) {
        return result;
    }
    bool isImage = header.dimensionCount == 3;
    uint64_t count = (uint64_t)header.shape[0] * (isImage ? (uint64_t)header.shape[1] : 1);
    size_t numberBytes = wkIoNumberBytes(header.type);
    size_t rowBytes = (size_t)header.shape[header.dimensionCount - 1] * numberBytes;
    size_t most = rowBytes > 0 ? header.bodyByteCount / rowBytes : 0;
    if (count > most) {
        return wkIoFail(source->name, wk_errorParse,
                        "header: shape has %llu points, but there are bytes for %zu",
                        (unsigned long long)count, most);
    }
    result = wkIoCloud_Reserve(cloud, source, count);
    if (result != wk_ok) {
        return result;
    }
    wkIoColumn columns[3];
    for (size_t axis = 0; axis < 3; axis++) {
        size_t step = header.isFortran ? numberBytes * (size_t)count : numberBytes;
        columns[axis] = (wkIoColumn){header.body + axis * step,
                                     header.isFortran ? numberBytes : rowBytes, header.type};
    }
    wkIoCloud_AddColumns(cloud, columns, (size_t)count, header.isBig);
    cloud->data.width = isImage ? (int32_t)header.shape[1] : (int32_t)count;
    cloud->data.height = isImage ? (int32_t)header.shape[0] : 1;
    wkIoCloud_WarnOfRest(cloud, header.bodyByteCount - (size_t)count * rowBytes);
    return wk_ok;
}
