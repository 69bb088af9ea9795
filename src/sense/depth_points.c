// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// Converts depth images to points, or inserts them into maps without an array of points in between.

#include "sense/depth_reader.h"

#include "base/error.h"

#include <string.h>

// Returns how many of the wanted points fit into the remaining capacity.
static int32_t capacityLeft(int32_t count, int32_t capacity, int32_t wanted)
{
    int32_t left = capacity > count ? capacity - count : 0;
    return wanted < left ? wanted : left;
}

int32_t wkDepthImage_Points(const wkDepthImage* image, const wkPixelRequest* request, float* points,
                            int32_t* pixels, int32_t capacity)
{
    wkDepthReader reader;
    wkPiece piece;
    int32_t numbers[WK_POINTS_PER_PIECE] = {0};
    int32_t count = 0;
    if (wkMakeDepthReader(image, request, &reader) != wk_ok) {
        return 0;
    }
    for (int32_t i = 0; i < wkDepthReader_PieceCount(&reader); ++i) {
        int32_t found = wkDepthReader_Read(&reader, i, &piece, pixels != NULL ? numbers : NULL);
        int32_t kept = capacityLeft(count, capacity, found);
        for (int32_t k = 0; k < kept && points != NULL; ++k) {
            float* point = &points[3 * (size_t)(count + k)];
            point[0] = piece.x[k];
            point[1] = piece.y[k];
            point[2] = piece.z[k];
        }
        if (pixels != NULL && kept > 0) {
            memcpy(&pixels[count], numbers, (size_t)kept * sizeof *numbers);
        }
        count += found;
    }
    return count;
}

static int32_t readPiece(const void* context, int32_t number, wkPiece* piece)
{
    return wkDepthReader_Read((const wkDepthReader*)context, number, piece, NULL);
}

wkResult wkOctree_InsertDepth(wkOctree* octree, const wkDepthImage* image,
                              const wkPixelRequest* request, const wkScan* scan,
                              wkPose mapFromWorld, wkScanInfo* info)
{
    wkDepthReader reader;
    if (octree == NULL) {
        return wkFail(wk_errorArgument, "depth image: the map is NULL");
    }
    if (!wkIsValidPose(mapFromWorld)) {
        return wkFail(wk_errorNotFinite, "depth image: mapFromWorld is not finite, or has no "
                                         "rotation");
    }
    wkResult result = wkMakeDepthReader(image, request, &reader);
    if (result != wk_ok) {
        return result;
    }
    wkScan own = scan != NULL ? *scan : wkDefaultScan();
    own.points = wkDefaultScan().points;
    own.origin = wkDefaultScan().origin;
    own.frame = wkMulPose(mapFromWorld, image->pose);
    const wkPointSource points = {readPiece, &reader, wkDepthReader_PieceCount(&reader)};
    return wkInsertScan(octree, &own, &points, info);
}
