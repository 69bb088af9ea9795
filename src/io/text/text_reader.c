// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// Decimal to binary. Nineteen digits fit into 64 bits; with a power of ten that is exact, one product or
// quotient of integers and its remainder decide the rounding. Longer numbers are bracketed by two of nineteen
// digits. The remaining cases go to strtod, written without a decimal point so that no locale can misread it.

#include "io/text/text_reader.h"

#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// Digits that always fit into 64 bits.
#define SAFE_DIGITS 19

// More digits than any midpoint between two doubles has; beyond them it only matters whether a nonzero digit
// follows.
#define MAX_DIGITS 800

// Larger exponents make no difference: with MAX_DIGITS digits the number is 0 or infinite.
#define MAX_EXPONENT 100000

// 5^27 is the largest power of five below 2^64.
#define MAX_FIVE 27

static const double tens[] = {1e0,  1e1,  1e2,  1e3,  1e4,  1e5,  1e6,  1e7,
                              1e8,  1e9,  1e10, 1e11, 1e12, 1e13, 1e14, 1e15,
                              1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22};

#define TEN_COUNT ((int)(sizeof tens / sizeof tens[0]))

// A number as written: digits times 10^exponent.
typedef struct decimal {
    const char* digits; // first digit; a point may be among them
    const char* end;
    uint64_t mantissa; // of the digits, when there are at most SAFE_DIGITS
    int digitCount;
    int exponent;
} decimal;

#if defined(__SIZEOF_INT128__)

__extension__ typedef unsigned __int128 wide;

static uint64_t powerOfFive(int exponent)
{
    uint64_t power = 1;
    for (int i = 0; i < exponent; i++) {
        power *= 5;
    }
    return power;
}

// Rounds `mantissa` times 2^exponent to nearest even; `isMore`: the true mantissa is larger by less than one.
// Results are never near the ends of the range of double.
static double roundBinary(uint64_t mantissa, int exponent, bool isMore)
{
    int drop = 64 - __builtin_clzll(mantissa) - DBL_MANT_DIG;
    if (drop <= 0) {
        return ldexp((double)mantissa, exponent);
    }
    uint64_t half = 1ull << (drop - 1);
    uint64_t rest = mantissa & (2 * half - 1);
    uint64_t kept = mantissa >> drop;
    if (rest > half || (rest == half && (isMore || (kept & 1) != 0))) {
        kept++;
    }
    return ldexp((double)kept, exponent + drop);
}

// Rounds mantissa times 10^exponent, for exponents within MAX_FIVE; mantissa is not 0.
static double roundDecimal(uint64_t mantissa, int exponent)
{
    if (exponent < 0) {
        // both are normalised: the quotient has 63 or 64 bits, and the remainder decides ties
        uint64_t divisor = powerOfFive(-exponent);
        int up = __builtin_clzll(mantissa), divisorUp = __builtin_clzll(divisor);
        wide numerator = (wide)(mantissa << up) << 63;
        uint64_t quotient = (uint64_t)(numerator / (divisor << divisorUp));
        bool isMore = numerator % (divisor << divisorUp) != 0;
        return roundBinary(quotient, divisorUp - up - 63 + exponent, isMore);
    }
    wide product = (wide)mantissa * powerOfFive(exponent);
    uint64_t high = (uint64_t)(product >> 64);
    if (high == 0) {
        return roundBinary((uint64_t)product, exponent, false);
    }
    int down = 64 - __builtin_clzll(high);
    bool isMore = (product & (((wide)1 << down) - 1)) != 0;
    return roundBinary((uint64_t)(product >> down), exponent + down, isMore);
}

#define HAS_WIDE true

#else

static double roundDecimal(uint64_t mantissa, int exponent)
{
    (void)mantissa;
    (void)exponent;
    return 0.0;
}

#define HAS_WIDE false

#endif

// Collects the significant digits and their exponent.
static int collectDigits(const decimal* d, char* digits, int* exponent)
{
    int count = 0, dropped = 0;
    bool isPastPoint = false, isMore = false;
    int fraction = 0;
    for (const char* at = d->digits; at < d->end; at++) {
        if (*at == '.') {
            isPastPoint = true;
            continue;
        }
        fraction += isPastPoint ? 1 : 0;
        if (count == 0 && *at == '0') {
            continue;
        }
        if (count < MAX_DIGITS) {
            digits[count++] = *at;
        } else {
            dropped++;
            isMore = isMore || *at != '0';
        }
    }
    *exponent = d->exponent - fraction + dropped;
    if (isMore) {
        digits[count++] = '1';
        *exponent -= 1;
    }
    return count;
}

// Rounds the first nineteen digits, and the same with the last digit plus one; succeeds when both agree.
static bool roundPrefix(const char* digits, int count, int exponent, double* value)
{
    uint64_t mantissa = 0;
    for (int i = 0; i < SAFE_DIGITS && i < count; i++) {
        mantissa = mantissa * 10 + (uint64_t)(digits[i] - '0');
    }
    exponent += count > SAFE_DIGITS ? count - SAFE_DIGITS : 0;
    if (!HAS_WIDE || abs(exponent) > MAX_FIVE) {
        return false;
    }
    *value = roundDecimal(mantissa, exponent);
    return count <= SAFE_DIGITS || *value == roundDecimal(mantissa + 1, exponent);
}

