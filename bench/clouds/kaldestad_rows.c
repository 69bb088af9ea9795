// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// kaldestad/table<n>/<robot+cell>: the least distance of a robot from its cell as in tables 1 and 2 of Kaldestad, Hovland and
// Anisi, as point clouds or as octrees with cells of 1, 10 and 100 mm; the peer is the exhaustive search, and
// "elsewhere" the paper's time on a graphics card. kaldestad/alarm/<n>: alarms of all links with the samples
// that the distance needs, and with the finest alone. kaldestad/reach: what the robot can reach in 100 ms, and the
// filter that removes all other points. kaldestad/expected: which points the known world does not explain.

#include "bench.h"
#include "clouds/paper_tables.h"
#include "measure.h"

#include "whisker/center_distance.h"
#include "whisker/cloud_filter.h"
#include "whisker/expected_points.h"
#include "whisker/robot_cloud.h"
#include "whisker/robot_reach.h"

#include <math.h>
#include <stdlib.h>

#define MS 1e-6 // in nanoseconds
#define MAX_BLOCKS 5
#define MAX_SPHERES 4096

typedef struct tableCase {
    wkCloud* a;
    wkCloud* b;
    wkCenterResult found[2];
} tableCase;

// The cell, opened by the first row that is wanted.
typedef struct sharedCell {
    wkWorkcell cell;
    bool isOpen;
    bool hasFailed;
} sharedCell;

static bool openOnce(sharedCell* shared)
{
    if (!shared->isOpen && !shared->hasFailed) {
        shared->isOpen = wkWorkcell_Open(&shared->cell);
        shared->hasFailed = !shared->isOpen;
    }
    return shared->isOpen;
}

static void measure(tableCase* c, wkCenterMethod method)
{
    wkCenterRequest request = wkDefaultCenterRequest();
    request.method = method;
    c->found[method == wk_centersExhaustive] =
        wkCenterDistance(c->a, wkIdentityPose(), c->b, wkIdentityPose(), &request);
}

static void passChosen(void* context)
{
    measure((tableCase*)context, wk_centersChosen);
}

static void passExhaustive(void* context)
{
    measure((tableCase*)context, wk_centersExhaustive);
}

static int blocksOf(const wkBench* bench)
{
    return bench->blockCount < MAX_BLOCKS ? bench->blockCount : MAX_BLOCKS;
}

// The exhaustive search takes a second: one pass of it is enough where the full sizes are not asked for.
static void runTableRow(wkBench* bench, const char* name, tableCase* c, double paperSeconds)
{
    int blockCount = blocksOf(bench);
    wkBenchSide ours = {.pass = passChosen, .context = c};
    wkBenchSide all = {.pass = passExhaustive, .context = c};
    wkMeasure(&ours, 1, 1, blockCount);
    double start = wkBenchNow();
    passExhaustive(c);
    double once = wkBenchNow() - start;
    if (wkBench_IsFull(bench)) {
        wkMeasure(&all, 1, 1, blockCount);
        once = all.median;
    }
    char elements[64];
    snprintf(elements, sizeof elements, "%d x %d", (int)wkCloud_Info(c->a).pointCount,
             (int)wkCloud_Info(c->b).pointCount);
    wkBenchRow row = {.unit = "ms", .peer = "all", .variant = elements, .n = 1};
    snprintf(row.name, sizeof row.name, "%s", name);
    row.ours = MS * ours.median;
    row.theirs = MS * once;
    row.ratio = row.theirs / row.ours;
    row.spread = wkBlockSpread(&ours, blockCount);
    row.paper = 1e3 * paperSeconds;
    row.wrong = c->found[0].distance != c->found[1].distance ? 1 : 0;
    wkBench_Emit(bench, &row);
}

static void runTable(wkBench* bench, sharedCell* shared, int table)
{
    const wkWorkcell* cell = &shared->cell;
    int count = table == 0 ? WK_WORKCELL_SMALL : WK_WORKCELL_LARGE;
    tableCase c = {.a = NULL};
    int cellCell = -1; // of the cloud at hand: rows with the same one follow each other
    for (int i = 0; i < WK_PAPER_ROWS; i++) {
        const wkPaperRow* paper = &wkPaperTables[i];
        char name[WK_ROW_NAME_CAPACITY];
        snprintf(name, sizeof name, "kaldestad/table%d/%s", table + 1, paper->name);
        if (!wkBench_Wants(bench, name) || !openOnce(shared)) {
            continue;
        }
        if (paper->cellCell != cellCell) {
            wkCloud_Destroy(c.b);
            c.b = wkPaperElements(cell->cellPoints, count, paper->cellCell);
            cellCell = paper->cellCell;
        }
        c.a = wkPaperElements(cell->robotPoints, WK_WORKCELL_ROBOT, paper->robotCell);
        if (c.a != NULL && c.b != NULL) {
            runTableRow(bench, name, &c, paper->cuda[table]);
        }
        wkCloud_Destroy(c.a);
    }
    wkCloud_Destroy(c.b);
}

