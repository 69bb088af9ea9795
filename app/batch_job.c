// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// Opens a batch from the command line, and processes its files block by block.

#define _POSIX_C_SOURCE 200809L // stat

#include "batch_job.h"

#include "batch_check.h"
#include "batch_files.h"
#include "batch_inputs.h"
#include "cache.h"
#include "camera_pose.h"
#include "demo_samples.h"
#include "outputs.h"
#include "progress.h"

#include "whisker/detail/counts.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

// Fits that take at least this many seconds are reported.
#define LONG_FIT 0.5

static bool hasDone(const wkBatchJob* job, wkResult result)
{
    return result == wk_ok || wkRobotJob_Complain(&job->robot, "%s", wkGetLastError());
}

// Prints a line about spheres that do not cover the robot.
static void sayBare(const char* path, const wkSphereModel* spheres)
{
    wkSphereModelInfo info = wkSphereModel_Info(spheres);
    const char* link = wkRobot_Link(info.robot, info.bareLink).name;
    if (info.isCovering) {
        return;
    }
    fprintf(stderr, "whisker batch: %s: the spheres do not cover the robot", path);
    if (isfinite(info.gap)) {
        fprintf(stderr, " (up to %.3g m of link %s is outside of them)", info.gap, link);
    } else if (info.bareLink >= 0) {
        fprintf(stderr, " (link %s has none)", link);
    }
    fprintf(stderr, ": free means free for the spheres, not for the robot\n");
}

static bool reportFit(int64_t done, int64_t total, void* context)
{
    wkProgress* progress = context;
    progress->total = total;
    wkProgress_Update(progress, done);
    return true;
}

// Fits spheres for a robot without a sphere file. A long fit is reported with the way to avoid it.
static bool fitSpheres(wkBatchJob* job)
{
    char folder[WK_CACHE_PATH];
    bool hasCache = !job->options->ignoresCache && wkFindCacheFolder(folder, sizeof folder);
    bool isCached = false;
    wkProgress progress = wkProgress_Start("parts of the fit of spheres", 0);
    wkSphereFitDef fit = wkDefaultSphereFitDef();
    fit.parallel = &job->parallel;
    fit.progress = reportFit;
    fit.progressContext = &progress;
    wkResult result = wkSphereModel_FitCached(job->robot.robot, &fit, hasCache ? folder : NULL,
                                              &isCached, &job->spheres);
    wkProgress_End(&progress);
    double seconds = wkNow() - progress.start;
    if (result == wk_ok && !isCached && seconds > LONG_FIT) {
        char time[32];
        wkSayTime(seconds, time, sizeof time);
        fprintf(stderr, "whisker batch: %d spheres fitted in %s%s\n",
                (int)wkSphereModel_Info(job->spheres).sphereCount, time,
                hasCache ? ", kept for the next time (--no-cache: not)"
                         : "; whisker spheres -o keeps them in a file");
    }
    return hasDone(job, result);
}

static bool openSpheres(wkBatchJob* job)
{
    const char* path = job->options->spheres;
    wkSphereLoadInfo report;
    wkSphereLoadDef how = wkDefaultSphereLoadDef();
    how.parallel = &job->parallel;
    how.padding = fmax(job->options->job.robot.padding, 0.0);
    job->parallel.threadCount = job->options->threads;
    if (path == NULL) {
        return fitSpheres(job);
    }
    if (!hasDone(job, wkSphereModel_Load(path, job->robot.robot, &how, &report, &job->spheres))) {
        return false;
    }
    if (report.warning[0] != '\0') {
        fprintf(stderr, "whisker batch: %s\n", report.warning);
    }
    sayBare(path, job->spheres);
    return true;
}

// Opens an image with its camera and pose.
static bool openDepth(wkBatchJob* job, int index)
{
    wkDepthData* data = NULL;
    wkDepthImage image = wkDefaultDepthImage();
    bool isOpen =
        hasDone(job, wkLoadCamera("batch", job->options->cameras.items[index], &image)) &&
        hasDone(job, wkDepthData_LoadFor(job->options->depths.items[index], &image.camera, &data));
    if (isOpen) {
        image.pixels = data->pixels;
        image.camera.width = data->width; // for cameras without a size
        image.camera.height = data->height;
        isOpen =
            hasDone(job, wkDepthMap_Create(data->width, data->height, &job->depthMaps[index])) &&
            hasDone(job, wkDepthMap_Update(job->depthMaps[index], &image, NULL, NULL));
    }
    wkDepthData_Destroy(data);
    return isOpen;
}

