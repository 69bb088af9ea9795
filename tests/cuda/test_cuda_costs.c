// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// Costs of the CPU and of a GPU: what follows from made-up ones, how they are measured, and clouds by the fastest way,
// whose result is the same whichever it is.

#include "batch_kit.h"
#include "failing_gpu.h"
#include "gpu_kit.h"
#include "scenes/point_layouts.h"
#include "whisker/cuda.h"

#include <math.h>
#include <string.h>

// Runs so short that each is made once after the first: an emulated GPU is slow.
#define SHORTEST 1e-6

static const double notCosts[] = {NAN, INFINITY, -INFINITY, -1e-9};

static void a_cost_is_a_line(void** state)
{
    (void)state;
    wkWorkCost cost = {1e-5, 2e-9};
    assert_true(wkWorkCost_Seconds(&cost, 0.0) == 1e-5);
    assert_true(wkWorkCost_Seconds(&cost, 1000.0) == 1e-5 + 2e-6);
    assert_true(isinf(wkWorkCost_Seconds(NULL, 1.0)));
    for (int i = 0; i < 4; i++) {
        assert_true(wkWorkCost_Seconds(&cost, notCosts[i]) == (double)INFINITY);
        wkWorkCost bad = {notCosts[i], 0.0}, other = {0.0, notCosts[i]};
        assert_true(wkWorkCost_Seconds(&bad, 1.0) == (double)INFINITY);
        assert_true(wkWorkCost_Seconds(&other, 1.0) == (double)INFINITY);
    }
}

static void crossings_are_those_of_two_lines(void** state)
{
    (void)state;
    // clang-format off
    const struct {
        wkCpuGpuCost cost;
        double crossing;
    } cases[] = {
        {{{1e-6, 1e-7}, {11e-6, 1e-9}}, 102.0},      // 10 us over 99 ns: more than 101 items
        {{{0.0, 1.0}, {10.0, 0.0}}, 11.0},           // equal at 10
        {{{2.0, 1.0}, {1.0, 0.5}}, 1.0},             // always
        {{{1.0, 0.5}, {1.0, 0.5}}, INFINITY},        // never: equal
        {{{2.0, 0.5}, {1.0, 0.5}}, 1.0},             // by the same, always
        {{{1.0, 0.5}, {0.5, 0.6}}, INFINITY},        // for few items alone
        {{{1.0, 0.5}, {2.0, 0.5}}, INFINITY},        // never
        {{{0.0, 0.0}, {0.0, 0.0}}, INFINITY},        // nothing was measured
    };
    // clang-format on
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        double crossing = wkCpuGpuCost_Crossing(&cases[i].cost);
        assert_true(crossing == cases[i].crossing);
        if (isfinite(crossing)) {
            assert_true(wkCpuGpuCost_Pays(&cases[i].cost, crossing));
            assert_true(crossing == 1.0 || !wkCpuGpuCost_Pays(&cases[i].cost, crossing - 1.0));
            assert_true(wkCpuGpuCost_Pays(&cases[i].cost, 1e6 * crossing));
        }
    }
    wkCpuGpuCost few = {{1.0, 0.5}, {0.5, 0.6}};
    assert_true(wkCpuGpuCost_Pays(&few, 4.0) && !wkCpuGpuCost_Pays(&few, 6.0));
}

static void costs_that_are_not_known_choose_the_cpu(void** state)
{
    (void)state;
    assert_false(wkCpuGpuCost_Pays(NULL, 1.0));
    assert_true(isinf(wkCpuGpuCost_Crossing(NULL)));
    for (int i = 0; i < 16; i++) {
        double numbers[4] = {1.0, 1.0, 0.5, 0.5};
        numbers[i / 4] = notCosts[i % 4];
        wkCpuGpuCost cost = {{numbers[0], numbers[1]}, {numbers[2], numbers[3]}};
        assert_false(wkCpuGpuCost_Pays(&cost, 100.0));
        assert_true(isinf(wkCpuGpuCost_Crossing(&cost)));
    }
}

