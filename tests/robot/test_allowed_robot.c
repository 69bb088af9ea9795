// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// Pairs of links that may touch: by the way a robot is built, and by what random configurations show.

#include "memory/failing.h"
#include "robot/allowed_impl.h"
#include "robots.h"
#include "unit/unit_kit.h"
#include "whisker/query.h"

static madeRobot made;

static wkRobot* build(void)
{
    wkRobot* robot = NULL;
    if (wkRobot_Create(&made.def, &robot) != wk_ok) {
        fail_msg("%s", wkGetLastError());
    }
    return robot;
}

static bool mayTouch(const wkAllowed* allowed, const char* nameA, const char* nameB)
{
    return wkAllowed_Get(allowed, nameA, nameB, NULL, NULL) == wk_ruleAllowed;
}

// A base with a tower fixed to it, an arm that passes over links without bodies, and two fingers on a
// frame without bodies.
static wkRobot* buildTree(void)
{
    static const struct {
        int parent;
        wkJointType type;
        bool hasBody;
    } rows[] = {
        {-1, wk_jointFixed, true},     // 0: base
        {0, wk_jointFixed, true},      // 1: tower
        {0, wk_jointRevolute, false},  // 2: first half of a shoulder
        {2, wk_jointRevolute, true},   // 3: upper arm, after the other half
        {3, wk_jointFixed, false},     // 4: a mark on it
        {4, wk_jointPrismatic, true},  // 5: lower arm
        {5, wk_jointFixed, false},     // 6: frame of the gripper
        {6, wk_jointPrismatic, true},  // 7: a finger
        {6, wk_jointPrismatic, true},  // 8: the other finger
        {6, wk_jointFixed, true},      // 9: a camera
        {9, wk_jointContinuous, true}, // 10: its cap
    };
    madeStart(&made);
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; ++i) {
        madeLink(&made, rows[i].parent, rows[i].type, wkMakePose(0.0, 0.0, 1.0));
        if (rows[i].hasBody) {
            madeBody(&made, (int)i, wkMakeSphere(0.1), wkIdentityPose());
        }
    }
    return build();
}

static void neighbours_may_touch_over_links_without_bodies(void** unused)
{
    (void)unused;
    static const int expected[][2] = {
        {0, 1},          // fixed
        {0, 3},          // over link 2
        {3, 5},          // over link 4
        {5, 7},  {5, 8}, // over link 6
        {5, 9},          // fixed, over link 6
        {7, 9},  {8, 9}, // one joint between them, over link 6; the fingers have two
        {9, 10},
    };
    wkRobot* robot = buildTree();
    wkAllowed* allowed = NULL;
    assert_int_equal(wkAllowed_Create(&allowed), wk_ok);
    assert_int_equal(wkAllowed_AddRobot(allowed, robot), wk_ok);
    for (int a = 0; a < made.def.linkCount; ++a) {
        for (int b = a + 1; b < made.def.linkCount; ++b) {
            bool isExpected = false;
            for (size_t i = 0; i < sizeof expected / sizeof expected[0]; ++i) {
                isExpected |= expected[i][0] == a && expected[i][1] == b;
            }
            if (mayTouch(allowed, made.links[a], made.links[b]) != isExpected) {
                fail_msg("%s and %s", made.links[a], made.links[b]);
            }
        }
    }
    assert_int_equal(wkAllowed_Count(allowed), sizeof expected / sizeof expected[0]);
    wkAllowed_Destroy(allowed);
    wkRobot_Destroy(robot);
    assert_int_equal(wkGetByteCount(), 0);
}

// A hand at the end of an arm whose links have no bodies reaches the base it hangs on.
static void neighbours_are_two_joints_apart_at_most(void** unused)
{
    (void)unused;
    for (int jointCount = 1; jointCount <= 4; ++jointCount) {
        madeStart(&made);
        int link = madeLink(&made, -1, wk_jointFixed, wkIdentityPose());
        madeBody(&made, link, wkMakeSphere(0.1), wkIdentityPose());
        for (int i = 0; i < jointCount; ++i) {
            link = madeLink(&made, link, wk_jointRevolute, wkMakePose(0.5, 0.0, 0.0));
            link = madeLink(&made, link, wk_jointFixed, wkMakePose(0.5, 0.0, 0.0));
        }
        madeBody(&made, link, wkMakeSphere(0.1), wkIdentityPose());
        wkRobot* robot = build();
        wkAllowed* allowed = NULL;
        assert_int_equal(wkAllowed_Create(&allowed), wk_ok);
        assert_int_equal(wkAllowed_AddRobot(allowed, robot), wk_ok);
        assert_int_equal(mayTouch(allowed, made.links[0], made.links[link]), jointCount <= 2);
        wkAllowed_Destroy(allowed);
        wkRobot_Destroy(robot);
    }
}

