// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// The ways to make a difficult pair, one function each, and the table that names them.

#include "nasty.h"

void wkSetGap(wkScenePair* pair, double gap)
{
    // twice, because the first move leaves the rounding of a long way
    for (int i = 0; i < 2; i++) {
        wkDistanceResult r = wkDistance(&pair->a, pair->poseA, &pair->b, pair->poseB, NULL);
        bool isUsable = r.status == wk_statusExact || r.status == wk_statusBound;
        if (!isUsable || !isfinite(r.distance * wkSceneLength(r.normal))) {
            return;
        }
        pair->poseB.position =
            wkSceneAdd(pair->poseB.position, wkSceneScale(r.normal, gap - r.distance));
    }
}

wkScenePair wkSwapPair(const wkScenePair* pair)
{
    wkScenePair swapped = {pair->b, pair->a, pair->poseB, pair->poseA};
    return swapped;
}

double wkPairScale(const wkScenePair* pair)
{
    wkVec3d between = wkSceneSub(pair->poseB.position, pair->poseA.position);
    return wkShapeReach(&pair->a) + wkShapeReach(&pair->b) + wkSceneLength(between);
}

// Puts A anywhere near the origin, turned at random, and B turned at random beside it, `spread`
// times the sum of their radii away.
static void placeFreely(wkScenePair* pair, wkRng* rng, double spread)
{
    double away = spread * (wkShapeReach(&pair->a) + wkShapeReach(&pair->b));
    pair->poseA.position = wkSceneVec(wkRngRange(rng, -3.0, 3.0), wkRngRange(rng, -3.0, 3.0),
                                      wkRngRange(rng, -3.0, 3.0));
    pair->poseA.rotation = wkRngRotation(rng);
    pair->poseB.position =
        wkSceneAdd(pair->poseA.position, wkSceneScale(wkRngDirection(rng), away));
    pair->poseB.rotation = wkRngRotation(rng);
}

static wkScenePair makeMixed(wkRng* rng, const wkShapeBank* bank, wkShapeType a, wkShapeType b)
{
    wkScenePair pair = {.a = wkRandomShape(rng, bank, a, 1.0),
                        .b = wkRandomShape(rng, bank, b, 1.0)};
    placeFreely(&pair, rng, wkRngRange(rng, 0.0, 1.2));
    return pair;
}

static wkScenePair makeSeparated(wkRng* rng, const wkShapeBank* bank, wkShapeType a, wkShapeType b)
{
    wkScenePair pair = makeMixed(rng, bank, a, b);
    wkSetGap(&pair, wkRngLogRange(rng, 1e-3, 10.0));
    return pair;
}

static wkScenePair makeNearTouching(wkRng* rng, const wkShapeBank* bank, wkShapeType a,
                                    wkShapeType b)
{
    wkScenePair pair = makeMixed(rng, bank, a, b);
    wkSetGap(&pair, wkRngSign(rng) * wkRngLogRange(rng, 1e-15, 1e-3));
    return pair;
}

static wkScenePair makeTouching(wkRng* rng, const wkShapeBank* bank, wkShapeType a, wkShapeType b)
{
    wkScenePair pair = makeMixed(rng, bank, a, b);
    wkSetGap(&pair, 0.0);
    return pair;
}

static wkVec3d gridPosition(wkRng* rng, double step)
{
    wkVec3d p = {(double)(wkRngBelow(rng, 9) - 4), (double)(wkRngBelow(rng, 9) - 4),
                 (double)(wkRngBelow(rng, 9) - 4)};
    return wkSceneScale(p, step);
}

static wkScenePair makeOnGrid(wkRng* rng, const wkShapeBank* bank, wkShapeType a, wkShapeType b,
                              double step)
{
    wkScenePair pair = {.a = wkGridShape(rng, bank, a, step), .b = wkGridShape(rng, bank, b, step)};
    pair.poseA.position = gridPosition(rng, step);
    pair.poseA.rotation = wkRngRightAngles(rng);
    pair.poseB.position = gridPosition(rng, step);
    pair.poseB.rotation = wkRngRightAngles(rng);
    return pair;
}

