// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// LAS 1.0 to 1.4, by the specification of ASPRS: a header, records of variable length, which are skipped, and
// points of eleven formats, all of which begin with x, y and z as integers with a scale and an offset.

#include "io/points/las.h"
#include "io/points/point_builder.h"

#include "io/file/bytes.h"

#include <string.h>

// Least bytes of a point, by its format.
static const uint16_t leastBytes[WK_LAS_FORMAT_COUNT] = {20, 28, 26, 34, 57, 63,
                                                         30, 36, 38, 59, 67};

typedef struct lasHeader {
    int minor; // of version 1
    uint64_t pointCount;
    uint32_t dataOffset;
    uint32_t recordBytes;
    double scale[3];
    double offset[3];
} lasHeader;

bool wkIoMatchLas(const uint8_t* bytes, size_t byteCount)
{
    size_t length = strlen(WK_LAS_MAGIC);
    return byteCount >= length && memcmp(bytes, WK_LAS_MAGIC, length) == 0;
}

static wkResult readVersion(const wkIoSource* source, lasHeader* header)
{
    const uint8_t* bytes = source->bytes;
    if (!wkIoMatchLas(bytes, source->byteCount)) {
        return wkIoFailByte(source, bytes, wk_errorParse, "does not begin with LASF");
    }
    if (source->byteCount < WK_LAS_HEADER_BYTES) {
        return wkIoFail(source->name, wk_errorParse,
                        "ends inside of its header: %zu bytes, expected %d or more",
                        source->byteCount, WK_LAS_HEADER_BYTES);
    }
    header->minor = bytes[WK_LAS_MINOR];
    if (bytes[WK_LAS_MAJOR] != 1 || header->minor > 4) {
        return wkIoFailByte(source, bytes + WK_LAS_MAJOR, wk_errorUnsupported,
                            "LAS version %d.%d, expected 1.0 to 1.4", bytes[WK_LAS_MAJOR],
                            header->minor);
    }
    return wk_ok;
}

// Reads the sizes of header and points, and where these begin.
static wkResult readSizes(const wkIoSource* source, lasHeader* header)
{
    const uint8_t* bytes = source->bytes;
    uint32_t headerBytes = wkIoLoad16(bytes + WK_LAS_HEADER_SIZE);
    uint32_t least = header->minor == 4   ? WK_LAS_HEADER_BYTES_4
                     : header->minor == 3 ? WK_LAS_HEADER_BYTES_3
                                          : WK_LAS_HEADER_BYTES;
    header->dataOffset = wkIoLoad32(bytes + WK_LAS_DATA_OFFSET);
    header->recordBytes = wkIoLoad16(bytes + WK_LAS_RECORD_SIZE);
    if (headerBytes < least || headerBytes > source->byteCount) {
        return wkIoFailByte(source, bytes + WK_LAS_HEADER_SIZE, wk_errorParse,
                            "header of %u bytes, expected %u or more in a file of %zu", headerBytes,
                            least, source->byteCount);
    }
    if (header->dataOffset < headerBytes || header->dataOffset > source->byteCount) {
        return wkIoFailByte(source, bytes + WK_LAS_DATA_OFFSET, wk_errorParse,
                            "points begin at byte %u, expected %u to %zu", header->dataOffset,
                            headerBytes, source->byteCount);
    }
    uint32_t format = bytes[WK_LAS_FORMAT];
    if ((format & WK_LAS_COMPRESSED) != 0) {
        return wkIoFailByte(source, bytes + WK_LAS_FORMAT, wk_errorUnsupported,
                            "compressed points (LAZ); expand the file to LAS first");
    }
    if (format >= WK_LAS_FORMAT_COUNT) {
        return wkIoFailByte(source, bytes + WK_LAS_FORMAT, wk_errorUnsupported,
                            "point format %u, expected 0 to %d", format, WK_LAS_FORMAT_COUNT - 1);
    }
    return header->recordBytes >= leastBytes[format]
               ? wk_ok
               : wkIoFailByte(source, bytes + WK_LAS_RECORD_SIZE, wk_errorParse,
                              "%u bytes for each point, expected %u or more in format %u",
                              header->recordBytes, leastBytes[format], format);
}

