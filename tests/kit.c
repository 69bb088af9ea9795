// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// Runs laws over all pairs and makes failing cases smaller.

#include "kit.h"

#include "whisker/detail/counts.h"

#include <float.h>
#include <stdlib.h>
#include <string.h>

// Cases printed in full; the others are counted.
#define PRINT_LIMIT 3

static wkShapeBank kitBank;

bool wkBroken(wkMessage* message, const char* format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(message->text, sizeof message->text, format, arguments);
    va_end(arguments);
    return false;
}

uint64_t wkKitSeed(void)
{
    static bool isPrinted = false;
    const char* text = getenv("WHISKER_SEED");
    uint64_t seed = text != NULL ? strtoull(text, NULL, 10) : 20250101u;
    if (!isPrinted) {
        printf("seed: WHISKER_SEED=%llu\n", (unsigned long long)seed);
        isPrinted = true;
    }
    return seed;
}

int wkKitCases(int count)
{
    const char* factor = getenv("WHISKER_CASES");
    const char* isLong = getenv("WHISKER_LONG");
    double x = factor != NULL ? atof(factor) : isLong != NULL && atoi(isLong) != 0 ? 100.0 : 1.0;
    double cases = x * (double)count;
    return cases < 1.0 ? 1 : WK_CASES((int)cases);
}

int wkKitCasesOfKinds(int count, int kindCount)
{
    int cases = wkKitCases(count), least = count < kindCount ? count : kindCount;
    return cases > least ? cases : least;
}

const wkShapeBank* wkKitBank(void)
{
    if (kitBank.count == 0) {
        wkShapeBank_Create(&kitBank, wkKitSeed());
    }
    return &kitBank;
}

void wkKitEnd(void)
{
    wkShapeBank_Destroy(&kitBank);
}

static bool isPolytope(const wkShape* shape)
{
    return shape->type != wk_shapeCylinder && shape->type != wk_shapeCone &&
           shape->type != wk_shapeEllipsoid;
}

bool wkArePolytopes(const wkScenePair* pair)
{
    return isPolytope(&pair->a) && isPolytope(&pair->b);
}

double wkPairTolerance(const wkScenePair* pair)
{
    bool isClosed = strcmp(wkPairMethodName(pair->a.type, pair->b.type), "closed form") == 0;
    double relative = wkArePolytopes(pair) ? 1e-12 : isClosed ? 1e-9 : 1e-6;
    return relative * wkPairScale(pair);
}

double wkPairRounding(const wkScenePair* pair)
{
    double far = wkSceneLength(pair->poseA.position) + wkSceneLength(pair->poseB.position);
    return 32.0 * DBL_EPSILON * (wkPairScale(pair) + far);
}

// Ways to make a case simpler to read. Each is kept if the law is still broken after it.

static wkScenePair dropRadii(wkScenePair pair)
{
    pair.a.rounding = pair.a.padding = pair.b.rounding = pair.b.padding = 0.0;
    return pair;
}

static wkScenePair centreA(wkScenePair pair)
{
    pair.poseB.position = wkSceneSub(pair.poseB.position, pair.poseA.position);
    pair.poseA.position = wkSceneVec(0.0, 0.0, 0.0);
    return pair;
}

static wkScenePair alignA(wkScenePair pair)
{
    pair.poseB = wkMulPose(wkInvPose(pair.poseA), pair.poseB);
    pair.poseA = wkIdentityPose();
    return pair;
}

static wkScenePair alignB(wkScenePair pair)
{
    pair.poseB.rotation = wkIdentityPose().rotation;
    return pair;
}

static double shorten(double value, int digits)
{
    char text[352]; // the longest double in any number of digits
    snprintf(text, sizeof text, "%.*g", digits, value);
    return atof(text);
}

static void shortenPose(wkPose* pose, int digits)
{
    double* numbers[7] = {&pose->position.x, &pose->position.y, &pose->position.z,
                          &pose->rotation.x, &pose->rotation.y, &pose->rotation.z,
                          &pose->rotation.w};
    for (int i = 0; i < 7; i++) {
        *numbers[i] = shorten(*numbers[i], digits);
    }
}

static void shortenShape(wkShape* shape, int digits)
{
    shape->rounding = shorten(shape->rounding, digits);
    shape->padding = shorten(shape->padding, digits);
    if (shape->type == wk_shapeHull || shape->type == wk_shapeHalfspace ||
        shape->type == wk_shapePlane) {
        return;
    }
    // the other members are all made of lengths; unused ones are harmless
    double* lengths = &shape->triangle.points[0].x;
    for (int i = 0; i < (int)(sizeof shape->triangle / sizeof(double)); i++) {
        lengths[i] = shorten(lengths[i], digits);
    }
}