static void described_pairs_are_added_to_what_is_there(void** unused)
{
    (void)unused;
    wkRobot* robot = NULL;
    wkAllowed* allowed = NULL;
    assert_int_equal(wkRobot_CreateBuiltIn(&robot), wk_ok);
    assert_int_equal(wkAllowed_Create(&allowed), wk_ok);
    assert_int_equal(wkAllowed_Set(allowed, "mug", "table", wk_ruleAllowed), wk_ok);
    assert_int_equal(wkAllowed_AddRobot(allowed, robot), wk_ok);
    wkRobotInfo info = wkRobot_Info(robot);
    assert_true(info.disabledPairCount > 0);
    for (int32_t i = 0; i < info.disabledPairCount; ++i) {
        wkDisabledPairInfo pair = wkRobot_DisabledPair(robot, i);
        assert_true(mayTouch(allowed, wkRobot_Link(robot, pair.linkA).name,
                             wkRobot_Link(robot, pair.linkB).name));
    }
    for (int32_t i = 1; i < info.linkCount; ++i) {
        wkLinkInfo link = wkRobot_Link(robot, i), parent = wkRobot_Link(robot, link.parentLink);
        if (link.bodyCount > 0 && parent.bodyCount > 0) {
            assert_true(mayTouch(allowed, link.name, parent.name));
        }
    }
    assert_true(mayTouch(allowed, "mug", "table"));
    wkAllowed_Destroy(allowed);
    wkRobot_Destroy(robot);
}

static failing memory = {0, -1, 0};

static void failAt(long call)
{
    memory.callCount = 0;
    memory.failAt = call;
}

static void without_memory_nothing_is_added_or_sampled(void** unused)
{
    (void)unused;
    wkAllocator allocator = {allocateOrFail, releaseCounted, &memory};
    wkSetAllocator(&allocator);
    wkRobot* robot = buildTree();
    wkAllowed* allowed = NULL;
    assert_int_equal(wkAllowed_Create(&allowed), wk_ok);
    assert_int_equal(wkAllowed_Set(allowed, "l1", "l2", wk_ruleAllowed), wk_ok);
    wkResult result = wk_errorMemory;
    for (long call = 0; result != wk_ok; ++call) {
        long attached = memory.allocatedBytes;
        failAt(call);
        result = wkAllowed_AddRobot(allowed, robot);
        failAt(-1);
        assert_true(result == wk_ok || memory.allocatedBytes == attached);
        assert_true(result == wk_ok || wkAllowed_Count(allowed) == 1);
    }
    assert_int_equal(wkAllowed_Count(allowed), 10);
    static wkAllowedReason reasons[MADE_MAX_LINKS * MADE_MAX_LINKS];
    wkAllowedRequest sampling = wkDefaultAllowedRequest();
    sampling.sampleCount = 10;
    result = wk_errorMemory;
    for (long call = 0; result != wk_ok; ++call) {
        long attached = memory.allocatedBytes;
        failAt(call);
        result = wkRobot_SampleAllowed(robot, &sampling, reasons, NULL);
        failAt(-1);
        assert_true(result == wk_ok || result == wk_errorMemory);
        assert_int_equal(memory.allocatedBytes, attached);
    }
    wkAllowed_Destroy(allowed);
    wkRobot_Destroy(robot);
    assert_int_equal(memory.allocatedBytes, 0);
    wkSetAllocator(NULL);
}

