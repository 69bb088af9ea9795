// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// Filters that decide each point by itself: against the same question in double precision, for points of every
// layout, near every limit, and far away.

#include "filter_kit.h"

#include "sense/filter/filter_impl.h"

#define MAX_SPHERES 300

// Metres from a limit within which the oracle, which computes in another frame, may be wrong.
#define BAND 1e-9

typedef struct scenario {
    filterKit* kit;
    wkFrame worldFromPoints;
    wkSphere3d spheres[MAX_SPHERES];
    wkFilterRobot robot;
} scenario;

static wkPose drawPose(wkRng* rng, double away)
{
    wkPose pose = {.position = wkScale(away, wkRngDirection(rng)), .rotation = wkRngRotation(rng)};
    return pose;
}

static void drawRobot(scenario* s, int32_t count, wkVec3d center)
{
    for (int32_t i = 0; i < count; i++) {
        s->spheres[i].center =
            wkMulAdd(center, wkRngRange(&s->kit->rng, 0.0, 0.7), wkRngDirection(&s->kit->rng));
        s->spheres[i].radius = i % 7 == 0 ? 0.0 : wkRngRange(&s->kit->rng, 0.01, 0.15);
    }
    s->robot = (wkFilterRobot){.spheres = s->spheres, .sphereCount = count};
}

// Points about a position of the world: spread, near the surface of spheres grown by a distance, not finite, huge.
static void drawPoints(scenario* s, int32_t count, wkVec3d center, double grown)
{
    wkRng* rng = &s->kit->rng;
    s->kit->count = count;
    for (int32_t i = 0; i < count; i++) {
        wkVec3d world = wkMulAdd(center, wkRngRange(rng, 0.0, 3.0), wkRngDirection(rng));
        if (i % 3 == 0 && s->robot.sphereCount > 0) {
            const wkSphere3d* sphere = &s->spheres[wkRngBelow(rng, s->robot.sphereCount)];
            double off = wkRngLogRange(rng, 1e-8, 0.1) * (wkRngBelow(rng, 2) == 0 ? 1.0 : -1.0);
            world = wkMulAdd(sphere->center, sphere->radius + grown + off, wkRngDirection(rng));
        }
        s->kit->points[i] = wkFrameLocal(&s->worldFromPoints, world);
        if (i % 50 == 49) {
            double bad[] = {NAN, INFINITY, -INFINITY, 1e37, -3e38};
            double* coordinates[] = {&s->kit->points[i].x, &s->kit->points[i].y,
                                     &s->kit->points[i].z};
            *coordinates[wkRngBelow(rng, 3)] = bad[wkRngBelow(rng, 5)];
        }
    }
}

static scenario* makeScenario(uint64_t seed)
{
    scenario* s = calloc(1, sizeof *s);
    s->kit = makeFilterKit(seed);
    return s;
}

static void freeScenario(scenario* s)
{
    freeFilterKit(s->kit);
    free(s);
}

static void placePoints(scenario* s, double away)
{
    s->kit->request.pose = drawPose(&s->kit->rng, away);
    s->worldFromPoints = wkFrameFromPose(s->kit->request.pose);
}

static wkVec3d worldOf(const scenario* s, int32_t i)
{
    return wkFramePoint(&s->worldFromPoints, s->kit->points[i]);
}

// Fails where a point is kept and should not be, or the other way round, and is not at the limit.
// @param beyond how far a point is on the wrong side of the limit; negative: on the right side
static void checkPoint(const scenario* s, int32_t i, double beyond, double scale)
{
    bool isKept = s->kit->result.marks[i] < wk_markNotFinite;
    if (isfinite(beyond) && fabs(beyond) <= BAND * scale) {
        return;
    }
    if (isKept != (beyond < 0.0)) {
        wkVec3d p = s->kit->points[i];
        fail_msg("point %d (%.9g %.9g %.9g): mark %d, and it is %g beyond the limit", (int)i, p.x,
                 p.y, p.z, s->kit->result.marks[i], beyond);
    }
}

