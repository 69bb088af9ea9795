// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// whisker spheres: fits spheres to a robot or reads them from a file; measures, writes and draws them.

#include "command.h"
#include "demo_samples.h"
#include "progress.h"
#include "robot_job.h"
#include "spheres.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MAX_SIZE 8192 // pixels

static const char help[] =
    "usage: whisker spheres ROBOT [-o FILE] [OPTIONS]\n"
    "\n"
    "Covers the shapes of a robot with spheres: as few as an accuracy needs, or a given number.\n"
    "Reports for each link the share of its surface inside a sphere, the largest distance of its\n"
    "surface from the spheres, and how far spheres stick out at most. All three are proven.\n"
    "With --from the spheres of a file are measured instead. ROBOT is a URDF file, - or builtin.\n"
    "\n"
    "  -o FILE                where the spheres go: .json, .yml (as cuRobo reads it), or .urdf\n"
    "  --accuracy LENGTH      spheres stick out no further, in metres (default 0.02)\n"
    "  --count COUNT          spheres of the whole robot, in place of an accuracy\n"
    "  --link-count LINK=COUNT      spheres of a link; may be given several times\n"
    "  --link-accuracy LINK=LENGTH  accuracy of a link; may be given several times\n"
    "  --best-effort          an accuracy that is not reached is reported, with exit status 0\n"
    "  --grow LENGTH          added to the radius of every sphere\n"
    "  --from FILE            spheres from a .json, .yml, .yaml or .urdf file\n"
    "  --skip-unknown         leave out spheres of links that the robot lacks\n"
    "  --ignore-frames        take a .urdf though its links are elsewhere than those of the robot\n"
    "  --tolerance LENGTH     how finely spheres are measured, in metres (default 0.0002)\n"
    "  --report FILE          pictures and figures as a page of HTML\n"
    "  --picture FILE         the first of the pictures as a PNG file\n"
    "  --size COUNT           pixels of a side of the pictures (default 720)\n"
    "  --q STATE              configuration to be drawn: numbers, pairs or the name of a "
    "state\n" WK_ROBOT_OPTIONS_HELP "\n"
    "exit status: 0 the spheres cover the robot as accurately as asked, 1 they do not, 2 something "
    "is "
    "wrong with\n"
    "files or options\n";

typedef struct sphereOptions {
    wkRobotOptions robot;
    const char* output;
    double accuracy;
    int count;
    wkOptionList linkCounts;
    wkOptionList linkAccuracies;
    double grow;
    const char* from;
    bool isBestEffort;
    bool skipsUnknown;
    bool ignoresFrames;
    double tolerance;
    const char* report;
    const char* picture;
    int size;
    const char* q;
} sphereOptions;

// All resources of the command.
typedef struct sphereJob {
    wkRobotJob robot;
    wkSphereModel* model;
    wkConfigurations configuration;
    int32_t* linkCounts;
    double* linkAccuracies;
    char origin[300];
    wkSphereStudy study;
} sphereJob;

static bool hasDone(const sphereJob* job, wkResult result)
{
    return result == wk_ok || wkRobotJob_Complain(&job->robot, "%s", wkGetLastError());
}

// Splits "link=number" of an option into the index of the link and the value.
static bool splitItem(const sphereJob* job, const char* option, const char* item, int32_t* link,
                      double* value)
{
    char name[256];
    const char* equals = strrchr(item, '=');
    size_t length = equals != NULL ? (size_t)(equals - item) : sizeof name;
    if (length >= sizeof name || !wkReadNumber(equals + 1, value) || !(*value > 0.0)) {
        return wkRobotJob_Complain(&job->robot, "%s needs LINK=NUMBER, not '%.100s'", option, item);
    }
    memcpy(name, item, length);
    name[length] = '\0';
    return wkRobotJob_FindLink(&job->robot, option, name, link);
}

// Sets the options of each link: its own count, or else an accuracy, its own or the common one.
static bool readLinkOptions(sphereJob* job, const sphereOptions* options)
{
    size_t linkCount = (size_t)wkRobot_Info(job->robot.robot).linkCount;
    job->linkCounts = calloc(linkCount, sizeof *job->linkCounts);
    job->linkAccuracies = calloc(linkCount, sizeof *job->linkAccuracies);
    if (job->linkCounts == NULL || job->linkAccuracies == NULL) {
        return wkRobotJob_Complain(&job->robot, "out of memory");
    }
    for (size_t i = 0; i < linkCount; i++) {
        job->linkAccuracies[i] = options->accuracy;
    }
    int32_t link = -1;
    double value = 0.0;
    for (int i = 0; i < options->linkCounts.count; i++) {
        if (!splitItem(job, "--link-count", options->linkCounts.items[i], &link, &value)) {
            return false;
        }
        job->linkCounts[link] = (int32_t)fmin(ceil(value), 1e6);
    }
    for (int i = 0; i < options->linkAccuracies.count; i++) {
        if (!splitItem(job, "--link-accuracy", options->linkAccuracies.items[i], &link, &value)) {
            return false;
        }
        job->linkAccuracies[link] = value;
    }
    return true;
}