// A cost that rises with the crossing moves it one way.
static void crossings_move_with_costs(void** state)
{
    (void)state;
    wkRng rng = wkMakeRng(wkKitSeed());
    for (int i = 0; i < WK_CASES(1000); i++) {
        wkCpuGpuCost cost = {{wkRngLogRange(&rng, 1e-8, 1e-4), wkRngLogRange(&rng, 1e-10, 1e-5)},
                             {wkRngLogRange(&rng, 1e-8, 1e-4), wkRngLogRange(&rng, 1e-10, 1e-5)}};
        double before = wkCpuGpuCost_Crossing(&cost);
        double count = floor(wkRngLogRange(&rng, 1.0, 1e7));
        assert_true(count < before || wkCpuGpuCost_Pays(&cost, count));
        wkCpuGpuCost dearer = cost;
        double* gpu = wkRngChance(&rng, 2) ? &dearer.gpu.fixed : &dearer.gpu.each;
        *gpu *= wkRngRange(&rng, 1.0, 3.0);
        assert_true(wkCpuGpuCost_Crossing(&dearer) >= before);
    }
}

// Costs by a formula: fixed + each * A^power * B^power.
static wkCudaCosts makeCosts(const double fixed[WK_CENTER_WAYS], const double each[WK_CENTER_WAYS],
                             const double power[WK_CENTER_WAYS])
{
    wkCudaCosts costs = {.copy = {2e-4, 1e-9}};
    for (int way = 0; way < WK_CENTER_WAYS; way++) {
        for (int i = 0; i < WK_CENTER_SIZES; i++) {
            for (int k = 0; k < WK_CENTER_SIZES; k++) {
                double pairs = (double)wkCenterSizePoints(i) * wkCenterSizePoints(k);
                costs.centers[way][i][k] = fixed[way] + each[way] * pow(pairs, power[way]);
            }
        }
    }
    return costs;
}

// As on a machine with a fast GPU.
static const double fixedCosts[] = {1e-7, 5e-7, 2e-5, 2e-5};
static const double eachCosts[] = {6e-11, 2e-8, 2e-13, 1e-10};
static const double powers[] = {1.0, 0.42, 1.0, 0.42};

static wkCudaCosts fastGpuCosts(void)
{
    return makeCosts(fixedCosts, eachCosts, powers);
}

static void predictions_are_near_the_costs(void** state)
{
    (void)state;
    wkRng rng = wkMakeRng(wkKitSeed());
    wkCudaCosts costs = fastGpuCosts();
    for (int size = 0; size < WK_CENTER_SIZES; size++) {
        int32_t count = wkCenterSizePoints(size);
        assert_int_equal(count, 64 << (4 * size));
        double found = wkCudaCosts_CenterSeconds(&costs, wk_wayCpuHierarchy, count, 1024);
        assert_true(fabs(found / costs.centers[wk_wayCpuHierarchy][size][1] - 1.0) < 1e-12);
    }
    for (int i = 0; i < WK_CASES(2000); i++) {
        int32_t countA = (int32_t)wkRngLogRange(&rng, 64, 2e6);
        int32_t countB = (int32_t)wkRngLogRange(&rng, 64, 2e6);
        for (int way = 0; way < WK_CENTER_WAYS; way++) {
            double cost =
                fixedCosts[way] + eachCosts[way] * pow((double)countA * countB, powers[way]);
            double found = wkCudaCosts_CenterSeconds(&costs, (wkCenterWay)way, countA, countB);
            double back = wkCudaCosts_CenterSeconds(&costs, (wkCenterWay)way, countB, countA);
            assert_true(fabs(found / back - 1.0) < 1e-12);
            if (!(found / cost < 1.5) || !(cost / found < 1.5)) {
                fail_msg("%s, %d and %d points: %g s, expected %g",
                         wkCenterWayName((wkCenterWay)way), (int)countA, (int)countB, found, cost);
            }
            // more points never take less
            double more = wkCudaCosts_CenterSeconds(&costs, (wkCenterWay)way, countA,
                                                    countB + 1 + countB / 3);
            assert_true(more >= found * (1.0 - 1e-12));
        }
    }
}

