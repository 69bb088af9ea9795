// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

/// @file digest.h
/// Digests: 256 bits that stand for any amount of data (BLAKE2b, RFC 7693). Two inputs with the same
/// digest are the same input, for all practical purposes. Files that depend on a robot keep its digest,
/// so that a program notices when the robot has changed. The same input gives the same digest on every
/// machine.

#include "whisker/shape.h"

/// Bytes of a digest.
#define WK_DIGEST_BYTES 32

/// Characters of a digest as text, with the zero at the end.
#define WK_DIGEST_TEXT_BYTES 65

/// A digest. All zeros: none.
typedef struct wkDigest {
    uint8_t bytes[WK_DIGEST_BYTES]; ///< in the order in which they are printed
} wkDigest;

/// True when two digests are the same, and are not all zeros.
WK_API bool wkDigest_Equals(wkDigest a, wkDigest b);

/// Writes a digest as 64 lower-case hexadecimal digits.
/// @param text has room for WK_DIGEST_TEXT_BYTES
WK_API void wkDigest_ToText(wkDigest digest, char* text);

/// Reads what wkDigest_ToText wrote.
/// @return false for any other text: the digest is all zeros then
WK_API bool wkDigest_FromText(const char* text, wkDigest* digest);

/// A digest in the making: a value, which needs no clean-up.
typedef struct wkDigestBuilder {
    uint64_t state[8];  ///< private
    uint8_t block[128]; ///< private
    uint64_t byteCount; ///< bytes taken in so far, those in `block` not included; private
    uint32_t used;      ///< bytes in `block`; private
} wkDigestBuilder;

/// Starts a digest.
/// @param purpose what it is about, with a version, such as "program states 1": digests for two
///        purposes differ for the same data. NULL: plain BLAKE2b of what is added as bytes
WK_API wkDigestBuilder wkDigestBuilder_Begin(const char* purpose);

/// Adds bytes as they are. Two calls are the same as one with both arrays together: add lengths where
/// that matters.
WK_API void wkDigestBuilder_AddBytes(wkDigestBuilder* builder, const void* bytes, size_t byteCount);

/// Adds a text and its length; NULL is like "".
WK_API void wkDigestBuilder_AddText(wkDigestBuilder* builder, const char* text);

/// Adds a whole number, 8 bytes.
WK_API void wkDigestBuilder_AddInteger(wkDigestBuilder* builder, int64_t number);

/// Adds numbers bit by bit, 8 bytes each, without their count.
WK_API void wkDigestBuilder_AddNumbers(wkDigestBuilder* builder, const double* numbers,
                                       size_t count);

/// Adds a position and a rotation.
WK_API void wkDigestBuilder_AddPose(wkDigestBuilder* builder, wkPose pose);

/// Adds a shape with its rounding and padding, and all that it borrows: vertices and triangles of a
/// mesh and whether it is solid, vertices of a hull, heights, cells of a map with their log-odds. What only makes
/// queries fast, such as bounding volumes, does not count.
WK_API void wkDigestBuilder_AddShape(wkDigestBuilder* builder, const wkShape* shape);

/// Adds another digest.
WK_API void wkDigestBuilder_AddDigest(wkDigestBuilder* builder, wkDigest digest);

/// The digest of all that was added. The builder is not to be used any more.
WK_API wkDigest wkDigestBuilder_End(wkDigestBuilder* builder);
