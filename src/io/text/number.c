// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// Number types of binary files, one row per type.

#include "io/text/number.h"

typedef struct numberRow {
    char kind;
    uint8_t byteCount;
    double (*toDouble)(uint64_t bits);
} numberRow;

static double fromInt8(uint64_t bits)
{
    return (double)(int8_t)bits;
}

static double fromInt16(uint64_t bits)
{
    return (double)(int16_t)bits;
}

static double fromInt32(uint64_t bits)
{
    return (double)(int32_t)bits;
}

static double fromInt64(uint64_t bits)
{
    return (double)(int64_t)bits;
}

static double fromUnsigned(uint64_t bits)
{
    return (double)bits;
}

static double fromFloat(uint64_t bits)
{
    return (double)wkIoFloat((uint32_t)bits);
}

// clang-format off
static const numberRow rows[wk_numberCount] = {
    [wk_numberInt8]   = {'I', 1, fromInt8},
    [wk_numberUint8]  = {'U', 1, fromUnsigned},
    [wk_numberInt16]  = {'I', 2, fromInt16},
    [wk_numberUint16] = {'U', 2, fromUnsigned},
    [wk_numberInt32]  = {'I', 4, fromInt32},
    [wk_numberUint32] = {'U', 4, fromUnsigned},
    [wk_numberInt64]  = {'I', 8, fromInt64},
    [wk_numberUint64] = {'U', 8, fromUnsigned},
    [wk_numberFloat]  = {'F', 4, fromFloat},
    [wk_numberDouble] = {'F', 8, wkIoDouble},
};
// clang-format on

size_t wkIoNumberBytes(wkIoNumber type)
{
    return rows[type].byteCount;
}

wkIoNumber wkIoFindNumber(char kind, int64_t byteCount)
{
    int type = 0;
    while (type < wk_numberCount &&
           (rows[type].kind != kind || rows[type].byteCount != byteCount)) {
        type++;
    }
    return (wkIoNumber)type;
}

double wkIoLoadNumber(const uint8_t* at, wkIoNumber type, bool isBig)
{
    uint64_t bits = 0;
    int byteCount = rows[type].byteCount;
    for (int i = 0; i < byteCount; i++) {
        bits |= (uint64_t)at[isBig ? byteCount - 1 - i : i] << (8 * i);
    }
    return rows[type].toDouble(bits);
}