static double distanceToRobot(const scenario* s, wkVec3d world)
{
    double least = INFINITY;
    for (int32_t i = 0; i < s->robot.sphereCount; i++) {
        double distance = wkLength(wkSub(world, s->spheres[i].center)) - s->spheres[i].radius;
        least = wkMinD(least, distance);
    }
    return least;
}

#define LAYOUTS 4

static void points_on_the_robot_are_removed_and_no_others(void** state)
{
    (void)state;
    const int32_t sphereCounts[] = {1, 2, 16, 17, 60, MAX_SPHERES};
    for (uint64_t seed = 0; seed < WK_CASES(24); seed++) {
        scenario* s = makeScenario(UNIT_SEED + seed);
        double padding = seed % 3 == 0 ? 0.0 : 0.03 * (double)(seed % 3);
        placePoints(s, seed % 5 == 0 ? 0.0 : 2.0);
        wkVec3d center = wkVec(0.3, -0.2, 0.5);
        drawRobot(s, sphereCounts[seed % 6], center);
        drawPoints(s, (int32_t)(seed % 2 == 0 ? 3000 + seed : 61 + seed), center, padding);
        layOutPoints(s->kit, (int)(seed % LAYOUTS));
        wkFilterStep step = wkMakeSelfFilter(s->robot, padding);
        runFilter(s->kit, &step, 1);
        for (int32_t i = 0; i < s->kit->count; i++) {
            if (isFinitePoint(s->kit->points[i])) {
                checkPoint(s, i, padding - distanceToRobot(s, worldOf(s, i)), 1.0);
            }
        }
        assert_int_equal(s->kit->result.steps[0].ownCount, s->kit->result.steps[0].removedCount);
        freeScenario(s);
    }
}

static void no_point_within_the_distance_is_removed(void** state)
{
    (void)state;
    for (uint64_t seed = 0; seed < WK_CASES(16); seed++) {
        scenario* s = makeScenario(UNIT_SEED + 100 + seed);
        double most = seed % 4 == 0 ? 0.0 : 0.3 * (double)(seed % 4);
        placePoints(s, 1.0);
        wkVec3d center = wkVec(0.3, -0.2, 0.5);
        drawRobot(s, 1 + (int32_t)seed * 9, center);
        drawPoints(s, 3000, center, most);
        layOutPoints(s->kit, (int)(seed % LAYOUTS));
        wkFilterStep step = wkMakeDistanceFilter(s->robot, most);
        runFilter(s->kit, &step, 1);
        for (int32_t i = 0; i < s->kit->count; i++) {
            if (isFinitePoint(s->kit->points[i])) {
                checkPoint(s, i, distanceToRobot(s, worldOf(s, i)) - most, 1.0);
            }
        }
        freeScenario(s);
    }
}

static void touching_points_count_as_within(void** state)
{
    (void)state;
    filterKit* kit = makeFilterKit(UNIT_SEED);
    kit->count = 3;
    kit->points[0] = wkVec(0.5, 0.0, 0.0);
    kit->points[1] = wkVec(0.5, 0.0, (double)nextafterf(0.25f, 1.0f));
    kit->points[2] = wkVec(0.5, 0.0, 0.25);
    layOutPoints(kit, 0);
    wkSphere3d sphere = {{0.5, 0.0, 0.0}, 0.0};
    wkFilterRobot robot = {.spheres = &sphere, .sphereCount = 1};
    wkFilterStep far = wkMakeDistanceFilter(robot, 0.25), self = wkMakeSelfFilter(robot, 0.25);
    runFilter(kit, &far, 1);
    assert_int_equal(kit->result.keptCount, 2);
    runFilter(kit, &self, 1);
    assert_int_equal(kit->result.keptCount, 1);
    assert_int_equal(kit->result.kept[0], 1);
    far.distance.maxDistance = 0.0;
    runFilter(kit, &far, 1);
    assert_int_equal(kit->result.keptCount, 1);
    wkFilterStep range = wkMakeRangeFilter(wkVec(0.5, 0.0, 0.0), 0.0, 0.25);
    runFilter(kit, &range, 1);
    assert_int_equal(kit->result.keptCount, 2);
    freeFilterKit(kit);
}