static void the_fastest_way_is_chosen(void** state)
{
    (void)state;
    wkCudaCosts costs = fastGpuCosts();
    // clang-format off
    const struct {
        wkCenterWork work;
        wkCenterWay way;
    } cases[] = {
        {{16, 16, true, true, 1}, wk_wayCpuExhaustive},
        {{1000, 1000, true, true, 1}, wk_wayCpuHierarchy},
        {{19221, 958021, true, true, 1}, wk_wayGpuHierarchy},
        {{19221, 958021, false, false, 1}, wk_wayCpuHierarchy}, // copies take longer than it
        {{19221, 958021, false, false, 100}, wk_wayGpuHierarchy},
        {{0, 0, true, true, 0}, wk_wayCpuExhaustive},
        {{-5, INT32_MIN, true, true, -7}, wk_wayCpuExhaustive},
    };
    // clang-format on
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        wkCenterChoice choice = wkCudaCosts_ChooseCenters(&costs, &cases[i].work);
        assert_int_equal(choice.way, cases[i].way);
        for (int way = 0; way < WK_CENTER_WAYS; way++) {
            assert_true(choice.seconds[choice.way] <= choice.seconds[way]);
        }
    }
    // all queries, and one copy of each cloud that is not there
    wkCenterWork work = {1000, 30000, true, false, 3};
    wkCenterChoice choice = wkCudaCosts_ChooseCenters(&costs, &work);
    double query = wkCudaCosts_CenterSeconds(&costs, wk_wayGpuHierarchy, 1000, 30000);
    double expected = 3.0 * query + 2e-4 + 1e-9 * 30000;
    assert_true(fabs(choice.seconds[wk_wayGpuHierarchy] / expected - 1.0) < 1e-12);

    int32_t crossing = wkCudaCosts_CenterCrossing(&costs, 19221);
    assert_true(crossing > 64 && crossing < 100000);
    work = (wkCenterWork){19221, crossing, true, true, 1};
    assert_true(wkCudaCosts_ChooseCenters(&costs, &work).way >= wk_wayGpuExhaustive);
    work.countB = crossing - crossing / 8;
    assert_true(wkCudaCosts_ChooseCenters(&costs, &work).way <= wk_wayCpuHierarchy);
}

// A way whose times are not known is never chosen, and without any the CPU searches by hierarchy.
static void ways_that_are_not_known_are_not_chosen(void** state)
{
    (void)state;
    const double bad[] = {NAN, INFINITY, 0.0, -1.0};
    const wkCenterWork work = {19221, 958021, true, true, 1};
    for (int i = 0; i < 4; i++) {
        wkCudaCosts costs = fastGpuCosts();
        costs.centers[wk_wayGpuHierarchy][3][2] = costs.centers[wk_wayGpuHierarchy][2][3] = bad[i];
        wkCenterChoice choice = wkCudaCosts_ChooseCenters(&costs, &work);
        assert_true(isinf(choice.seconds[wk_wayGpuHierarchy]));
        assert_int_equal(choice.way, wk_wayCpuHierarchy);
        costs = fastGpuCosts();
        costs.copy.fixed = i == 2 ? -1e-9 : bad[i]; // a copy may take no time
        wkCenterWork away = {19221, 958021, true, false, 1000};
        assert_int_equal(wkCudaCosts_ChooseCenters(&costs, &away).way, wk_wayCpuHierarchy);
        assert_int_equal(wkCudaCosts_ChooseCenters(&costs, &work).way, wk_wayGpuHierarchy);
    }
    wkCudaCosts none = {.copy = {0.0, 0.0}};
    assert_int_equal(wkCudaCosts_ChooseCenters(&none, &work).way, wk_wayCpuHierarchy);
    assert_int_equal(wkCudaCosts_ChooseCenters(NULL, &work).way, wk_wayCpuHierarchy);
    assert_int_equal(wkCudaCosts_ChooseCenters(NULL, NULL).way, wk_wayCpuHierarchy);
    assert_int_equal(wkCudaCosts_CenterCrossing(&none, 1000), -1);
    assert_int_equal(wkCudaCosts_CenterCrossing(NULL, 1000), -1);
    assert_true(isinf(wkCudaCosts_CenterSeconds(NULL, wk_wayCpuHierarchy, 1, 1)));
    assert_true(isinf(wkCudaCosts_CenterSeconds(&none, (wkCenterWay)4, 1, 1)));
    assert_string_equal(wkCenterWayName(wk_wayGpuExhaustive), "gpu exhaustive");
    assert_string_equal(wkCenterWayName((wkCenterWay)4), "none");
    assert_int_equal(wkCenterSizePoints(-1), 0);
    assert_int_equal(wkCenterSizePoints(WK_CENTER_SIZES), 0);
}

