// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// Objects of robot scenes that are replaced, released and out of date, and streams of clouds without memory.

#include "memory/failing.h"
#include "stream_kit.h"

#include <math.h>

static void countRelease(void* context)
{
    ++*(int*)context;
}

// An object of spheres in a row along x; the first one is at x.
static wkResult replaceRow(wkRobotScene* scene, const char* category, int count, double x,
                           int* releases)
{
    wkShape shapes[8];
    wkPose poses[8];
    for (int i = 0; i < count; ++i) {
        shapes[i] = wkMakeSphere(0.1 + 0.01 * i);
        poses[i] = wkMakePose(0.5 * i, 0.0, 0.0);
    }
    wkRobotObjectDef def = wkDefaultRobotObjectDef();
    def.name = "row";
    def.category = category;
    def.shapes = shapes;
    def.poses = poses;
    def.shapeCount = count;
    def.pose = wkMakePose(x, 0.0, 3.0);
    def.release = countRelease;
    def.releaseContext = releases;
    return wkRobotScene_Replace(scene, &def);
}

static wkResult addSphere(wkRobotScene* scene, const char* name, double z)
{
    wkShape sphere = wkMakeSphere(0.05);
    wkRobotObjectDef def = wkDefaultRobotObjectDef();
    def.name = name;
    def.shapes = &sphere;
    def.shapeCount = 1;
    def.pose = wkMakePose(0.0, 0.0, z);
    return wkRobotScene_Add(scene, &def);
}

// Distance of a sphere of radius 0.2 at (at, 0, 3) to the world of a scene.
static double distanceAt(const wkRobotScene* scene, double at)
{
    wkShape sphere = wkMakeSphere(0.2);
    return wkScene_DistanceShape(wkRobotScene_World(scene), &sphere, wkMakePose(at, 0.0, 3.0), NULL)
        .closest.distance;
}

static double nearestOfRow(int count, double x, double at, double safety)
{
    double nearest = INFINITY;
    for (int i = 0; i < count; ++i) {
        nearest = fmin(nearest, fabs(x + 0.5 * i - at) - 0.2 - (0.1 + 0.01 * i) - safety);
    }
    return nearest;
}

static void replaced_objects_are_where_they_are(void** unused)
{
    (void)unused;
    streamCase c = makeStreamCase();
    int releases[6] = {0};
    assert_int_equal(wkRobotScene_SetCategory(c.scene, "unknown", 0.03), wk_ok);
    assert_int_equal(addSphere(c.scene, "first", 50.0), wk_ok);
    const int counts[6] = {2, 5, 1, 1, 3, 3};
    const char* const categories[6] = {"static",  "static", "unknown",
                                       "unknown", "static", "unknown"};
    for (int k = 0; k < 6; ++k) {
        double x = k == 3 ? 0.0 : 0.1 * k; // no. 2 and 3 differ in pose alone
        assert_int_equal(replaceRow(c.scene, categories[k], counts[k], x, &releases[k]), wk_ok);
        if (k == 0) {
            assert_int_equal(addSphere(c.scene, "last", -50.0), wk_ok);
        }
        assert_int_equal(wkRobotScene_Find(c.scene, "first"), 0);
        assert_int_equal(wkRobotScene_Find(c.scene, "row"), 1);
        assert_int_equal(wkRobotScene_Find(c.scene, "last"), 2);
        assert_int_equal(wkRobotScene_Object(c.scene, 1).shapeCount, counts[k]);
        assert_string_equal(wkRobotScene_Object(c.scene, 1).category, categories[k]);
        double safety = strcmp(categories[k], "unknown") == 0 ? 0.03 : 0.0;
        for (double at = -1.0; at < 4.0; at += 0.37) {
            double expected = nearestOfRow(counts[k], x, at, safety);
            assert_true(fabs(distanceAt(c.scene, at) - expected) < 1e-9);
        }
        for (int i = 0; i < 6; ++i) {
            assert_int_equal(releases[i], i < k ? 1 : 0);
        }
    }
    assert_int_equal(wkScene_Count(wkRobotScene_World(c.scene)), 5);
    assert_int_equal(wkRobotScene_Remove(c.scene, "row"), wk_ok);
    assert_int_equal(releases[5], 1);
    freeStreamCase(&c);
}