static wkResult readCount(const wkIoSource* source, lasHeader* header)
{
    const uint8_t* bytes = source->bytes;
    uint64_t count = wkIoLoad32(bytes + WK_LAS_COUNT);
    if (header->minor == 4) {
        uint64_t large = wkIoLoad64(bytes + WK_LAS_LARGE_COUNT);
        if (count != 0 && large != 0 && count != large) {
            return wkIoFailByte(source, bytes + WK_LAS_LARGE_COUNT, wk_errorParse,
                                "count says %llu points, and byte %d says %llu",
                                (unsigned long long)large, WK_LAS_COUNT, (unsigned long long)count);
        }
        count = large != 0 ? large : count;
    }
    uint64_t most = (source->byteCount - header->dataOffset) / header->recordBytes;
    header->pointCount = count;
    return count <= most
               ? wk_ok
               : wkIoFailByte(source, bytes + WK_LAS_COUNT, wk_errorParse,
                              "count says %llu points, but there are bytes for %llu at most",
                              (unsigned long long)count, (unsigned long long)most);
}

static wkResult readScale(const wkIoSource* source, lasHeader* header)
{
    for (int axis = 0; axis < 3; axis++) {
        const uint8_t* scale = source->bytes + WK_LAS_SCALE + 8 * axis;
        const uint8_t* offset = source->bytes + WK_LAS_OFFSET + 8 * axis;
        header->scale[axis] = wkIoDouble(wkIoLoad64(scale));
        header->offset[axis] = wkIoDouble(wkIoLoad64(offset));
        if (!isfinite(header->scale[axis]) || header->scale[axis] == 0.0) {
            return wkIoFailByte(source, scale, wk_errorParse,
                                "scale of %c is %g, expected a finite number that is not 0",
                                "xyz"[axis], header -> scale[axis]);
        }
        if (!isfinite(header->offset[axis])) {
            return wkIoFailByte(source, offset, wk_errorParse, "offset of %c is %g", "xyz"[axis],
                                header -> offset[axis]);
        }
    }
    return wk_ok;
}

static void addPoints(const wkIoSource* source, const lasHeader* header, wkIoCloud* cloud)
{
    const uint8_t* at = source->bytes + header->dataOffset;
    for (size_t i = 0; i < (size_t)header->pointCount; i++, at += header->recordBytes) {
        double coordinates[3];
        for (int axis = 0; axis < 3; axis++) {
            double steps = (double)(int32_t)wkIoLoad32(at + 4 * axis);
            coordinates[axis] = steps * header->scale[axis] + header->offset[axis];
        }
        wkIoCloud_Put(cloud, i, coordinates);
    }
    cloud->data.count = (int32_t)header->pointCount;
}

wkResult wkIoReadLas(const wkIoSource* source, wkIoCloud* cloud)
{
    lasHeader header = {0};
    wkResult result = readVersion(source, &header);
    result = result == wk_ok ? readSizes(source, &header) : result;
    result = result == wk_ok ? readCount(source, &header) : result;
    result = result == wk_ok ? readScale(source, &header) : result;
    result = result == wk_ok ? wkIoCloud_Reserve(cloud, source, header.pointCount) : result;
    if (result != wk_ok) {
        return result;
    }
    addPoints(source, &header, cloud);
    // since version 1.3 waveforms and further records may follow
    if (header.minor < 3) {
        size_t pointBytes = (size_t)header.pointCount * header.recordBytes;
        wkIoCloud_WarnOfRest(cloud, source->byteCount - header.dataOffset - pointBytes);
    }
    return wk_ok;
}