// Costs with which one way is the fastest.
static wkCudaCosts favour(int fastest)
{
    double fixed[WK_CENTER_WAYS] = {1.0, 1.0, 1.0, 1.0};
    fixed[fastest] = 1e-3;
    return makeCosts(fixed, eachCosts, powers);
}

static wkCuda* openGpu(void)
{
    wkCudaDef def = wkDefaultCudaDef();
    wkCuda* cuda = NULL;
    assert_int_equal(wkCuda_Create(&def, &cuda), wk_ok);
    return cuda;
}

static wkCloud* drawCloud(wkRng* rng, layout kind, int32_t count)
{
    float points[3 * 600];
    for (int32_t i = 0; i < 3 * count; i++) {
        points[i] = coordinateOf(rng, kind, i / 3, i % 3);
    }
    wkCloudDef def = wkDefaultCloudDef();
    def.points = wkMakeCloudView(points, count);
    def.allowsEmpty = true;
    wkCloud* cloud = NULL;
    assert_int_equal(wkCloud_Create(&def, &cloud), wk_ok);
    return cloud;
}

static wkCudaCloud* onGpu(wkCuda* cuda, const wkCloud* cloud)
{
    wkCudaCloudDef def = wkDefaultCudaCloudDef();
    def.cuda = cuda;
    def.cloud = cloud;
    wkCudaCloud* made = NULL;
    assert_int_equal(wkCudaCloud_Create(&def, &made), wk_ok);
    return made;
}

static bool areEqualResults(const wkCenterResult* a, const wkCenterResult* b)
{
    return a->distance == b->distance && a->rankA == b->rankA && a->rankB == b->rankB &&
           a->status == b->status && memcmp(&a->pointA, &b->pointA, sizeof a->pointA) == 0 &&
           memcmp(&a->pointB, &b->pointB, sizeof a->pointB) == 0;
}