static void released_when_no_snapshot_has_it(void** unused)
{
    (void)unused;
    streamCase c = makeStreamCase();
    int releases[4] = {0};
    assert_int_equal(replaceRow(c.scene, "static", 1, 0.0, &releases[0]), wk_ok);
    assert_int_equal(wkRobotScene_Publish(c.scene), wk_ok);
    const wkRobotScene* first = wkRobotScene_Acquire(c.scene);
    const wkRobotScene* again = wkRobotScene_Acquire(c.scene);
    assert_int_equal(replaceRow(c.scene, "static", 1, 1.0, &releases[1]), wk_ok);
    assert_int_equal(wkRobotScene_Publish(c.scene), wk_ok);
    assert_int_equal(replaceRow(c.scene, "static", 1, 2.0, &releases[2]), wk_ok);
    assert_int_equal(releases[0] + releases[1], 0); // both are in a snapshot
    wkRobotScene_Release(first);
    assert_int_equal(wkRobotScene_Publish(c.scene), wk_ok);
    assert_int_equal(releases[0], 0);
    assert_int_equal(releases[1], 1);
    assert_true(fabs(distanceAt(again, 0.0) + 0.3) < 1e-9);
    wkRobotScene_Release(again);
    assert_int_equal(wkRobotScene_Publish(c.scene), wk_ok);
    assert_int_equal(releases[0], 1);
    assert_int_equal(replaceRow(c.scene, "static", 1, 3.0, &releases[3]), wk_ok);
    assert_int_equal(releases[2] + releases[3], 0);
    freeStreamCase(&c); // the rest with the scene
    assert_int_equal(releases[2], 1);
    assert_int_equal(releases[3], 1);
}

static void refused_replacements_release_nothing(void** unused)
{
    (void)unused;
    streamCase c = makeStreamCase();
    int kept = 0, refused = 0;
    assert_int_equal(replaceRow(c.scene, "static", 1, 0.0, &kept), wk_ok);
    assert_int_equal(replaceRow(c.scene, "static", 0, 0.0, &refused), wk_errorArgument);
    assert_int_equal(replaceRow(c.scene, "static", 1, NAN, &refused), wk_errorNotFinite);
    assert_int_equal(replaceRow(NULL, "static", 1, 0.0, &refused), wk_errorArgument);
    assert_int_equal(wkRobotScene_Attach(c.scene, c.state, "row", "gripper_link", NULL, 0), wk_ok);
    assert_int_equal(replaceRow(c.scene, "static", 1, 1.0, &refused), wk_errorState);
    assertSaid("row is attached");
    assert_int_equal(wkRobotScene_SetStale(c.scene, "row", true), wk_errorState);
    assert_int_equal(wkRobotScene_SetStale(c.scene, "other", true), wk_errorArgument);
    assert_int_equal(wkRobotScene_Detach(c.scene, c.state, "row"), wk_ok);
    assert_int_equal(kept + refused, 0);
    freeStreamCase(&c);
    assert_int_equal(kept, 1);
    assert_int_equal(refused, 0);
}

// A map that changed while its object was out of date is still not known when the mark is taken back.
static void marks_do_not_hide_changes(void** unused)
{
    (void)unused;
    streamCase c = makeStreamCase();
    wkOctreeDef mapDef = wkDefaultOctreeDef();
    wkOctree* map;
    assert_int_equal(wkOctree_Create(&mapDef, &map), wk_ok);
    wkAabb cells = {{9.0, 9.0, 9.0}, {9.3, 9.3, 9.3}}, more = {{8.0, 9.0, 9.0}, {8.3, 9.3, 9.3}};
    assert_int_equal(wkOctree_FillBox(map, cells, 1.0f), wk_ok);
    wkShape shape = wkMakeOctree(map);
    wkRobotObjectDef def = wkDefaultRobotObjectDef();
    def.name = "map";
    def.shapes = &shape;
    def.shapeCount = 1;
    assert_int_equal(wkRobotScene_Add(c.scene, &def), wk_ok);
    for (int isChanged = 0; isChanged < 2; ++isChanged) {
        assert_int_equal(verdictOf(c.scene, c.state), wk_verdictFree);
        assert_int_equal(wkRobotScene_SetStale(c.scene, "map", true), wk_ok);
        assert_int_equal(verdictOf(c.scene, c.state), wk_verdictInvalid);
        assertSaid("object map is out of date");
        if (isChanged) {
            assert_int_equal(wkOctree_FillBox(map, more, 1.0f), wk_ok);
        }
        assert_int_equal(wkRobotScene_SetStale(c.scene, "map", false), wk_ok);
    }
    assert_int_equal(verdictOf(c.scene, c.state), wk_verdictInvalid);
    assertSaid("has changed");
    assert_int_equal(wkRobotScene_Refresh(c.scene, "map"), wk_ok);
    assert_int_equal(verdictOf(c.scene, c.state), wk_verdictFree);
    assert_int_equal(wkRobotScene_Remove(c.scene, "map"), wk_ok);
    wkOctree_Destroy(map);
    freeStreamCase(&c);
}