static bool findExactness(const wkBatchJob* job, wkExactness* exactness)
{
    const char* name = job->options->exactness;
    for (int i = 0; i < WK_EXACTNESS_COUNT && name != NULL; i++) {
        if (strcmp(wkExactnessName((wkExactness)i), name) == 0) {
            *exactness = (wkExactness)i;
            return true;
        }
    }
    return name == NULL ||
           wkRobotJob_Complain(&job->robot, "--exactness wants refined, self, spheres or filter");
}

static bool openBatch(wkBatchJob* job)
{
    wkBatchDef def = wkDefaultBatchDef();
    def.scene = job->robot.scene;
    def.spheres = job->spheres;
    def.depthMaps = (const wkDepthMap* const*)job->depthMaps;
    def.depthMapCount = job->options->depths.count;
    def.occludedIsFree = job->options->occludedIsFree;
    def.unobservedIsFree = job->options->unobservedIsFree;
    def.margin = job->options->margin;
    wkRobotRequest checks = wkJobOptions_Request(&job->options->job);
    def.checksSelf = checks.checksSelf;
    def.checksWorld = checks.checksWorld;
    def.checksLimits = checks.checksLimits;
    def.allowsEmpty = job->options->job.robot.allowsEmpty;
    def.parallel = &job->parallel;
    if (!findExactness(job, &def.exactness)) {
        return false;
    }
    wkProgress progress = wkProgress_Start("making the batch", 0);
    wkProgress_Say(&progress);
    wkResult result = wkBatch_Create(&def, &job->batch);
    wkProgress_End(&progress);
    return hasDone(job, result);
}

static bool openTable(wkBatchJob* job, const char* path, wkStateTable* table)
{
    if (!hasDone(job, wkTableMap_Open(path, &table->map))) {
        return false;
    }
    wkTableMapInfo info = wkTableMap_Info(table->map);
    table->rowCount = info.rowCount;
    table->columnCount = info.columnCount;
    if (table->rowCount == 0) {
        fprintf(stderr, "whisker batch: %s has no rows: nothing is checked\n", path);
        return true;
    }
    table->variables = malloc(((size_t)table->columnCount + 1) * sizeof *table->variables);
    if (table->variables == NULL) {
        return wkRobotJob_Complain(&job->robot, "%s: out of memory for %d columns", path,
                                   table->columnCount);
    }
    wkColumns columns = {info.columnCount, info.names, info.commentNames};
    return wkRobotJob_MatchColumns(&job->robot, path, columns, table->variables);
}

static bool openTables(wkBatchJob* job)
{
    const wkBatchOptions* o = job->options;
    if (!openTable(job, o->states, &job->states) ||
        (o->to != NULL && !openTable(job, o->to, &job->to))) {
        return false;
    }
    int64_t rowCount = job->states.rowCount;
    if (o->to != NULL && job->to.rowCount != rowCount) {
        return wkRobotJob_Complain(&job->robot, "%s has %lld rows, %s has %lld", o->to,
                                   (long long)job->to.rowCount, o->states, (long long)rowCount);
    }
    job->hasMotions = o->isPath || o->to != NULL;
    job->itemCount = o->isPath && rowCount > 0 ? rowCount - 1 : rowCount;
    job->what = job->hasMotions ? "motions" : "configurations";
    return true;
}

// Rows of the largest block on a GPU, and the bytes of its configurations that limit it.
#define MOST_GPU_ROWS (16 * WK_BATCH_ROWS)
#define MOST_GPU_BYTES ((int64_t)128 << 20)

static int64_t mostRows(const wkBatchJob* job)
{
    int64_t rowBytes = ((int64_t)job->robot.variableCount + 1) * (int64_t)sizeof(double);
    int64_t most = job->gpu.batch != NULL ? MOST_GPU_ROWS : WK_BATCH_ROWS;
    while (most > WK_BATCH_ROWS &&
           (most * rowBytes > MOST_GPU_BYTES || most / 2 >= job->itemCount)) {
        most /= 2;
    }
    return most;
}

// Takes memory for an array from a block; NULL where there is none yet, or no array.
static void* take(char* block, size_t* at, size_t byteCount)
{
    void* taken = block != NULL && byteCount > 0 ? block + *at : NULL;
    *at += (byteCount + 63) / 64 * 64;
    return taken;
}