// Whatever is chosen, of several nearest pairs, those at distance 0 too, the same one is reported.
static void results_do_not_depend_on_the_way(void** state)
{
    (void)state;
    wkRng rng = wkMakeRng(wkKitSeed());
    wkCuda* cuda = openGpu();
    for (int i = 0; i < wkKitCasesOfKinds(30, layoutCount); i++) {
        layout kind = (layout)(i % layoutCount);
        wkCloud* a = drawCloud(&rng, kind, 1 + wkRngBelow(&rng, 300));
        wkCloud* b =
            drawCloud(&rng, wkRngChance(&rng, 2) ? kind : layoutLattice, 1 + wkRngBelow(&rng, 600));
        wkCudaCloud *gpuA = onGpu(cuda, a), *gpuB = onGpu(cuda, b);
        wkPose poseA = wkIdentityPose();
        wkPose poseB =
            wkRngChance(&rng, 2) ? poseA : wkMakePose(0.0, 0.0, wkRngRange(&rng, 0.0, 3.0));
        wkCenterRequest request = wkDefaultCenterRequest();
        wkCenterResult expected = wkCudaCloud_CenterDistance(gpuA, poseA, gpuB, poseB, &request);
        for (int way = 0; way < WK_CENTER_WAYS; way++) {
            wkCudaCosts costs = favour(way);
            wkCenterChoice choice;
            wkCenterResult found =
                wkCudaCosts_CenterDistance(&costs, gpuA, poseA, gpuB, poseB, NULL, &choice);
            assert_int_equal(choice.way, way);
            assert_int_equal(found.method,
                             way % 2 == 0 ? wk_centersExhaustive : wk_centersHierarchy);
            assert_true(areEqualResults(&found, &expected));
            // a method that is asked for is kept
            request.method = wk_centersExhaustive;
            found = wkCudaCosts_CenterDistance(&costs, gpuA, poseA, gpuB, poseB, &request, &choice);
            assert_int_equal(found.method, wk_centersExhaustive);
            assert_true(choice.way == wk_wayCpuExhaustive || choice.way == wk_wayGpuExhaustive);
            assert_true(areEqualResults(&found, &expected));
        }
        wkCudaCloud_Destroy(gpuA);
        wkCudaCloud_Destroy(gpuB);
        wkCloud_Destroy(a);
        wkCloud_Destroy(b);
    }
    wkCuda_Destroy(cuda);
    assert_int_equal(emulatedByteCount(), 0);
}

static void expectInvalid(wkCenterResult found)
{
    assert_int_equal(found.status, wk_statusInvalid);
    assert_true(found.distance == (double)-INFINITY && found.rankA == -1 && found.rankB == -1);
}

static void bad_arguments_are_refused(void** state)
{
    (void)state;
    wkRng rng = wkMakeRng(wkKitSeed());
    wkCuda* cuda = openGpu();
    wkCloud* a = drawCloud(&rng, layoutUniform, 20);
    wkCudaCloud* gpuA = onGpu(cuda, a);
    wkPose pose = wkIdentityPose();
    wkCudaCosts costs = favour(0);
    wkCenterChoice choice;
    expectInvalid(wkCudaCosts_CenterDistance(NULL, gpuA, pose, gpuA, pose, NULL, &choice));
    assert_string_equal(wkGetLastError(), "cuda costs: costs is NULL");
    assert_true(choice.way == wk_wayCpuHierarchy && isinf(choice.seconds[0]));
    expectInvalid(wkCudaCosts_CenterDistance(&costs, NULL, pose, gpuA, pose, NULL, NULL));
    assert_string_equal(wkGetLastError(), "cuda cloud: a is NULL");
    expectInvalid(wkCudaCosts_CenterDistance(&costs, gpuA, pose, NULL, pose, NULL, NULL));
    for (int way = 0; way < WK_CENTER_WAYS; way++) {
        costs = favour(way);
        wkCenterRequest request = wkDefaultCenterRequest();
        request.cutoff = -1.0;
        expectInvalid(wkCudaCosts_CenterDistance(&costs, gpuA, pose, gpuA, pose, &request, NULL));
        request = wkDefaultCenterRequest();
        request.method = (wkCenterMethod)3;
        expectInvalid(wkCudaCosts_CenterDistance(&costs, gpuA, pose, gpuA, pose, &request, NULL));
        wkPose bad = wkMakePose((double)NAN, 0.0, 0.0);
        expectInvalid(wkCudaCosts_CenterDistance(&costs, gpuA, bad, gpuA, pose, NULL, NULL));
    }
    wkCudaCosts measured;
    assert_int_equal(wkCuda_MeasureCosts(NULL, NULL, &measured), wk_errorArgument);
    assert_string_equal(wkGetLastError(), "cuda costs: cuda is NULL");
    assert_int_equal(wkCuda_MeasureCosts(cuda, NULL, NULL), wk_errorArgument);
    assert_string_equal(wkGetLastError(), "cuda costs: costs is NULL");
    const double seconds[] = {0.0, -1.0, NAN, 11.0, 1e-9};
    for (int i = 0; i < 5; i++) {
        wkCudaCostsDef def = wkDefaultCudaCostsDef();
        def.runSeconds = seconds[i];
        memset(&measured, 1, sizeof measured);
        assert_int_equal(wkCuda_MeasureCosts(cuda, &def, &measured), wk_errorRange);
        assert_non_null(strstr(wkGetLastError(), "runSeconds"));
        assert_true(measured.centers[0][0][0] == 0.0 && measured.copy.each == 0.0);
    }
    wkCudaRobotCosts robot;
    assert_int_equal(wkCuda_MeasureRobotCosts(NULL, NULL, &robot), wk_errorArgument);
    assert_int_equal(wkCuda_MeasureRobotCosts(cuda, NULL, NULL), wk_errorArgument);
    wkCpuGpuCost cost;
    double row = 0.0;
    assert_int_equal(wkCudaBatch_MeasureCosts(NULL, &row, 64, NULL, &cost), wk_errorArgument);
    assert_string_equal(wkGetLastError(), "cuda costs: batch is NULL");
    wkPlacedSphereTree placed = {.tree = NULL};
    wkCloudView points = wkMakeCloudView(&row, 1);
    assert_int_equal(wkCudaTrees_MeasureCosts(NULL, &placed, 1, &points, pose, NULL, NULL, &cost),
                     wk_errorArgument);
    wkCudaCloud_Destroy(gpuA);
    wkCloud_Destroy(a);
    wkCuda_Destroy(cuda);
    assert_int_equal(emulatedByteCount(), 0);
}

