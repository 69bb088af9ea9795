// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// whisker demo: shows the library at work, without any file or network.

#include "command.h"
#include "demo.h"
#include "robot_job.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const char help[] =
    "usage: whisker demo [ROBOT] [OPTIONS]\n"
    "\n"
    "Builds a room with a table and objects on it and puts a robot into it. Depth cameras, "
    "simulated\n"
    "with noise, look at the room, and a map is kept of what they see. Then ten thousand\n"
    "configurations and a few hundred motions are checked against the map. Prints each stage with\n"
    "its time and writes a report with pictures. Without ROBOT it is the robot of the library, "
    "with\n"
    "a camera on its head; a URDF file stands in a room that is made to its reach, with cameras\n"
    "around the table.\n"
    "\n"
    "  --quick                fewer views, configurations and motions, smaller pictures\n"
    "  --report FILE          where the report goes (build/demo.html where there is a folder\n"
    "                         build, demo.html elsewhere)\n"
    "  --picture FILE         the picture of the room as a PNG file too\n" WK_ROBOT_OPTIONS_HELP
    "\nexit status: 0 done, 1 something could not be written, 2 a file or the command line was "
    "wrong\n";

static const wkDemoSize fullSize = {12, 10000, 1000, 300, 960};
static const wkDemoSize quickSize = {3, 400, 40, 12, 96};

typedef struct demoOptions {
    wkRobotOptions robot;
    const char* path; // of the robot; NULL: that of the library
    bool isQuick;
    const char* report;
    const char* picture; // NULL: not wanted
} demoOptions;

static void printStage(wkDemoStage* stage)
{
    char total[32];
    wkSayTime(stage->seconds, total, sizeof total);
    printf("%-10s %-78s %8s", stage->name, stage->words, total);
    if (stage->samples.count > 0) {
        char median[32], most[32];
        wkSayTime(wkSamples_Percentile(&stage->samples, 0.5), median, sizeof median);
        wkSayTime(wkSamples_Percentile(&stage->samples, 0.99), most, sizeof most);
        printf(" %8s %8s", median, most);
    }
    printf("\n");
    fflush(stdout);
}

// Runs the stages and prints their rows.
static wkResult runStages(wkDemo* demo)
{
    static const struct {
        wkResult (*run)(wkDemo* demo);
        wkDemoStageName first, last;
    } steps[] = {{wkDemo_Observe, wk_demoCamera, wk_demoMap},
                 {wkDemo_Check, wk_demoStates, wk_demoClearance},
                 {wkDemo_Move, wk_demoMotions, wk_demoCost}};
    printf("%-10s %-78s %8s %8s %8s\n", "stage", "work", "time", "median", "99 %");
    printStage(&demo->stages[wk_demoRoom]);
    wkResult result = wk_ok;
    for (size_t i = 0; i < sizeof steps / sizeof steps[0] && result == wk_ok; i++) {
        result = steps[i].run(demo);
        for (int stage = (int)steps[i].first; stage <= (int)steps[i].last && result == wk_ok;
             stage++) {
            printStage(&demo->stages[stage]);
        }
    }
    return result;
}

static bool draw(wkDemo* demo, const demoOptions* options)
{
    wkDemoPicture pictures[WK_DEMO_PICTURES] = {{0}};
    wkDemoStage* stage = &demo->stages[wk_demoPictures];
    snprintf(stage->words, sizeof stage->words, "%d pictures", WK_DEMO_PICTURES);
    bool isDone = wkDemo_Draw(demo, pictures);
    if (isDone) {
        printStage(stage);
        isDone = wkDemo_WriteReport(demo, pictures, options->report) &&
                 (options->picture == NULL ||
                  wkPicture_WritePng(&pictures[0].picture, options->picture));
    }
    for (int i = 0; i < WK_DEMO_PICTURES; i++) {
        wkPicture_Destroy(&pictures[i].picture);
    }
    return isDone;
}

// Prints suggested next commands.
static void printNext(const wkDemo* demo, const char* report)
{
    char command[512];
    const char* words = NULL;
    printf("\nreport: %s\n", report);
    for (int i = 0; wkDemo_NextStep(demo, i, command, sizeof command, &words); i++) {
        printf("%-7s %-52s # %s\n", i == 0 ? "next:" : "", command, words);
    }
}

// Warns when most configurations are in self-collision: there is then little to show.
static void warnOfSelf(const wkDemo* demo)
{
    int self = demo->verdictCounts[wk_verdictSelf];
    if (2 * self > demo->size.stateCount) {
        fprintf(stderr,
                "whisker demo: the robot touches itself in %d of %d random configurations; an SRDF "
                "file (--srdf, or from whisker acm) says which pairs need no check\n",
                self, demo->size.stateCount);
    }
}

static int runAndReport(wkDemo* demo, const demoOptions* options, wkRobot* robot)
{
    wkResult result =
        wkDemo_Create(demo, options->isQuick ? &quickSize : &fullSize, robot, options->path);
    if (result == wk_ok) {
        result = runStages(demo);
    }
    if (result != wk_ok) {
        fprintf(stderr, "whisker demo: %s\n", wkGetLastError());
        return wk_exitTrouble;
    }
    warnOfSelf(demo);
    if (!draw(demo, options)) {
        fprintf(stderr, "whisker demo: cannot write %s\n", options->report);
        return wk_exitTrouble;
    }
    printNext(demo, options->report);
    return wk_exitDone;
}

static int runDemo(const demoOptions* options, wkRobot* robot)
{
    wkVersion version = wkGetVersion();
    printf("Whisker %d.%d.%d (%s): a robot in a room it has only seen\n\n", version.major,
           version.minor, version.patch, wkGetIsaName());
    wkDemo* demo = calloc(1, sizeof *demo);
    if (demo == NULL) {
        fprintf(stderr, "whisker demo: out of memory\n");
        wkRobot_Destroy(robot);
        return wk_exitTrouble;
    }
    int status = runAndReport(demo, options, robot);
    wkDemo_Destroy(demo);
    free(demo);
    return status;
}

int wkRunDemo(int argc, char** argv)
{
    if (wkWantsHelp(argc, argv)) {
        fputs(help, stdout);
        return wk_exitDone;
    }
    demoOptions options = {.report = access("build", W_OK) == 0 ? "build/demo.html" : "demo.html"};
    wkOption rows[WK_ROBOT_OPTION_COUNT + 3] = {
        {"--quick", wk_optionFlag, &options.isQuick},
        {"--report", wk_optionOutput, &options.report},
        {"--picture", wk_optionOutput, &options.picture},
    };
    wkRobotOptions_Rows(&options.robot, rows + 3);
    if (!wkTakeOptions(&argc, argv, rows, sizeof rows / sizeof rows[0])) {
        return wk_exitUsage;
    }
    if (argc > 2) {
        fprintf(stderr, "whisker demo: '%s' is not expected here; one robot at most\n", argv[2]);
        return wk_exitUsage;
    }
    wkRobotJob job;
    const char* path = argc == 2 ? argv[1] : "builtin";
    if (!wkRobotJob_LoadRobot(&job, "demo", path, &options.robot)) {
        wkRobotJob_Close(&job);
        return wk_exitUsage;
    }
    if (strcmp(path, "builtin") == 0) {
        wkRobotJob_Close(&job);
    } else {
        options.path = path;
    }
    return runDemo(&options, job.robot);
}
