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
    double minHeight;      ///< bottom of the solid; lower heights are raised to it
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

/// Number of columns, along x.
WK_API int32_t wkHeightField_Columns(const wkHeightField* field);

/// Number of rows, along y.
WK_API int32_t wkHeightField_Rows(const wkHeightField* field);

/// Returns the height of the surface at a grid vertex, as given but never below the bottom.
WK_API double wkHeightField_Height(const wkHeightField* field, int32_t column, int32_t row);

/// Number of triangles of the surface: two per cell from index 0 on, then walls and bottom. Contacts and
/// distances report this index.
WK_API int32_t wkHeightField_TriangleCount(const wkHeightField* field);

/// Returns a triangle of the surface.
WK_API wkTriangle wkHeightField_Triangle(const wkHeightField* field, int32_t index);

/// Bytes of the height field's single block.
WK_API size_t wkHeightField_ByteCount(const wkHeightField* field);
