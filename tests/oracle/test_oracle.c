// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// Asks every library about random and difficult pairs. A disagreement is decided by the reference
// solver: ours is never the wrong one. Who was wrong how often is printed, and explained in
// known_differences.md.

#include "kit.h"
#include "oracle.h"

#include "reference/reference.h"

#include "whisker/detail/counts.h"

#include <string.h>

typedef struct tally {
    int asked;
    int failed;        // the library gave no answer
    int disagreed;     // with us, beyond its tolerance
    int wrongVerdict;  // its verdict, says the reference
    int wrongDistance; // its number, says the reference
    int undecided;     // the reference's bracket holds both answers
    int oursWrong;
} tally;

// Kinds whose shapes the other libraries accept: no zero sizes, no extreme ones.
static const char* const askedKinds[] = {
    "mixed",     "separated", "near touching", "half grid",    "tenth grid",         "stack",
    "parallel",  "tiny turn", "right angles",  "face on face", "feature on feature", "concentric",
    "same pose", "contained", "far away"};

static bool isAsked(const char* kind)
{
    for (int i = 0; i < (int)(sizeof askedKinds / sizeof askedKinds[0]); i++) {
        if (strcmp(kind, askedKinds[i]) == 0) {
            return true;
        }
    }
    return false;
}

// They have neither rounding nor padding.
static wkScenePair withoutRadii(wkScenePair pair)
{
    pair.a.rounding = pair.a.padding = pair.b.rounding = pair.b.padding = 0.0;
    return pair;
}

static bool isOutside(double value, wkReference truth, double tolerance)
{
    return !(value >= truth.lower - tolerance && value <= truth.upper + tolerance);
}

static void decide(const wkOracle* oracle, const wkScenePair* pair, double ours, wkOpinion theirs,
                   tally* t)
{
    wkReference truth =
        wkReferenceDistance(&pair->a, pair->poseA, &pair->b, pair->poseB, WK_REFERENCE_BUDGET);
    double tolerance = oracle->tolerance * wkPairScale(pair);
    double ownTolerance = wkPairTolerance(pair) + wkPairRounding(pair);
    bool isVerdictWrong = (theirs.isTouching && truth.lower > tolerance) ||
                          (!theirs.isTouching && truth.upper < -tolerance);
    bool isDistanceWrong = theirs.hasDistance && isOutside(theirs.distance, truth, tolerance);
    t->disagreed++;
    t->wrongVerdict += isVerdictWrong ? 1 : 0;
    t->wrongDistance += isDistanceWrong && !isVerdictWrong ? 1 : 0;
    t->undecided += isVerdictWrong || isDistanceWrong ? 0 : 1;
    if (isOutside(ours, truth, ownTolerance)) {
        t->oursWrong++;
        printf("ours %.17g, %s %.17g, truth %.17g ... %.17g\n", ours, oracle->name, theirs.distance,
               truth.lower, truth.upper);
        wkPrintPair(stdout, pair);
    }
}

static void compare(const wkOracle* oracle, const wkScenePair* pair, tally* t)
{
    wkDistanceResult ours = wkDistance(&pair->a, pair->poseA, &pair->b, pair->poseB, NULL);
    wkOpinion theirs = oracle->ask(pair);
    double tolerance = oracle->tolerance * wkPairScale(pair);
    t->asked++;
    if (theirs.hasFailed) {
        t->failed++;
        return;
    }
    bool sameVerdict =
        fabs(ours.distance) <= tolerance || theirs.isTouching == (ours.distance <= 0.0);
    bool sameDistance = !theirs.hasDistance || fabs(theirs.distance - ours.distance) <= tolerance;
    if (!sameVerdict || !sameDistance) {
        decide(oracle, pair, ours.distance, theirs, t);
    }
}

static void compareAll(const wkOracle* oracle, wkShapeType a, wkShapeType b, tally* t)
{
    int cases = wkKitCases(8);
    for (int k = 0; k < wkNastyKindCount * cases; k++) {
        const wkNastyKind* kind = &wkNastyKinds[k % wkNastyKindCount];
        if (isAsked(kind->name)) {
            wkRng rng = wkMakeRng(wkKitSeed() + (uint64_t)k + 1000003u * (uint64_t)(16u * a + b));
            wkScenePair pair = withoutRadii(kind->make(&rng, wkKitBank(), a, b));
            compare(oracle, &pair, t);
        }
    }
}

static void printRow(const char* name, const char* pair, const tally* t)
{
    printf("%-14s %-20s %7d %6d %8d %7d %8d %9d %5d\n", name, pair, t->asked, t->failed,
           t->disagreed, t->wrongVerdict, t->wrongDistance, t->undecided, t->oursWrong);
}

static void add(tally* sum, const tally* t)
{
    sum->asked += t->asked;
    sum->failed += t->failed;
    sum->disagreed += t->disagreed;
    sum->wrongVerdict += t->wrongVerdict;
    sum->wrongDistance += t->wrongDistance;
    sum->undecided += t->undecided;
    sum->oursWrong += t->oursWrong;
}

static void consult(const wkOracle* oracle)
{
    tally sum = {0};
    printf("%-14s %-20s %7s %6s %8s %7s %8s %9s %5s\n", "library", "pair", "asked", "failed",
           "disagree", "verdict", "distance", "undecided", "ours");
    for (int a = 1; a < WK_CONVEX_TYPE_COUNT; a++) {
        for (int b = a; b < WK_CONVEX_TYPE_COUNT; b++) {
            if (!oracle->knows((wkShapeType)a, (wkShapeType)b)) {
                continue;
            }
            tally t = {0};
            char name[64];
            compareAll(oracle, (wkShapeType)a, (wkShapeType)b, &t);
            snprintf(name, sizeof name, "%s-%s", wkShapeTypeName((wkShapeType)a),
                     wkShapeTypeName((wkShapeType)b));
            if (t.disagreed + t.failed > 0) {
                printRow(oracle->name, name, &t);
            }
            add(&sum, &t);
        }
    }
    printRow(oracle->name, "all", &sum);
    assert_int_equal(sum.oursWrong, 0);
}

// One row per library that this build found.
#if defined(WK_HAS_FCL)
#define FCL_LIST(ROW) ROW(fcl_with_libccd, wkOracleFclCcd) ROW(fcl_with_indep, wkOracleFclIndep)
#else
#define FCL_LIST(ROW)
#endif
#if defined(WK_HAS_CCD)
#define CCD_LIST(ROW) ROW(libccd_gjk, wkOracleCcdGjk) ROW(libccd_mpr, wkOracleCcdMpr)
#else
#define CCD_LIST(ROW)
#endif
#if defined(WK_HAS_BULLET)
#define BULLET_LIST(ROW) ROW(bullet, wkOracleBullet)
#else
#define BULLET_LIST(ROW)
#endif
#define ORACLE_LIST(ROW) FCL_LIST(ROW) CCD_LIST(ROW) BULLET_LIST(ROW)

#define DEFINE_TEST(NAME, ORACLE)                                                                  \
    static void ours_is_right_against_##NAME(void** state)                                         \
    {                                                                                              \
        (void)state;                                                                               \
        consult(&ORACLE);                                                                          \
    }
ORACLE_LIST(DEFINE_TEST)

#define TEST_ROW(NAME, ORACLE) cmocka_unit_test(ours_is_right_against_##NAME),

int main(void)
{
    const struct CMUnitTest tests[] = {ORACLE_LIST(TEST_ROW)};
    int failed = cmocka_run_group_tests_name("other libraries", tests, NULL, NULL);
    wkKitEnd();
    return failed;
}
