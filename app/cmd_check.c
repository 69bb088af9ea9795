// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// whisker check: finds which configurations of a robot are free, and why others are not.

#include "check_study.h"
#include "command.h"
#include "demo_samples.h"
#include "progress.h"
#include "robot_job.h"
#include "robot_words.h"
#include "threads.h"

#include "whisker/detail/counts.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char help[] =
    "usage: whisker check ROBOT (--q NUMBERS | --states FILE) [OPTIONS]\n"
    "\n"
    "Checks configurations of a robot for collision with itself and with its surroundings, and "
    "for\n"
    "joint limits. ROBOT is a URDF file, - or builtin. Prints a line for each configuration: its\n"
    "index, the verdict, and the pair that touches.\n"
    "\n"
    "  --q NUMBERS          one configuration: numbers in the order of whisker info, separated by "
    "commas;\n"
    "                       or variable=number pairs; or the name of a state\n"
    "  --states FILE        many: rows of a .npy or text file; columns by their names, or in "
    "order\n"
    "  --contacts COUNT     all pairs that touch, at most COUNT, with points and depths (JSON)\n"
    "  --clearance          distance to the nearest object, and of the nearest two links: two "
    "figures\n"
    "  --margin METRES      touching means not further apart than this\n"
    "  --summary            print the counts only\n" WK_STUDY_OPTIONS_HELP;

static const char helpEnd[] =
    "\nexit status: 0 all are free, 1 some are not, 2 something is wrong with files or options\n";

typedef struct checkOptions {
    wkJobOptions job;
    const char* q;
    const char* states;
    int contactCapacity;
    double margin;
    bool wantsClearance;
    bool isSummary;
    wkStudyOptions study;
} checkOptions;

// Distances to obstacles and self-distances are reported separately.
enum {
    clearanceWorld,
    clearanceSelf,
    clearanceCount
};

// Result of one configuration.
typedef struct answer {
    wkRobotCheckResult check;
    wkRobotClearanceResult clearances[clearanceCount];
    wkRobotContact* contacts; // NULL: only the first
} answer;

#define BLOCK 4096 // configurations per block of results

typedef struct checkRun {
    const checkOptions* options;
    const wkRobotJob* job;
    const wkConfigurations* list;
    wkRobotState* states[WK_JOB_SLICES];
    answer* answers;
    wkRobotContact* contacts;
    int first; // of this block
    int count;
    int shown; // the first configuration that is not free; -1: none so far
} checkRun;

static void checkOne(checkRun* run, wkRobotState* state, int index)
{
    const checkOptions* options = run->options;
    answer* a = &run->answers[index];
    *a = (answer){.contacts = NULL};
    wkRobotRequest request = wkJobOptions_Request(&options->job);
    request.margin = options->margin;
    if (options->contactCapacity > 0) {
        a->contacts = run->contacts + (size_t)index * (size_t)options->contactCapacity;
        request.contacts = a->contacts;
        request.contactCapacity = options->contactCapacity;
        request.wantsContacts = true;
    }
    const double* q =
        run->list->values + (size_t)(run->first + index) * (size_t)run->job->variableCount;
    wkRobotState_Set(state, wkIdentityPose(), q);
    a->check = wkRobotScene_Check(run->job->scene, state, &request);
    for (int i = 0; i < clearanceCount && options->wantsClearance; i++) {
        wkRobotRequest apart = wkJobOptions_Request(&options->job);
        apart.checksWorld = apart.checksWorld && i == clearanceWorld;
        apart.checksSelf = apart.checksSelf && i == clearanceSelf;
        a->clearances[i] = wkRobotScene_Clearance(run->job->scene, state, &apart, NULL, NULL);
    }
}

// Checks every WK_JOB_SLICES-th configuration of the block, which spreads expensive ones over the slices.
static void checkSlice(void* context, int slice)
{
    checkRun* run = context;
    for (int i = slice; i < run->count; i += WK_JOB_SLICES) {
        checkOne(run, run->states[slice], i);
    }
}

static const char* const clearanceNames[clearanceCount] = {
    [clearanceWorld] = "world", [clearanceSelf] = "self"};