static bool isCost(const wkWorkCost* cost)
{
    return wkWorkCost_Seconds(cost, 1.0) > 0.0 && isfinite(wkWorkCost_Seconds(cost, 1.0));
}

static void clouds_are_measured(void** state)
{
    (void)state;
    wkCuda* cuda = openGpu();
    wkCudaCostsDef def = wkDefaultCudaCostsDef();
    def.runSeconds = emulatedIsUsed() ? 1e-3 : def.runSeconds;
    wkCudaCosts costs;
    assert_int_equal(wkCuda_MeasureCosts(cuda, &def, &costs), wk_ok);
    for (int way = 0; way < WK_CENTER_WAYS; way++) {
        for (int i = 0; i < WK_CENTER_SIZES; i++) {
            for (int k = 0; k < WK_CENTER_SIZES; k++) {
                double seconds = costs.centers[way][i][k];
                assert_true(seconds > 0.0 && isfinite(seconds));
                assert_true(seconds == costs.centers[way][k][i]);
            }
        }
    }
    assert_true(isCost(&costs.copy));
    if (emulatedIsUsed()) {
        // no emulated GPU is faster than the CPU that emulates it
        assert_int_equal(wkCudaCosts_CenterCrossing(&costs, 1000), -1);
    }
    wkCuda_Destroy(cuda);
    assert_int_equal(emulatedByteCount(), 0);
}

static void the_example_is_measured(void** state)
{
    (void)state;
    wkCuda* cuda = openGpu();
    wkCudaCostsDef def = wkDefaultCudaCostsDef();
    def.runSeconds = emulatedIsUsed() ? SHORTEST : def.runSeconds;
    wkCudaRobotCosts costs;
    assert_int_equal(wkCuda_MeasureRobotCosts(cuda, &def, &costs), wk_ok);
    assert_true(isCost(&costs.states.cpu) && isCost(&costs.states.gpu));
    assert_true(isCost(&costs.points.cpu) && isCost(&costs.points.gpu));
    assert_true(costs.sphereCount > 20 && costs.boxCount == 100);
    assert_true(costs.treeCount > 5 && costs.treeSpheres > 100);
    wkCuda_Destroy(cuda);
    assert_int_equal(emulatedByteCount(), 0);
}