static void a_replacement_without_memory_changes_nothing(void** unused)
{
    (void)unused;
    wkResult result = wk_errorMemory;
    int n = 0;
    for (; result != wk_ok; ++n) {
        failing counted = {0, -1, 0};
        wkAllocator allocator = {allocateOrFail, releaseCounted, &counted};
        wkSetAllocator(&allocator);
        streamCase c = makeStreamCase();
        int before = 0, after = 0;
        assert_int_equal(replaceRow(c.scene, "static", 1, 0.0, &before), wk_ok);
        counted.callCount = 0;
        counted.failAt = n;
        result = replaceRow(c.scene, "static", 8, 1.0, &after);
        counted.failAt = -1;
        assert_true(result == wk_ok || result == wk_errorMemory);
        assert_int_equal(before, result == wk_ok ? 1 : 0);
        double expected = result == wk_ok ? nearestOfRow(8, 1.0, 0.0, 0.0) : -0.3;
        assert_true(fabs(distanceAt(c.scene, 0.0) - expected) < 1e-9);
        freeStreamCase(&c);
        assert_int_equal(before, 1);
        assert_int_equal(after, result == wk_ok ? 1 : 0);
        assert_int_equal(counted.allocatedBytes, 0);
        wkSetAllocator(NULL);
    }
    assert_true(n > 1);
}

// What a stream shows: points in the scene and in the last snapshot, and whether they are valid.
typedef struct shown {
    double distance;
    double published;
    bool isStale;
} shown;

// Distance of the origin to the nearest point, to the millimetre.
static double pointDistance(const wkRobotScene* scene)
{
    wkShape sphere = wkMakeSphere(0.5);
    const wkScene* world = wkRobotScene_World(scene);
    wkSceneDistanceResult r = wkScene_DistanceShape(world, &sphere, wkIdentityPose(), NULL);
    return round(1000.0 * (r.closest.distance + 0.5)) / 1000.0;
}

static shown showOf(const streamCase* c)
{
    const wkRobotScene* snapshot = wkRobotScene_Acquire(c->scene);
    shown s = {pointDistance(c->scene), pointDistance(snapshot),
               wkCloudStream_Info(c->stream).isStale};
    wkRobotScene_Release(snapshot);
    return s;
}

// What comes after two frames, while one allocation fails, and the next time after that.
static const struct {
    int32_t frameCount;
    double maxAge;
    double now; // NaN: a frame comes; 2.5: the first frame fades; 9: all is stale
    double again;
    int fewest; // allocations
} stories[] = {
    {3, 2.0, NAN, NAN, 6},      {3, 2.0, 2.5, NAN, 4},
    {3, 2.0, 9.0, 9.1, 2},      {3, 2.0, 9.0, 0.5, 2}, // nothing is too old then
    {3, INFINITY, 9.0, 9.1, 1}, {1, 2.0, 9.0, 9.1, 1},
};