// The robot of the cell with the points around it as one object.
typedef struct alarmCase {
    wkCloud* cloud;
    wkRobotScene* scene;
    wkRobotCloud* samples;
    const wkRobotState* state;
    wkAlarmRequest fine; // measures with the finest samples alone
    double always[WK_MAX_ROBOT_CLOUD_LEVELS];
    wkAlarmResult found[2];
} alarmCase;

static void closeAlarms(alarmCase* c)
{
    wkRobotCloud_Destroy(c->samples);
    wkRobotScene_Destroy(c->scene);
    wkCloud_Destroy(c->cloud);
}

static bool openAlarms(alarmCase* c, const wkWorkcell* cell, int count)
{
    *c = (alarmCase){.cloud = wkWorkcell_Cloud(cell->cellPoints, count), .state = cell->state};
    wkRobotSceneDef sceneDef = wkDefaultRobotSceneDef();
    sceneDef.robot = cell->robot;
    wkRobotCloudDef cloudDef = wkDefaultRobotCloudDef();
    cloudDef.robot = cell->robot;
    wkShape shape = c->cloud != NULL ? wkMakeCloud(c->cloud) : wkMakeSphere(1.0);
    wkRobotObjectDef object = wkDefaultRobotObjectDef();
    object.name = "cell";
    object.category = "unknown";
    object.shapes = &shape;
    object.shapeCount = 1;
    bool isGood = c->cloud != NULL && wkRobotScene_Create(&sceneDef, &c->scene) == wk_ok &&
                  wkRobotScene_SetCategory(c->scene, "unknown", 0.02) == wk_ok &&
                  wkRobotScene_Add(c->scene, &object) == wk_ok &&
                  wkRobotCloud_Create(&cloudDef, &c->samples) == wk_ok;
    c->fine = wkDefaultAlarmRequest();
    for (int i = 0; i < WK_MAX_ROBOT_CLOUD_LEVELS; i++) {
        c->always[i] = INFINITY;
    }
    c->fine.changeDistances = c->always;
    if (!isGood) {
        fprintf(stderr, "kaldestad/alarm: left out: %s\n", wkGetLastError());
        closeAlarms(c);
    }
    return isGood;
}

static void passAlarm(void* context)
{
    alarmCase* c = (alarmCase*)context;
    c->found[0] = wkRobotCloud_Check(c->samples, c->scene, c->state, NULL, NULL);
}

static void passFineAlarm(void* context)
{
    alarmCase* c = (alarmCase*)context;
    c->found[1] = wkRobotCloud_Check(c->samples, c->scene, c->state, &c->fine, NULL);
}

static void runAlarms(wkBench* bench, sharedCell* shared, int count)
{
    char name[WK_ROW_NAME_CAPACITY];
    snprintf(name, sizeof name, "kaldestad/alarm/%d", count);
    alarmCase c;
    if (!wkBench_Wants(bench, name) || !openOnce(shared) || !openAlarms(&c, &shared->cell, count)) {
        return;
    }
    int blockCount = blocksOf(bench);
    wkBenchSide sides[2] = {{.pass = passAlarm, .context = &c},
                            {.pass = passFineAlarm, .context = &c}};
    wkMeasure(sides, 2, 1, blockCount);
    wkBenchRow row = {.unit = "ms", .peer = "fine", .variant = "10 mm alone", .n = 1};
    snprintf(row.name, sizeof row.name, "%s", name);
    row.ours = MS * sides[0].median;
    row.theirs = MS * sides[1].median;
    row.ratio = wkBlockRatio(&sides[1], &sides[0], blockCount, &row.spread);
    // coarser samples may warn earlier, never later
    row.wrong = c.found[0].alarm < c.found[1].alarm ? 1 : 0;
    wkBench_Emit(bench, &row);
    closeAlarms(&c);
}

typedef struct reachCase {
    const wkRobotScene* scene;
    const wkRobotState* state;
    wkCloudFilter* filter;
    wkFilterRequest request;
    wkSphere3d* spheres;
    wkFilterResult found;
    wkResult result;
} reachCase;