static void ranges_keep_what_is_between_their_limits(void** state)
{
    (void)state;
    const double limits[][2] = {
        {0.0, 2.0}, {0.5, 1.5}, {1.0, INFINITY}, {0.0, INFINITY}, {1.2, 1.2}};
    for (uint64_t seed = 0; seed < WK_CASES(20); seed++) {
        scenario* s = makeScenario(UNIT_SEED + 200 + seed);
        double least = limits[seed % 5][0], most = limits[seed % 5][1];
        placePoints(s, 1.0);
        wkVec3d sensor = wkVec(0.3, -0.2, 0.5);
        // surfaces of these spheres are at the limits
        s->spheres[0] = (wkSphere3d){sensor, least};
        s->spheres[1] = (wkSphere3d){sensor, isfinite(most) ? most : least};
        s->robot = (wkFilterRobot){.spheres = s->spheres, .sphereCount = 2};
        drawPoints(s, 1000, sensor, 0.0);
        layOutPoints(s->kit, (int)(seed % LAYOUTS));
        wkFilterStep step = wkMakeRangeFilter(sensor, least, most);
        runFilter(s->kit, &step, 1);
        for (int32_t i = 0; i < s->kit->count; i++) {
            if (isFinitePoint(s->kit->points[i])) {
                double d = wkLength(wkSub(worldOf(s, i), sensor));
                double low = least > 0.0 ? least - d : -1.0,
                       high = isfinite(most) ? d - most : -1.0;
                checkPoint(s, i, wkMaxD(low, high), 1.0);
            }
        }
        freeScenario(s);
    }
}

// Signed distance out of a box along its axes: negative inside.
static double beyondBox(const wkBoxFilter* filter, wkVec3d world)
{
    wkFrame frame = wkFrameFromPose(filter->pose);
    wkVec3d local = wkFrameLocal(&frame, world);
    wkVec3d low = wkSub(filter->box.lower, local), high = wkSub(local, filter->box.upper);
    wkVec3d most = wkMax(low, high);
    return wkMaxD(most.x, wkMaxD(most.y, most.z));
}

static void boxes_keep_one_side(void** state)
{
    (void)state;
    for (uint64_t seed = 0; seed < WK_CASES(24); seed++) {
        scenario* s = makeScenario(UNIT_SEED + 300 + seed);
        placePoints(s, 1.0);
        wkRng* rng = &s->kit->rng;
        wkVec3d half = wkVec(wkRngRange(rng, 0.0, 1.0), wkRngRange(rng, 0.2, 1.0), 0.7);
        wkAabb box = {wkNeg(half), half};
        box.lower.x = seed % 4 == 0 ? -INFINITY : box.lower.x;
        box.upper.y = seed % 3 == 0 ? INFINITY : box.upper.y;
        wkFilterStep step = wkMakeBoxFilter(box, drawPose(rng, seed % 5 == 0 ? 0.0 : 0.5));
        step.box.keepsInside = seed % 2 == 0;
        drawPoints(s, 1500, step.box.pose.position, 0.0);
        layOutPoints(s->kit, (int)(seed % LAYOUTS));
        runFilter(s->kit, &step, 1);
        for (int32_t i = 0; i < s->kit->count; i++) {
            if (isFinitePoint(s->kit->points[i])) {
                double beyond = beyondBox(&step.box, worldOf(s, i));
                double scale = 1.0 + wkMaxAbs(s->kit->points[i]);
                checkPoint(s, i, step.box.keepsInside ? beyond : -beyond, scale);
            }
        }
        freeScenario(s);
    }
}