static bool fit(sphereJob* job, const sphereOptions* options)
{
    const wkParallel parallel = {0};
    wkSphereFitDef def = wkDefaultSphereFitDef();
    if (!readLinkOptions(job, options)) {
        return false;
    }
    bool hasLinks = options->linkCounts.count > 0 || options->linkAccuracies.count > 0;
    def.count = options->count;
    def.accuracy = options->accuracy;
    def.padding = options->grow;
    def.linkCounts = hasLinks ? job->linkCounts : NULL;
    def.linkAccuracies = hasLinks ? job->linkAccuracies : NULL;
    def.parallel = &parallel;
    double start = wkNow();
    wkProgress progress = wkProgress_Start("fitting spheres to the robot", 0);
    wkProgress_Say(&progress);
    wkResult result = wkSphereModel_Fit(job->robot.robot, &def, &job->model);
    wkProgress_End(&progress);
    bool isFitted = hasDone(job, result);
    job->study.fitSeconds = wkNow() - start;
    if (options->count > 0) {
        snprintf(job->origin, sizeof job->origin, "Fitted: %d spheres at most.", options->count);
    } else {
        snprintf(job->origin, sizeof job->origin, "Fitted to %g mm.", 1e3 * options->accuracy);
    }
    return isFitted;
}

// Grows the spheres of the model; the old model is destroyed.
static bool grow(sphereJob* job, double length)
{
    int32_t count = wkSphereModel_Info(job->model).sphereCount;
    wkLinkSphere* spheres = calloc((size_t)count + 1, sizeof *spheres);
    if (spheres == NULL) {
        return wkRobotJob_Complain(&job->robot, "out of memory");
    }
    for (int32_t i = 0; i < count; i++) {
        spheres[i] = wkSphereModel_Sphere(job->model, i);
        spheres[i].sphere.radius += length;
    }
    wkSphereModel_Destroy(job->model);
    bool isDone = hasDone(job, wkSphereModel_Create(job->robot.robot, spheres, count, &job->model));
    free(spheres);
    return isDone;
}

static bool load(sphereJob* job, const sphereOptions* options)
{
    wkSphereLoadInfo report;
    wkSphereLoadDef how = wkDefaultSphereLoadDef();
    how.skipsUnknownLinks = options->skipsUnknown;
    how.ignoresFrames = options->ignoresFrames;
    if (!hasDone(job,
                 wkSphereModel_Load(options->from, job->robot.robot, &how, &report, &job->model))) {
        return false;
    }
    if (report.warning[0] != '\0') {
        fprintf(stderr, "whisker spheres: %s\n", report.warning);
    }
    if (report.unknownLinkCount > 0) {
        fprintf(stderr, "whisker spheres: %d links that the robot lacks are left out\n",
                (int)report.unknownLinkCount);
    }
    snprintf(job->origin, sizeof job->origin, "Spheres of %.200s.", options->from);
    return options->grow == 0.0 || grow(job, options->grow);
}

// Accumulates the rows of links: sums, worst values, and the covered share of the whole surface.
static void includeRow(wkFitInfo* all, const wkFitInfo* row)
{
    double area = all->area + row->area;
    double covered = all->coverage * all->area + row->coverage * row->area;
    all->sphereCount += row->sphereCount;
    all->coverage = area > 0.0 ? fmin(covered / area, 1.0) : 1.0;
    all->area = area;
    all->gap = fmax(all->gap, row->gap);
    all->protrusion = fmax(all->protrusion, row->protrusion);
}

static bool measure(sphereJob* job, double tolerance)
{
    wkSphereStudy* study = &job->study;
    int32_t linkCount = wkRobot_Info(study->robot).linkCount;
    double start = wkNow();
    study->all = (wkFitInfo){.coverage = 1.0};
    study->rows = calloc((size_t)linkCount, sizeof *study->rows);
    if (study->rows == NULL) {
        return wkRobotJob_Complain(&job->robot, "out of memory");
    }
    for (int32_t link = 0; link < linkCount; link++) {
        wkSphereRow* row = &study->rows[study->rowCount];
        int32_t sphereCount = wkSphereModel_Link(job->model, link).count;
        row->link = link;
        if (wkRobot_Link(study->robot, link).bodyCount == 0 && sphereCount == 0) {
            continue;
        }
        if (!hasDone(job, wkSphereModel_Measure(job->model, link, tolerance, &row->report))) {
            return false;
        }
        includeRow(&study->all, &row->report);
        study->rowCount++;
    }
    study->measureSeconds = wkNow() - start;
    return true;
}

