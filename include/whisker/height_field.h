// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

/// @file height_field.h
/// Ground given as heights over a grid: a solid down to its lowest level, with a hierarchy of its
/// own.
///
/// Row j and column i of the heights stand at x = -sizeX / 2 + i * sizeX / (columns - 1) and y =
/// -sizeY / 2 + j * sizeY / (rows - 1). Each cell is cut into two triangles along the diagonal from
/// its vertex (i, j) to (i + 1, j + 1).

#include "whisker/shape.h"

/// What a height field is made from. Start from `wkDefaultHeightFieldDef()`.
typedef struct wkHeightFieldDef {
    const double* heights; ///< rows * columns of them, row by row; copied
    int32_t columns;       ///< along x, >= 2
    int32_t rows;          ///< along y, >= 2
    double sizeX;          ///< metres from the first column to the last, > 0
    double sizeY;          ///< metres from the first row to the last, > 0
    double minHeight;      ///< bottom of the solid; heights below it count as this one
    uint32_t cookie;       ///< set by wkDefaultHeightFieldDef()
} wkHeightFieldDef;

/// A definition with nothing in it.
WK_API wkHeightFieldDef wkDefaultHeightFieldDef(void);

/// Builds a height field.
/// @param field set to NULL on failure
/// @return wk_errorMemory, wk_errorNotFinite (naming row and column), wk_errorRange (a size or a
///         count), wk_errorArgument
WK_API wkResult wkHeightField_Create(const wkHeightFieldDef* def, wkHeightField** field);

/// Releases a height field; NULL is fine. Shapes that borrow it must not be used any more.
WK_API void wkHeightField_Destroy(wkHeightField* field);

/// Number of columns, along x.
WK_API int32_t wkHeightField_Columns(const wkHeightField* field);

/// Number of rows, along y.
WK_API int32_t wkHeightField_Rows(const wkHeightField* field);

/// Height of the surface at a place of the grid, as given but never below the bottom.
WK_API double wkHeightField_Height(const wkHeightField* field, int32_t column, int32_t row);

/// Triangles of the surface: two per cell from index 0 on, then walls and bottom. Contacts and
/// distances name them by that index.
WK_API int32_t wkHeightField_TriangleCount(const wkHeightField* field);

/// A triangle of the surface.
WK_API wkTriangle wkHeightField_Triangle(const wkHeightField* field, int32_t index);

/// Bytes of the single block.
WK_API size_t wkHeightField_ByteCount(const wkHeightField* field);
