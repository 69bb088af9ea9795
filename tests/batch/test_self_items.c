// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// Contacts of a robot with itself, one configuration at a time, as other devices decide: verdicts are those of the lanes
// wherever the host is not needed, of whole robots and of single pairs of parts. In C and, where there is a compiler,
// in C++. The shares of configurations that each test decides are printed.

#include "../data_files.h"
#include "pieces_kit.h"
#include "self_items.h"

#include "whisker/io.h"

#include <stdlib.h>
#include <string.h>

#define STATE_COUNT WK_CASES(4000)
#define PAIR_STATE_COUNT WK_CASES(512)
#define MOST_PROGRAM_SPHERES 4096

// Configurations, by what decides about them.
typedef struct itemShares {
    int all;
    int maps;     // touching
    int spheres;  // touching
    int inner;    // touching: spheres inside the bodies
    int pieces;   // touching
    int free;     // of these,
    int nearFree; // some need convex pieces
    int host;
} itemShares;

static wkSelfItem itemOf(const wkBatch* batch, wkSelfTables* tables)
{
    // tables of joint values are the CPU's alone
    *tables = *batch->selfTables;
    tables->ofPairs = NULL;
    bool asks =
        batch->def.exactness == wk_exactnessSelf || batch->def.exactness == wk_exactnessRefined;
    wkSelfItem item = {batch->program,
                       batch->contacts,
                       tables,
                       batch->innerRadii,
                       asks ? batch->hasBodyPair : NULL,
                       batch->margin};
    return item;
}

// Returns whether bodies may have to decide about a pair.
static bool canNeedHost(const wkSelfItem* item)
{
    for (int32_t i = 0; i < item->program->pairCount; ++i) {
        if (item->asksBodies != NULL && item->asksBodies[i] && !item->tables->usesPieces[i]) {
            return true;
        }
    }
    return false;
}

static bool isBundleNear(const wkSelfItem* item, wkItemScratch scratch, uint32_t unmapped)
{
    for (int32_t i = 0; i < item->tables->bundleCount; ++i) {
        const wkPairBundle* bundle = &item->tables->bundles[i];
        wkPairFrames frames = {wkItemFrameOf(item->program, bundle->groups[0], scratch),
                               wkItemFrameOf(item->program, bundle->groups[1], scratch)};
        wkItemCosines cosines = wkFindItemCosines(&frames);
        int32_t pair = item->tables->bundlePairs[bundle->first];
        if (!wkSelfItem_IsMapped(item, pair, unmapped) &&
            wkSelfItem_IsBundleNear(item, bundle, &frames, &cosines)) {
            return true;
        }
    }
    return false;
}

// Counts a configuration by the test that decides about it.
static void countItem(const wkSelfItem* item, wkItemScratch scratch, bool isWithin, wkVerdict found,
                      itemShares* shares)
{
    uint32_t unmapped;
    ++shares->all;
    if (wkSelfItem_TouchMaps(item, scratch, &unmapped)) {
        ++shares->maps;
    } else if (found == wk_verdictUnchecked) {
        ++shares->host;
    } else if (found == wk_verdictFree) {
        ++shares->free;
        shares->nearFree += isBundleNear(item, scratch, unmapped);
    } else {
        // without spheres inside bodies, these ask the host
        static float none[MOST_PROGRAM_SPHERES];
        for (int i = 0; i < MOST_PROGRAM_SPHERES; ++i) {
            none[i] = -1e6f;
        }
        wkSelfItem outer = *item;
        outer.innerRadii = none;
        bool isBySpheres =
            wkSelfItem_CheckPairs(&outer, scratch, isWithin, unmapped) == wk_verdictSelf;
        bool isByInner = wkSelfItem_CheckPairs(item, scratch, isWithin, unmapped) == wk_verdictSelf;
        shares->spheres += isBySpheres;
        shares->inner += !isBySpheres && isByInner;
        shares->pieces += !isByInner;
    }
}

static void printShares(const char* name, const wkBatch* batch, const itemShares* shares)
{
    double percent = 100.0 / shares->all;
    print_message("%s, %s: touching by maps %.2f %%, spheres %.2f %%, inner spheres %.2f %%, "
                  "pieces %.2f %%; free %.2f %%, of these by pieces %.2f %%; host %.2f %%\n",
                  name, wkExactnessName(batch->def.exactness), percent * shares->maps,
                  percent * shares->spheres, percent * shares->inner, percent * shares->pieces,
                  percent * shares->free, percent * shares->nearFree, percent * shares->host);
}

