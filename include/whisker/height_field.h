// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

/// @file height_field.h
/// Height fields: terrain as heights over a grid, solid down to a bottom, with its own hierarchy.
///
/// The height in row j and column i is at x = -sizeX / 2 + i * sizeX / (columns - 1) and y =
/// -sizeY / 2 + j * sizeY / (rows - 1). Each cell is split into two triangles along the diagonal from
/// its vertex (i, j) to (i + 1, j + 1).

#include "whisker/shape.h"

/// Definition of a height field. Start from `wkDefaultHeightFieldDef()`.
typedef struct wkHeightFieldDef {
    uint32_t cookie;       ///< set by wkDefaultHeightFieldDef()
    const double* heights; ///< rows * columns heights, row by row; copied
    int32_t columns;       ///< along x, >= 2
    int32_t rows;          ///< along y, >= 2
    double sizeX;          ///< metres from the first column to the last, > 0
    double sizeY;          ///< metres from the first row to the last, > 0
    double minHeight;      ///< bottom of the solid; lower heights are raised to it; default 0
} wkHeightFieldDef;

/// Returns an empty definition.
WK_API wkHeightFieldDef wkDefaultHeightFieldDef(void);

/// Builds a height field.
/// @param field set to NULL on failure
/// @return wk_errorMemory, wk_errorNotFinite (naming row and column), wk_errorRange (a size or a
///         count), wk_errorArgument
WK_API wkResult wkHeightField_Create(const wkHeightFieldDef* def, wkHeightField** field);

/// Releases a height field; NULL is fine. Shapes that borrow it must not be used any more.
WK_API void wkHeightField_Destroy(wkHeightField* field);

/// Properties of a height field.
typedef struct wkHeightFieldInfo {
    int32_t columns;       ///< along x, as given
    int32_t rows;          ///< along y, as given
    int32_t triangleCount; ///< of the surface: two per cell from index 0 on, then walls and bottom
    double minHeight;      ///< bottom of the solid, as given
    wkAabb bounds;         ///< around the solid, in its own frame
    size_t byteCount;      ///< of the single block
} wkHeightFieldInfo;

/// Returns the properties; zeros for NULL.
WK_API wkHeightFieldInfo wkHeightField_Info(const wkHeightField* field);

/// Returns the height of the surface at a grid vertex, as given but never below the bottom.
/// @param column from 0 to columns - 1
/// @param row from 0 to rows - 1
WK_API double wkHeightField_Height(const wkHeightField* field, int32_t column, int32_t row);

/// Returns a triangle of the surface. Contacts and distances report this index.
/// @param index from 0 to triangleCount - 1 of wkHeightField_Info()
WK_API wkTriangle wkHeightField_Triangle(const wkHeightField* field, int32_t index);
