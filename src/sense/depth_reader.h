// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// Points of a depth image, piece by piece, as scans take them.

#include "sense/lens.h"
#include "tree/octree/octree_scan.h"

typedef struct wkDepthReader {
    const wkDepthImage* image;
    wkDepthFilter filter;
    wkLens lens;
    int32_t columnCount, rowCount; // pixels that are looked at
    int32_t rowsPerPiece;          // 1 where a row needs several pieces
    int32_t piecesPerRow;          // 1 where a piece has several rows
    int32_t columnsPerPiece;
} wkDepthReader;

// What is wrong with an image or a filter, for which NULL means the default.
wkResult wkMakeDepthReader(const wkDepthImage* image, const wkDepthFilter* filter,
                           wkDepthReader* reader);

int32_t wkDepthReader_PieceCount(const wkDepthReader* reader);

// The points of a piece, in the frame of the camera.
// @param pixels room for as many as the piece has; NULL: not wanted
int32_t wkDepthReader_Read(const wkDepthReader* reader, int32_t number, wkPiece* piece,
                           int32_t* pixels);
