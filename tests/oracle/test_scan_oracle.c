// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// Scans in OctoMap's maps and in ours: the same cells with the same log-odds, bit for bit.

#include "data_files.h"
#include "kit.h"
#include "oracle_octomap.h"
#include "scenes/room_scene.h"

#include "whisker/whisker.h"

#include <stdlib.h>

typedef struct twins {
    wkOctree* ours;
    wkTheirMap* theirs;
    long leafCount;
    long badCount;
} twins;

static twins createTwins(double resolution)
{
    wkOctreeDef def = wkDefaultOctreeDef();
    def.resolution = resolution;
    twins t = {.theirs = wkTheirMap_Create(&def)};
    assert_int_equal(wkOctree_Create(&def, &t.ours), wk_ok);
    return t;
}

static void destroyTwins(twins* t)
{
    wkOctree_Destroy(t->ours);
    wkTheirMap_Destroy(t->theirs);
}

static void checkLeaf(const wkTheirLeaf* leaf, void* context)
{
    twins* t = (twins*)context;
    wkCellKey key = leaf->key;
    wkCell cell = wkOctree_CellAt(t->ours, key);
    // theirs is pruned as far as ours
    bool isSame =
        cell.state != wk_cellUnknown && cell.logOdds == leaf->logOdds && cell.depth == leaf->depth;
    ++t->leafCount;
    if (!isSame && t->badCount++ < 5) {
        print_message("cell %d %d %d at depth %d: %.9g, ours %.9g at depth %d\n", key.x, key.y,
                      key.z, (int)leaf->depth, (double)leaf->logOdds, (double)cell.logOdds,
                      (int)cell.depth);
    }
}

static void assertTwins(twins* t)
{
    t->leafCount = 0;
    t->badCount = 0;
    wkTheirMap_Visit(t->theirs, checkLeaf, t);
    assert_int_equal(t->badCount, 0);
    // as many leaves, so there are none besides
    assert_int_equal(wkOctree_Info(t->ours).leafCount, t->leafCount);
    assert_true(2 * wkOctree_Info(t->ours).byteCount <=
                wkTheirMap_ByteCount(t->theirs) + (size_t)131072);
}

static void insertBoth(twins* t, const wkScan* scan)
{
    assert_int_equal(wkOctree_Insert(t->ours, scan, NULL), wk_ok);
    wkTheirMap_Insert(t->theirs, scan);
    assertTwins(t);
}

static wkScan scanOf(const float* points, int32_t count, wkVec3d origin)
{
    wkScan scan = wkDefaultScan();
    scan.points.points = points;
    scan.points.count = count;
    scan.origin = origin;
    return scan;
}

#define WIDTH 48
#define HEIGHT 36

static void rooms_are_the_same(void** state)
{
    (void)state;
    static const double resolutions[] = {0.2, 0.08, 0.041};
    static const double ranges[] = {INFINITY, 2.5, 0.04};
    static float points[3 * WIDTH * HEIGHT];
    wkRoomScene room = wkMakeRoom();
    for (int test = 0; test < 18; ++test) {
        twins t = createTwins(resolutions[test % 3]);
        for (int n = 0; n < 2; ++n) {
            wkRoomView view = wkMakeRoomView();
            view.width = WIDTH;
            view.height = HEIGHT;
            view.yaw = 0.7 * n;
            view.eye.x += 0.23 * n;
            view.noise = 0.003 * n;
            wkRoom_See(&room, &view, points);
            wkScan scan = scanOf(points, WIDTH * HEIGHT, view.eye);
            scan.maxRange = ranges[test / 3 % 3];
            scan.isExact = test / 9 == 1;
            insertBoth(&t, &scan);
        }
        destroyTwins(&t);
    }
}

// Sensors on borders of cells, beams along axes and diagonals, ends on borders: what ties are for.
static void ties_are_the_same(void** state)
{
    (void)state;
    enum {
        COUNT = 3000
    };
    static float points[3 * COUNT];
    wkRng rng = wkMakeRng(wkKitSeed());
    for (int test = 0; test < 16; ++test) {
        double resolution = test % 2 == 0 ? 0.25 : 0.1;
        twins t = createTwins(resolution);
        for (int i = 0; i < 3 * COUNT; ++i) {
            points[i] = (float)(resolution * (wkRngBelow(&rng, 81) - 40) / 2.0);
        }
        wkVec3d origin = {resolution * wkRngBelow(&rng, 5), resolution * wkRngBelow(&rng, 9) / 2.0,
                          resolution * wkRngUnit(&rng)};
        wkScan scan = scanOf(points, COUNT / (2 + test), origin);
        scan.isExact = test / 2 % 2 == 0;
        scan.maxRange = test / 4 % 2 == 0 ? INFINITY : 12.0 * resolution;
        insertBoth(&t, &scan);
        insertBoth(&t, &scan);
        destroyTwins(&t);
    }
}

