// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// whisker spheres: measures, writes and draws spheres that sphere_job.c fits or reads.

#include "demo_samples.h"
#include "sphere_job.h"

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

static bool measure(wkSphereJob* job, double tolerance)
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
        if (!wkSphereJob_HasDone(
                job, wkSphereModel_Measure(job->model, link, tolerance, &row->report))) {
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

static bool drawStudy(const wkSphereJob* job, const wkSphereOptions* options)
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

static bool configure(wkSphereJob* job, const wkSphereOptions* options)
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
static bool save(wkSphereJob* job, const wkSphereOptions* options)
{
    const wkParallel parallel = {0};
    bool needsProof = options->from != NULL && covers(&job->study);
    return options->output == NULL ||
           ((!needsProof ||
             wkSphereJob_HasDone(job,
                                 wkSphereModel_Prove(job->model, options->tolerance, &parallel))) &&
            wkSphereJob_HasDone(job, wkSphereModel_Save(options->output, job->model)));
}

// Prints a line for each link whose spheres protrude further than requested.
// @return true when there is none
static bool sayAccuracy(const wkSphereJob* job, const wkSphereOptions* options)
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

static int runJob(wkSphereJob* job, const wkSphereOptions* options)
{
    bool isFitted = options->from == NULL;
    if (!configure(job, options) ||
        !(isFitted ? wkSphereJob_Fit(job, options) : wkSphereJob_Load(job, options))) {
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

static void closeJob(wkSphereJob* job)
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

static bool checkOptions(const wkSphereOptions* options)
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
    wkSphereOptions options = {.accuracy = NAN, .tolerance = 0.0002, .size = 720};
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
    wkSphereJob job = {0};
    int status = wk_exitUsage;
    options.accuracy =
        isnan(options.accuracy) ? wkDefaultSphereFitDef().accuracy : options.accuracy;
    if (wkRobotJob_LoadRobot(&job.robot, "spheres", argv[1], &options.robot)) {
        status = runJob(&job, &options);
    }
    closeJob(&job);
    return status;
}
