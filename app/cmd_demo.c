// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// whisker demo: what the library is for, without any file or network.

#include "command.h"
#include "demo.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const char help[] =
    "usage: whisker demo [--quick] [--report FILE] [--picture FILE]\n"
    "\n"
    "Builds a room with a table and things on it and puts a robot into it. The robot looks around "
    "with\n"
    "a depth camera that is simulated by ray casting, with noise, and keeps a map of what it sees. "
    "Then\n"
    "ten thousand configurations and a few hundred motions are checked against the map. Prints "
    "each\n"
    "stage with its times and writes a report with pictures.\n"
    "\n"
    "  --quick         fewer views, configurations and motions, smaller pictures\n"
    "  --report FILE   where the report goes (build/demo.html where there is a folder build,\n"
    "                  demo.html elsewhere)\n"
    "  --picture FILE  the picture of the room as a PNG file too\n"
    "\n"
    "exit status: 0 done, 1 something could not be written, 2 the command line was wrong\n";

static const wkDemoSize fullSize = {12, 10000, 1000, 300, 960};
static const wkDemoSize quickSize = {3, 400, 40, 12, 96};

typedef struct demoOptions {
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

// Runs stages and prints those they have filled.
static wkResult runStages(wkDemo* demo)
{
    static const struct {
        wkResult (*run)(wkDemo* demo);
        wkDemoStageName first, last;
    } steps[] = {{wkDemo_Look, wk_demoCamera, wk_demoMap},
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

static int runAndReport(wkDemo* demo, const demoOptions* options)
{
    wkResult result = wkDemo_Create(demo, options->isQuick ? &quickSize : &fullSize);
    if (result == wk_ok) {
        result = runStages(demo);
    }
    if (result != wk_ok) {
        fprintf(stderr, "whisker demo: %s\n", wkGetLastError());
        return wk_exitTrouble;
    }
    if (!draw(demo, options)) {
        fprintf(stderr, "whisker demo: cannot write %s\n", options->report);
        return wk_exitTrouble;
    }
    printf("\nreport: %s\n", options->report);
    return wk_exitDone;
}

static int runDemo(const demoOptions* options)
{
    wkVersion version = wkGetVersion();
    printf("Whisker %d.%d.%d (%s): a robot in a room it has only seen\n\n", version.major,
           version.minor, version.patch, wkGetIsaName());
    wkDemo* demo = calloc(1, sizeof *demo);
    if (demo == NULL) {
        fprintf(stderr, "whisker demo: out of memory\n");
        return wk_exitTrouble;
    }
    int status = runAndReport(demo, options);
    wkDemo_Destroy(demo);
    free(demo);
    return status;
}

// False when a word is not expected; it is left in `argv[*at]`.
static bool readOptions(int argc, char** argv, demoOptions* options, int* at)
{
    for (*at = 1; *at < argc; (*at)++) {
        const char* word = argv[*at];
        bool hasValue = *at + 1 < argc;
        if (strcmp(word, "--quick") == 0) {
            options->isQuick = true;
        } else if (strcmp(word, "--report") == 0 && hasValue) {
            options->report = argv[++*at];
        } else if (strcmp(word, "--picture") == 0 && hasValue) {
            options->picture = argv[++*at];
        } else {
            return false;
        }
    }
    return true;
}

int wkRunDemo(int argc, char** argv)
{
    if (argc == 2 && (strcmp(argv[1], "--help") == 0 || strcmp(argv[1], "-h") == 0)) {
        fputs(help, stdout);
        return wk_exitDone;
    }
    demoOptions options = {.report = access("build", W_OK) == 0 ? "build/demo.html" : "demo.html"};
    int at = 1;
    if (!readOptions(argc, argv, &options, &at)) {
        fprintf(stderr,
                "whisker demo: '%s' is not expected here; usage: whisker demo [--quick] "
                "[--report FILE] [--picture FILE]\n",
                argv[at]);
        return wk_exitUsage;
    }
    return runDemo(&options);
}