// Compares configurations, a block at a time, with what the lanes find.
static void compareRows(wkBatch* batch, const double* rows, int32_t count, itemShares* shares)
{
    const wkProgram* program = batch->program;
    wkSelfTables tables;
    wkSelfItem item = itemOf(batch, &tables);
    bool canNeed = canNeedHost(&item);
    assert_true(program->sphereCount <= MOST_PROGRAM_SPHERES);
    size_t numberCount = (size_t)(wkItemNumberCount(program) + 1) * WK_ITEM_STRIDE;
    float* numbers = (float*)calloc(numberCount, sizeof *numbers);
    float* constants = (float*)calloc((size_t)wkItemConstantCount(program) + 1, sizeof *constants);
    assert_true(numbers != NULL && constants != NULL);
    wkFillItemConstants(program, constants);
    wkItemScratch scratch = {numbers, constants};
    uint8_t verdicts[WK_BATCH_BLOCK];
    for (int32_t i = 0; i < count; ++i) {
        const double* q = rows + (ptrdiff_t)i * program->variableCount;
        if (i % WK_BATCH_BLOCK == 0) {
            int32_t left = count - i;
            wkBlockCheck check = {.rows = q,
                                  .count = left < WK_BATCH_BLOCK ? left : WK_BATCH_BLOCK,
                                  .bits = wk_checkSelf,
                                  .verdicts = verdicts};
            wkCheckBlock(batch, wkOwnScratch(batch), &check);
        }
        wkItemRow row = {q, NULL};
        if (wkLoadItem(program, row, scratch) != wk_itemValid ||
            wkPlaceItem(program, row, scratch) != wk_itemValid) {
            continue;
        }
        bool isWithin = !wkIsItemBeyondLimits(program, scratch);
        wkVerdict found = wkSelfItem_Check(&item, scratch, isWithin);
        bool isRight = found == wk_verdictUnchecked
                           ? canNeed
                           : found == (wkVerdict)verdicts[i % WK_BATCH_BLOCK];
        if (!isRight) {
            fail_msg("row %d: %s, the lanes say %s", (int)i, wkVerdictName(found),
                     wkVerdictName((wkVerdict)verdicts[i % WK_BATCH_BLOCK]));
        }
#if defined(HAS_CPP)
        assert_int_equal(found, wkCheckSelfInCpp(&item, scratch, isWithin));
#endif
        countItem(&item, scratch, isWithin, found, shares);
    }
    free(numbers);
    free(constants);
}

// Compares single pairs: all others are left out.
static void comparePairs(wkBatch* batch, const double* rows, int32_t count)
{
    wkSelfTables* tables = batch->selfTables;
    wkContacts* contacts = batch->contacts;
    int32_t liveCount = contacts->liveCount, first = tables->order[0], mapCount = tables->mapCount;
    itemShares shares = {0};
    tables->mapCount = 0;
    contacts->liveCount = 1;
    for (int32_t i = 0; i < liveCount; ++i) {
        int32_t pair = i == 0 ? first : tables->order[i], map = tables->mapOfPair[pair];
        tables->order[0] = pair;
        tables->mapOfPair[pair] = -1;
        wkBundlePairs(batch);
        compareRows(batch, rows, count, &shares);
        tables->mapOfPair[pair] = map;
    }
    tables->order[0] = first;
    tables->mapCount = mapCount;
    contacts->liveCount = liveCount;
    wkBundlePairs(batch);
}

// Moves configurations beyond the limits.
static void stretchRows(const wkProgram* program, double* rows, int32_t count)
{
    for (int32_t i = 0; i < count * program->variableCount; ++i) {
        rows[i] *= i % 3 == 0 ? 1.4 : 1.0;
    }
}

static void compareBatch(const char* name, const wkBatchDef* def)
{
    wkBatch* batch = wkCreateBatch(def);
    double* rows = wkRandomRows(batch->robot, 61, STATE_COUNT);
    itemShares shares = {0}, others = {0};
    compareRows(batch, rows, STATE_COUNT, &shares);
    printShares(name, batch, &shares);
    comparePairs(batch, rows, PAIR_STATE_COUNT);
    stretchRows(batch->program, rows, STATE_COUNT);
    compareRows(batch, rows, STATE_COUNT, &others);
    free(rows);
    wkBatch_Destroy(batch);
}