static void sayClearance(const char* name, const wkRobotClearanceResult* clearance, wkText* text)
{
    char words[64];
    if (clearance->b.kind == wk_sideNone) {
        return;
    }
    snprintf(words, sizeof words, "; %s %.6f m: ", name, clearance->distance);
    wkText_AppendString(text, words);
    wkText_AppendString(text, clearance->a.name);
    wkText_AppendString(text, " and ");
    wkText_AppendString(text, clearance->b.name);
}

static void reportClearance(const char* name, const wkRobotClearanceResult* clearance, wkText* text)
{
    if (clearance->b.kind == wk_sideNone) {
        return;
    }
    wkText_AppendString(text, ",\"");
    wkText_AppendString(text, name);
    wkText_AppendString(text, "_clearance\":{\"distance\":");
    wkText_AppendNumber(text, clearance->distance);
    wkText_AppendString(text, ",\"a\":");
    wkText_AppendQuoted(text, clearance->a.name, strlen(clearance->a.name));
    wkText_AppendString(text, ",\"b\":");
    wkText_AppendQuoted(text, clearance->b.name, strlen(clearance->b.name));
    wkText_AppendString(text, "}");
}

static void sayAnswer(const checkRun* run, int index, wkText* text)
{
    const answer* a = &run->answers[index];
    wkText_AppendInteger(text, run->first + index);
    wkText_AppendString(text, " ");
    wkText_AppendString(text, wkVerdictName(a->check.verdict));
    wkSayContact(text, run->job->robot, &a->check);
    for (int i = 0; i < clearanceCount && run->options->wantsClearance; i++) {
        sayClearance(clearanceNames[i], &a->clearances[i], text);
    }
    wkText_AppendString(text, "\n");
}

static void reportAnswer(const checkRun* run, int index, wkText* text)
{
    const answer* a = &run->answers[index];
    wkText_AppendString(text, "{\"index\":");
    wkText_AppendInteger(text, run->first + index);
    wkReportVerdict(text, run->job->robot, &a->check);
    for (int i = 0; i < a->check.contactCount; i++) {
        wkReportContact(text, i == 0 ? ",\"contacts\":[" : ",", &a->contacts[i]);
    }
    wkText_AppendString(text, a->check.contactCount > 0 ? "]" : "");
    for (int i = 0; i < clearanceCount && run->options->wantsClearance; i++) {
        reportClearance(clearanceNames[i], &a->clearances[i], text);
    }
    wkText_AppendString(text, "}\n");
}

static bool writeBlock(checkRun* run, int64_t counts[WK_VERDICT_COUNT], wkText* text)
{
    for (int i = 0; i < run->count; i++) {
        wkVerdict verdict = run->answers[i].check.verdict;
        counts[verdict]++;
        run->shown = run->shown < 0 && verdict != wk_verdictFree ? run->first + i : run->shown;
        if (!run->options->isSummary) {
            (run->options->job.isJson ? reportAnswer : sayAnswer)(run, i, text);
        }
    }
    return wkRobotJob_Print(run->job, text);
}

static bool runBlocks(checkRun* run, int64_t counts[WK_VERDICT_COUNT])
{
    wkText text = {0};
    bool isWritten = true;
    wkProgress progress = wkProgress_Start("configurations", run->list->count);
    for (run->first = 0; run->first < run->list->count && isWritten; run->first += BLOCK) {
        int left = run->list->count - run->first;
        run->count = left < BLOCK ? left : BLOCK;
        wkRunOnThreads(checkSlice, run, run->count < WK_JOB_SLICES ? run->count : WK_JOB_SLICES);
        isWritten = writeBlock(run, counts, &text);
        wkProgress_Update(&progress, run->first + run->count);
    }
    wkProgress_End(&progress);
    wkText_Free(&text);
    return isWritten;
}

static bool makeRun(checkRun* run, const checkOptions* options, const wkRobotJob* job,
                    const wkConfigurations* list)
{
    *run = (checkRun){.options = options, .job = job, .list = list, .shown = -1};
    run->answers = malloc(BLOCK * sizeof *run->answers);
    run->contacts = malloc(((size_t)options->contactCapacity * BLOCK + 1) * sizeof *run->contacts);
    if (run->answers == NULL || run->contacts == NULL) {
        return wkRobotJob_Complain(job, "out of memory for %d contacts of %d configurations each",
                                   options->contactCapacity, BLOCK);
    }
    return wkRobotJob_MakeStates(job, run->states);
}