// Fails where the verdict about a point of floats is not that about the same point of doubles.
static void comparePrecisions(filterKit* kit, wkAabb box, wkPose pose)
{
    wkFilterStep step = wkMakeBoxFilter(box, pose);
    static uint8_t marks[KIT_MAX_POINTS];
    layOutPoints(kit, 0);
    runFilter(kit, &step, 1);
    memcpy(marks, kit->result.marks, (size_t)kit->count);
    layOutPoints(kit, 3);
    runFilter(kit, &step, 1);
    for (int32_t i = 0; i < kit->count; i++) {
        if (marks[i] != kit->result.marks[i]) {
            wkVec3d p = kit->points[i];
            fail_msg("point %d (%.9g %.9g %.9g): mark %d as floats, %d as doubles", (int)i, p.x,
                     p.y, p.z, marks[i], kit->result.marks[i]);
        }
    }
}

// Coordinates up to some units in the last place beside `at`.
static double drawBeside(wkRng* rng, double at)
{
    float near = (float)at;
    for (int i = wkRngBelow(rng, 3); i > 0; i--) {
        near = nextafterf(near, wkRngBelow(rng, 2) == 0 ? INFINITY : -INFINITY);
    }
    return (double)near;
}

// The sides of a box about a position are sums that rounding moves: points on a side are inside nevertheless, and
// no point of floats is treated in another way than as doubles.
static void points_on_the_sides_of_a_box_are_inside(void** state)
{
    (void)state;
    filterKit* kit = makeFilterKit(UNIT_SEED + 350);
    wkRng* rng = &kit->rng;
    for (int round = 0; round < 200; round++) {
        double at[3], lower[3], upper[3], side[3];
        for (int axis = 0; axis < 3; axis++) {
            at[axis] = wkRngRange(rng, -2.0, 2.0);
            side[axis] = (double)(float)wkRngRange(rng, -2.0, 2.0);
            lower[axis] = round % 2 == 0 ? side[axis] - at[axis] : -9.0;
            upper[axis] = round % 2 == 0 ? 9.0 : side[axis] - at[axis];
            if (round % 8 >= 6) { // where floats are dense
                lower[axis] = -at[axis] - 1e-17;
                upper[axis] = -at[axis];
                side[axis] = wkRngLogRange(rng, 1e-40, 1e-16) * (round % 3 == 0 ? 1.0 : -1.0);
            }
        }
        kit->count = 100;
        for (int32_t i = 0; i < kit->count; i++) {
            double p[3];
            for (int axis = 0; axis < 3; axis++) {
                p[axis] = i == 0 ? side[axis] : drawBeside(rng, side[axis]);
            }
            kit->points[i] = wkVec(p[0], p[1], p[2]);
        }
        wkAabb box = {wkVec(lower[0], lower[1], lower[2]), wkVec(upper[0], upper[1], upper[2])};
        comparePrecisions(kit, box, wkMakePose(at[0], at[1], at[2]));
        assert_true(round % 8 >= 6 || kit->result.marks[0] == wk_markKept);
    }
    freeFilterKit(kit);
}

// A rotation by so little that the cosine is 1 moves points that are far away.
static void boxes_rotated_by_little_are_rotated(void** state)
{
    (void)state;
    filterKit* kit = makeFilterKit(UNIT_SEED + 360);
    wkPose pose = wkIdentityPose();
    pose.rotation.z = -0.5e-8;
    const wkAabb box = {wkVec(-1e9, 0.0, -1e9), wkVec(1e9, 1e9, 1e9)};
    kit->count = 20;
    for (int32_t i = 0; i < kit->count; i += 2) {
        double x = ldexp(1.0, i / 2);
        kit->points[i] = wkVec(x, -0.7e-8 * x, 0.0);
        kit->points[i + 1] = wkVec(x, -1.3e-8 * x, 0.0);
    }
    comparePrecisions(kit, box, pose);
    assert_int_equal(kit->result.keptCount, kit->count / 2);
    freeFilterKit(kit);
}

