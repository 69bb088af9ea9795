// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// PCD files with LZF-compressed columns: lines of text, two sizes, then all x, all y, all z, ...

#include "pcd_frame.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define LINE_CAPACITY 256
#define LARGEST_FRAME (1u << 24)

// A run is copied as it is, or from what has been written already.
static bool expand(const unsigned char* in, size_t inSize, unsigned char* out, size_t outSize)
{
    size_t i = 0, o = 0;
    while (i < inSize) {
        size_t control = in[i++];
        size_t length = control < 32 ? control + 1 : control >> 5;
        if (control < 32) {
            if (i + length > inSize || o + length > outSize) {
                return false;
            }
            memcpy(out + o, in + i, length);
            i += length;
            o += length;
            continue;
        }
        if (i + 2 > inSize) {
            return false;
        }
        length += length == 7 ? in[i++] : 0u;
        size_t back = ((control & 31) << 8 | in[i++]) + 1;
        length += 2;
        if (back > o || o + length > outSize || i > inSize) {
            return false;
        }
        for (size_t k = 0; k < length; ++k, ++o) {
            out[o] = out[o - back];
        }
    }
    return o == outSize;
}

static bool readHeader(FILE* file, int32_t* count)
{
    char line[LINE_CAPACITY];
    long points = 0;
    bool hasCoordinates = false;
    while (fgets(line, sizeof line, file) != NULL) {
        if (strncmp(line, "FIELDS x y z", 12) == 0) {
            hasCoordinates = true;
        } else if (strncmp(line, "POINTS ", 7) == 0) {
            points = strtol(line + 7, NULL, 10);
        } else if (strncmp(line, "DATA ", 5) == 0) {
            *count = (int32_t)points;
            return hasCoordinates && points > 0 && points < (long)LARGEST_FRAME &&
                   strncmp(line, "DATA binary_compressed", 22) == 0;
        }
    }
    return false;
}

static unsigned char* readColumns(FILE* file, size_t* size)
{
    uint32_t sizes[2] = {0, 0}; // packed, and not
    if (fread(sizes, sizeof sizes, 1, file) != 1 || sizes[0] > 32 * LARGEST_FRAME ||
        sizes[1] > 32 * LARGEST_FRAME) {
        return NULL;
    }
    unsigned char* packed = malloc(sizes[0] + (size_t)1);
    unsigned char* columns = malloc(sizes[1] + (size_t)1);
    bool isRead = packed != NULL && columns != NULL &&
                  fread(packed, 1, sizes[0], file) == sizes[0] &&
                  expand(packed, sizes[0], columns, sizes[1]);
    free(packed);
    if (!isRead) {
        free(columns);
        return NULL;
    }
    *size = sizes[1];
    return columns;
}

// Rows from the first three columns.
static float* takePoints(const unsigned char* columns, int32_t count)
{
    float* points = malloc(3 * (size_t)count * sizeof *points);
    for (size_t i = 0; points != NULL && i < (size_t)count; ++i) {
        for (size_t axis = 0; axis < 3; ++axis) {
            size_t place = (axis * (size_t)count + i) * sizeof *points;
            memcpy(&points[3 * i + axis], columns + place, sizeof *points);
        }
    }
    return points;
}

float* wkReadPcdFrame(const char* path, int32_t* count)
{
    FILE* file = fopen(path, "rb");
    if (file == NULL) {
        return NULL;
    }
    size_t size = 0;
    unsigned char* columns = readHeader(file, count) ? readColumns(file, &size) : NULL;
    fclose(file);
    bool isWhole = columns != NULL && size >= 12 * (size_t)*count;
    float* points = isWhole ? takePoints(columns, *count) : NULL;
    free(columns);
    return points;
}