// Prints the summary as a line of JSON.
static void reportCounts(const int64_t counts[WK_VERDICT_COUNT], int total)
{
    printf("{\"configurations\":%d", total);
    for (int i = 0; i < WK_VERDICT_COUNT; i++) {
        printf(",\"%s\":%lld", wkVerdictName((wkVerdict)i), (long long)counts[i]);
    }
    printf("}\n");
}

// Draws the configuration that is shown. Returns false after a message.
static bool drawShown(const checkRun* run, const int64_t counts[WK_VERDICT_COUNT])
{
    const wkStudyOptions* files = &run->options->study;
    if (files->report == NULL && files->picture == NULL) {
        return true;
    }
    int shown = run->shown >= 0 ? run->shown : 0;
    wkCheckStudy study = {.index = shown, .what = "configurations", .counts = counts};
    study.request = wkJobOptions_Request(&run->options->job);
    study.request.margin = run->options->margin;
    wkCheckStudy_Examine(&study, run->job,
                         run->list->values + (size_t)shown * (size_t)run->job->variableCount);
    return wkCheckStudy_Write(&study, files);
}

static int checkAll(const checkOptions* options, const wkRobotJob* job,
                    const wkConfigurations* list)
{
    checkRun run;
    int64_t counts[WK_VERDICT_COUNT] = {0};
    double start = wkNow();
    bool isDone = makeRun(&run, options, job, list) && runBlocks(&run, counts);
    double seconds = wkNow() - start;
    isDone = isDone && drawShown(&run, counts);
    wkRobotJob_FreeStates(run.states);
    free(run.answers);
    free(run.contacts);
    if (!isDone) {
        return wk_exitUsage;
    }
    if (options->job.isJson && options->isSummary) {
        reportCounts(counts, list->count);
    } else if (!options->job.isJson && (options->isSummary || list->count > 1)) {
        wkText text = {0};
        wkSayCounts(&text, "configurations", counts);
        fflush(stdout);
        // with answers on stdout, the summary goes to stderr; alone it is the answer
        fprintf(options->isSummary ? stdout : stderr, "%.*s; %.0f a second\n", (int)text.length,
                text.data, list->count / seconds);
        wkText_Free(&text);
    }
    return counts[wk_verdictFree] == list->count ? wk_exitDone : wk_exitTrouble;
}

static int runCheck(const checkOptions* options, const char* path)
{
    wkRobotJob job;
    if (!wkRobotJob_Open(&job, "check", path, &options->job)) {
        return wk_exitUsage;
    }
    wkConfigurations list = {0};
    bool isRead = wkRobotJob_ReadConfigurations(&job, options->q, options->states, &list);
    int status = isRead ? checkAll(options, &job, &list) : wk_exitUsage;
    free(list.values);
    wkRobotJob_Close(&job);
    return status;
}

int wkRunCheck(int argc, char** argv)
{
    if (wkWantsHelp(argc, argv)) {
        printf("%s%s%s", help, wkJobOptionsHelp, helpEnd);
        return wk_exitDone;
    }
    checkOptions options = {.study.size = WK_STUDY_SIZE};
    wkOption rows[WK_JOB_OPTION_COUNT + 6 + WK_STUDY_OPTION_COUNT] = {
        [WK_JOB_OPTION_COUNT] = {"--q", wk_optionText, &options.q},
        {"--states", wk_optionText, &options.states},
        {"--contacts", wk_optionCount, &options.contactCapacity},
        {"--margin", wk_optionOffset, &options.margin},
        {"--clearance", wk_optionFlag, &options.wantsClearance},
        {"--summary", wk_optionFlag, &options.isSummary},
    };
    wkJobOptions_Rows(&options.job, rows);
    wkStudyOptions_Rows(&options.study, rows + WK_JOB_OPTION_COUNT + 6);
    if (!wkTakeOptions(&argc, argv, rows, sizeof rows / sizeof rows[0])) {
        return wk_exitUsage;
    }
    if (!wkTakesOne(argc, argv, "ROBOT")) {
        return wk_exitUsage;
    }
    if ((options.q == NULL) == (options.states == NULL)) {
        fprintf(stderr, "whisker check: wants --q or --states, one of them; try: whisker check "
                        "--help\n");
        return wk_exitUsage;
    }
    return runCheck(&options, argv[1]);
}