// A batch of the CPU without a world, and configurations.
typedef struct stateCase {
    wkRobot* robot;
    wkSphereModel* model;
    wkRobotScene* scene;
    wkBatch* batch;
    double* rows;
    int64_t count;
} stateCase;

#define STATES 100

static void openStates(stateCase* c)
{
    assert_int_equal(wkRobot_CreateBuiltIn(&c->robot), wk_ok);
    c->model = wkSpheresOnBodies(c->robot, 1.0);
    wkRobotSceneDef sceneDef = wkDefaultRobotSceneDef();
    sceneDef.robot = c->robot;
    assert_int_equal(wkRobotScene_Create(&sceneDef, &c->scene), wk_ok);
    wkBatchDef def = wkDefaultBatchDef();
    def.scene = c->scene;
    def.spheres = c->model;
    def.exactness = wk_exactnessSpheres;
    c->batch = wkCreateBatch(&def);
    c->rows = wkRandomRows(c->robot, wkKitSeed(), STATES);
    c->count = STATES;
}

static void closeStates(stateCase* c)
{
    free(c->rows);
    wkBatch_Destroy(c->batch);
    wkRobotScene_Destroy(c->scene);
    wkSphereModel_Destroy(c->model);
    wkRobot_Destroy(c->robot);
}

static bool isZero(const wkCpuGpuCost* cost)
{
    static const wkCpuGpuCost zero;
    return memcmp(cost, &zero, sizeof zero) == 0;
}

static wkResult stateStory(void* context)
{
    const stateCase* c = (const stateCase*)context;
    wkCudaCostsDef def = wkDefaultCudaCostsDef();
    def.runSeconds = SHORTEST;
    wkCuda* cuda = NULL;
    wkCudaBatch* batch = NULL;
    wkCpuGpuCost cost;
    wkResult result = createOnGpu(c->batch, 0, &cuda, &batch);
    if (result == wk_ok) {
        memset(&cost, 1, sizeof cost);
        result = wkCudaBatch_MeasureCosts(batch, c->rows, c->count, &def, &cost);
        assert_true(result == wk_ok ? isCost(&cost.cpu) && isCost(&cost.gpu) : isZero(&cost));
    }
    destroyOnGpu(cuda, batch);
    return result;
}

static void batches_are_measured_or_refused(void** state)
{
    (void)state;
    stateCase c;
    openStates(&c);
    assert_true(failEverywhere(stateStory, &c) > 0);
    const int64_t few[] = {63, 1, 0, -1, INT64_MIN};
    for (int i = 0; i < 5; i++) {
        c.count = few[i];
        assert_int_equal(stateStory(&c), wk_errorRange);
        assert_non_null(strstr(wkGetLastError(), "configurations, must be 64 or more"));
    }
    c.count = 64;
    assert_int_equal(stateStory(&c), wk_ok);

    // a scene that has changed is found
    wkShape box = wkMakeBox(1.0, 1.0, 1.0);
    wkRobotObjectDef object = wkDefaultRobotObjectDef();
    object.name = "box";
    object.shapes = &box;
    object.shapeCount = 1;
    assert_int_equal(wkRobotScene_Add(c.scene, &object), wk_ok);
    assert_int_equal(stateStory(&c), wk_errorState);
    closeStates(&c);
}

#define POINTS 100

typedef struct pointCase {
    wkSphereTree* tree;
    float points[POINTS][3];
    wkCloudView view;
} pointCase;

