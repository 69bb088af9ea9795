// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// Checks and clearances say what looking at every pair says.

#include "../kit.h"
#include "plain.h"

#include "whisker/depth.h"
#include "whisker/detail/counts.h"

#include <math.h>
#include <string.h>

#define STATE_COUNT 60

static wkPlainItems list; // too large for a stack

static bool isSameSide(wkRobotSide a, wkRobotSide b)
{
    return a.kind == b.kind && a.index == b.index && a.shape == b.shape;
}

static bool isPairOf(const wkRobotContact* contact, const wkPlainItem* a, const wkPlainItem* b)
{
    return (isSameSide(contact->a, a->side) && isSameSide(contact->b, b->side)) ||
           (isSameSide(contact->a, b->side) && isSameSide(contact->b, a->side));
}

// Requests of all kinds.
static wkRobotRequest requestFor(wkSurroundings* all, int i)
{
    wkRobotRequest request = wkDefaultRobotRequest();
    request.checksLimits = false;
    request.checksSelf = i % 5 != 1;
    request.checksWorld = i % 5 != 2;
    request.group = i % 3 == 2 ? i % wkRobot_Info(all->robot).groupCount : -1;
    request.margin = i % 4 == 3 ? 0.02 : i % 8 == 2 ? -0.004 : 0.0;
    return request;
}

#define CONTACT_CAPACITY 4000

static void check_finds_the_pairs_that_touch(void** unused)
{
    (void)unused;
    static wkRobotContact contacts[CONTACT_CAPACITY];
    int touchingCount = 0, freeCount = 0;
    for (int k = 0; k < WK_SURROUNDINGS_COUNT; ++k) {
        wkSurroundings all;
        wkMakeSurroundings(&wkSurroundingsKinds[k], 7u + (uint64_t)k, &all);
        for (int i = 0; i < STATE_COUNT; ++i) {
            wkPlaceAtRandom(&all);
            wkListItems(&all, &list);
            wkRobotRequest request = requestFor(&all, i);
            wkRobotCheckResult first = wkRobotScene_Check(all.scene, all.state, &request);
            request.contacts = contacts;
            request.contactCapacity = CONTACT_CAPACITY;
            request.wantsContacts = i % 2 == 0;
            wkRobotCheckResult every = wkRobotScene_Check(all.scene, all.state, &request);
            int pairCount = 0;
            bool isFound = first.verdict == wk_verdictFree;
            for (int a = 0; a < list.count; ++a) {
                for (int b = a + 1; b < list.count; ++b) {
                    const wkPlainItem *itemA = &list.items[a], *itemB = &list.items[b];
                    if (!wkIsPlainPair(&all, itemA, itemB, &request)) {
                        continue;
                    }
                    wkCollideRequest closer = wkDefaultCollideRequest();
                    closer.margin = request.margin;
                    if (!wkCollide(&itemA->shape, itemA->pose, &itemB->shape, itemB->pose, &closer)
                             .isTouching) {
                        continue;
                    }
                    ++pairCount;
                    int count = 0;
                    for (int c = 0; c < every.contactCount; ++c) {
                        count += isPairOf(&contacts[c], itemA, itemB) ? 1 : 0;
                    }
                    if (count != 1) {
                        fail_msg("%s, state %d: %s and %s were found %d times",
                                 wkSurroundingsKinds[k].name, i, itemA->side.name, itemB->side.name,
                                 count);
                    }
                    isFound = isFound || isPairOf(&first.first, itemA, itemB);
                }
            }
            assert_int_equal(every.contactCount, pairCount);
            assert_int_equal(first.verdict == wk_verdictFree, pairCount == 0);
            assert_true(isFound);
            touchingCount += pairCount > 0 ? 1 : 0;
            freeCount += pairCount == 0 ? 1 : 0;
        }
        wkFreeSurroundings(&all);
    }
    // the test has seen both
    assert_true(touchingCount > 50 && freeCount > 20);
}

// Moves the second item of a contact, and checks whether the pair is apart.
static bool isSeparated(const wkRobotContact* contact, const wkPlainItem* a, const wkPlainItem* b,
                        double margin)
{
    bool isFirst = isSameSide(contact->a, a->side);
    const wkPlainItem *robot = isFirst ? a : b, *other = isFirst ? b : a;
    wkPose moved = other->pose;
    moved.position.x += contact->separation.translation.x;
    moved.position.y += contact->separation.translation.y;
    moved.position.z += contact->separation.translation.z;
    wkCollideRequest closer = wkDefaultCollideRequest();
    closer.margin = margin;
    return !wkCollide(&robot->shape, robot->pose, &other->shape, moved, &closer).isTouching;
}