// Lays out the arrays that a GPU reads and writes. Returns their bytes.
static size_t layOutShared(wkBatchJob* job, char* block)
{
    size_t rows = (size_t)job->mostRows + 1, at = 0; // a path has one row more than motions
    size_t rowBytes = ((size_t)job->robot.variableCount + 1) * sizeof(double);
    job->from = take(block, &at, rows * rowBytes);
    job->until = take(block, &at, job->options->to != NULL ? rows * rowBytes : 0);
    job->verdicts = take(block, &at, rows);
    job->results = take(block, &at, job->hasMotions ? rows * sizeof *job->results : 0);
    job->clearances =
        take(block, &at, wkBatchJob_Measures(job) ? rows * sizeof *job->clearances : 0);
    return at;
}

// Allocates buffers for a block.
static bool reserve(wkBatchJob* job)
{
    job->mostRows = mostRows(job);
    job->blockRows = WK_BATCH_ROWS;
    size_t rows = (size_t)job->mostRows + 1, sharedBytes = layOutShared(job, NULL);
    size_t columns = (size_t)job->states.columnCount + (size_t)job->to.columnCount + 1;
    bool isDrawn = job->options->study.report != NULL || job->options->study.picture != NULL;
    job->shared = wkBatchGpu_AllocatePinned(&job->gpu, sharedBytes);
    job->isPinned = job->shared != NULL;
    job->shared = job->isPinned ? job->shared : malloc(sharedBytes);
    layOutShared(job, job->shared);
    job->read = malloc(rows * columns * sizeof(double));
    job->shown = isDrawn ? calloc((size_t)job->robot.variableCount + 1, sizeof *job->shown) : NULL;
    job->shownIndex = -1;
    job->contacts = job->hasMotions ? malloc(rows * sizeof *job->contacts) : NULL;
    bool hasAll = job->shared != NULL && job->read != NULL && (job->shown != NULL || !isDrawn) &&
                  (job->contacts != NULL || !job->hasMotions);
    return hasAll || wkRobotJob_Complain(&job->robot, "out of memory");
}

// Declares the files beside an output.
static bool declareBeside(const char* path)
{
    static const char* const endings[] = {".json", WK_ARRAY_PARTIAL, WK_ARRAY_PARTIAL ".json"};
    struct stat about;
    if (path == NULL || (stat(path, &about) == 0 && !S_ISREG(about.st_mode))) {
        return true;
    }
    bool isFine = true;
    for (size_t i = 0; i < sizeof endings / sizeof endings[0] && isFine; i++) {
        char beside[4096];
        int length = snprintf(beside, sizeof beside, "%s%s", path, endings[i]);
        isFine = length < (int)sizeof beside && wkOutputs_Add("batch", beside);
    }
    return isFine;
}

static bool areApart(const wkBatchOptions* options)
{
    return declareBeside(options->output) && declareBeside(options->times) &&
           wkOutputs_AreApart("batch");
}

// Returns the digest of the files' content; all zeros, which equals no digest, if one cannot be read twice.
static wkDigest digestFiles(const char* const* paths, int count)
{
    wkDigestBuilder builder = wkDigestBuilder_Begin("whisker batch files 1");
    for (int i = 0; i < count; i++) {
        char bytes[4096];
        struct stat about;
        FILE* file =
            stat(paths[i], &about) == 0 && S_ISREG(about.st_mode) ? fopen(paths[i], "rb") : NULL;
        if (file == NULL) {
            return (wkDigest){{0}};
        }
        wkDigestBuilder_AddInteger(&builder, about.st_size);
        for (size_t length; (length = fread(bytes, 1, sizeof bytes, file)) > 0;) {
            wkDigestBuilder_AddBytes(&builder, bytes, length);
        }
        fclose(file);
    }
    return wkDigestBuilder_End(&builder);
}

static void digestInputs(wkBatchJob* job)
{
    const wkBatchOptions* o = job->options;
    wkDigest images[2] = {digestFiles(o->depths.items, o->depths.count),
                          digestFiles(o->cameras.items, o->cameras.count)};
    wkDigestBuilder builder = wkDigestBuilder_Begin("whisker batch images 1");
    wkDigestBuilder_AddDigest(&builder, images[0]);
    wkDigestBuilder_AddDigest(&builder, images[1]);
    job->imagesDigest = wkDigestBuilder_End(&builder);
    job->worldDigest = digestFiles(&o->job.world, o->job.world != NULL ? 1 : 0);
}

