// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

/// @file io_tables.h
/// Rows of numbers from files, and arrays into files. Part of io.h.

#include "whisker/base.h"

/// Rows of numbers, such as configurations of a robot. Given back with wkTableData_Destroy.
typedef struct wkTableData {
    double* values;           ///< row by row; as the file has them, NaN and all
    int32_t rowCount;         ///< >= 0
    int32_t columnCount;      ///< >= 0
    const char* const* names; ///< of the columns, from the first line of text; NULL: none
    const char* const*
        commentNames; ///< without names: the words of the last line with # before the
                      ///< first row, when they are as many as the columns, such as the
                      ///< header of numpy.savetxt; NULL: none
} wkTableData;

/// Reads an array of NumPy of one row or many, or text: a row per line, numbers parted by commas,
/// semicolons or blanks, names in the first line or not, lines with # skipped but for commentNames.
/// The path "-" is the standard input; it and pipes are read to their end, 64 MiB at most.
/// @param data set to NULL on failure
/// @return wk_errorFile (cannot be read), wk_errorParse (rows of different lengths, what is no number,
///         truncated arrays), wk_errorUnsupported (another kind of array), wk_errorRange (more than
///         4096 columns), wk_errorMemory, wk_errorArgument
WK_API wkResult wkTableData_Load(const char* path, wkTableData** data);

/// Reads what would be the content of a file.
/// @return as wkTableData_Load
WK_API wkResult wkTableData_Parse(const void* bytes, size_t byteCount, wkTableData** data);

/// Releases what Load or Parse made; NULL is fine.
WK_API void wkTableData_Destroy(wkTableData* data);

/// Rows of numbers that are read piece by piece. An array of NumPy is read where the file is, so that it may
/// be larger than memory; text and pipes are read whole.
typedef struct wkTableMap wkTableMap;

/// Opens what wkTableData_Load reads: an array of one row or many, of any type of numbers, byte order and
/// order of indices, with at most 2^31 - 1 rows; or text.
/// @param map set to NULL on failure
/// @return wk_errorFile (cannot be read), wk_errorParse (truncated, or neither an array nor text),
///         wk_errorUnsupported (another type: names the key), wk_errorRange, wk_errorMemory,
///         wk_errorArgument
WK_API wkResult wkTableMap_Open(const char* path, wkTableMap** map);

/// Closes it; NULL is fine.
WK_API void wkTableMap_Close(wkTableMap* map);

/// Number of rows; 0 for NULL.
WK_API int64_t wkTableMap_RowCount(const wkTableMap* map);

/// Number of columns; 0 for NULL.
WK_API int32_t wkTableMap_ColumnCount(const wkTableMap* map);

/// Names of the columns, from the first line of text; NULL: none. Valid until the map is closed.
WK_API const char* const* wkTableMap_ColumnNames(const wkTableMap* map);

/// Words of a comment that may name the columns, as wkTableData.commentNames; NULL: none. Valid until the
/// map is closed.
WK_API const char* const* wkTableMap_CommentNames(const wkTableMap* map);

/// Copies rows. The memory that it takes is given back at once: to read a file from its start to its end
/// takes no more than one such piece of it.
/// @param values room for `count` rows, one after the other
/// @return wk_errorRange: there are no such rows; wk_errorArgument
WK_API wkResult wkTableMap_Read(wkTableMap* map, int64_t first, int64_t count, double* values);

/// Types of numbers that arrays are written with.
typedef enum wkArrayType {
    wk_arrayUint8 = 0,     ///< u1
    wk_arrayInt32 = 1,     ///< i4
    wk_arrayFloat = 2,     ///< f4
    wk_arrayTypeCount = 3, ///< number of values, not a type
} wkArrayType;

/// An array of NumPy that is written piece by piece. Until wkArrayFile_Close has renamed it, it is called
/// as its target with WK_ARRAY_PARTIAL behind it, and an older file under the name of the target stays. One
/// process writes to it at a time. Devices and pipes are written to directly, from the first number to
/// the last.
typedef struct wkArrayFile wkArrayFile;

/// Ending of the file that an array is in until it is closed.
#define WK_ARRAY_PARTIAL ".partial"

/// Makes a file for an array of one dimension: zeros, or NaN for floats, until they are written. Its space
/// on the disk is taken at once.
/// @param file set to NULL on failure
/// @return wk_errorFile, also when the disk is full or another process writes to it; wk_errorRange (the
///         count), wk_errorMemory, wk_errorArgument
WK_API wkResult wkArrayFile_Create(const char* path, wkArrayType type, int64_t count,
                                   wkArrayFile** file);

/// Goes on with an array that wkArrayFile_Create began and wkArrayFile_Leave left.
/// @param path of the target, without WK_ARRAY_PARTIAL
/// @return wk_errorFile: there is none; wk_errorParse: it has another type or count; others as
///         wkArrayFile_Create
WK_API wkResult wkArrayFile_Resume(const char* path, wkArrayType type, int64_t count,
                                   wkArrayFile** file);

/// Reads numbers of the array as they are now.
/// @return as wkArrayFile_Write; wk_errorUnsupported: a device or a pipe
WK_API wkResult wkArrayFile_Read(const wkArrayFile* file, int64_t first, int64_t count,
                                 void* numbers);

/// Writes numbers, which are of the type of the array, from a position on.
/// @return wk_errorRange: there is no such position, or a device or pipe is elsewhere; wk_errorFile: the
///         disk is full; wk_errorArgument
WK_API wkResult wkArrayFile_Write(wkArrayFile* file, int64_t first, int64_t count,
                                  const void* numbers);

/// Waits until everything that was written is on the disk.
WK_API wkResult wkArrayFile_Flush(wkArrayFile* file);

/// Waits likewise, and gives the file the name of its target; NULL is fine.
/// @return wk_errorFile: the target is as it was, and the array is in its partial file
WK_API wkResult wkArrayFile_Close(wkArrayFile* file);

/// Closes an array that is not complete: the target is as it was. NULL is fine.
/// @param isKept the partial file stays, for wkArrayFile_Resume; false: it is removed
WK_API void wkArrayFile_Leave(wkArrayFile* file, bool isKept);
