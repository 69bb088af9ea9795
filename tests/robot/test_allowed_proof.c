// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// Pairs of links that are proven never to touch: none of them ever does, in random configurations and
// downhill from there; and pairs that touch in hardly any configuration are never left out.

#include "robot/allowed_prove.h"
#include "robots.h"
#include "unit/unit_kit.h"
#include "whisker/allowed.h"
#include "whisker/query.h"

#include <stdlib.h>

static madeRobot made;

static wkRobot* build(void)
{
    wkRobot* robot = NULL;
    if (wkRobot_Create(&made.def, &robot) != wk_ok) {
        fail_msg("%s", wkGetLastError());
    }
    return robot;
}

#define MOST_LINKS 16
#define PAIR_COUNT (MOST_LINKS * MOST_LINKS)

// Everything that is found about a robot.
typedef struct found {
    wkAllowedReason reasons[PAIR_COUNT];
    wkPairEvidence evidence[PAIR_COUNT];
} found;

// Until the next call.
static const found* find(const wkRobot* robot, wkAllowedRequest sampling)
{
    static found all;
    assert_true(wkRobot_Info(robot).linkCount <= MOST_LINKS);
    assert_int_equal(wkRobot_SampleAllowed(robot, &sampling, all.reasons, all.evidence), wk_ok);
    return &all;
}

static size_t indexOf(const wkRobot* robot, int a, int b)
{
    int32_t linkA = wkRobot_FindLink(robot, made.links[a]);
    int32_t linkB = wkRobot_FindLink(robot, made.links[b]);
    return (size_t)(linkA * wkRobot_Info(robot).linkCount + linkB);
}

// An arm that turns all the way in most joints, with a small sphere at its end, and a small sphere on
// the base where the arm gets to in one of its configurations.
static void makeRareContact(wkRng* rng, int jointCount, double radius)
{
    madeStart(&made);
    int base = madeLink(&made, -1, wk_jointFixed, wkIdentityPose()), link = base;
    for (int i = 0; i < jointCount; ++i) {
        link = madeLink(&made, link, wkRngChance(rng, 4) ? wk_jointContinuous : wk_jointRevolute,
                        madeRandomPose(rng, 0.5));
        made.joints[link - 1].lower = -wkRngRange(rng, 2.0, 3.0);
        made.joints[link - 1].upper = wkRngRange(rng, 2.0, 3.0);
        // between base and end, and out of the way
        madeBody(&made, link, wkMakeSphere(1e-3), wkMakePose(0.0, 0.0, 50.0 + 10.0 * i));
    }
    wkRobot* robot = build();
    uint64_t seed = wkRngNext(rng);
    double q[MOST_LINKS] = {0.0};
    wkRobotState* state = NULL;
    assert_int_equal(wkRobotState_Create(robot, &state), wk_ok);
    wkRobot_RandomConfiguration(robot, &seed, q);
    assert_int_equal(wkRobotState_Set(state, wkIdentityPose(), q), wk_ok);
    wkPose inLink = wkMakePose(wkRngRange(rng, 0.2, 0.6), 0.0, 0.0);
    wkPose end =
        wkMulPose(wkRobotState_LinkPose(state, wkRobot_FindLink(robot, made.links[link])), inLink);
    madeBody(&made, link, wkMakeSphere(radius), inLink);
    madeBody(&made, base, wkMakeSphere(radius), end);
    wkRobotState_Destroy(state);
    wkRobot_Destroy(robot);
}

// The share of configurations in which the sphere at the end meets the one on the base is about the
// share of the volume that the arm reaches: 1e-5 to 1e-6, and less.
static void rare_contacts_are_never_left_out(void** unused)
{
    (void)unused;
    wkRng rng = wkMakeRng(UNIT_SEED);
    int missedCount = 0, sampledNeverCount = 0;
    for (int round = 0; round < 60; ++round) {
        int jointCount = 3 + round % 4;
        makeRareContact(&rng, jointCount, wkRngLogRange(&rng, 2e-3, 1.2e-2));
        wkRobot* robot = build();
        wkAllowedRequest sampling = wkDefaultAllowedRequest();
        sampling.sampleCount = 10000;
        const found* all = find(robot, sampling);
        size_t pair = indexOf(robot, 0, jointCount);
        if (all->reasons[pair] != wk_reasonNone && all->reasons[pair] != wk_reasonDefault) {
            fail_msg("round %d: touching links are '%s', %s", round,
                     wkAllowedReasonName(all->reasons[pair]),
                     wkAllowedReasonEvidence(all->reasons[pair]));
        }
        assert_false(all->evidence[pair].isProven);
        missedCount += all->evidence[pair].canTouch ? 0 : 1;
        assert_true(all->evidence[pair].canTouch || all->evidence[pair].missedShare >= 3e-4);
        sampling.proofBudget = 0;
        sampling.allowsSampled = true;
        sampledNeverCount += find(robot, sampling)->reasons[pair] == wk_reasonNever ? 1 : 0;
        wkRobot_Destroy(robot);
    }
    // samples alone leave out most of them, downhill searches find nearly all
    assert_true(sampledNeverCount > 30 && missedCount < 15);
}

