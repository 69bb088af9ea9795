// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// Lanes of floats and whole numbers: each does what one number on its own would, to the bit.

#include "base/isa_table.h"
#include "simd_ops.h"
#include "unit_kit.h"

#define ROUND_COUNT 3000

const laneOps* laneOpsOfMachine(void);
WK_DEFINE_LANES(const laneOps, laneOps)

static const float odd[] = {0.0f,  -0.0f,    1.0f,     -1.0f,     0.5f,       -0.5f,
                            2.5f,  0x1p31f,  -0x1p31f, 0x1p-149f, 1e38f,      NAN,
                            -3.0f, INFINITY, 1e10f,    -INFINITY, 8388607.5f, -8388607.5f};
static const int32_t oddInts[] = {0, 1, -1, INT32_MAX, INT32_MIN, 0x10000, -0x10000, 65535};

static float someFloat(wkRng* rng)
{
    return wkRngChance(rng, 3) ? odd[wkRngBelow(rng, (int)(sizeof odd / sizeof odd[0]))]
                               : (float)wkRngRange(rng, -100.0, 100.0);
}

static int32_t someInt(wkRng* rng)
{
    return wkRngChance(rng, 3) ? oddInts[wkRngBelow(rng, 8)]
                               : (int32_t)(wkRngRange(rng, -2147483648.0, 2147483647.0));
}

static void fill(wkRng* rng, laneInput* in)
{
    for (int lane = 0; lane < LANE_CAPACITY; ++lane) {
        for (int line = 0; line < 4; ++line) {
            in->f[line][lane] = someFloat(rng);
            in->i[line][lane] = someInt(rng);
        }
        in->i[1][lane] = wkRngChance(rng, 3) ? in->i[0][lane] : in->i[1][lane];
        // floors are for numbers below 2^31
        in->f[2][lane] = fabsf(in->f[2][lane]) < 1e9f ? in->f[2][lane] : -0.0f;
        in->counts[lane] = wkRngBelow(rng, 32);
        in->index[lane] = wkRngBelow(rng, 256);
        for (int k = 0; k < 6; ++k) {
            in->rows[lane][k] = wkRngRange(rng, -10.0, 10.0);
        }
    }
    for (int k = 0; k < 256; ++k) {
        in->words[k] = someInt(rng);
        in->numbers[k] = someFloat(rng);
        in->shorts[k + 1] = (int16_t)wkRngBelow(rng, 65536);
    }
}

// The part of the numbers that starts with a lane, for rows of fewer lanes.
static void shiftInput(const laneInput* in, int lane, laneInput* shifted)
{
    *shifted = *in;
    int left = LANE_CAPACITY - lane;
    for (int line = 0; line < 4; ++line) {
        memmove(shifted->f[line], &in->f[line][lane], (size_t)left * sizeof(float));
        memmove(shifted->i[line], &in->i[line][lane], (size_t)left * sizeof(int32_t));
    }
    memmove(shifted->counts, &in->counts[lane], (size_t)left * sizeof(int32_t));
    memmove(shifted->index, &in->index[lane], (size_t)left * sizeof(int32_t));
    memmove(shifted->rows, &in->rows[lane], (size_t)left * sizeof in->rows[0]);
    // what is the same for all lanes
    shifted->counts[0] = in->counts[lane];
}

static bool isNan(int32_t word)
{
    return (word & 0x7fffffff) > 0x7f800000;
}

// NaN is NaN, whatever its other bits say.
static bool areSame(int32_t a, int32_t b)
{
    return a == b || (isNan(a) && isNan(b));
}

// Functions whose last argument is that of the first lane.
static bool takesFirst(const char* name)
{
    return strcmp(name, "ShiftLeft") == 0 || strcmp(name, "ShiftRight") == 0 ||
           strcmp(name, "ShiftRightSign") == 0 || strcmp(name, "SplatI") == 0;
}

static void compareOp(const laneOps* ops, const laneOps* plain, int op, const laneInput* in)
{
    laneOutput many = {0};
    ops->fcns[op](in, &many);
    for (int lane = 0; lane < ops->laneCount - (strcmp(ops->names[op], "Any") == 0); ++lane) {
        laneInput one;
        laneOutput alone = {0};
        shiftInput(in, lane, &one);
        if (takesFirst(ops->names[op])) {
            one.counts[0] = in->counts[0];
            one.i[0][0] = strcmp(ops->names[op], "SplatI") == 0 ? in->i[0][0] : one.i[0][0];
        }
        plain->fcns[op](&one, &alone);
        bool isSame = alone.bits == (many.bits >> lane & 1u);
        for (int k = 0; k < 4; ++k) {
            isSame = isSame && areSame(alone.words[k][0], many.words[k][lane]);
        }
        if (!isSame) {
            fail_msg("%s with %d lanes, lane %d: %08x, alone %08x; bits %x, alone %x",
                     ops->names[op], ops->laneCount, lane, (unsigned)many.words[0][lane],
                     (unsigned)alone.words[0][0], many.bits, alone.bits);
        }
    }
}

static void lanes_do_what_one_number_does(void** state)
{
    (void)state;
    const laneOps* plain = laneOpsOf(wk_isaScalar);
    wkRng rng = wkMakeRng(UNIT_SEED);
    static laneInput in;
    for (int round = 0; plain != NULL && round < ROUND_COUNT; ++round) {
        fill(&rng, &in);
        for (wkIsa isa = wk_isaSse2; isa < wk_isaCount; ++isa) {
            const laneOps* ops = laneOpsOf(isa);
            for (int op = 0; ops != NULL && op < ops->opCount; ++op) {
                compareOp(ops, plain, op, &in);
            }
        }
    }
}

// Known answers of one lane, so that it is right what the others are compared with.
static void one_lane_does_what_c_does(void** state)
{
    (void)state;
    const laneOps* plain = laneOpsOf(wk_isaScalar);
    if (plain == NULL) {
        skip();
    }
    static laneInput in;
    in.f[2][0] = -2.5f;
    in.f[3][0] = -2.9f;
    in.i[0][0] = -8;
    in.i[1][0] = 3;
    in.counts[0] = 2;
    in.index[0] = 7;
    in.words[7] = 42;
    in.shorts[7] = 6;
    in.shorts[8] = -42;
    struct {
        const char* name;
        int32_t word;
    } known[] = {{"Truncate", -2},       {"AddI", -5},    {"MulI", -24},
                 {"ShiftLeft", -32},     {"GatherI", 42}, {"GatherHighI", -42 * 65536 + 6},
                 {"ShiftRightSign", -2}, {"MaxI", 3},     {"ShiftRight", 0x3ffffffe}};
    for (int op = 0; op < plain->opCount; ++op) {
        for (size_t k = 0; k < sizeof known / sizeof known[0]; ++k) {
            if (strcmp(plain->names[op], known[k].name) == 0) {
                laneOutput out = {0};
                plain->fcns[op](&in, &out);
                assert_int_equal(out.words[0][0], known[k].word);
            }
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(lanes_do_what_one_number_does),
        cmocka_unit_test(one_lane_does_what_c_does),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
