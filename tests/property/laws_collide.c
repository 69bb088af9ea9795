// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// Laws of collide, contacts and penetration: one notion of touching.

#include "laws.h"

static wkDistanceResult ask(const wkScenePair* pair)
{
    return wkDistance(&pair->a, pair->poseA, &pair->b, pair->poseB, NULL);
}

static wkCollideResult collide(const wkScenePair* pair, double margin, wkContact* contacts,
                               int capacity)
{
    wkCollideRequest request = wkDefaultCollideRequest();
    request.margin = margin;
    request.contacts = contacts;
    request.contactCapacity = capacity;
    return wkCollide(&pair->a, pair->poseA, &pair->b, pair->poseB, &request);
}

static bool verdictsAgree(const wkScenePair* pair, double distance, double margin,
                          wkMessage* message)
{
    wkContact contacts[WK_MAX_CONTACTS];
    wkScenePair swapped = wkSwapPair(pair);
    bool expected = distance <= margin;
    bool verdict = collide(pair, margin, NULL, 0).isTouching;
    bool verdictSwapped = collide(&swapped, margin, NULL, 0).isTouching;
    bool verdictContacts = collide(pair, margin, contacts, WK_MAX_CONTACTS).isTouching;
    if (verdict != expected || verdictSwapped != expected || verdictContacts != expected) {
        return wkBroken(message,
                        "distance %.17g, margin %.17g: touching %d, swapped %d, with contacts %d",
                        distance, margin, verdict, verdictSwapped, verdictContacts);
    }
    return true;
}

bool wkLawCollideAgreesWithDistance(const wkScenePair* pair, uint64_t seed, wkMessage* message)
{
    wkRng rng = wkMakeRng(seed);
    double d = ask(pair).distance;
    double margins[] = {0.0,
                        1e-3,
                        -1e-3,
                        d,
                        nextafter(d, INFINITY),
                        nextafter(d, -INFINITY),
                        d + wkRngSign(&rng) * wkRngLogRange(&rng, 1e-16, 1.0) * wkPairScale(pair),
                        wkRngRange(&rng, -1.0, 1.0) * wkPairScale(pair)};
    for (int i = 0; i < (int)(sizeof margins / sizeof margins[0]); i++) {
        if (!verdictsAgree(pair, d, margins[i], message)) {
            return false;
        }
    }
    return true;
}

bool wkLawPenetrationAgreesWithDistance(const wkScenePair* pair, uint64_t seed, wkMessage* message)
{
    (void)seed;
    wkDistanceResult r = ask(pair);
    wkPenetrationResult p = wkPenetration(&pair->a, pair->poseA, &pair->b, pair->poseB);
    double depth = r.distance < 0.0 ? -r.distance : 0.0;
    if (p.depth != depth || p.status != r.status) {
        return wkBroken(message, "distance %.17g (%s), depth %.17g (%s)", r.distance,
                        wkStatusName(r.status), p.depth, wkStatusName(p.status));
    }
    if (r.status == wk_statusUnbounded) {
        return true;
    }
    wkVec3d error = wkSceneSub(p.translation, wkSceneScale(r.normal, depth));
    if (!(wkSceneLength(error) <= 1e-15 * depth)) {
        return wkBroken(message, "translation differs from depth * normal by %g",
                        wkSceneLength(error));
    }
    return true;
}

// A contact lies midway between points of the two surfaces, so half its depth from both. The first
// one is exact; the others come from faces that are parallel within a small angle.
static bool contactIsValid(const wkScenePair* pair, const wkContact* c, bool isFirst,
                           wkMessage* message)
{
    double slack = isFirst ? 0.0 : 1e-3 * wkPairScale(pair);
    double tolerance = wkPairTolerance(pair) + wkPairRounding(pair) + slack;
    double reach = 0.5 * fabs(c->depth) + tolerance;
    double fromA = wkShape_PointDistance(&pair->a, pair->poseA, c->point);
    double fromB = wkShape_PointDistance(&pair->b, pair->poseB, c->point);
    if (!(fabs(fromA) <= reach) || !(fabs(fromB) <= reach)) {
        return wkBroken(message, "a contact of depth %g lies %g from A and %g from B, tolerance %g",
                        c->depth, fromA, fromB, tolerance);
    }
    return true;
}