static wkScenePair makeHalfGrid(wkRng* rng, const wkShapeBank* bank, wkShapeType a, wkShapeType b)
{
    return makeOnGrid(rng, bank, a, b, 0.5);
}

static wkScenePair makeTenthGrid(wkRng* rng, const wkShapeBank* bank, wkShapeType a, wkShapeType b)
{
    return makeOnGrid(rng, bank, a, b, 0.1);
}

// A stack: B above A along one of its axes, faces meeting exactly or by a hair.
static wkScenePair makeStack(wkRng* rng, const wkShapeBank* bank, wkShapeType a, wkShapeType b)
{
    static const double gaps[] = {0.0, 1e-15, -1e-15, 1e-12, -1e-12, 1e-9, -1e-9, 1e-3, -1e-3};
    wkScenePair pair = {.a = wkGridShape(rng, bank, a, 0.1), .b = wkGridShape(rng, bank, b, 0.1)};
    wkQuat turn = wkRngRightAngles(rng);
    wkVec3d axes[3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
    wkVec3d up = wkSceneScale(axes[wkRngBelow(rng, 3)], wkRngSign(rng));
    wkVec3d side = wkSceneScale(gridPosition(rng, 0.1), wkRngChance(rng, 2) ? 0.25 : 0.0);
    side = wkSceneSub(side, wkSceneScale(up, wkSceneDot(up, side)));

    pair.poseA.rotation = turn;
    pair.poseB.rotation = wkRngChance(rng, 2) ? turn : wkRngRightAngles(rng);
    wkVec3d top = wkShape_Support(&pair.a, pair.poseA, up);
    wkVec3d bottom = wkShape_Support(&pair.b, pair.poseB, wkSceneScale(up, -1.0));
    double height = wkSceneDot(up, wkSceneSub(top, bottom)) + gaps[wkRngBelow(rng, 9)];
    pair.poseB.position = wkSceneAdd(side, wkSceneScale(up, height));
    return pair;
}

// The same orientation: parallel axes, coplanar faces.
static wkScenePair makeParallel(wkRng* rng, const wkShapeBank* bank, wkShapeType a, wkShapeType b)
{
    wkScenePair pair = makeMixed(rng, bank, a, b);
    pair.poseB.rotation = pair.poseA.rotation;
    if (wkRngChance(rng, 2)) {
        wkSetGap(&pair, wkRngSign(rng) * wkRngLogRange(rng, 1e-12, 1e-1));
    }
    return pair;
}

// Parallel up to an angle that is too small to be trusted.
static wkScenePair makeTinyRotation(wkRng* rng, const wkShapeBank* bank, wkShapeType a,
                                    wkShapeType b)
{
    wkScenePair pair = makeParallel(rng, bank, a, b);
    wkQuat turn = wkMakeQuat(wkRngDirection(rng), wkRngLogRange(rng, 1e-16, 1e-5));
    wkPose turned = wkMulPose(pair.poseB, (wkPose){{0.0, 0.0, 0.0}, turn});
    pair.poseB.rotation = turned.rotation;
    return pair;
}

static wkScenePair makeRightAngles(wkRng* rng, const wkShapeBank* bank, wkShapeType a,
                                   wkShapeType b)
{
    wkScenePair pair = makeMixed(rng, bank, a, b);
    pair.poseA.rotation = wkRngRightAngles(rng);
    pair.poseB.rotation = wkRngRightAngles(rng);
    return pair;
}

// A vertex, edge or rim of B on one of A: supports along axes and diagonals are made to coincide.
static wkScenePair makeFeatureOnFeature(wkRng* rng, const wkShapeBank* bank, wkShapeType a,
                                        wkShapeType b)
{
    wkScenePair pair = makeMixed(rng, bank, a, b);
    if (wkRngChance(rng, 2)) {
        pair.poseA.rotation = wkRngRightAngles(rng);
        pair.poseB.rotation = wkRngRightAngles(rng);
    }
    wkVec3d towardsB = {(double)(wkRngBelow(rng, 3) - 1), (double)(wkRngBelow(rng, 3) - 1), 1.0};
    wkVec3d towardsA = {(double)(wkRngBelow(rng, 3) - 1), (double)(wkRngBelow(rng, 3) - 1), -1.0};
    wkVec3d vertexA = wkShape_Support(&pair.a, pair.poseA, wkRotateVector(pair.poseA, towardsB));
    wkVec3d vertexB = wkShape_Support(&pair.b, pair.poseB, wkRotateVector(pair.poseB, towardsA));
    pair.poseB.position = wkSceneAdd(pair.poseB.position, wkSceneSub(vertexA, vertexB));
    if (wkRngChance(rng, 2)) {
        double away = wkRngLogRange(rng, 1e-15, 1e-3);
        pair.poseB.position =
            wkSceneAdd(pair.poseB.position, wkSceneScale(wkRngDirection(rng), away));
    }
    return pair;
}

// A face of B flat on A, turned about the normal.
static wkScenePair makeFaceOnFace(wkRng* rng, const wkShapeBank* bank, wkShapeType a, wkShapeType b)
{
    wkScenePair pair = makeMixed(rng, bank, a, b);
    wkQuat spin = wkMakeQuat(wkSceneVec(0.0, 0.0, 1.0), wkRngRange(rng, -3.2, 3.2));
    wkVec3d up = wkRotateVector(pair.poseA, wkSceneVec(0.0, 0.0, 1.0));
    pair.poseB.rotation = wkMulPose(pair.poseA, (wkPose){{0.0, 0.0, 0.0}, spin}).rotation;
    wkVec3d top = wkShape_Support(&pair.a, pair.poseA, up);
    pair.poseB.position = pair.poseA.position;
    wkVec3d bottom = wkShape_Support(&pair.b, pair.poseB, wkSceneScale(up, -1.0));
    double gap = wkRngChance(rng, 3) ? 0.0 : wkRngSign(rng) * wkRngLogRange(rng, 1e-15, 1e-2);
    double height = wkSceneDot(up, wkSceneSub(top, bottom)) + gap;
    pair.poseB.position = wkSceneAdd(pair.poseB.position, wkSceneScale(up, height));
    wkVec3d aside = {wkRngRange(rng, -0.4, 0.4), wkRngRange(rng, -0.4, 0.4), 0.0};
    pair.poseB.position = wkSceneAdd(pair.poseB.position, wkRotateVector(pair.poseA, aside));
    return pair;
}

static wkScenePair makeConcentric(wkRng* rng, const wkShapeBank* bank, wkShapeType a, wkShapeType b)
{
    wkScenePair pair = makeMixed(rng, bank, a, b);
    pair.poseB.position = pair.poseA.position;
    return pair;
}

static wkScenePair makeSamePose(wkRng* rng, const wkShapeBank* bank, wkShapeType a, wkShapeType b)
{
    wkScenePair pair = {.a = wkGridShape(rng, bank, a, 0.1), .b = wkGridShape(rng, bank, b, 0.1)};
    placeFreely(&pair, rng, 0.0);
    if (wkRngChance(rng, 2)) {
        pair.poseA = wkIdentityPose();
    }
    pair.poseB = pair.poseA;
    if (a == b && wkRngChance(rng, 2)) {
        pair.b = pair.a;
    }
    return pair;
}

// A small body somewhere inside a large one.
static wkScenePair makeContained(wkRng* rng, const wkShapeBank* bank, wkShapeType a, wkShapeType b)
{
    wkScenePair pair = {.a = wkRandomShape(rng, bank, a, 4.0),
                        .b = wkRandomShape(rng, bank, b, 0.2)};
    placeFreely(&pair, rng, 0.1);
    return wkRngChance(rng, 2) || a != b ? pair : wkSwapPair(&pair);
}

static wkScenePair makeHugeAndTiny(wkRng* rng, const wkShapeBank* bank, wkShapeType a,
                                   wkShapeType b)
{
    bool isHugeFirst = wkRngChance(rng, 2);
    wkScenePair pair = {.a = wkStretchedShape(rng, bank, a, isHugeFirst ? 1e4 : 1e-4, 1.0),
                        .b = wkStretchedShape(rng, bank, b, isHugeFirst ? 1e-4 : 1e4, 1.0)};
    placeFreely(&pair, rng, wkRngRange(rng, 0.0, 1.0));
    if (!wkRngChance(rng, 4)) {
        wkSetGap(&pair, wkRngSign(rng) * wkRngLogRange(rng, 1e-9, 1e-3));
    }
    return pair;
}

static wkScenePair makeStretched(wkRng* rng, const wkShapeBank* bank, wkShapeType a, wkShapeType b)
{
    // the long side times the aspect stays within 1e4 m
    double size = wkRngLogRange(rng, 1e-4, 1e-1);
    wkScenePair pair = {.a = wkStretchedShape(rng, bank, a, size, 1e5),
                        .b = wkStretchedShape(rng, bank, b, size, 1e5)};
    placeFreely(&pair, rng, wkRngRange(rng, 0.0, 0.8));
    if (wkRngChance(rng, 2)) {
        wkSetGap(&pair, size * wkRngSign(rng) * wkRngLogRange(rng, 1e-9, 1.0));
    }
    return pair;
}

static wkScenePair makeFarAway(wkRng* rng, const wkShapeBank* bank, wkShapeType a, wkShapeType b)
{
    wkScenePair pair = makeMixed(rng, bank, a, b);
    wkVec3d far = wkSceneScale(wkRngDirection(rng), 1e5);
    pair.poseA.position = wkSceneAdd(pair.poseA.position, far);
    pair.poseB.position = wkSceneAdd(pair.poseB.position, far);
    return pair;
}

static wkScenePair makeZeroSize(wkRng* rng, const wkShapeBank* bank, wkShapeType a, wkShapeType b)
{
    wkScenePair pair = {.a = wkZeroSizeShape(rng, bank, a), .b = wkZeroSizeShape(rng, bank, b)};
    if (wkRngChance(rng, 3)) {
        pair.b = wkRandomShape(rng, bank, b, 1.0);
    }
    placeFreely(&pair, rng, wkRngRange(rng, 0.0, 1.2));
    switch (wkRngBelow(rng, 4)) {
    case 0:
        pair.poseB = pair.poseA;
        break;
    case 1:
        pair.poseA.rotation = wkRngRightAngles(rng);
        pair.poseB.rotation = wkRngRightAngles(rng);
        break;
    case 2:
        wkSetGap(&pair, wkRngChance(rng, 2) ? 0.0 : wkRngLogRange(rng, 1e-15, 1e-3));
        break;
    default:
        break;
    }
    return pair;
}

static wkScenePair makeAllTiny(wkRng* rng, const wkShapeBank* bank, wkShapeType a, wkShapeType b)
{
    wkScenePair pair = {.a = wkStretchedShape(rng, bank, a, 1e-4, 1.0),
                        .b = wkStretchedShape(rng, bank, b, 1e-4, 1.0)};
    placeFreely(&pair, rng, wkRngRange(rng, 0.0, 1.2));
    return pair;
}

static wkScenePair makeAllHuge(wkRng* rng, const wkShapeBank* bank, wkShapeType a, wkShapeType b)
{
    wkScenePair pair = {.a = wkStretchedShape(rng, bank, a, 1e4, 1.0),
                        .b = wkStretchedShape(rng, bank, b, 1e4, 1.0)};
    placeFreely(&pair, rng, wkRngRange(rng, 0.0, 1.2));
    return pair;
}

// clang-format off
const wkNastyKind wkNastyKinds[] = {
    {"mixed",              makeMixed},
    {"separated",          makeSeparated},
    {"near touching",      makeNearTouching},
    {"touching",           makeTouching},
    {"half grid",          makeHalfGrid},
    {"tenth grid",         makeTenthGrid},
    {"stack",              makeStack},
    {"parallel",           makeParallel},
    {"tiny turn",          makeTinyRotation},
    {"right angles",       makeRightAngles},
    {"feature on feature", makeFeatureOnFeature},
    {"face on face",       makeFaceOnFace},
    {"concentric",         makeConcentric},
    {"same pose",          makeSamePose},
    {"contained",          makeContained},
    {"huge and tiny",      makeHugeAndTiny},
    {"stretched",          makeStretched},
    {"far away",           makeFarAway},
    {"zero size",          makeZeroSize},
    {"all tiny",           makeAllTiny},
    {"all huge",           makeAllHuge},
};
// clang-format on
const int wkNastyKindCount = (int)(sizeof wkNastyKinds / sizeof wkNastyKinds[0]);
