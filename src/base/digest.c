// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// BLAKE2b with 256 bits and no key (RFC 7693). Chosen over SHA-256 because it hashes a gigabyte in about a
// second without special instructions. Shorter checksums would detect accidents, but a digest in a file
// stands for a proof.

#include "whisker/digest.h"

#include <string.h>

#define BLOCK_BYTES 128
#define ROUNDS 12

static const uint64_t initial[8] = {
    0x6a09e667f3bcc908u, 0xbb67ae8584caa73bu, 0x3c6ef372fe94f82bu, 0xa54ff53a5f1d36f1u,
    0x510e527fade682d1u, 0x9b05688c2b3e6c1fu, 0x1f83d9abfb41bd6bu, 0x5be0cd19137e2179u,
};

// Order in which a round uses the words of the block; rounds 10 and 11 use those of 0 and 1.
static const uint8_t orders[10][16] = {
    {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15},
    {14, 10, 4, 8, 9, 15, 13, 6, 1, 12, 0, 2, 11, 7, 5, 3},
    {11, 8, 12, 0, 5, 2, 15, 13, 10, 14, 3, 6, 7, 1, 9, 4},
    {7, 9, 3, 1, 13, 12, 11, 14, 2, 6, 5, 10, 4, 0, 15, 8},
    {9, 0, 5, 7, 2, 4, 10, 15, 14, 1, 11, 12, 6, 8, 3, 13},
    {2, 12, 6, 10, 0, 11, 8, 3, 4, 13, 7, 5, 15, 14, 1, 9},
    {12, 5, 1, 15, 14, 13, 4, 10, 0, 7, 6, 3, 9, 2, 8, 11},
    {13, 11, 7, 14, 12, 1, 3, 9, 5, 0, 15, 4, 8, 6, 2, 10},
    {6, 15, 14, 9, 11, 3, 0, 8, 12, 2, 13, 7, 1, 4, 10, 5},
    {10, 2, 8, 4, 7, 6, 1, 5, 15, 11, 9, 14, 3, 12, 13, 0},
};

// Words that each of the eight mixing steps of a round combines: columns, then diagonals.
static const uint8_t steps[8][4] = {
    {0, 4, 8, 12},  {1, 5, 9, 13},  {2, 6, 10, 14}, {3, 7, 11, 15},
    {0, 5, 10, 15}, {1, 6, 11, 12}, {2, 7, 8, 13},  {3, 4, 9, 14},
};

static uint64_t rotateRight(uint64_t word, int count)
{
    return word >> count | word << (64 - count);
}

static uint64_t readWord(const uint8_t* bytes)
{
    uint64_t word = 0;
    for (int i = 7; i >= 0; --i) {
        word = word << 8 | bytes[i];
    }
    return word;
}

static void writeWord(uint64_t word, uint8_t* bytes)
{
    for (int i = 0; i < 8; ++i) {
        bytes[i] = (uint8_t)(word >> 8 * i);
    }
}

// Mixes one block into the state; `byteCount` is the length of the input up to the end of the block.
static void compress(uint64_t state[8], const uint8_t* block, uint64_t byteCount, bool isLast)
{
    uint64_t words[16], v[16];
    for (int i = 0; i < 16; ++i) {
        words[i] = readWord(block + 8 * i);
    }
    memcpy(v, state, 8 * sizeof *v);
    memcpy(v + 8, initial, 8 * sizeof *v);
    v[12] ^= byteCount;
    v[14] = isLast ? ~v[14] : v[14];
    for (int round = 0; round < ROUNDS; ++round) {
        const uint8_t* order = orders[round % 10];
        for (int i = 0; i < 8; ++i) {
            uint64_t *a = &v[steps[i][0]], *b = &v[steps[i][1]];
            uint64_t *c = &v[steps[i][2]], *d = &v[steps[i][3]];
            *a += *b + words[order[2 * i]];
            *d = rotateRight(*d ^ *a, 32);
            *c += *d;
            *b = rotateRight(*b ^ *c, 24);
            *a += *b + words[order[2 * i + 1]];
            *d = rotateRight(*d ^ *a, 16);
            *c += *d;
            *b = rotateRight(*b ^ *c, 63);
        }
    }
    for (int i = 0; i < 8; ++i) {
        state[i] ^= v[i] ^ v[i + 8];
    }
}