// Coordinates of a map: floats alone would be wrong by centimetres.
static void far_from_the_origin_verdicts_are_as_exact_as_the_points(void** state)
{
    (void)state;
    for (uint64_t seed = 0; seed < 4; seed++) {
        scenario* s = makeScenario(UNIT_SEED + 400 + seed);
        s->kit->request.pose = wkIdentityPose();
        s->worldFromPoints = wkFrameFromPose(wkIdentityPose());
        wkVec3d center = wkVec(6.5e5, 5.3e6, 120.0);
        drawRobot(s, 40, center);
        drawPoints(s, 2000, center, 0.02);
        layOutPoints(s->kit, seed % 2 == 0 ? 3 : 0);
        wkFilterStep steps[] = {wkMakeRangeFilter(center, 0.0, 2.0),
                                wkMakeSelfFilter(s->robot, 0.02)};
        runFilter(s->kit, steps + seed / 2, 1);
        for (int32_t i = 0; i < s->kit->count; i++) {
            if (isFinitePoint(s->kit->points[i])) {
                wkVec3d world = worldOf(s, i);
                double beyond = seed / 2 == 0 ? wkLength(wkSub(world, center)) - 2.0
                                              : 0.02 - distanceToRobot(s, world);
                checkPoint(s, i, beyond, 10.0); // rounding of coordinates of 5e6
            }
        }
        freeScenario(s);
    }
}

// The mark that a run of step `i` alone gives to a point, after those before it.
static uint8_t markOfStep(uint8_t mark, int32_t i)
{
    if (mark == wk_markNotFinite) {
        return i == 0 ? wk_markNotFinite : wk_markNone;
    }
    int32_t step = mark >= wk_markRemoved ? mark - wk_markRemoved : WK_MAX_FILTER_STEPS;
    return step == i ? wk_markRemoved : step > i ? wk_markKept : wk_markNone;
}

static void steps_work_one_after_the_other(void** state)
{
    (void)state;
    scenario* s = makeScenario(UNIT_SEED + 500);
    placePoints(s, 1.0);
    wkVec3d center = wkVec(0.3, -0.2, 0.5);
    drawRobot(s, 60, center);
    drawPoints(s, KIT_MAX_POINTS, center, 0.02);
    layOutPoints(s->kit, 1);
    wkAabb box = {wkVec(-1.0, -1.0, -0.5), wkVec(1.0, 1.5, 1.0)};
    const wkFilterStep steps[] = {
        wkMakeRangeFilter(center, 0.2, 2.5),
        wkMakeDistanceFilter(s->robot, 1.2),
        wkMakeBoxFilter(box, wkIdentityPose()),
        wkMakeSelfFilter(s->robot, 0.02),
    };
    runFilter(s->kit, steps, 4);
    wkFilterResult all = s->kit->result;
    static uint8_t marks[KIT_MAX_POINTS];
    memcpy(marks, all.marks, sizeof marks);
    assert_true(all.keptCount > 0);
    // the same, one run for each step, which takes the points that the one before has kept
    static int32_t kept[KIT_MAX_POINTS];
    for (int32_t i = 0; i < 4; i++) {
        assert_true(all.steps[i].removedCount > 0);
        runFilter(s->kit, &steps[i], 1);
        assert_int_equal(s->kit->result.steps[0].removedCount, all.steps[i].removedCount);
        for (int32_t k = 0; k < s->kit->count; k++) {
            assert_int_equal(s->kit->result.marks[k], markOfStep(marks[k], i));
        }
        memcpy(kept, s->kit->result.kept, (size_t)s->kit->result.keptCount * sizeof *kept);
        s->kit->request.indices = kept;
        s->kit->request.indexCount = s->kit->result.keptCount;
    }
    assert_int_equal(s->kit->result.keptCount, all.keptCount);
    freeScenario(s);
}

