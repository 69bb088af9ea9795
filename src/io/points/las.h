// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// The public header block of LAS files, by the byte at which each field begins. All numbers have their least
// significant byte first.

#define WK_LAS_MAGIC "LASF"

#define WK_LAS_MAJOR 24
#define WK_LAS_MINOR 25
#define WK_LAS_SOFTWARE 58
#define WK_LAS_HEADER_SIZE 94  // of this block, uint16
#define WK_LAS_DATA_OFFSET 96  // of the first point, uint32
#define WK_LAS_FORMAT 104      // of a point: 0 to 10; the two highest bits mean compression
#define WK_LAS_RECORD_SIZE 105 // of a point, uint16
#define WK_LAS_COUNT 107       // of points, uint32; 0 where it does not suffice
#define WK_LAS_BY_RETURN 111   // the same for the first to fifth return
#define WK_LAS_SCALE 131       // three doubles
#define WK_LAS_OFFSET 155      // three doubles
#define WK_LAS_BOUNDS 179      // largest x, least x, largest y and so on
#define WK_LAS_LARGE_COUNT 247 // of points, uint64; since version 1.4

#define WK_LAS_HEADER_BYTES 227   // of versions up to 1.2
#define WK_LAS_HEADER_BYTES_3 235 // of version 1.3
#define WK_LAS_HEADER_BYTES_4 375 // of version 1.4

#define WK_LAS_FORMAT_COUNT 11
#define WK_LAS_COMPRESSED 0xc0u