// Long thin beams in a map of many cells, all sizes of cells.
static void distances_are_the_same(void** state)
{
    (void)state;
    enum {
        COUNT = 60
    };
    static float points[3 * COUNT];
    static const double resolutions[] = {1e-6, 1e-3, 0.037, 1e3, 1e6};
    wkRng rng = wkMakeRng(wkKitSeed() + 1);
    for (int test = 0; test < 10; ++test) {
        // the whole map once
        double resolution = resolutions[test % 5], reach = test == 0 ? 32767.0 : 3000.0;
        twins t = createTwins(resolution);
        for (int i = 0; i < 3 * COUNT; ++i) {
            points[i] = (float)(resolution * wkRngSign(&rng) * wkRngLogRange(&rng, 0.1, reach));
        }
        wkScan scan =
            scanOf(points, COUNT, wkSceneScale(wkRngDirection(&rng), 0.5 * reach * resolution));
        scan.isExact = test % 2 == 0;
        scan.maxRange = test / 5 == 0 ? INFINITY : 0.4 * reach * resolution;
        insertBoth(&t, &scan);
        destroyTwins(&t);
    }
}

static void frames_are_the_same(void** state)
{
    (void)state;
    static float points[3 * WIDTH * HEIGHT];
    wkRoomScene room = wkMakeRoom();
    wkRoomView view = wkMakeRoomView();
    view.width = WIDTH;
    view.height = HEIGHT;
    wkRoom_See(&room, &view, points);
    wkRng rng = wkMakeRng(wkKitSeed() + 2);
    twins t = createTwins(0.05);
    for (int n = 0; n < 3; ++n) {
        wkScan scan = scanOf(points, WIDTH * HEIGHT, view.eye);
        wkQuat q = wkRngRotation(&rng);
        scan.frame.rotation = (wkQuat){(float)q.x, (float)q.y, (float)q.z, (float)q.w};
        scan.frame.position = wkSceneScale(wkRngDirection(&rng), 3.0);
        scan.isExact = n % 2 == 0;
        insertBoth(&t, &scan);
    }
    destroyTwins(&t);
}

// Frames of the data folder that belong together.
typedef struct sequence {
    const char* paths[3];
    double resolution;
    double maxRange;
} sequence;

// clang-format off
static const sequence sequences[] = {
    {{"clouds/kinect_sequence/frame_20121214T142255.814212.pcd",
      "clouds/kinect_sequence/frame_20121214T142256.068683.pcd",
      "clouds/kinect_sequence/frame_20121214T142256.332395.pcd"}, 0.1,  INFINITY},
    {{"clouds/kinect_sequence/pairwise_capture0001.pcd",
      "clouds/kinect_sequence/pairwise_capture0002.pcd",
      "clouds/kinect_sequence/pairwise_capture0003.pcd"},         0.05, 1.5},
    {{"clouds/kinect_scenes/office1.pcd",
      "clouds/kinect_scenes/person.pcd", NULL},                   0.15, INFINITY},
    {{"clouds/lidar/room_scan1.pcd", NULL, NULL},                 0.2,  8.0},
};
// clang-format on

static wkPointData* readFrame(const char* name)
{
    char path[WK_DATA_PATH_CAPACITY];
    wkPointData* frame = NULL;
    if (wkFindData(name, path) && wkPointData_Load(path, NULL, NULL, &frame) != wk_ok) {
        fail_msg("%s", wkGetLastError());
    }
    return frame;
}

static void real_frames_are_the_same(void** state)
{
    (void)state;
    for (size_t i = 0; i < sizeof sequences / sizeof sequences[0]; ++i) {
        const sequence* s = &sequences[i];
        twins t = createTwins(s->resolution);
        for (int n = 0; n < 3 && s->paths[n] != NULL; ++n) {
            wkPointData* frame = readFrame(s->paths[n]);
            if (frame != NULL) {
                wkScan scan = scanOf(frame->points, frame->count, wkSceneVec(0.0, 0.0, 0.0));
                scan.maxRange = s->maxRange;
                // every eighth point, as OctoMap takes its time
                scan.points.count = frame->count / 8;
                scan.points.stride = 8 * 12;
                scan.isExact = n == 1;
                insertBoth(&t, &scan);
                wkPointData_Destroy(frame);
            }
        }
        destroyTwins(&t);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(rooms_are_the_same),       cmocka_unit_test(ties_are_the_same),
        cmocka_unit_test(distances_are_the_same),   cmocka_unit_test(frames_are_the_same),
        cmocka_unit_test(real_frames_are_the_same),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