// Looks for a configuration in which two links touch: random ones, and downhill from others.
static bool doTouch(const wkRobot* robot, const wkBodySet* bodySet, int32_t linkA, int32_t linkB,
                    wkRobotState* state, int sampleCount)
{
    wkLinkInfo a = wkRobot_Link(robot, linkA), b = wkRobot_Link(robot, linkB);
    double q[8 * MOST_LINKS] = {0.0};
    uint64_t seed = 77;
    for (int i = 0; i < sampleCount; ++i) {
        wkRobot_RandomConfiguration(robot, &seed, q);
        assert_int_equal(wkRobotState_Set(state, wkIdentityPose(), q), wk_ok);
        for (int32_t k = a.firstBody; k < a.firstBody + a.bodyCount; ++k) {
            for (int32_t m = b.firstBody; m < b.firstBody + b.bodyCount; ++m) {
                if (wkCollide(wkRobot_Body(robot, k).shape, wkRobotState_BodyPose(state, k),
                              wkRobot_Body(robot, m).shape, wkRobotState_BodyPose(state, m), NULL)
                        .isTouching) {
                    return true;
                }
            }
        }
    }
    wkChain chain;
    assert_true(wkChain_Find(robot, bodySet->bodies[a.firstBody].rigidGroup,
                             bodySet->bodies[b.firstBody].rigidGroup, &chain));
    for (int32_t k = a.firstBody; k < a.firstBody + a.bodyCount; ++k) {
        for (int32_t m = b.firstBody; m < b.firstBody + b.bodyCount; ++m) {
            wkChainPair pair = {
                .chain = &chain, .a = &bodySet->bodies[k], .b = &bodySet->bodies[m], .q = q};
            if (!pair.a->isEmpty && !pair.b->isEmpty && wkDescendChain(&pair, seed, 64)) {
                return true;
            }
        }
    }
    return false;
}

static void proven_pairs_never_touch(void** unused)
{
    (void)unused;
    wkShapeBank bank;
    wkShapeBank_Create(&bank, UNIT_SEED);
    wkRng rng = wkMakeRng(UNIT_SEED);
    int provenCount = 0, sampleCount = getenv("WHISKER_LONG") != NULL ? 1000000 : 4000;
    for (int round = 0; round < 40; ++round) {
        madeRandomRobot(&made, &rng, &bank, 12);
        // some joints follow others
        for (int i = 1; i < made.def.jointCount; ++i) {
            wkJointDef* joint = &made.joints[i];
            bool canFollow = joint->type == wk_jointRevolute && made.joints[0].type == joint->type;
            if (canFollow && wkRngChance(&rng, 3)) {
                joint->mimic = made.joints[0].name;
                joint->mimicFactor = wkRngRange(&rng, -2.0, 2.0);
                joint->mimicOffset = wkRngRange(&rng, -4.0, 4.0);
            }
        }
        wkRobot* robot = build();
        wkBodySetDef def = {.robot = robot};
        wkBodySet* bodySet = NULL;
        wkRobotState* state = NULL;
        assert_int_equal(wkBodySet_Create(&def, &bodySet), wk_ok);
        assert_int_equal(wkRobotState_Create(robot, &state), wk_ok);
        wkAllowedRequest sampling = wkDefaultAllowedRequest();
        sampling.sampleCount = 500;
        sampling.proofBudget = 5000;
        const found* all = find(robot, sampling);
        int32_t linkCount = wkRobot_Info(robot).linkCount;
        for (int32_t a = 0; a < linkCount; ++a) {
            for (int32_t b = a + 1; b < linkCount; ++b) {
                if (all->reasons[a * linkCount + b] != wk_reasonProven) {
                    continue;
                }
                ++provenCount;
                if (doTouch(robot, bodySet, a, b, state, sampleCount)) {
                    fail_msg("round %d: %s and %s touch although proven not to", round,
                             wkRobot_Link(robot, a).name, wkRobot_Link(robot, b).name);
                }
            }
        }
        wkRobotState_Destroy(state);
        wkBodySet_Destroy(bodySet);
        wkRobot_Destroy(robot);
    }
    wkShapeBank_Destroy(&bank);
    assert_true(provenCount > 50);
}

// Two fingers that close until they are 1 cm apart, one of them as the other does; a post in the plane
// of an arm that turns all the way, just out of its reach; and a sphere that goes anywhere.
static wkRobot* buildKnown(void)
{
    madeStart(&made);
    int base = madeLink(&made, -1, wk_jointFixed, wkIdentityPose());
    int frame = madeLink(&made, base, wk_jointFixed, wkIdentityPose());
    int left = madeLink(&made, frame, wk_jointPrismatic, wkIdentityPose()); // 2
    madeBody(&made, left, wkMakeBox(0.02, 0.02, 0.02), wkMakePose(0.0, 0.0, 0.215));
    int right = madeLink(&made, frame, wk_jointPrismatic, wkIdentityPose()); // 3
    madeBody(&made, right, wkMakeBox(0.02, 0.02, 0.02), wkMakePose(0.0, 0.0, -0.215));
    made.joints[right - 1].mimic = made.joints[left - 1].name;
    made.joints[right - 1].mimicFactor = -1.0;
    int arm = madeLink(&made, frame, wk_jointContinuous, wkMakePose(5.0, 0.0, 0.0)); // 4
    madeBody(&made, arm, wkMakeSphere(0.1), wkMakePose(1.0, 0.0, 0.0));
    int post = madeLink(&made, frame, wk_jointPrismatic, wkMakePose(5.0, 1.205, 0.0)); // 5
    madeBody(&made, post, wkMakeSphere(0.1), wkIdentityPose());
    int sphere = madeLink(&made, frame, wk_jointFloating, wkIdentityPose()); // 6
    madeBody(&made, sphere, wkMakeSphere(0.001), wkIdentityPose());
    return build();
}