// Converts any number.
WK_RARE_FN double convertLong(const decimal* d)
{
    char text[MAX_DIGITS + 32];
    int exponent;
    int count = collectDigits(d, text, &exponent);
    double value;
    if (count == 0) {
        return 0.0;
    }
    if (roundPrefix(text, count, exponent, &value)) {
        return value;
    }
    snprintf(text + count, sizeof text - (size_t)count, "e%d", exponent);
    return strtod(text, NULL);
}

static double convert(const decimal* d, int fraction)
{
    int exponent = d->exponent - fraction;
    if (d->digitCount > SAFE_DIGITS) {
        return convertLong(d);
    }
#if defined(FLT_EVAL_METHOD) && FLT_EVAL_METHOD == 0
    // both factors are exact, so the single rounding is correct
    if (d->mantissa <= (1ull << DBL_MANT_DIG)) {
        if (exponent <= 0 && -exponent < TEN_COUNT) {
            return (double)d->mantissa / tens[-exponent];
        }
        if (exponent > 0 && exponent < TEN_COUNT) {
            return (double)d->mantissa * tens[exponent];
        }
    }
#endif
    if (HAS_WIDE && d->mantissa != 0 && abs(exponent) <= MAX_FIVE) {
        return roundDecimal(d->mantissa, exponent);
    }
    return convertLong(d);
}

// Parses "inf", "infinity", "nan", "nan(...)", as other programs print them.
WK_RARE_FN const char* parseWord(const char* at, const char* end, double* value)
{
    const char* stop = at;
    while (stop < end && wkIoLowerCase(*stop) >= 'a' && wkIoLowerCase(*stop) <= 'z') {
        stop++;
    }
    if (wkIoIsWord(at, stop, "inf") || wkIoIsWord(at, stop, "infinity")) {
        *value = INFINITY;
        return stop;
    }
    if (wkIoIsWord(at, stop, "nan")) {
        *value = NAN;
        return wkIoSkipWord(stop, end);
    }
    return NULL;
}

static const char* parseExponent(const char* at, const char* end, int* exponent)
{
    const char* digit = at + 1;
    bool isNegative = digit < end && *digit == '-';
    if (digit < end && (*digit == '-' || *digit == '+')) {
        digit++;
    }
    if (digit == end || !wkIoIsDigit(*digit)) {
        return at;
    }
    int size = 0;
    for (; digit < end && wkIoIsDigit(*digit); digit++) {
        size = size < MAX_EXPONENT ? size * 10 + (*digit - '0') : size;
    }
    *exponent = isNegative ? -size : size;
    return digit;
}

const char* wkIoParseNumber(const char* at, const char* end, double* value)
{
    bool isNegative = at < end && *at == '-';
    if (at < end && (*at == '-' || *at == '+')) {
        at++;
    }
    decimal d = {at, NULL, 0, 0, 0};
    const char* digits = at;
    for (; at < end && wkIoIsDigit(*at); at++) {
        d.mantissa = d.mantissa * 10 + (uint64_t)(*at - '0');
    }
    ptrdiff_t digitCount = at - digits, fraction = 0;
    if (at < end && *at == '.') {
        const char* point = at++;
        for (; at < end && wkIoIsDigit(*at); at++) {
            d.mantissa = d.mantissa * 10 + (uint64_t)(*at - '0');
        }
        fraction = at - point - 1;
        digitCount += fraction;
    }
    if (digitCount == 0) {
        at = parseWord(digits, end, value);
        if (at != NULL && isNegative) {
            *value = -*value;
        }
        return at;
    }
    d.end = at;
    // refusing numbers with more digits keeps exponents in the range of int
    if (digitCount > MAX_EXPONENT) {
        return NULL;
    }
    d.digitCount = (int)digitCount;
    if (at < end && (*at == 'e' || *at == 'E')) {
        at = parseExponent(at, end, &d.exponent);
    }
    double size = convert(&d, (int)fraction);
    *value = isNegative ? -size : size;
    return at;
}

const char* wkIoParseInteger(const char* at, const char* end, int64_t* value)
{
    bool isNegative = at < end && *at == '-';
    if (at < end && (*at == '-' || *at == '+')) {
        at++;
    }
    const char* digits = at;
    int64_t size = 0;
    bool isTooLarge = false;
    for (; at < end && wkIoIsDigit(*at); at++) {
        isTooLarge = isTooLarge || size > (INT64_MAX - 9) / 10;
        size = isTooLarge ? INT64_MAX : size * 10 + (*at - '0');
    }
    *value = isNegative ? -size : size;
    return at > digits ? at : NULL;
}

const char* wkIoNextLine(const char* at, const char* end)
{
    const char* newline = at < end ? memchr(at, '\n', (size_t)(end - at)) : NULL;
    return newline != NULL ? newline + 1 : end;
}

bool wkIoIsWord(const char* at, const char* end, const char* word)
{
    while (at < end && *word != '\0' && wkIoLowerCase(*at) == *word) {
        at++;
        word++;
    }
    return *word == '\0' && wkIoIsWordEnd(at, end);
}