static void printLength(double length)
{
    if (isfinite(length)) {
        printf(" %9.1f", 1e3 * length);
    } else {
        printf(" %9s", "-");
    }
}

static void printRow(const char* name, int width, const wkFitInfo* report)
{
    printf("%-*s %7d %9.2f", width, name, (int)report->sphereCount, 100.0 * report->coverage);
    printLength(report->gap);
    printLength(report->protrusion);
    printf("\n");
}

static bool covers(const wkSphereStudy* study)
{
    return study->all.gap <= 0.0;
}

static int widthOfNames(const wkSphereStudy* study)
{
    size_t width = 32;
    for (int i = 0; i < study->rowCount; i++) {
        size_t length = strlen(wkRobot_Link(study->robot, study->rows[i].link).name);
        width = length > width ? length : width;
    }
    return width < 100 ? (int)width : 100;
}

static void printStudy(const wkSphereStudy* study, bool isFitted)
{
    char fitTime[32], measureTime[32];
    int width = widthOfNames(study);
    printf("%-*s %7s %9s %9s %9s\n", width, "link", "spheres", "covered %", "gap mm", "out mm");
    for (int i = 0; i < study->rowCount; i++) {
        const char* name = wkRobot_Link(study->robot, study->rows[i].link).name;
        printRow(name, width, &study->rows[i].report);
    }
    printRow("all", width, &study->all);
    wkSayTime(study->fitSeconds, fitTime, sizeof fitTime);
    wkSayTime(study->measureSeconds, measureTime, sizeof measureTime);
    printf("the spheres %s; ", covers(study) ? "cover the robot" : "do not cover the robot");
    if (isFitted) {
        printf("fitted in %s, ", fitTime);
    }
    printf("measured in %s\n", measureTime);
}

static bool drawStudy(const sphereJob* job, const sphereOptions* options)
{
    if (options->report == NULL && options->picture == NULL) {
        return true;
    }
    wkSpherePicture pictures[WK_SPHERE_PICTURES] = {{0}};
    const char* failed = NULL;
    if (!wkSphereStudy_Draw(&job->study, options->size, pictures)) {
        failed = "the pictures";
    } else if (options->report != NULL &&
               !wkSphereStudy_WriteReport(&job->study, pictures, options->report)) {
        failed = options->report;
    } else if (options->picture != NULL &&
               !wkPicture_WritePng(&pictures[0].picture, options->picture)) {
        failed = options->picture;
    }
    for (int i = 0; i < WK_SPHERE_PICTURES; i++) {
        wkPicture_Destroy(&pictures[i].picture);
    }
    return failed == NULL || wkRobotJob_Complain(&job->robot, "cannot write %s", failed);
}

static bool configure(sphereJob* job, const sphereOptions* options)
{
    size_t count = (size_t)job->robot.variableCount;
    if (options->q != NULL) {
        return wkRobotJob_ReadText(&job->robot, options->q, &job->configuration);
    }
    job->configuration.values = calloc(count + 1, sizeof(double));
    if (job->configuration.values == NULL) {
        return wkRobotJob_Complain(&job->robot, "out of memory");
    }
    wkRobot_DefaultConfiguration(job->robot.robot, job->configuration.values);
    return true;
}

// Saves the spheres. Files state whether spheres cover the robot, so unproven ones are proven first.
static bool save(sphereJob* job, const sphereOptions* options)
{
    const wkParallel parallel = {0};
    bool needsProof = options->from != NULL && covers(&job->study);
    return options->output == NULL ||
           ((!needsProof ||
             hasDone(job, wkSphereModel_Prove(job->model, options->tolerance, &parallel))) &&
            hasDone(job, wkSphereModel_Save(options->output, job->model)));
}

// Prints a line for each link whose spheres protrude further than requested.
// @return true when there is none
static bool sayAccuracy(const sphereJob* job, const sphereOptions* options)
{
    bool isMet = true;
    double reached = wkSphereModel_Info(job->model).protrusion;
    for (int i = 0; i < job->study.rowCount && options->count == 0; i++) {
        const wkSphereRow* row = &job->study.rows[i];
        double asked = job->linkAccuracies[row->link] + options->grow;
        // the bound of the fit may be tighter than the measurement, which has a tolerance
        double found = fmin(row->report.protrusion - options->tolerance, reached);
        if (job->linkCounts[row->link] == 0 && found > asked * (1.0 + 1e-9)) {
            fprintf(
                stderr,
                "whisker spheres: link %s: %d spheres stick out by up to %.3g mm, asked for %.3g "
                "mm\n",
                wkRobot_Link(job->robot.robot, row->link).name, (int)row->report.sphereCount,
                1e3 * found, 1e3 * asked);
            isMet = false;
        }
    }
    return isMet;
}