static void own_points_can_be_marked_instead(void** state)
{
    (void)state;
    scenario* s = makeScenario(UNIT_SEED + 600);
    placePoints(s, 1.0);
    drawRobot(s, 30, wkVec(0.0, 0.0, 0.0));
    drawPoints(s, 2000, wkVec(0.0, 0.0, 0.0), 0.0);
    layOutPoints(s->kit, 0);
    wkFilterStep step = wkMakeSelfFilter(s->robot, 0.0);
    runFilter(s->kit, &step, 1);
    int32_t own = s->kit->result.steps[0].ownCount;
    static uint8_t removed[KIT_MAX_POINTS];
    memcpy(removed, s->kit->result.marks, (size_t)s->kit->count);
    assert_true(own > 100);
    for (int rule = wk_selfMark; rule <= wk_selfKeep; rule++) {
        step.self.ownRule = (wkSelfRule)rule;
        runFilter(s->kit, &step, 1);
        assert_int_equal(s->kit->result.steps[0].ownCount, own);
        assert_int_equal(s->kit->result.steps[0].removedCount, 0);
        for (int32_t i = 0; i < s->kit->count; i++) {
            uint8_t expected = rule == wk_selfMark ? wk_markOwn : wk_markKept;
            if (removed[i] == wk_markRemoved) {
                assert_int_equal(s->kit->result.marks[i], expected);
            }
        }
    }
    freeScenario(s);
}

static void threads_agree(void** state)
{
    (void)state;
    // more than one chunk of points
    static float points[3 * 50000];
    wkRng rng = wkMakeRng(UNIT_SEED + 700);
    for (size_t i = 0; i < sizeof points / sizeof *points; i++) {
        points[i] = (float)wkRngRange(&rng, -1.0, 1.0);
    }
    points[100] = NAN;
    wkSphere3d spheres[] = {{{0.1, 0.2, 0.3}, 0.4}, {{-0.5, 0.2, 0.1}, 0.3}};
    const wkFilterStep steps[] = {
        wkMakeRangeFilter(wkVec(0.0, 0.0, 0.0), 0.2, 1.2),
        wkMakeSelfFilter((wkFilterRobot){.spheres = spheres, .sphereCount = 2}, 0.02)};
    wkFilterResult results[3];
    wkCloudFilter* filters[3];
    for (int32_t i = 0; i < 3; i++) {
        wkParallel parallel = {.threadCount = i + 1};
        wkFilterRequest request = wkDefaultFilterRequest();
        request.points = wkMakeCloudView(points, 50000);
        request.steps = steps;
        request.stepCount = 2;
        request.parallel = &parallel;
        assert_int_equal(wkCloudFilter_Create(&filters[i]), wk_ok);
        assert_int_equal(wkCloudFilter_Run(filters[i], &request, &results[i]), wk_ok);
        assert_int_equal(results[i].keptCount, results[0].keptCount);
        assert_memory_equal(results[i].marks, results[0].marks, 50000);
        assert_memory_equal(results[i].kept, results[0].kept,
                            (size_t)results[0].keptCount * sizeof(int32_t));
    }
    for (int32_t i = 0; i < 3; i++) {
        wkCloudFilter_Destroy(filters[i]);
    }
    assert_true(results[0].keptCount > 1000 && results[0].keptCount < 49000);
}

