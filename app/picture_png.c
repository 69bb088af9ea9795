// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// PNG files (ISO/IEC 15948): 8-bit RGB, each row with the filter that leaves the smallest numbers,
// deflated by zlib.

#include "picture.h"

#include "threads.h"
#include "whisker/io.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>

#define CHANNELS 3
#define FILTER_COUNT 5
#define PACKING 6      // zlib's level: the highest takes five times as long for a few percent
#define CHUNK_BYTES 12 // of a chunk without its data

static void putBigEndian(unsigned char bytes[4], unsigned long value)
{
    for (int i = 0; i < 4; i++) {
        bytes[i] = (unsigned char)(value >> (24 - 8 * i));
    }
}

static unsigned char* putChunk(unsigned char* out, const char* type, const unsigned char* data,
                               size_t length)
{
    putBigEndian(out, (unsigned long)length);
    memcpy(out + 4, type, 4);
    if (length > 0) {
        memcpy(out + 8, data, length);
    }
    putBigEndian(out + 8 + length, crc32(0, out + 4, (uInt)length + 4));
    return out + CHUNK_BYTES + length;
}

// The neighbour (left, above, above left) nearest to left + above - vertex.
static int paeth(int left, int above, int vertex)
{
    int toLeft = abs(above - vertex);
    int toAbove = abs(left - vertex);
    int toVertex = abs(left + above - 2 * vertex);
    if (toLeft <= toAbove && toLeft <= toVertex) {
        return left;
    }
    return toAbove <= toVertex ? above : vertex;
}

static inline int predict(int filter, int left, int above, int vertex)
{
    switch (filter) {
    case 1:
        return left;
    case 2:
        return above;
    case 3:
        return (left + above) / 2;
    case 4:
        return paeth(left, above, vertex);
    default:
        return 0;
    }
}

// Filters one row into `out` (the filter's number first) and returns the sum of absolute values.
static long filterRow(int filter, const unsigned char* row, const unsigned char* above, size_t size,
                      unsigned char* out)
{
    long sum = 0;
    out[0] = (unsigned char)filter;
    for (size_t i = 0; i < size; i++) {
        int left = i >= CHANNELS ? row[i - CHANNELS] : 0;
        int vertex = i >= CHANNELS ? above[i - CHANNELS] : 0;
        out[i + 1] = (unsigned char)(row[i] - predict(filter, left, above[i], vertex));
        sum += abs((signed char)out[i + 1]);
    }
    return sum;
}

static void packRow(const wkColor* pixels, int width, unsigned char* row)
{
    for (int x = 0; x < width; x++) {
        const double values[CHANNELS] = {pixels[x].r, pixels[x].g, pixels[x].b};
        for (int c = 0; c < CHANNELS; c++) {
            row[CHANNELS * x + c] = (unsigned char)(255.0 * fmin(fmax(values[c], 0.0), 1.0) + 0.5);
        }
    }
}

// `rows` has capacity for height * (1 + size) bytes; `work` for 2 rows and one filtered row.
static void filterAll(const wkPicture* picture, unsigned char* rows, unsigned char* work)
{
    size_t size = (size_t)picture->width * CHANNELS;
    unsigned char* row = work;
    unsigned char* above = work + size;
    unsigned char* trial = work + 2 * size;
    memset(above, 0, size);
    for (int y = 0; y < picture->height; y++) {
        packRow(picture->pixels + (size_t)y * (size_t)picture->width, picture->width, row);
        unsigned char* best = rows + (size_t)y * (size + 1);
        long bestSum = filterRow(0, row, above, size, best);
        for (int filter = 1; filter < FILTER_COUNT; filter++) {
            long sum = filterRow(filter, row, above, size, trial);
            if (sum < bestSum) {
                bestSum = sum;
                memcpy(best, trial, size + 1);
            }
        }
        unsigned char* next = above;
        above = row;
        row = next;
    }
}

// Makes the file from the packed rows.
static unsigned char* wrap(const wkPicture* picture, const unsigned char* data, size_t length,
                           size_t* byteCount)
{
    static const unsigned char signature[8] = {0x89, 'P', 'N', 'G', '\r', '\n', 0x1a, '\n'};
    unsigned char header[13] = {0};
    putBigEndian(header, (unsigned long)picture->width);
    putBigEndian(header + 4, (unsigned long)picture->height);
    header[8] = 8; // bits per channel
    header[9] = 2; // RGB
    *byteCount = sizeof signature + 3 * CHUNK_BYTES + sizeof header + length;
    unsigned char* bytes = malloc(*byteCount);
    if (bytes != NULL) {
        memcpy(bytes, signature, sizeof signature);
        unsigned char* out = bytes + sizeof signature;
        out = putChunk(out, "IHDR", header, sizeof header);
        out = putChunk(out, "IDAT", data, length);
        putChunk(out, "IEND", header, 0);
    }
    return bytes;
}

bool wkPicture_EncodePng(wkPicture* picture)
{
    if (picture->png != NULL) {
        return true;
    }
    size_t size = (size_t)picture->width * CHANNELS;
    uLong rowsLength = (uLong)(size + 1) * (uLong)picture->height;
    uLongf length = compressBound(rowsLength);
    unsigned char* rows = malloc(rowsLength);
    unsigned char* work = malloc(3 * size + 1);
    unsigned char* packed = malloc(length);
    if (rows == NULL || work == NULL || packed == NULL) {
        goto cleanup;
    }
    filterAll(picture, rows, work);
    if (compress2(packed, &length, rows, rowsLength, PACKING) == Z_OK) {
        picture->png = wrap(picture, packed, length, &picture->pngByteCount);
    }

cleanup:
    free(rows);
    free(work);
    free(packed);
    return picture->png != NULL;
}

static void encodeOne(void* context, int index)
{
    wkPicture* const* pictures = context;
    if (pictures[index] != NULL) {
        wkPicture_EncodePng(pictures[index]);
    }
}

bool wkEncodePictures(wkPicture* const* pictures, int count)
{
    wkRunOnThreads(encodeOne, (void*)pictures, count);
    bool areEncoded = true;
    for (int i = 0; i < count; i++) {
        areEncoded = areEncoded && (pictures[i] == NULL || pictures[i]->png != NULL);
    }
    return areEncoded;
}

bool wkPicture_WritePng(wkPicture* picture, const char* path)
{
    wkResult result = wkPicture_EncodePng(picture)
                          ? wkSaveFile(path, picture->png, picture->pngByteCount)
                          : wkSetLastError(wk_errorMemory, "no memory for the picture");
    return result == wk_ok;
}