static void check_separates_pairs_when_asked(void** unused)
{
    (void)unused;
    static wkRobotContact contacts[CONTACT_CAPACITY];
    int separatedCount = 0;
    for (int k = 0; k < WK_SURROUNDINGS_COUNT; ++k) {
        wkSurroundings all;
        wkMakeSurroundings(&wkSurroundingsKinds[k], 31u + (uint64_t)k, &all);
        for (int i = 0; i < 4; ++i) {
            wkPlaceAtRandom(&all);
            wkListItems(&all, &list);
            wkRobotRequest request = requestFor(&all, i);
            request.contacts = contacts;
            request.contactCapacity = CONTACT_CAPACITY;
            request.separationQueries = 20;
            wkRobotCheckResult every = wkRobotScene_Check(all.scene, all.state, &request);
            for (int c = 0; c < every.contactCount; ++c) {
                assert_int_equal(contacts[c].separation.status,
                                 wk_statusNone); // no contacts wanted
            }
            request.wantsContacts = true;
            every = wkRobotScene_Check(all.scene, all.state, &request);
            for (int a = 0; a < list.count; ++a) {
                for (int b = a + 1; b < list.count; ++b) {
                    const wkPlainItem *itemA = &list.items[a], *itemB = &list.items[b];
                    for (int c = 0; c < every.contactCount; ++c) {
                        const wkSeparationResult* way = &contacts[c].separation;
                        if (!isPairOf(&contacts[c], itemA, itemB)) {
                            continue;
                        }
                        assert_true(way->status != wk_statusNone &&
                                    way->status != wk_statusInvalid);
                        assert_true(way->queryCount <= 20 && way->lower <= way->depth);
                        if (way->depth < INFINITY) {
                            double margin = fmax(request.margin, 0.0);
                            assert_true(isSeparated(&contacts[c], itemA, itemB, margin));
                            ++separatedCount;
                        }
                    }
                }
            }
            request.separationQueries = -1;
            assert_int_equal(wkRobotScene_Check(all.scene, all.state, &request).verdict,
                             wk_verdictInvalid);
        }
        wkFreeSurroundings(&all);
    }
    assert_true(separatedCount > 20);
}

// Least distance of a pair with an object, by looking at every one.
static double leastToWorld(const wkSurroundings* all, const wkRobotRequest* request)
{
    double least = INFINITY;
    for (int a = 0; a < list.count; ++a) {
        for (int b = a + 1; b < list.count; ++b) {
            const wkPlainItem *itemA = &list.items[a], *itemB = &list.items[b];
            if (wkIsPlainPair(all, itemA, itemB, request)) {
                least = fmin(
                    least, wkDistance(&itemA->shape, itemA->pose, &itemB->shape, itemB->pose, NULL)
                               .distance);
            }
        }
    }
    return least;
}

static void a_hair_of_margin_decides_between_meshes(void** unused)
{
    (void)unused;
    const double hair = 1e-7;
    int decidedCount = 0;
    wkSurroundingsKind kind = wkSurroundingsKinds[WK_SURROUNDINGS_COUNT - 1];
    assert_true(kind.isMeshed);
    // less room on either side would leave everything to the meshes themselves
    kind.hasCategories = kind.hasPadding = false;
    wkSurroundings all;
    wkMakeSurroundings(&kind, 71, &all);
    wkRobotRequest request = wkDefaultRobotRequest();
    request.checksLimits = request.checksSelf = false;
    const int stateCount = WK_CASES(2 * STATE_COUNT);
    for (int i = 0; i < stateCount; ++i) {
        wkPlaceAtRandom(&all);
        wkListItems(&all, &list);
        double least = leastToWorld(&all, &request);
        if (least <= hair) {
            continue;
        }
        ++decidedCount;
        request.margin = least + hair;
        assert_int_equal(wkRobotScene_Check(all.scene, all.state, &request).verdict,
                         wk_verdictWorld);
        request.margin = least - hair;
        assert_int_equal(wkRobotScene_Check(all.scene, all.state, &request).verdict,
                         wk_verdictFree);
    }
    assert_true(decidedCount > stateCount / 12);
    wkFreeSurroundings(&all);
}

