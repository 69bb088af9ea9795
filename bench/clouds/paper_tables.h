// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// Tables 1 and 2 of Kaldestad, Hovland and Anisi (2012): clouds, and octrees with cells of several sizes.

#include "clouds/workcell.h"

#ifdef __cplusplus
extern "C" {
#endif

// A row of both tables: edges of cells in millimetres, 0 for points, and the paper's times in seconds.
typedef struct wkPaperRow {
    const char* name;
    int robotCell;
    int cellCell;
    double cuda[2];
} wkPaperRow;

#define WK_PAPER_ROWS 7

// Rows with the same cells of the work cell follow each other.
extern const wkPaperRow wkPaperTables[WK_PAPER_ROWS];

// A cloud of points, or of the centres of the cells of an octree that has them.
// @param millimetres edge of the cells; 0: points
// @return NULL when memory is short
wkCloud* wkPaperElements(const float* points, int count, int millimetres);

#ifdef __cplusplus
}
#endif