// An arm that turns through a full circle in the plane, and posts it meets or does not.
static wkRobot* buildTurnstile(void)
{
    madeStart(&made);
    int base = madeLink(&made, -1, wk_jointFixed, wkIdentityPose());
    madeBody(&made, base, wkMakeSphere(0.1), wkIdentityPose());
    // 1: an arm along x that turns about z, never far from the base
    int arm = madeLink(&made, base, wk_jointContinuous, wkIdentityPose());
    madeBody(&made, arm, wkMakeCapsule(0.05, 0.9),
             wkMakePoseRpy(wkVec(0.5, 0.0, 0.0), 0.0, 1.5707963267948966, 0.0));
    // 2: a post in its way when it points along y; it slides a little, so that it is not fixed
    int post = madeLink(&made, base, wk_jointPrismatic, wkMakePose(0.0, 0.7, 0.0));
    madeBody(&made, post, wkMakeSphere(0.05), wkIdentityPose());
    // 3: a lamp above, out of reach
    int lamp = madeLink(&made, base, wk_jointPrismatic, wkMakePose(0.0, 0.0, 2.0));
    madeBody(&made, lamp, wkMakeSphere(0.1), wkIdentityPose());
    // 4: a plate under all of it, through which the arm turns always
    int plate = madeLink(&made, base, wk_jointPrismatic, wkMakePose(0.0, 0.0, 0.0));
    madeBody(&made, plate, wkMakeBox(4.0, 4.0, 0.9), wkIdentityPose());
    // 5: a hand on the arm that touches the plate by default, and lets go of it in many places
    int endEffector = madeLink(&made, arm, wk_jointPrismatic, wkMakePose(1.0, 0.0, 0.5));
    madeBody(&made, endEffector, wkMakeSphere(0.02), wkIdentityPose());
    madeBody(&made, endEffector, wkMakeSphere(0.06), wkIdentityPose());
    // 6: a link without bodies
    madeLink(&made, endEffector, wk_jointFixed, wkIdentityPose());
    return build();
}

static wkAllowedReason reasonOf(const wkRobot* robot, const wkAllowedReason* reasons, int a, int b)
{
    int32_t linkCount = wkRobot_Info(robot).linkCount;
    int32_t linkA = wkRobot_FindLink(robot, made.links[a]);
    int32_t linkB = wkRobot_FindLink(robot, made.links[b]);
    assert_int_equal(reasons[linkA * linkCount + linkB], reasons[linkB * linkCount + linkA]);
    return reasons[linkA * linkCount + linkB];
}

static void reasons_are_those_that_were_built_in(void** unused)
{
    (void)unused;
    static const struct {
        int a, b;
        wkAllowedReason reason;
    } rows[] = {
        {0, 1, wk_reasonAdjacent}, {0, 2, wk_reasonAdjacent}, {0, 3, wk_reasonAdjacent},
        {1, 5, wk_reasonAdjacent}, {1, 2, wk_reasonNone},     {1, 3, wk_reasonProven},
        {1, 4, wk_reasonDefault},  {2, 4, wk_reasonDefault},  {3, 4, wk_reasonProven},
        {4, 5, wk_reasonDefault},  {2, 3, wk_reasonProven},   {5, 6, wk_reasonNone},
        {0, 0, wk_reasonNone},     {2, 5, wk_reasonProven},   {3, 5, wk_reasonProven},
    };
    wkRobot* robot = buildTurnstile();
    wkAllowedReason reasons[49];
    wkAllowedRequest sampling = wkDefaultAllowedRequest();
    sampling.sampleCount = 2000;
    assert_int_equal(wkRobot_SampleAllowed(robot, &sampling, reasons, NULL), wk_ok);
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; ++i) {
        wkAllowedReason reason = reasonOf(robot, reasons, rows[i].a, rows[i].b);
        if (reason != rows[i].reason) {
            fail_msg("%d and %d: '%s'", rows[i].a, rows[i].b, wkAllowedReasonName(reason));
        }
    }
    wkRobot_Destroy(robot);
}

// Pairs that touch in a known share of all configurations, and not by default.
static void always_begins_at_its_share(void** unused)
{
    (void)unused;
    // a bead on a rail from 0 to 1 that starts in the middle, and bars that it touches along a part of
    // the way: all but a gap about the middle
    static const struct {
        double gap;
        wkAllowedReason reason;
    } rows[] = {
        {0.01, wk_reasonAlways}, {0.03, wk_reasonAlways}, {0.07, wk_reasonNone},
        {0.5, wk_reasonNone},    {1.0, wk_reasonNone},    {1.01, wk_reasonProven},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; ++i) {
        madeStart(&made);
        int base = madeLink(&made, -1, wk_jointFixed, wkIdentityPose());
        madeBody(&made, base, wkMakeSphere(0.01), wkMakePose(0.0, 9.0, 0.0));
        int bars = madeLink(&made, base, wk_jointFixed, wkIdentityPose());
        double length = 0.5 * (1.02 - rows[i].gap), from = 0.5 * (1.02 - length);
        madeBody(&made, bars, wkMakeBox(1.0, 1.0, length), wkMakePose(0.0, 0.0, from));
        madeBody(&made, bars, wkMakeBox(1.0, 1.0, length), wkMakePose(0.0, 0.0, -from));
        int bead = madeLink(&made, base, wk_jointPrismatic, wkIdentityPose());
        made.joints[bead - 1].lower = -0.5;
        made.joints[bead - 1].upper = 0.5;
        madeBody(&made, bead, wkMakeSphere(0.0), wkIdentityPose());
        wkRobot* robot = build();
        wkAllowedReason reasons[9];
        wkAllowedRequest sampling = wkDefaultAllowedRequest();
        sampling.sampleCount = 5000;
        for (uint64_t seed = 1; seed < 4; ++seed) {
            sampling.seed = seed;
            assert_int_equal(wkRobot_SampleAllowed(robot, &sampling, reasons, NULL), wk_ok);
            assert_int_equal(reasonOf(robot, reasons, bars, bead), rows[i].reason);
        }
        wkRobot_Destroy(robot);
    }
}