static void clearance_is_the_least_distance(void** unused)
{
    (void)unused;
    for (int k = 0; k < WK_SURROUNDINGS_COUNT; ++k) {
        wkSurroundings all;
        wkMakeSurroundings(&wkSurroundingsKinds[k], 70u + (uint64_t)k, &all);
        int32_t linkCount = wkRobot_Info(all.robot).linkCount;
        for (int i = 0; i < STATE_COUNT / 4; ++i) {
            wkPlaceAtRandom(&all);
            wkListItems(&all, &list);
            wkRobotRequest request = requestFor(&all, i);
            request.cutoff = i % 4 == 1 ? 0.1 : INFINITY;
            double least = request.cutoff;
            double ofLinks[64], found[64];
            for (int l = 0; l < 64; ++l) {
                ofLinks[l] = request.cutoff;
            }
            for (int a = 0; a < list.count; ++a) {
                for (int b = a + 1; b < list.count; ++b) {
                    const wkPlainItem *itemA = &list.items[a], *itemB = &list.items[b];
                    if (!wkIsPlainPair(&all, itemA, itemB, &request)) {
                        continue;
                    }
                    double d =
                        wkDistance(&itemA->shape, itemA->pose, &itemB->shape, itemB->pose, NULL)
                            .distance;
                    least = fmin(least, d);
                    if (itemA->link >= 0) {
                        ofLinks[itemA->link] = fmin(ofLinks[itemA->link], d);
                    }
                    if (itemB->link >= 0) {
                        ofLinks[itemB->link] = fmin(ofLinks[itemB->link], d);
                    }
                }
            }
            wkRobotClearanceResult alone =
                wkRobotScene_Clearance(all.scene, all.state, &request, NULL, NULL);
            wkRobotClearanceResult each =
                wkRobotScene_Clearance(all.scene, all.state, &request, found, NULL);
            bool isEqual = alone.distance == least || fabs(alone.distance - least) < 1e-6;
            if (!isEqual) {
                fail_msg("%s, state %d: %.17g, and every pair says %.17g",
                         wkSurroundingsKinds[k].name, i, alone.distance, least);
            }
            for (int32_t l = 0; l < linkCount; ++l) {
                if (found[l] != ofLinks[l] && !(fabs(found[l] - ofLinks[l]) < 1e-6)) {
                    fail_msg("%s, state %d, link %d: %.17g, and every pair says %.17g",
                             wkSurroundingsKinds[k].name, i, (int)l, found[l], ofLinks[l]);
                }
            }
            assert_true(alone.distance == each.distance ||
                        fabs(alone.distance - each.distance) < 1e-6);
        }
        wkFreeSurroundings(&all);
    }
}

// Distance with a variable moved a little; the pair must stay the same for it to be smooth.
static bool distanceBeside(wkSurroundings* all, wkPose base, const double* q, int variable,
                           double step, const wkRobotClearanceResult* middle, double* distance)
{
    double beside[64];
    int count = wkRobot_Info(all->robot).variableCount;
    memcpy(beside, q, (size_t)count * sizeof *q);
    beside[variable] += step;
    assert_int_equal(wkRobotState_Set(all->state, base, beside), wk_ok);
    wkRobotClearanceResult c = wkRobotScene_Clearance(all->scene, all->state, NULL, NULL, NULL);
    wkVec3d n = c.closest.normal, m = middle->closest.normal;
    *distance = c.distance;
    return isSameSide(c.a, middle->a) && isSameSide(c.b, middle->b) &&
           n.x * m.x + n.y * m.y + n.z * m.z > 0.999999;
}

static void gradient_follows_the_distance(void** unused)
{
    (void)unused;
    const double step = 1e-5;
    int smoothCount = 0, roughCount = 0;
    for (int k = 0; k < WK_SURROUNDINGS_COUNT; ++k) {
        wkSurroundings all;
        wkMakeSurroundings(&wkSurroundingsKinds[k], 700u + (uint64_t)k, &all);
        int count = wkRobot_Info(all.robot).variableCount;
        for (int i = 0; i < 25; ++i) {
            double q[64], gradient[64];
            wkPlaceAtRandom(&all);
            wkPose base = wkRobotState_LinkPose(all.state, 0);
            memcpy(q, wkRobotState_Configuration(all.state), (size_t)count * sizeof *q);
            wkRobotClearanceResult middle =
                wkRobotScene_Clearance(all.scene, all.state, NULL, NULL, gradient);
            if (middle.distance < 1e-3) {
                continue;
            }
            for (int v = 0; v < count; ++v) {
                double after = 0.0, before = 0.0;
                bool isSmooth = distanceBeside(&all, base, q, v, step, &middle, &after) &&
                                distanceBeside(&all, base, q, v, -step, &middle, &before);
                double rise = (after - before) / (2.0 * step);
                if (isSmooth && fabs(rise - gradient[v]) < 1e-3) {
                    ++smoothCount;
                } else if (isSmooth) {
                    ++roughCount;
                }
            }
        }
        wkFreeSurroundings(&all);
    }
    // edges and vertices that change their turn look smooth now and then
    print_message("%d derivatives agree, %d do not\n", smoothCount, roughCount);
    assert_true(smoothCount > 200 && roughCount * 50 < smoothCount);
}