wkDigestBuilder wkDigestBuilder_Begin(const char* purpose)
{
    wkDigestBuilder builder;
    memset(&builder, 0, sizeof builder);
    memcpy(builder.state, initial, sizeof initial);
    // the parameter block: a digest of 32 bytes, no key, one leaf
    builder.state[0] ^= 0x01010000u ^ WK_DIGEST_BYTES;
    if (purpose != NULL) {
        wkDigestBuilder_AddText(&builder, purpose);
    }
    return builder;
}

void wkDigestBuilder_AddBytes(wkDigestBuilder* builder, const void* bytes, size_t byteCount)
{
    const uint8_t* from = bytes;
    while (byteCount > 0) {
        // the last block is compressed differently: a full one is kept until more input follows
        if (builder->used == BLOCK_BYTES) {
            builder->byteCount += BLOCK_BYTES;
            compress(builder->state, builder->block, builder->byteCount, false);
            builder->used = 0;
        }
        size_t left = BLOCK_BYTES - builder->used;
        size_t count = byteCount < left ? byteCount : left;
        memcpy(builder->block + builder->used, from, count);
        builder->used += (uint32_t)count;
        from += count;
        byteCount -= count;
    }
}

void wkDigestBuilder_AddInteger(wkDigestBuilder* builder, int64_t number)
{
    uint8_t bytes[8];
    writeWord((uint64_t)number, bytes);
    wkDigestBuilder_AddBytes(builder, bytes, sizeof bytes);
}

void wkDigestBuilder_AddText(wkDigestBuilder* builder, const char* text)
{
    size_t length = text != NULL ? strlen(text) : 0;
    wkDigestBuilder_AddInteger(builder, (int64_t)length);
    wkDigestBuilder_AddBytes(builder, text, length);
}

void wkDigestBuilder_AddNumbers(wkDigestBuilder* builder, const double* numbers, size_t count)
{
    for (size_t i = 0; i < count; ++i) {
        uint64_t bits;
        memcpy(&bits, &numbers[i], sizeof bits);
        wkDigestBuilder_AddInteger(builder, (int64_t)bits);
    }
}

void wkDigestBuilder_AddPose(wkDigestBuilder* builder, wkPose pose)
{
    const double numbers[7] = {pose.position.x, pose.position.y, pose.position.z, pose.rotation.x,
                               pose.rotation.y, pose.rotation.z, pose.rotation.w};
    wkDigestBuilder_AddNumbers(builder, numbers, 7);
}

void wkDigestBuilder_AddDigest(wkDigestBuilder* builder, wkDigest digest)
{
    wkDigestBuilder_AddBytes(builder, digest.bytes, sizeof digest.bytes);
}

wkDigest wkDigestBuilder_End(wkDigestBuilder* builder)
{
    builder->byteCount += builder->used;
    memset(builder->block + builder->used, 0, BLOCK_BYTES - builder->used);
    compress(builder->state, builder->block, builder->byteCount, true);
    wkDigest digest = {0};
    for (int i = 0; i < WK_DIGEST_BYTES / 8; ++i) {
        writeWord(builder->state[i], digest.bytes + 8 * i);
    }
    return digest;
}

bool wkDigest_Equals(wkDigest a, wkDigest b)
{
    static const wkDigest none;
    return memcmp(a.bytes, b.bytes, sizeof a.bytes) == 0 &&
           memcmp(a.bytes, none.bytes, sizeof a.bytes) != 0;
}

static const char digits[] = "0123456789abcdef";

void wkDigest_ToText(wkDigest digest, char* text)
{
    for (int i = 0; i < WK_DIGEST_BYTES; ++i) {
        text[2 * i] = digits[digest.bytes[i] >> 4];
        text[2 * i + 1] = digits[digest.bytes[i] & 15];
    }
    text[2 * WK_DIGEST_BYTES] = '\0';
}

bool wkDigest_FromText(const char* text, wkDigest* digest)
{
    memset(digest, 0, sizeof *digest);
    if (text == NULL || strlen(text) != 2 * WK_DIGEST_BYTES) {
        return false;
    }
    for (int i = 0; i < 2 * WK_DIGEST_BYTES; ++i) {
        const char* digit = strchr(digits, text[i]);
        if (digit == NULL) {
            memset(digest, 0, sizeof *digest);
            return false;
        }
        digest->bytes[i / 2] = (uint8_t)(digest->bytes[i / 2] << 4 | (digit - digits));
    }
    return true;
}