static void threads_change_nothing(void** unused)
{
    (void)unused;
    static const wkParallel ways[] = {
        {NULL, NULL, 1}, {NULL, NULL, 2}, {madeRunBackwards, NULL, 0}};
    wkRobot* robot = NULL;
    assert_int_equal(wkRobot_CreateBuiltIn(&robot), wk_ok);
    size_t count = (size_t)wkRobot_Info(robot).linkCount * (size_t)wkRobot_Info(robot).linkCount;
    static wkAllowedReason first[MADE_MAX_LINKS * MADE_MAX_LINKS];
    static wkAllowedReason again[MADE_MAX_LINKS * MADE_MAX_LINKS];
    assert_true(count <= MADE_MAX_LINKS * MADE_MAX_LINKS);
    wkAllowedRequest sampling = wkDefaultAllowedRequest();
    sampling.sampleCount = 1500;
    assert_int_equal(wkRobot_SampleAllowed(robot, &sampling, first, NULL), wk_ok);
    for (size_t i = 0; i < sizeof ways / sizeof ways[0]; ++i) {
        sampling.parallel = &ways[i];
        assert_int_equal(wkRobot_SampleAllowed(robot, &sampling, again, NULL), wk_ok);
        assert_memory_equal(first, again, count * sizeof *first);
    }
    // another seed: the same but for what chance decides
    sampling.seed = 99;
    assert_int_equal(wkRobot_SampleAllowed(robot, &sampling, again, NULL), wk_ok);
    for (size_t i = 0; i < count; ++i) {
        bool isChance = first[i] == wk_reasonNone || first[i] == wk_reasonAlways;
        assert_true(isChance || first[i] == again[i]);
    }
    wkRobot_Destroy(robot);
}