static wkResult pointStory(void* context)
{
    const pointCase* c = (const pointCase*)context;
    wkCudaCostsDef def = wkDefaultCudaCostsDef();
    def.runSeconds = SHORTEST;
    wkCudaDef cudaDef = wkDefaultCudaDef();
    wkCudaTreesDef treesDef = wkDefaultCudaTreesDef();
    wkCudaTrees* trees = NULL;
    wkPlacedSphereTree placed = {.tree = c->tree, .pose = wkIdentityPose()};
    treesDef.trees = (const wkSphereTree* const*)&c->tree;
    treesDef.treeCount = 1;
    treesDef.pointBytes = (size_t)1 << 20;
    wkResult result = wkCuda_Create(&cudaDef, &treesDef.cuda);
    result = result == wk_ok ? wkCudaTrees_Create(&treesDef, &trees) : result;
    if (result == wk_ok) {
        wkCpuGpuCost cost;
        memset(&cost, 1, sizeof cost);
        result = wkCudaTrees_MeasureCosts(trees, &placed, 1, &c->view, wkIdentityPose(), NULL, &def,
                                          &cost);
        assert_true(result == wk_ok ? isCost(&cost.cpu) && isCost(&cost.gpu) : isZero(&cost));
    }
    wkCudaTrees_Destroy(trees);
    wkCuda_Destroy(treesDef.cuda);
    return result;
}

static void points_are_measured_or_refused(void** state)
{
    (void)state;
    wkRng rng = wkMakeRng(wkKitSeed());
    pointCase c = {.tree = NULL};
    wkShape box = wkMakeBox(0.2, 0.2, 0.2);
    wkSphereTreeBody body = {&box, wkIdentityPose()};
    wkSphereTreeDef def = wkDefaultSphereTreeDef();
    def.bodies = &body;
    def.bodyCount = 1;
    def.innerCount = 20;
    assert_int_equal(wkSphereTree_Create(&def, &c.tree), wk_ok);
    for (int i = 0; i < 3 * POINTS; i++) {
        // the shortest run has none that is finite
        c.points[i / 3][i % 3] = i < 3 * 40 ? NAN : (float)wkRngRange(&rng, -1.0, 1.0);
    }
    c.view = wkMakeCloudView(c.points, POINTS);
    assert_true(failEverywhere(pointStory, &c) > 0);
    c.view.count = 63;
    assert_int_equal(pointStory(&c), wk_errorRange);
    assert_non_null(strstr(wkGetLastError(), "63 points, must be 64 or more"));
    wkSphereTree_Destroy(c.tree);
}

// Measures clouds; a failure leaves nothing behind.
static wkResult measureStory(void* context)
{
    (void)context;
    wkCudaDef cudaDef = wkDefaultCudaDef();
    wkCudaCostsDef def = wkDefaultCudaCostsDef();
    def.runSeconds = SHORTEST;
    wkCuda* cuda = NULL;
    wkCudaCosts costs;
    wkResult result = wkCuda_Create(&cudaDef, &cuda);
    if (result == wk_ok) {
        result = wkCuda_MeasureCosts(cuda, &def, &costs);
        assert_true((result == wk_ok) == (costs.centers[0][0][0] > 0.0));
        assert_true((result == wk_ok) == (costs.copy.fixed + costs.copy.each > 0.0));
    }
    wkCuda_Destroy(cuda);
    return result;
}

static void any_call_may_fail(void** state)
{
    (void)state;
    assert_true(failEverywhere(measureStory, NULL) > 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_cost_is_a_line),
        cmocka_unit_test(crossings_are_those_of_two_lines),
        cmocka_unit_test(costs_that_are_not_known_choose_the_cpu),
        cmocka_unit_test(crossings_move_with_costs),
        cmocka_unit_test(predictions_are_near_the_costs),
        cmocka_unit_test(the_fastest_way_is_chosen),
        cmocka_unit_test(ways_that_are_not_known_are_not_chosen),
        cmocka_unit_test(results_do_not_depend_on_the_way),
        cmocka_unit_test(bad_arguments_are_refused),
        cmocka_unit_test(clouds_are_measured),
        cmocka_unit_test(the_example_is_measured),
        cmocka_unit_test(batches_are_measured_or_refused),
        cmocka_unit_test(points_are_measured_or_refused),
        cmocka_unit_test(any_call_may_fail),
    };
    return cmocka_run_group_tests_name("cuda_costs", tests, NULL, NULL);
}