bool wkBatchJob_Open(wkBatchJob* job, const wkBatchOptions* options, const char* path)
{
    *job = (wkBatchJob){.options = options, .path = path};
    digestInputs(job);
    if (!areApart(options) || !wkRobotJob_Open(&job->robot, "batch", path, &options->job)) {
        return false;
    }
    bool isOpen = openTables(job) && openSpheres(job);
    for (int i = 0; i < options->depths.count && isOpen; i++) {
        isOpen = openDepth(job, i);
    }
    return isOpen && openBatch(job) && wkBatchFiles_TakeBackend(job) && wkBatchCheck_Choose(job) &&
           reserve(job) && wkBatchFiles_Open(job);
}

bool wkBatchJob_Measures(const wkBatchJob* job)
{
    return !isnan(job->options->clearance);
}

bool wkBatchOptions_Certify(const wkBatchOptions* options)
{
    return !options->isSampled && isnan(options->step);
}

// Keeps the first configuration that is not free, or whose clearance is not above 0, or the first.
static void keepShown(wkBatchJob* job, int64_t count)
{
    size_t length = (size_t)job->robot.variableCount;
    for (int64_t i = 0; i < count && job->shownIndex < 0; i++) {
        bool isFree = job->clearances != NULL ? job->clearances[i] > 0.0f
                                              : job->verdicts[i] == wk_verdictFree;
        if (!isFree || job->doneCount + i == 0) {
            memcpy(job->shown, job->from + (size_t)i * length, length * sizeof *job->shown);
            job->shownIndex = isFree ? -1 : job->doneCount + i;
        }
    }
}

static void countFindings(wkBatchJob* job, int64_t count)
{
    for (int64_t i = 0; i < count && job->clearances == NULL; i++) {
        ++job->counts[job->verdicts[i]];
    }
    for (int64_t i = 0; i < count && job->clearances != NULL; i++) {
        job->touchCount += job->clearances[i] <= 0.0f ? 1 : 0;
        job->counts[wk_verdictInvalid] += isnan(job->clearances[i]) ? 1 : 0;
    }
}

// Seconds that a block on a GPU should take: signals wait for its end.
#define SHORT_BLOCK 0.2
#define LONG_BLOCK 1.0

// Chooses the rows of the next block. A GPU takes more of them as long as blocks are short: what it leaves to the CPU
// takes longer in some scenes than in others.
static void chooseBlock(wkBatchJob* job, double seconds)
{
    if (job->gpu.batch == NULL) {
        job->blockRows = WK_BATCH_ROWS;
    } else if (seconds < SHORT_BLOCK && 2 * job->blockRows <= job->mostRows) {
        job->blockRows *= 2;
    } else if (seconds > LONG_BLOCK && job->blockRows > WK_BATCH_ROWS) {
        job->blockRows /= 2;
    }
}

static bool writeBlock(wkBatchJob* job, const void* found, int64_t count)
{
    return hasDone(job, wkArrayFile_Write(job->output, job->doneCount, count, found)) &&
           (job->times == NULL ||
            hasDone(job, wkArrayFile_Write(job->times, job->doneCount, count, job->contacts)));
}

bool wkBatchJob_Step(wkBatchJob* job)
{
    int64_t left = job->itemCount - job->doneCount;
    int64_t count = left < job->blockRows ? left : job->blockRows;
    const void* found = job->clearances != NULL ? (const void*)job->clearances : job->verdicts;
    wkRowHash before = job->rowHash;
    double start = wkNow();
    if (!wkBatchInputs_Read(job, count) || !wkBatchCheck_Run(job, count) ||
        !writeBlock(job, found, count)) {
        job->rowHash = before;
        return false;
    }
    wkBatchFiles_AddResults(job, found, count, job->contacts);
    countFindings(job, count);
    if (job->shown != NULL) {
        keepShown(job, count);
    }
    job->doneCount += count;
    chooseBlock(job, wkNow() - start);
    return true;
}

static void closeTable(wkStateTable* table)
{
    wkTableMap_Close(table->map);
    free(table->variables);
}

void wkBatchJob_Close(wkBatchJob* job)
{
    wkBatchFiles_Leave(job);
    closeTable(&job->states);
    closeTable(&job->to);
    if (job->isPinned) {
        wkBatchGpu_ReleasePinned(&job->gpu, job->shared);
    } else {
        free(job->shared);
    }
    wkBatchGpu_Close(&job->gpu);
    wkBatch_Destroy(job->batch);
    wkSphereModel_Destroy(job->spheres);
    for (int i = 0; i < WK_OPTION_LIST; i++) {
        wkDepthMap_Destroy(job->depthMaps[i]);
    }
    wkRobotJob_Close(&job->robot);
    free(job->read);
    free(job->shown);
    free(job->contacts);
}
