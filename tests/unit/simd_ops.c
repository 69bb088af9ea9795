// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// Functions of float and integer lanes, one row of a table each.

#include "simd_ops.h"
#include "simd/simd_int.h"

#define FLOAT_IN(line) wkLoadF(in->f[line])
#define INT_IN(line) wkLoadI(in->i[line])

#define FLOAT_OP(name, ...)                                                                        \
    static void op##name(const laneInput* in, laneOutput* out)                                     \
    {                                                                                              \
        wkStoreF((float*)out->words[0], __VA_ARGS__);                                              \
    }
#define INT_OP(name, ...)                                                                          \
    static void op##name(const laneInput* in, laneOutput* out)                                     \
    {                                                                                              \
        wkStoreI(out->words[0], __VA_ARGS__);                                                      \
    }
#define BITS_OP(name, ...)                                                                         \
    static void op##name(const laneInput* in, laneOutput* out)                                     \
    {                                                                                              \
        out->bits = __VA_ARGS__;                                                                   \
    }

FLOAT_OP(Add, wkAddF(FLOAT_IN(0), FLOAT_IN(1)))
FLOAT_OP(Sub, wkSubF(FLOAT_IN(0), FLOAT_IN(1)))
FLOAT_OP(Mul, wkMulF(FLOAT_IN(0), FLOAT_IN(1)))
FLOAT_OP(Div, wkDivF(FLOAT_IN(0), FLOAT_IN(1)))
FLOAT_OP(Sqrt, wkSqrtF(wkAbsF(FLOAT_IN(0))))
FLOAT_OP(Any, wkLoadAnyF(&in->f[0][1]))
FLOAT_OP(Keep, wkKeepGreaterF(FLOAT_IN(0), FLOAT_IN(1), FLOAT_IN(2)))
FLOAT_OP(Select, wkSelectGreaterF(FLOAT_IN(0), FLOAT_IN(1), FLOAT_IN(2), FLOAT_IN(3)))
FLOAT_OP(ToFloat, wkToFloatI(INT_IN(0)))
FLOAT_OP(OfBits, wkFloatOfBitsI(INT_IN(0)))
INT_OP(AddI, wkAddI(INT_IN(0), INT_IN(1)))
INT_OP(SubI, wkSubI(INT_IN(0), INT_IN(1)))
INT_OP(MulI, wkMulI(INT_IN(0), INT_IN(1)))
INT_OP(AndI, wkAndI(INT_IN(0), INT_IN(1)))
INT_OP(OrI, wkOrI(INT_IN(0), INT_IN(1)))
INT_OP(XorI, wkXorI(INT_IN(0), INT_IN(1)))
INT_OP(MaxI, wkMaxI(INT_IN(0), INT_IN(1)))
INT_OP(SplatI, wkSplatI(in->i[0][0]))
INT_OP(ShiftLeft, wkShiftLeftI(INT_IN(0), in->counts[0]))
INT_OP(ShiftRight, wkShiftRightI(INT_IN(0), in->counts[0]))
INT_OP(ShiftRightSign, wkShiftRightSignI(INT_IN(0), in->counts[0]))
INT_OP(Truncate, wkTruncateF(FLOAT_IN(3)))
INT_OP(BitsOf, wkBitsOfF(FLOAT_IN(3)))
INT_OP(GatherI, wkGatherI(in->words, wkLoadI(in->index)))
INT_OP(GatherHighI, wkGatherHighI(in->shorts + 1, wkLoadI(in->index)))
BITS_OP(GreaterBits, wkGreaterBitsF(FLOAT_IN(0), FLOAT_IN(1)))
BITS_OP(NotAboveBits, wkNotAboveBitsF(FLOAT_IN(0), FLOAT_IN(1)))
BITS_OP(GreaterBitsI, wkGreaterBitsI(INT_IN(0), INT_IN(1)))
BITS_OP(EqualBitsI, wkEqualBitsI(INT_IN(0), INT_IN(1)))

static void opColumns(const laneInput* in, laneOutput* out)
{
    wkFloatW columns[4];
    wkLoadColumnsF(&in->rows[0][1], 6, columns);
    for (int k = 0; k < 4; ++k) {
        wkStoreF((float*)out->words[k], columns[k]);
    }
}

static void opStoreAny(const laneInput* in, laneOutput* out)
{
    float padded[LANE_CAPACITY + 1];
    wkStoreAnyF(&padded[1], FLOAT_IN(0));
    wkStoreF((float*)out->words[0], wkLoadAnyF(&padded[1]));
}

// clang-format off
#define OPS(X)                                                                                     \
    X(Add) X(Sub) X(Mul) X(Div) X(Sqrt) X(Any) X(Keep) X(Select) X(ToFloat) X(OfBits)     \
    X(AddI) X(SubI) X(MulI) X(AndI) X(OrI) X(XorI) X(MaxI) X(SplatI)            \
    X(ShiftLeft) X(ShiftRight) X(ShiftRightSign) X(Truncate)        \
    X(BitsOf) X(GatherI) X(GatherHighI) X(GreaterBits) X(NotAboveBits)  \
    X(GreaterBitsI) X(EqualBitsI) X(Columns) X(StoreAny)
// clang-format on

#define NAME(name) #name,
static const char* const names[] = {OPS(NAME)};
#define FCN(name) op##name,
static laneOpFcn* const fcns[] = {OPS(FCN)};

extern const laneOps WK_KERNEL(laneOps);
const laneOps WK_KERNEL(laneOps) = {WK_FLOAT_LANES, (int)(sizeof fcns / sizeof fcns[0]), names,
                                    fcns};