static void passReach(void* context)
{
    reachCase* c = (reachCase*)context;
    wkReachRequest reach = wkDefaultReachRequest();
    int32_t count = 0;
    c->result =
        wkRobotScene_ReachSpheres(c->scene, c->state, &reach, c->spheres, MAX_SPHERES, &count);
    if (c->result == wk_ok) {
        wkFilterRobot robot = {.spheres = c->spheres, .sphereCount = count};
        wkFilterStep step = wkMakeDistanceFilter(robot, 0.0);
        c->request.steps = &step;
        c->request.stepCount = 1;
        c->result = wkCloudFilter_Run(c->filter, &c->request, &c->found);
    }
}

static void runReach(wkBench* bench, sharedCell* shared)
{
    const wkWorkcell* cell = &shared->cell;
    alarmCase around;
    if (!wkBench_Wants(bench, "kaldestad/reach") || !openOnce(shared) ||
        !openAlarms(&around, cell, WK_WORKCELL_SMALL)) {
        return;
    }
    reachCase c = {.scene = around.scene, .state = cell->state};
    c.request = wkDefaultFilterRequest();
    c.request.points.data = cell->cellPoints;
    c.request.points.count = WK_WORKCELL_SMALL;
    c.spheres = malloc(MAX_SPHERES * sizeof *c.spheres);
    if (c.spheres != NULL && wkCloudFilter_Create(&c.filter) == wk_ok) {
        wkBenchSide side = {.pass = passReach, .context = &c};
        wkMeasure(&side, 1, 1, bench->blockCount);
        char kept[64];
        snprintf(kept, sizeof kept, "keeps %d of %d", (int)c.found.keptCount, WK_WORKCELL_SMALL);
        wkBenchRow row = {.name = "kaldestad/reach", .unit = "ms", .variant = kept, .n = 1};
        row.ours = MS * side.median;
        row.spread = wkBlockSpread(&side, bench->blockCount);
        row.wrong = c.result != wk_ok ? 1 : 0;
        wkBench_Emit(bench, &row);
    }
    wkCloudFilter_Destroy(c.filter);
    free(c.spheres);
    closeAlarms(&around);
}

typedef struct expectCase {
    const wkRobotScene* scene;
    const wkRobotState* state;
    wkExpectRequest request;
    int32_t* labels;
    wkExpectInfo found;
    wkResult result;
} expectCase;

static void passExpected(void* context)
{
    expectCase* c = (expectCase*)context;
    c->result = wkRobotScene_FindExpected(c->scene, c->state, &c->request, c->labels, &c->found);
}

// Points of the known world, all of them expected, and of boxes that the scene does not have.
static void runExpected(wkBench* bench, sharedCell* shared)
{
    const wkWorkcell* cell = &shared->cell;
    wkRobotScene* scene = NULL;
    wkRobotSceneDef def = wkDefaultRobotSceneDef();
    if (!wkBench_Wants(bench, "kaldestad/expected") || !openOnce(shared)) {
        return;
    }
    def.robot = cell->robot;
    expectCase c = {.state = cell->state, .request = wkDefaultExpectRequest()};
    c.request.points.data = cell->cellPoints;
    c.request.points.count = WK_WORKCELL_SMALL;
    c.labels = malloc(WK_WORKCELL_SMALL * sizeof *c.labels);
    if (c.labels != NULL && wkRobotScene_Create(&def, &scene) == wk_ok &&
        wkWorkcell_AddKnown(cell, scene) == wk_ok) {
        // the table and the object on it are not known
        wkRobotScene_Remove(scene, "furniture 3");
        wkRobotScene_Remove(scene, "furniture 4");
        c.scene = scene;
        wkBenchSide side = {.pass = passExpected, .context = &c};
        int blockCount = blocksOf(bench);
        wkMeasure(&side, 1, 1, blockCount);
        char found[64];
        snprintf(found, sizeof found, "%d unexpected", (int)c.found.unexpectedCount);
        wkBenchRow row = {.name = "kaldestad/expected", .unit = "ms", .variant = found, .n = 1};
        row.ours = MS * side.median;
        row.spread = wkBlockSpread(&side, blockCount);
        row.wrong = c.result != wk_ok || c.found.unexpectedCount == 0 ? 1 : 0;
        wkBench_Emit(bench, &row);
    }
    wkRobotScene_Destroy(scene);
    free(c.labels);
}

void wkRunKaldestadRows(wkBench* bench)
{
    sharedCell shared = {.isOpen = false};
    runTable(bench, &shared, 0);
    runTable(bench, &shared, 1);
    runAlarms(bench, &shared, WK_WORKCELL_SMALL);
    runAlarms(bench, &shared, WK_WORKCELL_LARGE);
    runReach(bench, &shared);
    runExpected(bench, &shared);
    if (shared.isOpen) {
        wkWorkcell_Close(&shared.cell);
    }
}
