// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// Reduces angles of more than a million radians to an eighth of a turn exactly.

#include "math/angle.h"

#include "math/double_double.h"

// The digits of 2/pi after the point, 32 in each word.
static const uint32_t twoOverPi[] = {
    0xa2f9836eu, 0x4e441529u, 0xfc2757d1u, 0xf534ddc0u, 0xdb629599u, 0x3c439041u, 0xfe5163abu,
    0xdebbc561u, 0xb7246e3au, 0x424dd2e0u, 0x06492eeau, 0x09d1921cu, 0xfe1deb1cu, 0xb129a73eu,
    0xe88235f5u, 0x2ebb4484u, 0xe99c7026u, 0xb45f7e41u, 0x3991d639u, 0x835339f4u, 0x9c845f8bu,
    0xbdf9283bu, 0x1ff897ffu, 0xde05980fu, 0xef2f118bu, 0x5a0a6d1fu, 0x6d367ecfu, 0x27cb09b7u,
    0x4f463f66u, 0x9e5fea2du, 0x7527bac7u, 0xebe5f17bu, 0x3d0739f7u, 0x8a5292eau, 0x6bfb5fb1u,
    0x1f8d5d08u, 0x56033046u,
};

// Words of 2/pi that are used, words of the product with an angle, and one more for shifts. No double is
// nearer than 2^-62 to a whole number of quarters, so more than 70 digits of the difference remain.
#define WINDOW 7
#define PRODUCT 10

// A product with its binary point `pointBits` above the lowest bit; lowest word first.
typedef struct longNumber {
    uint32_t words[PRODUCT];
    int pointBits;
} longNumber;

// Returns mantissa * 2^exponent * 2/pi, modulo 4.
static longNumber multiply(uint64_t mantissa, int exponent)
{
    int first = exponent >= 2 ? (exponent - 2) / 32 : 0;
    longNumber number = {{0}, 32 * (first + WINDOW) - exponent};
    for (int half = 0; half < 2; half++) {
        uint64_t factor = half == 0 ? mantissa & 0xffffffffu : mantissa >> 32;
        uint64_t carry = 0;
        for (int i = 0; i < WINDOW; i++) {
            uint64_t digit = twoOverPi[first + WINDOW - 1 - i];
            uint64_t sum = number.words[i + half] + digit * factor + carry;
            number.words[i + half] = (uint32_t)sum;
            carry = sum >> 32;
        }
        number.words[WINDOW + half] = (uint32_t)carry;
    }
    return number;
}

// Removes the integer part from a number.
// @return its last bits
static uint64_t takeWhole(longNumber* number)
{
    int word = number->pointBits / 32, bit = number->pointBits % 32;
    uint64_t pair = (uint64_t)number->words[word + 1] << 32 | number->words[word];
    number->words[word] &= (uint32_t)(((uint64_t)1 << bit) - 1);
    for (int i = word + 1; i < PRODUCT; i++) {
        number->words[i] = 0;
    }
    return pair >> bit;
}

// Replaces the number, which is a fraction, by one minus it.
static void takeFromOne(longNumber* number)
{
    uint64_t carry = 1;
    for (int i = 0; i < PRODUCT; i++) {
        carry += (uint32_t)~number->words[i];
        number->words[i] = (uint32_t)carry;
        carry >>= 32;
    }
    takeWhole(number);
}

static bool isAboveHalf(const longNumber* number)
{
    int bit = number->pointBits - 1;
    return (number->words[bit / 32] >> (bit % 32) & 1) != 0;
}

static wkDoubleDouble fineOf(const longNumber* number)
{
    wkDoubleDouble sum = {0.0, 0.0};
    for (int i = PRODUCT - 1; i >= 0; i--) {
        wkDoubleDouble word = {ldexp((double)number->words[i], 32 * i - number->pointBits), 0.0};
        sum = wkDdAdd(sum, word);
    }
    return sum;
}

wkSmallAngle wkReduceLargeAngle(double angle)
{
    wkSmallAngle small = {angle - angle, 0.0, 0};
    if (!(fabs(angle) < INFINITY)) {
        return small;
    }
    uint64_t bits = 0;
    memcpy(&bits, &angle, sizeof bits);
    uint64_t mantissa = (bits & 0xfffffffffffffu) | 0x10000000000000u;
    longNumber rotated = multiply(mantissa, (int)(bits >> 52 & 0x7ff) - 1075);
    uint64_t quarters = takeWhole(&rotated);
    bool isNext = isAboveHalf(&rotated);
    if (isNext) {
        takeFromOne(&rotated);
    }
    const wkDoubleDouble quarter = {0x1.921fb54442d18p+0, 0x1.1a62633145c07p-54};
    wkDoubleDouble reduced = wkDdMul(fineOf(&rotated), quarter);
    bool isBackward = isNext != (angle < 0.0);
    small.high = isBackward ? -reduced.high : reduced.high;
    small.low = isBackward ? -reduced.low : reduced.low;
    small.quarters = quarters + isNext;
    small.quarters = angle < 0.0 ? 0 - small.quarters : small.quarters;
    return small;
}