static void compareRobot(const char* name, wkRobot* robot)
{
    static const wkExactness exactnesses[] = {wk_exactnessSpheres, wk_exactnessSelf,
                                              wk_exactnessRefined, wk_exactnessRefined};
    wkRobotSceneDef sceneDef = wkDefaultRobotSceneDef();
    sceneDef.robot = robot;
    wkRobotScene* scene = NULL;
    wkSphereModel* spheres = NULL;
    assert_int_equal(wkRobotScene_Create(&sceneDef, &scene), wk_ok);
    assert_int_equal(wkSphereModel_Fit(robot, NULL, &spheres), wk_ok);
    for (int i = 0; i < 4; ++i) {
        wkBatchDef def = wkDefaultBatchDef();
        def.scene = scene;
        def.spheres = spheres;
        def.exactness = exactnesses[i];
        def.margin = i == 3 ? 0.01 : 0.0;
        compareBatch(name, &def);
    }
    wkSphereModel_Destroy(spheres);
    wkRobotScene_Destroy(scene);
    wkRobot_Destroy(robot);
}

static void the_built_in_robot_matches_the_lanes(void** state)
{
    (void)state;
    wkRobot* robot = NULL;
    assert_int_equal(wkRobot_CreateBuiltIn(&robot), wk_ok);
    compareRobot("built-in robot", robot);
}

static void own_robots_match_the_lanes(void** state)
{
    (void)state;
#if defined(OWN_ROBOTS)
    static const char* const names[] = {"reacher", "gantry", "rover"};
    for (size_t i = 0; i < sizeof names / sizeof *names; ++i) {
        char urdf[1024], srdf[1024];
        snprintf(urdf, sizeof urdf, "%s/%s.urdf", OWN_ROBOTS, names[i]);
        snprintf(srdf, sizeof srdf, "%s/%s.srdf", OWN_ROBOTS, names[i]);
        wkRobotLoadDef options = wkDefaultRobotLoadDef();
        options.srdf = srdf;
        wkRobot* robot = NULL;
        assert_int_equal(wkRobot_Load(urdf, &options, NULL, &robot), wk_ok);
        compareRobot(names[i], robot);
    }
#endif
}

static void robots_of_others_match_the_lanes(void** state)
{
    (void)state;
    static const char* const names[] = {"panda/panda", "fetch/fetch",
                                        "ur5_robotiq85/ur5_robotiq85"};
    for (size_t i = 0; i < sizeof names / sizeof *names; ++i) {
        char urdf[WK_DATA_PATH_CAPACITY], srdf[WK_DATA_PATH_CAPACITY];
        snprintf(urdf, sizeof urdf, "robots/%s.urdf", names[i]);
        snprintf(srdf, sizeof srdf, "robots/%s.srdf", names[i]);
        wkRobot* robot = wkLoadDataRobot(urdf, srdf);
        if (robot != NULL) {
            compareRobot(names[i], robot);
        }
    }
}

// With objects that are attached, paddings, and spheres that do not cover the bodies.
static void robots_that_hold_objects_match_the_lanes(void** state)
{
    (void)state;
    for (int kind = 0; kind < WK_SURROUNDINGS_COUNT; kind += 3) {
        wkBatchCase c;
        wkMakeBatchCase(&c, kind, true, 1, 1);
        c.def.checksWorld = false;
        compareBatch(wkSurroundingsKinds[kind].name, &c.def);
        wkFreeBatchCase(&c);
    }
}

static void pieces_of_every_detail_match_the_lanes(void** state)
{
    (void)state;
    static const int details[] = {0, WK_DETAIL_DIVIDED, WK_DETAIL_TIGHT,
                                  WK_PIECE_DETAIL(wk_piecesDivided, wk_piecesWhole)};
    wkMesh* mesh = wkMakeClasp();
    for (int i = 0; i < 8; ++i) {
        wkRobot* robot = wkMakeClaspArm(mesh);
        armCase c = openArm(robot, i % 2 == 0 ? 0.0 : 0.01, i < 4 ? 0.0 : 0.005);
        wkBatch* batch = wkCreateBatch(&c.def);
        wkUsePieces(batch, details[i % 4]);
        double* rows = wkRandomRows(robot, 7, STATE_COUNT);
        itemShares shares = {0};
        compareRows(batch, rows, STATE_COUNT, &shares);
        assert_int_equal(wkChooseInnerPairs(batch), wk_ok);
        compareRows(batch, rows, STATE_COUNT, &shares);
        printShares("arm", batch, &shares);
        assert_int_equal(shares.host, 0);
        assert_true(shares.nearFree > 0 && shares.pieces > 0);
        free(rows);
        wkBatch_Destroy(batch);
        closeArm(&c);
        wkRobot_Destroy(robot);
    }
    wkMesh_Destroy(mesh);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_built_in_robot_matches_the_lanes),
        cmocka_unit_test(own_robots_match_the_lanes),
        cmocka_unit_test(robots_of_others_match_the_lanes),
        cmocka_unit_test(robots_that_hold_objects_match_the_lanes),
        cmocka_unit_test(pieces_of_every_detail_match_the_lanes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