static void self_distances_are_those_of_every_pair(void** unused)
{
    (void)unused;
    static wkSelfDistance found[2000];
    wkSurroundings all;
    wkMakeSurroundings(&wkSurroundingsKinds[4], 41, &all);
    wkRobotRequest request = wkDefaultRobotRequest();
    request.checksWorld = false;
    for (int i = 0; i < 5; ++i) {
        wkPlaceAtRandom(&all);
        wkListItems(&all, &list);
        int32_t count = wkRobotScene_SelfDistances(all.scene, all.state, &request, found, 2000);
        assert_int_equal(wkRobotScene_SelfDistances(all.scene, all.state, &request, NULL, 0),
                         count);
        double sum = 0.0, least = INFINITY;
        for (int32_t f = 0; f < count; ++f) {
            double plain = INFINITY;
            for (int a = 0; a < list.count; ++a) {
                for (int b = 0; b < list.count; ++b) {
                    const wkPlainItem *itemA = &list.items[a], *itemB = &list.items[b];
                    bool isPair = itemA->side.kind == found[f].a.kind &&
                                  itemA->side.index == found[f].a.index &&
                                  itemB->side.kind == found[f].b.kind &&
                                  itemB->side.index == found[f].b.index;
                    if (isPair && wkIsPlainPair(&all, itemA, itemB, &request)) {
                        plain = fmin(plain, wkDistance(&itemA->shape, itemA->pose, &itemB->shape,
                                                       itemB->pose, NULL)
                                                .distance);
                    }
                }
            }
            assert_true(fabs(plain - found[f].distance) < 1e-6);
            sum += plain;
            least = fmin(least, plain);
        }
        wkRobotClearanceResult nearest =
            wkRobotScene_Clearance(all.scene, all.state, &request, NULL, NULL);
        assert_true(count > 20 && sum > 0.0 && fabs(nearest.distance - least) < 1e-6);
    }
    wkFreeSurroundings(&all);
}

// Memory without an answer must not read as one, least of all as free.
static void zeros_are_no_answer(void** state)
{
    (void)state;
    wkRobotCheckResult check;
    wkMotionResult motion;
    wkDistanceResult distance;
    memset(&check, 0, sizeof check);
    memset(&motion, 0, sizeof motion);
    memset(&distance, 0, sizeof distance);
    assert_int_equal(check.verdict, wk_verdictUnchecked);
    assert_int_equal(motion.verdict, wk_verdictUnchecked);
    assert_int_equal(distance.status, wk_statusNone);
    assert_string_equal(wkVerdictName((wkVerdict)0), "unchecked");
    assert_string_equal(wkVerdictName((wkVerdict)1), "free");
    assert_string_equal(wkVerdictName(WK_VERDICT_COUNT), "none");
    assert_string_equal(wkStatusName((wkStatus)0), "none");
    assert_string_equal(wkStatusName((wkStatus)1), "exact");
    assert_string_equal(wkDepthVerdictName((wkDepthVerdict)0), "unchecked");
    assert_string_equal(wkDepthVerdictName((wkDepthVerdict)1), "free");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(zeros_are_no_answer),
        cmocka_unit_test(check_finds_the_pairs_that_touch),
        cmocka_unit_test(check_separates_pairs_when_asked),
        cmocka_unit_test(a_hair_of_margin_decides_between_meshes),
        cmocka_unit_test(clearance_is_the_least_distance),
        cmocka_unit_test(gradient_follows_the_distance),
        cmocka_unit_test(self_distances_are_those_of_every_pair),
    };
    return cmocka_run_group_tests_name("robot.check", tests, NULL, NULL);
}
