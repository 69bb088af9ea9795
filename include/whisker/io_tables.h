// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

/// @file io_tables.h
/// Loads tables of numbers, and saves arrays. Part of io.h.

#include "whisker/base.h"

/// Rows of numbers, such as configurations of a robot. Released with wkTableData_Destroy.
typedef struct wkTableData {
    double* values;           ///< row by row, as in the file, including NaN
    int32_t rowCount;         ///< >= 0
    int32_t columnCount;      ///< >= 0
    const char* const* names; ///< of the columns, from the first line of text; NULL: none
    const char* const*
        commentNames; ///< when `names` is NULL: the words of the last line with # before
                      ///< the first row, if there is one word per column, such as the
                      ///< header of numpy.savetxt; NULL: none
} wkTableData;

/// Reads a NumPy array of one or two dimensions, or text: one row per line, numbers separated by commas,
/// semicolons or blanks, optional names in the first line; lines with # are skipped except for
/// commentNames. The path "-" is the standard input; it and pipes are read to their end, at most 64 MiB.
/// @param data set to NULL on failure
/// @return wk_errorFile (cannot be read), wk_errorParse (rows of different lengths, words that are no number,
///         truncated arrays), wk_errorUnsupported (another kind of array), wk_errorRange (more than
///         4096 columns), wk_errorMemory, wk_errorArgument
WK_API wkResult wkTableData_Load(const char* path, wkTableData** data);

/// Parses the content of a file from memory.
/// @return as wkTableData_Load
WK_API wkResult wkTableData_Parse(const void* bytes, size_t byteCount, wkTableData** data);

/// Releases data of Load or Parse; NULL is fine.
WK_API void wkTableData_Destroy(wkTableData* data);

/// A table that is read in chunks. A NumPy array is mapped, so that it may be larger than memory; text and
/// pipes are read completely.
typedef struct wkTableMap wkTableMap;

/// Opens a file that wkTableData_Load reads: an array of one or two dimensions, of any number type, byte
/// order and index order, with at most 2^31 - 1 rows; or text.
/// @param map set to NULL on failure
/// @return wk_errorFile (cannot be read), wk_errorParse (truncated, or neither an array nor text),
///         wk_errorUnsupported (another type: names the key), wk_errorRange, wk_errorMemory,
///         wk_errorArgument
WK_API wkResult wkTableMap_Open(const char* path, wkTableMap** map);

/// Closes a table; NULL is fine.
WK_API void wkTableMap_Close(wkTableMap* map);

/// Size and column names of an open table. The names are valid until the table is closed.
typedef struct wkTableMapInfo {
    int64_t rowCount;                ///< >= 0
    int32_t columnCount;             ///< >= 0
    const char* const* names;        ///< as in wkTableData; NULL: none
    const char* const* commentNames; ///< as in wkTableData; NULL: none
} wkTableMapInfo;

/// Returns size and names; zeros for NULL.
WK_API wkTableMapInfo wkTableMap_Info(const wkTableMap* map);

/// Copies rows. Memory of the mapped file is released at once: reading a file in chunks from start to end
/// needs the memory of one chunk. Several threads may read from one map.
/// @param values `count` rows, one after the other
/// @return wk_errorRange: rows out of range; wk_errorArgument
WK_API wkResult wkTableMap_Read(wkTableMap* map, int64_t first, int64_t count, double* values);

/// Number types of written arrays.
typedef enum wkArrayType {
    wk_arrayUint8 = 0, ///< u1
    wk_arrayInt32 = 1, ///< i4
    wk_arrayFloat = 2, ///< f4
} wkArrayType;

/// A NumPy array that is written in chunks. Until wkArrayFile_Close renames it, the file has the name of its
/// target followed by WK_ARRAY_PARTIAL, and an older target stays. One process writes to it at a time.
/// Devices and pipes are written to directly, from the first number to the last.
typedef struct wkArrayFile wkArrayFile;

/// Suffix of the file name until the array is closed.
#define WK_ARRAY_PARTIAL ".partial"

/// Creates a file for a one-dimensional array, filled with zeros, or NaN for floats. Its disk space is
/// reserved at once.
/// @param file set to NULL on failure
/// @return wk_errorFile, also when the disk is full or another process writes to it; wk_errorRange (the
///         count), wk_errorMemory, wk_errorArgument
WK_API wkResult wkArrayFile_Create(const char* path, wkArrayType type, int64_t count,
                                   wkArrayFile** file);

/// Opens an array of wkArrayFile_Create again that wkArrayFile_Leave has kept.
/// @param path of the target, without WK_ARRAY_PARTIAL
/// @return wk_errorFile: no such file; wk_errorParse: it has another type or count; others as
///         wkArrayFile_Create
WK_API wkResult wkArrayFile_Resume(const char* path, wkArrayType type, int64_t count,
                                   wkArrayFile** file);

/// Reads the current numbers of the array.
/// @return as wkArrayFile_Write; wk_errorUnsupported: a device or a pipe
WK_API wkResult wkArrayFile_Read(const wkArrayFile* file, int64_t first, int64_t count,
                                 void* numbers);

/// Writes numbers of the array's type from index `first` on.
/// @return wk_errorRange: out of range, or not the next index of a device or pipe; wk_errorFile: the disk
///         is full; wk_errorArgument
WK_API wkResult wkArrayFile_Write(wkArrayFile* file, int64_t first, int64_t count,
                                  const void* numbers);

/// Waits until all written numbers are on the disk.
WK_API wkResult wkArrayFile_Flush(wkArrayFile* file);

/// Flushes the array and renames the file to its target; NULL is fine.
/// @return wk_errorFile: the target is unchanged, and the array stays in its partial file
WK_API wkResult wkArrayFile_Close(wkArrayFile* file);

/// Closes an incomplete array and leaves the target unchanged; NULL is fine.
/// @param isKept true: the partial file stays, for wkArrayFile_Resume; false: it is removed
WK_API void wkArrayFile_Leave(wkArrayFile* file, bool isKept);
