// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// Points of a depth image, piece by piece, as scan insertion takes them.

#include "sense/lens.h"
#include "tree/octree/octree_scan.h"

typedef struct wkDepthReader {
    const wkDepthImage* image;
    wkPixelRequest filter;
    wkLens lens;
    int32_t columnCount, rowCount; // pixels that are read
    int32_t rowsPerPiece;          // 1 where a row needs several pieces
    int32_t piecesPerRow;          // 1 where a piece has several rows
    int32_t columnsPerPiece;
} wkDepthReader;

// Checks an image and a filter, for which NULL means the default, and sets up a reader.
wkResult wkMakeDepthReader(const wkDepthImage* image, const wkPixelRequest* filter,
                           wkDepthReader* reader);

int32_t wkDepthReader_PieceCount(const wkDepthReader* reader);

// Reads the points of a piece, in the frame of the camera.
// @param pixels capacity for all pixels of the piece; NULL: not wanted
int32_t wkDepthReader_Read(const wkDepthReader* reader, int32_t number, wkPiece* piece,
                           int32_t* pixels);
