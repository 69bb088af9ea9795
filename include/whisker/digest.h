// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

/// @file digest.h
/// Digests: 256-bit hashes of any amount of data (BLAKE2b, RFC 7693). Inputs with equal digests are equal
/// for all practical purposes. Files that depend on a robot store its digest, so that a program detects
/// when the robot has changed. The same input gives the same digest on every machine.

#include "whisker/detail/values.h"
#include "whisker/shape.h"

/// Bytes of a digest.
#define WK_DIGEST_BYTES 32

/// Characters of a digest as text, with the zero at the end.
#define WK_DIGEST_TEXT_BYTES 65

/// A digest. All zeros: no digest.
typedef struct wkDigest {
    uint8_t bytes[WK_DIGEST_BYTES]; ///< in printing order
} wkDigest;

/// True when two digests are equal and not all zeros.
WK_API bool wkDigest_Equals(wkDigest a, wkDigest b);

/// Writes a digest as 64 lower-case hexadecimal digits.
/// @param text array of WK_DIGEST_TEXT_BYTES
WK_API void wkDigest_ToText(wkDigest digest, char* text);

/// Parses a text of wkDigest_ToText.
/// @return false for any other text; the digest is all zeros then
WK_API bool wkDigest_FromText(const char* text, wkDigest* digest);

/// Starts a digest. The builder is a value that needs no clean-up.
/// @param purpose name and version of the use, such as "program states 1": digests for two purposes
///        differ for the same data. NULL: plain BLAKE2b of the added bytes
WK_API wkDigestBuilder wkDigestBuilder_Begin(const char* purpose);

/// Adds raw bytes. Two calls are equivalent to one call with both arrays: add lengths when the boundary
/// matters.
WK_API void wkDigestBuilder_AddBytes(wkDigestBuilder* builder, const void* bytes, size_t byteCount);

/// Adds a text and its length; NULL is like "".
WK_API void wkDigestBuilder_AddText(wkDigestBuilder* builder, const char* text);

/// Adds an integer, 8 bytes.
WK_API void wkDigestBuilder_AddInteger(wkDigestBuilder* builder, int64_t number);

/// Adds the exact bits of numbers, 8 bytes each, without their count.
WK_API void wkDigestBuilder_AddNumbers(wkDigestBuilder* builder, const double* numbers,
                                       size_t count);

/// Adds a position and a rotation.
WK_API void wkDigestBuilder_AddPose(wkDigestBuilder* builder, wkPose pose);

/// Adds a shape with its rounding and padding, and the geometry that it borrows: vertices and triangles
/// of a mesh and whether it is solid, vertices of a hull, heights, cells of a map with their log-odds.
/// Acceleration structures, such as bounding volumes, are left out.
WK_API void wkDigestBuilder_AddShape(wkDigestBuilder* builder, const wkShape* shape);

/// Adds another digest.
WK_API void wkDigestBuilder_AddDigest(wkDigestBuilder* builder, wkDigest digest);

/// Returns the digest of all added data. The builder must not be used afterwards.
WK_API wkDigest wkDigestBuilder_End(wkDigestBuilder* builder);
