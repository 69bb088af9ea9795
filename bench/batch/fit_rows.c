// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// fit/<robot>/<count>: covering all bodies of a robot with so many spheres, and .../protrusion: how
// far one of them sticks out at most, beside a published set of as many spheres on the same meshes.
// A link with a point outside its spheres is wrong, theirs as well as ours. fit/<robot>/2cm: spheres
// that stick out no further than that, and how many it takes.

#include "bench.h"
#include "measure.h"
#include "robot/robot_case.h"

#include "whisker/io.h"
#include "whisker/sphere_model.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define PATH_CAPACITY 1024
#define TOLERANCE 1e-3 // metres, of what is measured
#define ACCURACY 0.02  // of rows without a count
#define MM 1e3

static const struct {
    const char* robot;
    const char* peer;    // NULL: there is no such set
    const char* spheres; // URDF in the folder of spheres
    int count;           // 0: as many as it takes
    bool isLong;         // not in a quick run
} jobs[] = {
    {"panda", "vamp", "vamp/panda_spherized.urdf", 59, false},
    {"fetch", "vamp", "vamp/fetch_spherized.urdf", 111, false},
    {"fetch", "foam", "foam/fetch_spherized.urdf", 134, true},
    {"ur5_robotiq85", "vamp", "vamp/ur5_spherized.urdf", 40, false},
    {"panda", NULL, NULL, 0, true},
    {"pr2", NULL, NULL, 209, true},
};
#define JOB_COUNT ((int)(sizeof jobs / sizeof *jobs))

static void nameRow(int job, char* name)
{
    if (jobs[job].count > 0) {
        snprintf(name, WK_ROW_NAME_CAPACITY, "fit/%s/%d", jobs[job].robot, jobs[job].count);
    } else {
        snprintf(name, WK_ROW_NAME_CAPACITY, "fit/%s/2cm", jobs[job].robot);
    }
}

static wkResult loadRobot(const char* name, wkRobot** robot)
{
    char file[PATH_CAPACITY / 2], path[PATH_CAPACITY];
    snprintf(file, sizeof file, "%s/%s.urdf", name, name);
    wkRobotDataPath(file, path, PATH_CAPACITY);
    return wkRobot_Load(path, NULL, NULL, robot);
}

// The spheres of a published set on the links of the same names.
static bool readSpheres(const char* file, const wkRobot* robot, wkSphereModel** model)
{
    char path[PATH_CAPACITY];
    const char* folder = getenv("WHISKER_DATA");
    snprintf(path, sizeof path, "%s/spheres/%s", folder != NULL ? folder : WK_DATA_FOLDER, file);
    wkRobot* made = NULL;
    if (wkRobot_Load(path, NULL, NULL, &made) != wk_ok) {
        return false;
    }
    int bodyCount = wkRobot_Info(made).bodyCount, count = 0;
    wkLinkSphere* spheres = (wkLinkSphere*)calloc((size_t)bodyCount, sizeof *spheres);
    for (int i = 0; i < bodyCount && spheres != NULL; i++) {
        wkBodyInfo body = wkRobot_Body(made, i);
        int32_t link = wkRobot_FindLink(robot, wkRobot_Link(made, body.link).name);
        if (link >= 0 && body.shape->type == wk_shapeSphere) {
            spheres[count].link = link;
            spheres[count].sphere.center = body.pose.position;
            spheres[count++].sphere.radius = body.shape->sphere.radius;
        }
    }
    bool isRead = spheres != NULL && wkSphereModel_Create(robot, spheres, count, model) == wk_ok;
    free(spheres);
    wkRobot_Destroy(made);
    return isRead;
}

// How far spheres stick out at most, in millimetres, and links that have a point outside of them.
static double measure(const wkRobot* robot, const wkSphereModel* model, long* openCount)
{
    double most = 0.0;
    int linkCount = wkRobot_Info(robot).linkCount;
    for (int link = 0; link < linkCount; link++) {
        wkFitInfo report;
        if (wkRobot_Link(robot, link).bodyCount == 0) {
            continue;
        }
        bool isMeasured = wkSphereModel_Measure(model, link, TOLERANCE, &report) == wk_ok;
        *openCount += isMeasured && report.gap <= TOLERANCE ? 0 : 1;
        most = isMeasured ? fmax(most, report.protrusion) : most;
    }
    return MM * most;
}

static void emitQuality(wkBench* bench, int job, const wkRobot* robot, const wkSphereModel* model)
{
    wkBenchRow row;
    char name[WK_ROW_NAME_CAPACITY];
    memset(&row, 0, sizeof row);
    nameRow(job, name);
    snprintf(row.name, sizeof row.name, "%.80s/protrusion", name);
    row.unit = "mm";
    row.ours = measure(robot, model, &row.wrong);
    row.n = wkSphereModel_Info(model).sphereCount;
    wkSphereModel* theirs = NULL;
    if (jobs[job].peer != NULL && readSpheres(jobs[job].spheres, robot, &theirs)) {
        row.peer = jobs[job].peer;
        row.theirs = measure(robot, theirs, &row.peerWrong);
        row.ratio = row.theirs / row.ours;
    }
    wkBench_Emit(bench, &row);
    wkSphereModel_Destroy(theirs);
}

static void emitCount(wkBench* bench, int job, const wkSphereModel* model)
{
    wkBenchRow row;
    char name[WK_ROW_NAME_CAPACITY];
    memset(&row, 0, sizeof row);
    nameRow(job, name);
    snprintf(row.name, sizeof row.name, "%.80s/spheres", name);
    row.unit = "spheres";
    row.ours = wkSphereModel_Info(model).sphereCount;
    row.n = 1;
    wkBench_Emit(bench, &row);
}

// Once: it takes long enough.
static void run(wkBench* bench, int job, const wkRobot* robot)
{
    wkSphereFitDef fit = wkDefaultSphereFitDef();
    fit.count = jobs[job].count;
    fit.accuracy = ACCURACY;
    wkSphereModel* model = NULL;
    wkBenchRow row;
    memset(&row, 0, sizeof row);
    nameRow(job, row.name);
    double start = wkBenchNow();
    if (wkSphereModel_Fit(robot, &fit, &model) != wk_ok) {
        fprintf(stderr, "%s: %s\n", row.name, wkGetLastError());
        bench->wrongCount++;
        return;
    }
    row.ours = wkBenchNow() - start;
    row.unit = "ns";
    wkSphereModelInfo info = wkSphereModel_Info(model);
    row.n = info.sphereCount;
    row.wrong = info.isCovering && (fit.count == 0 || info.sphereCount <= fit.count) ? 0 : 1;
    wkBench_Emit(bench, &row);
    if (fit.count == 0) {
        emitCount(bench, job, model);
    }
    emitQuality(bench, job, robot, model);
    wkSphereModel_Destroy(model);
}

void wkRunFitRows(wkBench* bench)
{
    for (int job = 0; job < JOB_COUNT; job++) {
        char name[WK_ROW_NAME_CAPACITY];
        wkRobot* robot = NULL;
        nameRow(job, name);
        // asked for by a pattern they are run in any case
        bool isLeftOut = jobs[job].isLong && !wkBench_IsFull(bench) && bench->patternCount == 0;
        if (isLeftOut || !wkBench_Wants(bench, name)) {
            continue;
        }
        if (loadRobot(jobs[job].robot, &robot) != wk_ok) {
            fprintf(stderr, "%s: left out: %s\n", name, wkGetLastError());
            continue;
        }
        run(bench, job, robot);
        wkRobot_Destroy(robot);
    }
}