// Lanes of every instruction set give the verdict of double precision for all that they decide.
static void instruction_sets_agree(void** state)
{
    (void)state;
    scenario* s = makeScenario(UNIT_SEED + 750);
    placePoints(s, 1.0);
    drawRobot(s, 60, wkVec(0.3, -0.2, 0.5));
    drawPoints(s, 64 * 50, wkVec(0.3, -0.2, 0.5), 0.0);
    wkSphereGrid grid;
    uint64_t bytes = 0;
    wkSphereGridOffsets offsets = wkReserveSphereGrid(60, &bytes);
    char* memory = aligned_alloc(64, (size_t)(bytes + 63) / 64 * 64);
    wkPlaceSphereGrid(memory, offsets, 60, &grid);
    memcpy(grid.spheres, s->spheres, 60 * sizeof *s->spheres);
    wkSphereTest test;
    wkBuildSphereGrid(&grid, &test);
    int unsureCount = 0;
    for (int32_t first = 0; first + WK_FILTER_BLOCK <= s->kit->count; first += WK_FILTER_BLOCK) {
        wkFilterBlock block;
        uint64_t expected = 0;
        for (int i = 0; i < WK_FILTER_BLOCK; i++) {
            wkVec3d p = worldOf(s, first + i);
            volatile float rounded[3] = {(float)p.x, (float)p.y, (float)p.z};
            block.x[i] = rounded[0];
            block.y[i] = rounded[1];
            block.z[i] = rounded[2];
            wkVec3d given = {(double)rounded[0], (double)rounded[1], (double)rounded[2]};
            expected |= (uint64_t)wkIsInSpheres(grid.spheres, grid.count, given) << i;
        }
        for (int isa = 0; isa < wk_isaCount; isa++) {
            const wkFilterLanes* lanes = wkFilterLanesOf((wkIsa)isa);
            if (lanes != NULL) {
                uint64_t unsure, finite = lanes->findFinite(&block);
                uint64_t inside = lanes->testSpheres(&test, &block, finite, &unsure);
                assert_true((inside & ~unsure) == (expected & finite & ~unsure));
                unsureCount += __builtin_popcountll(unsure);
            }
        }
    }
    // a band of 1e-6 around surfaces that a third of the points are near
    assert_true(unsureCount < 64 * 50);
    free(memory);
    freeScenario(s);
}

static void small_and_empty_views_work(void** state)
{
    (void)state;
    scenario* s = makeScenario(UNIT_SEED + 800);
    placePoints(s, 0.0);
    drawRobot(s, 5, wkVec(0.0, 0.0, 0.0));
    wkFilterStep step = wkMakeSelfFilter(s->robot, 0.01);
    for (int32_t count = 0; count <= 130; count++) {
        drawPoints(s, count, wkVec(0.0, 0.0, 0.0), 0.01);
        layOutPoints(s->kit, count % LAYOUTS);
        runFilter(s->kit, &step, 1);
        runFilter(s->kit, NULL, 0);
    }
    const int32_t none = 0;
    s->kit->request.indices = &none;
    s->kit->request.indexCount = 0;
    runFilter(s->kit, &step, 1);
    assert_int_equal(s->kit->result.examinedCount, 0);
    s->kit->request.indices = NULL;
    step.self.robot.sphereCount = 0; // no robot: nothing is its own
    runFilter(s->kit, &step, 1);
    assert_int_equal(s->kit->result.steps[0].removedCount, 0);
    freeScenario(s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(points_on_the_robot_are_removed_and_no_others),
        cmocka_unit_test(no_point_within_the_distance_is_removed),
        cmocka_unit_test(touching_points_count_as_within),
        cmocka_unit_test(ranges_keep_what_is_between_their_limits),
        cmocka_unit_test(boxes_keep_one_side),
        cmocka_unit_test(points_on_the_sides_of_a_box_are_inside),
        cmocka_unit_test(boxes_rotated_by_little_are_rotated),
        cmocka_unit_test(far_from_the_origin_verdicts_are_as_exact_as_the_points),
        cmocka_unit_test(steps_work_one_after_the_other),
        cmocka_unit_test(own_points_can_be_marked_instead),
        cmocka_unit_test(threads_agree),
        cmocka_unit_test(instruction_sets_agree),
        cmocka_unit_test(small_and_empty_views_work),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