// Without the short ways that sampling takes: every pair in every configuration.
static void never_and_always_are_those_of_a_plain_loop(void** unused)
{
    (void)unused;
    wkShapeBank bank;
    wkShapeBank_Create(&bank, UNIT_SEED);
    wkRng rng = wkMakeRng(UNIT_SEED);
    for (int round = 0; round < 4; ++round) {
        madeRandomRobot(&made, &rng, &bank, 12);
        wkRobot* robot = build();
        int32_t linkCount = wkRobot_Info(robot).linkCount;
        wkRobotState* state = NULL;
        assert_int_equal(wkRobotState_Create(robot, &state), wk_ok);
        // one chunk, whose seed is the only thing to know
        enum {
            samples = 32
        };
        int counts[12][12] = {{0}};
        uint64_t seed = UINT64_C(0x9e3779b97f4a7c15) + 1;
        seed = (seed ^ (seed >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
        seed = (seed ^ (seed >> 27)) * UINT64_C(0x94d049bb133111eb);
        seed ^= seed >> 31;
        for (int i = 0; i < samples; ++i) {
            double q[7 * 12] = {0.0};
            bool touches[12][12] = {{false}};
            wkRobot_RandomConfiguration(robot, &seed, q);
            assert_int_equal(wkRobotState_Set(state, wkIdentityPose(), q), wk_ok);
            for (int32_t a = 0; a < wkRobot_Info(robot).bodyCount; ++a) {
                for (int32_t b = a + 1; b < wkRobot_Info(robot).bodyCount; ++b) {
                    wkBodyInfo x = wkRobot_Body(robot, a), y = wkRobot_Body(robot, b);
                    touches[x.link][y.link] |=
                        wkCollide(x.shape, wkRobotState_BodyPose(state, a), y.shape,
                                  wkRobotState_BodyPose(state, b), NULL)
                            .isTouching;
                }
            }
            for (int a = 0; a < 12; ++a) {
                for (int b = 0; b < 12; ++b) {
                    counts[a][b] += touches[a][b];
                }
            }
        }
        wkAllowedRequest sampling = wkDefaultAllowedRequest();
        sampling.sampleCount = samples;
        sampling.alwaysShare = 0.5;
        sampling.proofBudget = 0;
        sampling.allowsSampled = true;
        wkAllowedReason reasons[12 * 12];
        assert_int_equal(wkRobot_SampleAllowed(robot, &sampling, reasons, NULL), wk_ok);
        for (int32_t a = 0; a < linkCount; ++a) {
            for (int32_t b = a + 1; b < linkCount; ++b) {
                wkAllowedReason reason = reasons[a * linkCount + b];
                bool haveBodies =
                    wkRobot_Link(robot, a).bodyCount > 0 && wkRobot_Link(robot, b).bodyCount > 0;
                if (reason == wk_reasonAdjacent || reason == wk_reasonDefault) {
                    continue;
                }
                wkAllowedReason expected =
                    counts[a][b] == 0
                        ? wk_reasonNever
                        : (2 * counts[a][b] >= samples ? wk_reasonAlways : wk_reasonNone);
                assert_int_equal(reason, haveBodies ? expected : wk_reasonNone);
            }
        }
        wkRobotState_Destroy(state);
        wkRobot_Destroy(robot);
    }
    wkShapeBank_Destroy(&bank);
}

static bool stopAtOnce(int64_t done, int64_t total, void* context)
{
    assert_true(done <= total);
    ++*(int*)context;
    return false;
}

static void described_pairs_stay_and_progress_stops(void** unused)
{
    (void)unused;
    wkRobot* robot = NULL;
    assert_int_equal(wkRobot_CreateBuiltIn(&robot), wk_ok);
    int32_t linkCount = wkRobot_Info(robot).linkCount;
    int callCount = 0;
    static wkAllowedReason reasons[MADE_MAX_LINKS * MADE_MAX_LINKS];
    wkAllowedRequest sampling = wkDefaultAllowedRequest();
    sampling.sampleCount = 200;
    sampling.keepsDescribed = true;
    assert_int_equal(wkRobot_SampleAllowed(robot, &sampling, reasons, NULL), wk_ok);
    for (int32_t i = 0; i < wkRobot_Info(robot).disabledPairCount; ++i) {
        wkDisabledPairInfo pair = wkRobot_DisabledPair(robot, i);
        assert_int_equal(reasons[pair.linkA * linkCount + pair.linkB], wk_reasonUser);
    }
    sampling.progress = stopAtOnce;
    sampling.progressContext = &callCount;
    assert_int_equal(wkRobot_SampleAllowed(robot, &sampling, reasons, NULL), wk_errorCancelled);
    assert_int_equal(callCount, 1);
    assert_int_equal(reasons[1], wk_reasonNone);
    sampling = wkDefaultAllowedRequest();
    sampling.sampleCount = 0;
    assert_int_equal(wkRobot_SampleAllowed(robot, &sampling, reasons, NULL), wk_errorRange);
    sampling.sampleCount = 1;
    sampling.alwaysShare = 0.0;
    assert_int_equal(wkRobot_SampleAllowed(robot, &sampling, reasons, NULL), wk_errorRange);
    sampling.alwaysShare = 1.0;
    sampling.proofBudget = -1;
    assert_int_equal(wkRobot_SampleAllowed(robot, &sampling, reasons, NULL), wk_errorRange);
    sampling.proofBudget = 0;
    sampling.margin = -0.01;
    assert_int_equal(wkRobot_SampleAllowed(robot, &sampling, reasons, NULL), wk_errorRange);
    sampling.margin = 0.0;
    sampling.cookie = 0;
    assert_int_equal(wkRobot_SampleAllowed(robot, &sampling, reasons, NULL), wk_errorArgument);
    assert_int_equal(wkRobot_SampleAllowed(NULL, NULL, reasons, NULL), wk_errorArgument);
    assert_int_equal(wkRobot_SampleAllowed(robot, NULL, NULL, NULL), wk_errorArgument);
    wkRobot_Destroy(robot);
    assert_int_equal(wkGetByteCount(), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(neighbours_may_touch_over_links_without_bodies),
        cmocka_unit_test(neighbours_are_two_joints_apart_at_most),
        cmocka_unit_test(described_pairs_are_added_to_what_is_there),
        cmocka_unit_test(without_memory_nothing_is_added_or_sampled),
        cmocka_unit_test(reasons_are_those_that_were_built_in),
        cmocka_unit_test(always_begins_at_its_share),
        cmocka_unit_test(threads_change_nothing),
        cmocka_unit_test(never_and_always_are_those_of_a_plain_loop),
        cmocka_unit_test(described_pairs_stay_and_progress_stops),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
