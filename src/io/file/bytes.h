// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// Reads numbers of either byte order from binary files, at any alignment.

#include "base/compiler.h"

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

WK_FN uint16_t wkIoLoad16(const uint8_t* at)
{
    return (uint16_t)(at[0] | at[1] << 8);
}

WK_FN uint32_t wkIoLoad32(const uint8_t* at)
{
    return (uint32_t)at[0] | (uint32_t)at[1] << 8 | (uint32_t)at[2] << 16 | (uint32_t)at[3] << 24;
}

WK_FN uint64_t wkIoLoad64(const uint8_t* at)
{
    return (uint64_t)wkIoLoad32(at) | (uint64_t)wkIoLoad32(at + 4) << 32;
}

// The same; most significant byte first when `isBig`.
WK_FN uint32_t wkIoLoad32As(const uint8_t* at, bool isBig)
{
    uint32_t bits = wkIoLoad32(at);
    return isBig ? __builtin_bswap32(bits) : bits;
}

WK_FN uint64_t wkIoLoad64As(const uint8_t* at, bool isBig)
{
    uint64_t bits = wkIoLoad64(at);
    return isBig ? __builtin_bswap64(bits) : bits;
}

WK_FN float wkIoFloat(uint32_t bits)
{
    float value;
    memcpy(&value, &bits, sizeof value);
    return value;
}

WK_FN double wkIoDouble(uint64_t bits)
{
    double value;
    memcpy(&value, &bits, sizeof value);
    return value;
}

WK_FN void wkIoStore32(uint8_t* at, uint32_t bits)
{
    for (int i = 0; i < 4; i++) {
        at[i] = (uint8_t)(bits >> (8 * i));
    }
}

WK_FN void wkIoStore64(uint8_t* at, uint64_t bits)
{
    wkIoStore32(at, (uint32_t)bits);
    wkIoStore32(at + 4, (uint32_t)(bits >> 32));
}