static void known_pairs_are_proven(void** unused)
{
    (void)unused;
    wkRobot* robot = buildKnown();
    wkAllowedRequest sampling = wkDefaultAllowedRequest();
    sampling.sampleCount = 1000;
    const found* all = find(robot, sampling);
    // fingers, and what is at its place in the world, are apart; the gap to the post is 5 mm
    static const int apart[][2] = {{2, 3}, {4, 5}, {2, 4}, {3, 5}};
    for (size_t i = 0; i < sizeof apart / sizeof apart[0]; ++i) {
        size_t pair = indexOf(robot, apart[i][0], apart[i][1]);
        if (all->reasons[pair] != wk_reasonProven) {
            fail_msg("%d and %d are not proven", apart[i][0], apart[i][1]);
        }
        assert_true(all->evidence[pair].isProven && all->evidence[pair].missedShare == 0.0);
        assert_string_equal(wkAllowedReasonName(all->reasons[pair]), "Never");
        assert_string_equal(wkAllowedReasonEvidence(all->reasons[pair]), "proven");
    }
    // what has no bounds is never proven, and stays checked unless that is asked for
    size_t floating = indexOf(robot, 4, 6);
    assert_int_equal(all->reasons[floating], wk_reasonNone);
    assert_false(all->evidence[floating].canTouch || all->evidence[floating].isProven);
    assert_true(fabs(all->evidence[floating].missedShare - 3e-3) < 1e-12);
    sampling.allowsSampled = true;
    assert_int_equal(find(robot, sampling)->reasons[floating], wk_reasonNever);
    assert_string_equal(wkAllowedReasonEvidence(wk_reasonNever), "sampled");
    sampling.allowsSampled = false;

    // with a margin the arm touches the post, and the fingers do not touch each other
    sampling.margin = 0.008;
    all = find(robot, sampling);
    assert_int_equal(all->reasons[indexOf(robot, 4, 5)], wk_reasonNone);
    assert_true(all->evidence[indexOf(robot, 4, 5)].canTouch);
    assert_int_equal(all->reasons[indexOf(robot, 2, 3)], wk_reasonProven);

    // nothing is proven without a budget
    sampling = wkDefaultAllowedRequest();
    sampling.sampleCount = 100;
    sampling.proofBudget = 0;
    all = find(robot, sampling);
    assert_int_equal(all->reasons[indexOf(robot, 2, 3)], wk_reasonNone);
    wkRobot_Destroy(robot);
    assert_int_equal(wkGetByteCount(), 0);
}

static void threads_change_no_evidence(void** unused)
{
    (void)unused;
    static const wkParallel ways[] = {{NULL, NULL, 3}, {madeRunBackwards, NULL, 0}};
    wkShapeBank bank;
    wkShapeBank_Create(&bank, UNIT_SEED);
    wkRng rng = wkMakeRng(UNIT_SEED);
    madeRandomRobot(&made, &rng, &bank, 14);
    wkRobot* robot = build();
    wkAllowedRequest sampling = wkDefaultAllowedRequest();
    sampling.sampleCount = 20000;
    sampling.proofBudget = 2000;
    size_t count = (size_t)wkRobot_Info(robot).linkCount * (size_t)wkRobot_Info(robot).linkCount;
    static found first;
    first = *find(robot, sampling);
    for (size_t i = 0; i < sizeof ways / sizeof ways[0]; ++i) {
        sampling.parallel = &ways[i];
        const found* again = find(robot, sampling);
        for (size_t k = 0; k < count; ++k) {
            const wkPairEvidence *a = &first.evidence[k], *b = &again->evidence[k];
            assert_int_equal(first.reasons[k], again->reasons[k]);
            assert_true(a->isProven == b->isProven && a->canTouch == b->canTouch &&
                        a->sampleCount == b->sampleCount && a->touchCount == b->touchCount &&
                        a->missedShare == b->missedShare);
        }
    }
    wkRobot_Destroy(robot);
    wkShapeBank_Destroy(&bank);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(known_pairs_are_proven),
        cmocka_unit_test(proven_pairs_never_touch),
        cmocka_unit_test(rare_contacts_are_never_left_out),
        cmocka_unit_test(threads_change_no_evidence),
    };
    return cmocka_run_group_tests_name("robot.allowed_proof", tests, NULL, NULL);
}
