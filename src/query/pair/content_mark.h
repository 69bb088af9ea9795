// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// Detects that geometry which a shape borrows has changed: occupancy maps count their changes, and the
// checksum of a mesh that a builder deforms follows its vertices. Code that stores data computed from a
// shape (bounds, hulls, distances) stores a mark with it, and compares before using it.

#include "base/compiler.h"
#include "whisker/shape.h"

typedef struct wkContentMark {
    const uint64_t* now; // the number that changes with the geometry; NULL: it never changes
    uint64_t then;       // its value when the mark was made
} wkContentMark;

// Makes a mark of the current geometry of a valid shape.
wkContentMark wkMarkContent(const wkShape* shape);

// Whether the geometry has changed since the mark. Only for marks of geometry that can change.
WK_FN bool wkIsMarkStale(const wkContentMark* mark)
{
    return *mark->now != mark->then;
}

// Returns a mark that is always stale: of geometry that is said to be out of date.
wkContentMark wkOutOfDateMark(void);
bool wkIsOutOfDateMark(const wkContentMark* mark);