static int runJob(sphereJob* job, const sphereOptions* options)
{
    bool isFitted = options->from == NULL;
    if (!configure(job, options) || !(isFitted ? fit(job, options) : load(job, options))) {
        return wk_exitUsage;
    }
    job->study.origin = job->origin;
    job->study.robot = job->robot.robot;
    job->study.model = job->model;
    job->study.q = job->configuration.values;
    if (!measure(job, options->tolerance)) {
        return wk_exitUsage;
    }
    printStudy(&job->study, isFitted);
    if (!save(job, options) || !drawStudy(job, options)) {
        return wk_exitUsage;
    }
    bool isMet = !isFitted || sayAccuracy(job, options) || options->isBestEffort;
    return covers(&job->study) && isMet ? wk_exitDone : wk_exitTrouble;
}

static void closeJob(sphereJob* job)
{
    wkSphereModel_Destroy(job->model);
    free(job->configuration.values);
    free(job->linkCounts);
    free(job->linkAccuracies);
    free(job->study.rows);
    wkRobotJob_Close(&job->robot);
}

// Returns whether the extension is one that can be written; checked before a fit, which may take long.
static bool isSphereFile(const char* path)
{
    static const char* const extensions[] = {".json", ".yml", ".yaml", ".urdf"};
    const char* dot = strrchr(path, '.');
    for (size_t i = 0; i < sizeof extensions / sizeof extensions[0] && dot != NULL; i++) {
        if (strcmp(dot, extensions[i]) == 0) {
            return true;
        }
    }
    return false;
}

static bool checkOptions(const sphereOptions* options)
{
    const char* words = NULL;
    bool hasAccuracy = !isnan(options->accuracy) || options->linkCounts.count > 0 ||
                       options->linkAccuracies.count > 0;
    if (options->from != NULL && (options->count > 0 || hasAccuracy)) {
        words = "spheres are read or fitted, not both: --from, or --accuracy and --count";
    } else if (options->count > 0 && hasAccuracy) {
        words = "--count takes the place of --accuracy, --link-count and --link-accuracy";
    } else if (options->size > MAX_SIZE) {
        words = "--size is at most 8192";
    } else if (options->output != NULL && !isSphereFile(options->output)) {
        words = "-o wants a file that ends in .json, .yml, .yaml or .urdf";
    }
    if (words != NULL) {
        fprintf(stderr, "whisker spheres: %s\n", words);
    }
    return words == NULL;
}

int wkRunSpheres(int argc, char** argv)
{
    if (wkWantsHelp(argc, argv)) {
        fputs(help, stdout);
        return wk_exitDone;
    }
    sphereOptions options = {.accuracy = NAN, .tolerance = 0.0002, .size = 720};
    wkOption rows[WK_ROBOT_OPTION_COUNT + 15] = {
        [WK_ROBOT_OPTION_COUNT] = {"-o", wk_optionOutput, &options.output},
        {"--accuracy", wk_optionSize, &options.accuracy},
        {"--count", wk_optionCount, &options.count},
        {"--link-count", wk_optionList, &options.linkCounts},
        {"--link-accuracy", wk_optionList, &options.linkAccuracies},
        {"--grow", wk_optionBound, &options.grow},
        {"--from", wk_optionText, &options.from},
        {"--best-effort", wk_optionFlag, &options.isBestEffort},
        {"--skip-unknown", wk_optionFlag, &options.skipsUnknown},
        {"--ignore-frames", wk_optionFlag, &options.ignoresFrames},
        {"--tolerance", wk_optionSize, &options.tolerance},
        {"--report", wk_optionOutput, &options.report},
        {"--picture", wk_optionOutput, &options.picture},
        {"--size", wk_optionCount, &options.size},
        {"--q", wk_optionText, &options.q},
    };
    wkRobotOptions_Rows(&options.robot, rows);
    if (!wkTakeOptions(&argc, argv, rows, sizeof rows / sizeof rows[0]) ||
        !checkOptions(&options)) {
        return wk_exitUsage;
    }
    if (!wkTakesOne(argc, argv, "ROBOT")) {
        return wk_exitUsage;
    }
    sphereJob job = {0};
    int status = wk_exitUsage;
    options.accuracy =
        isnan(options.accuracy) ? wkDefaultSphereFitDef().accuracy : options.accuracy;
    if (wkRobotJob_LoadRobot(&job.robot, "spheres", argv[1], &options.robot)) {
        status = runJob(&job, &options);
    }
    closeJob(&job);
    return status;
}