static wkScenePair shortenPoses(wkScenePair pair, int digits)
{
    shortenPose(&pair.poseA, digits);
    shortenPose(&pair.poseB, digits);
    return pair;
}

static wkScenePair shortenShapes(wkScenePair pair, int digits)
{
    shortenShape(&pair.a, digits);
    shortenShape(&pair.b, digits);
    return pair;
}

static void keepIfBroken(wkScenePair* pair, wkScenePair simpler, wkLawFcn* law, uint64_t seed,
                         wkMessage* message)
{
    wkMessage reason = {{0}};
    bool isValid = wkIsValidPose(simpler.poseA) && wkIsValidPose(simpler.poseB) &&
                   wkShape_Check(&simpler.a) == wk_ok && wkShape_Check(&simpler.b) == wk_ok;
    if (isValid && !law(&simpler, seed, &reason)) {
        *pair = simpler;
        *message = reason;
    }
}

static void shrink(wkScenePair* pair, wkLawFcn* law, uint64_t seed, wkMessage* message)
{
    keepIfBroken(pair, dropRadii(*pair), law, seed, message);
    keepIfBroken(pair, centreA(*pair), law, seed, message);
    keepIfBroken(pair, alignA(*pair), law, seed, message);
    keepIfBroken(pair, alignB(*pair), law, seed, message);
    for (int digits = 12; digits >= 1; digits--) {
        keepIfBroken(pair, shortenShapes(*pair, digits), law, seed, message);
        keepIfBroken(pair, shortenPoses(*pair, digits), law, seed, message);
    }
}

static bool isWanted(wkShapeType a, wkShapeType b)
{
    const char* wanted = getenv("WHISKER_PAIR");
    char name[64];
    snprintf(name, sizeof name, "%s-%s", wkShapeTypeName(a), wkShapeTypeName(b));
    return wanted == NULL || strcmp(wanted, name) == 0;
}

static bool isWantedKind(const wkNastyKind* kind)
{
    const char* wanted = getenv("WHISKER_KIND");
    return wanted == NULL || strcmp(wanted, kind->name) == 0;
}

typedef struct lawRun {
    const char* name;
    wkLawFcn* law;
    int caseCount;
    int brokenCount;
    int broken[WK_CONVEX_TYPE_COUNT][WK_CONVEX_TYPE_COUNT];
} lawRun;

static void checkCase(lawRun* run, const wkNastyKind* kind, wkShapeType a, wkShapeType b,
                      uint64_t seed)
{
    wkRng rng = wkMakeRng(seed);
    wkScenePair pair = kind->make(&rng, wkKitBank(), a, b);
    wkMessage message = {{0}};
    run->caseCount++;
    if (run->law(&pair, seed, &message)) {
        return;
    }
    run->broken[a][b]++;
    if (run->brokenCount++ < PRINT_LIMIT) {
        shrink(&pair, run->law, seed, &message);
        printf("law broken: %s; %s-%s, %s\n  %s\n", run->name, wkShapeTypeName(a),
               wkShapeTypeName(b), kind->name, message.text);
        wkPrintPair(stdout, &pair);
    }
}

static void report(const lawRun* run)
{
    if (run->brokenCount == 0) {
        return;
    }
    printf("%s: %d of %d cases broken:", run->name, run->brokenCount, run->caseCount);
    for (int a = 1; a < WK_CONVEX_TYPE_COUNT; a++) {
        for (int b = 1; b < WK_CONVEX_TYPE_COUNT; b++) {
            if (run->broken[a][b] > 0) {
                printf(" %s-%s %d", wkShapeTypeName((wkShapeType)a),
                       wkShapeTypeName((wkShapeType)b), run->broken[a][b]);
            }
        }
    }
    printf("\n");
    fail_msg("%s", run->name);
}

void wkCheckLaw(const char* name, wkLawFcn* law, int count)
{
    static lawRun run;
    memset(&run, 0, sizeof run);
    run.name = name;
    run.law = law;
    uint64_t seed = wkKitSeed();
    int cases = wkKitCases(count);
    for (int a = 1; a < WK_CONVEX_TYPE_COUNT; a++) {
        for (int b = 1; b < WK_CONVEX_TYPE_COUNT; b++) {
            if (!isWanted((wkShapeType)a, (wkShapeType)b)) {
                continue;
            }
            for (int k = 0; k < wkNastyKindCount * cases; k++) {
                wkRng mix = wkMakeRng(seed + (uint64_t)(100 * a + b) * 1000000007u + (uint64_t)k);
                const wkNastyKind* kind = &wkNastyKinds[k % wkNastyKindCount];
                if (isWantedKind(kind)) {
                    checkCase(&run, kind, (wkShapeType)a, (wkShapeType)b, wkRngNext(&mix));
                }
            }
        }
    }
    report(&run);
}