// Negative padding may leave nothing of a body, and a contact has nowhere to lie.
static bool hasBody(const wkScenePair* pair)
{
    return pair->a.padding >= 0.0 && pair->b.padding >= 0.0;
}

bool wkLawContactsDescribeTheOverlap(const wkScenePair* pair, uint64_t seed, wkMessage* message)
{
    wkRng rng = wkMakeRng(seed);
    wkDistanceResult r = ask(pair);
    if (r.status == wk_statusUnbounded) {
        return true;
    }
    double scale = wkPairScale(pair);
    double margin = wkRngChance(&rng, 2) ? 0.0 : scale * wkRngLogRange(&rng, 1e-6, 0.1);
    wkContact contacts[WK_MAX_CONTACTS];
    wkCollideResult c = collide(pair, margin, contacts, WK_MAX_CONTACTS);
    if (c.contactCount < (c.isTouching ? 1 : 0) ||
        c.contactCount > (c.isTouching ? WK_MAX_CONTACTS : 0)) {
        return wkBroken(message, "touching %d with %d contacts", c.isTouching, c.contactCount);
    }
    double tolerance = wkPairTolerance(pair) + wkPairRounding(pair);
    for (int i = 0; i < c.contactCount; i++) {
        double bound = i == 0 ? -r.distance : contacts[i - 1].depth;
        bool isFirstWrong = i == 0 && !(fabs(contacts[0].depth + r.distance) <= tolerance);
        if (isFirstWrong || !(contacts[i].depth <= bound + tolerance)) {
            return wkBroken(message, "distance %.17g; contact %d has depth %.17g after %.17g",
                            r.distance, i, contacts[i].depth, bound);
        }
        wkVec3d turn = wkSceneSub(contacts[i].normal, contacts[0].normal);
        if (!(fabs(wkSceneLength(contacts[i].normal) - 1.0) < 1e-14) ||
            wkSceneLength(turn) != 0.0) {
            return wkBroken(message, "contact %d has another normal", i);
        }
        if (hasBody(pair) && !contactIsValid(pair, &contacts[i], i == 0, message)) {
            return false;
        }
    }
    return true;
}

bool wkLawContactsRespectTheBuffer(const wkScenePair* pair, uint64_t seed, wkMessage* message)
{
    wkRng rng = wkMakeRng(seed);
    wkContact contacts[WK_MAX_CONTACTS + 1];
    int capacity = wkRngBelow(&rng, WK_MAX_CONTACTS);
    for (int i = 0; i <= WK_MAX_CONTACTS; i++) {
        contacts[i].depth = -12345.0;
    }
    wkCollideResult c = collide(pair, 0.01, contacts, capacity);
    bool isWithin = c.contactCount >= 0 && c.contactCount <= capacity;
    for (int i = c.contactCount > 0 ? c.contactCount : 0; isWithin && i <= WK_MAX_CONTACTS; i++) {
        isWithin = i < capacity || contacts[i].depth == -12345.0;
    }
    if (!isWithin || (capacity > 0 && c.isTouching && c.contactCount == 0)) {
        return wkBroken(message, "capacity %d, %d contacts, or one written behind them", capacity,
                        c.contactCount);
    }
    wkContact all[WK_MAX_CONTACTS];
    wkCollideResult full = collide(pair, 0.01, all, WK_MAX_CONTACTS);
    if (capacity > 0 && full.contactCount > 0 && contacts[0].depth != all[0].depth) {
        return wkBroken(message, "capacity %d: the first contact is %g deep, not %g", capacity,
                        contacts[0].depth, all[0].depth);
    }
    return true;
}