static wkResult pushWithoutMemory(int story, long failAt)
{
    bool isFrame = isnan(stories[story].now), isStale = stories[story].now == 9.0;
    double first = stories[story].frameCount == 1 ? 8.0 : 7.0; // distance of the nearest point
    failing counted = {0, -1, 0};
    wkAllocator allocator = {allocateOrFail, releaseCounted, &counted};
    wkSetAllocator(&allocator);
    streamCase c = makeStreamCase();
    c.def.frameCount = stories[story].frameCount;
    c.def.maxAge = stories[story].maxAge;
    c.def.staleAfter = 3.0;
    openStream(&c);
    const wkRobotScene* snapshots[3]; // each another one, so that publishing needs memory
    snapshots[0] = wkRobotScene_Acquire(c.scene);
    assert_int_equal(pushPoint(&c, 7.0f, 0.0f, 0.0f, 0.0), wk_ok);
    snapshots[1] = wkRobotScene_Acquire(c.scene);
    assert_int_equal(pushPoint(&c, 8.0f, 0.0f, 0.0f, 1.0), wk_ok);
    snapshots[2] = wkRobotScene_Acquire(c.scene);
    shown before = showOf(&c);
    assert_true(before.distance == first && before.published == first && !before.isStale);
    counted.callCount = 0;
    counted.failAt = failAt;
    wkResult result = isFrame ? pushPoint(&c, 6.0f, 0.0f, 0.0f, 1.5)
                              : wkCloudStream_Expire(c.stream, stories[story].now);
    counted.failAt = -1;
    shown after = showOf(&c);
    assert_true(result == wk_ok || result == wk_errorMemory);
    bool isDone = result == wk_ok;
    if (isFrame) {
        assert_true(after.distance == (isDone ? 6.0 : 7.0) && after.published == after.distance);
    } else if (!isStale) {
        assert_true(after.distance == (isDone ? 8.0 : 7.0) && after.published == after.distance);
    } else {
        // it is said even without memory, and published as soon as there is some
        assert_true(after.distance == -INFINITY && after.isStale);
        assert_true(after.published == (isDone ? -INFINITY : first));
        assert_int_equal(wkCloudStream_Expire(c.stream, stories[story].again), wk_ok);
        assert_true(showOf(&c).published == -INFINITY);
    }
    int64_t refusedCount = wkCloudStream_Info(c.stream).refusedCount;
    assert_int_equal(refusedCount, isFrame && !isDone ? 1 : 0);
    assert_int_equal(pushPoint(&c, 5.0f, 0.0f, 0.0f, 10.0), wk_ok);
    assert_true(showOf(&c).published == 5.0);
    for (int i = 0; i < 3; ++i) {
        assert_true(pointDistance(snapshots[i]) == (i == 0 ? -INFINITY : i == 1 ? 7.0 : first));
        wkRobotScene_Release(snapshots[i]);
    }
    freeStreamCase(&c);
    assert_int_equal(counted.allocatedBytes, 0);
    wkSetAllocator(NULL);
    return result;
}

static void a_stream_without_memory_keeps_its_frames(void** unused)
{
    (void)unused;
    for (int story = 0; story < (int)(sizeof stories / sizeof stories[0]); ++story) {
        int n = 0;
        while (pushWithoutMemory(story, n) != wk_ok) {
            ++n;
        }
        assert_true(n >= stories[story].fewest);
    }
}

static void creation_without_memory_leaves_no_object(void** unused)
{
    (void)unused;
    wkResult result = wk_errorMemory;
    for (int n = 0; result != wk_ok; ++n) {
        failing counted = {0, -1, 0};
        wkAllocator allocator = {allocateOrFail, releaseCounted, &counted};
        wkSetAllocator(&allocator);
        streamCase c = makeStreamCase();
        counted.callCount = 0;
        counted.failAt = n;
        result = wkCloudStream_Create(&c.def, &c.stream);
        counted.failAt = -1;
        assert_true(result == wk_ok || (result == wk_errorMemory && c.stream == NULL));
        assert_int_equal(wkRobotScene_Count(c.scene), result == wk_ok ? 1 : 0);
        freeStreamCase(&c);
        assert_int_equal(counted.allocatedBytes, 0);
        wkSetAllocator(NULL);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(replaced_objects_are_where_they_are),
        cmocka_unit_test(released_when_no_snapshot_has_it),
        cmocka_unit_test(refused_replacements_release_nothing),
        cmocka_unit_test(marks_do_not_hide_changes),
        cmocka_unit_test(a_replacement_without_memory_changes_nothing),
        cmocka_unit_test(a_stream_without_memory_keeps_its_frames),
        cmocka_unit_test(creation_without_memory_leaves_no_object),
    };
    return cmocka_run_group_tests_name("replaced objects", tests, NULL, NULL);
}
