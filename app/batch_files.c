// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// Results of an interrupted run are resumed only when the robot with all of its meshes, the world, maps,
// clouds, spheres, images, options and the rows that were checked are the same.

#include "batch_files.h"

#include "batch_check.h"
#include "batch_inputs.h"
#include "json_tree.h"
#include "json_writer.h"
#include "whole_file.h"

#include "whisker/detail/counts.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define PARTIAL_FORMAT "whisker batch partial 1"
#define VALUES_FORMAT "whisker batch 1"
#define PATH_CAPACITY 4096

// Inputs of the verdicts, each with a digest, so that a message can name the one that has changed.
typedef enum part {
    partVersion,
    partOptions,
    partRobot,
    partWorld,
    partSpheres,
    partImages,
    partRows,
    partResults,
    partCount,
} part;

static const char* const partNames[partCount] = {
    [partVersion] = "version of whisker",
    [partOptions] = "options",
    [partRobot] = "robot",
    [partWorld] = "world",
    [partSpheres] = "sphere model",
    [partImages] = "depth images",
    [partRows] = "configurations",
    [partResults] = "results so far",
};

static bool hasDone(const wkBatchJob* job, wkResult result)
{
    return result == wk_ok || wkRobotJob_Complain(&job->robot, "%s", wkGetLastError());
}

static bool makePath(const wkBatchJob* job, const char* ending, char path[PATH_CAPACITY])
{
    int length = snprintf(path, PATH_CAPACITY, "%s%s", job->options->output, ending);
    return length < PATH_CAPACITY ||
           wkRobotJob_Complain(&job->robot, "%s: the path is too long", job->options->output);
}

static wkDigest digestVersion(void)
{
    wkVersion version = wkGetVersion();
    wkDigestBuilder builder = wkDigestBuilder_Begin("whisker batch version 1");
    wkDigestBuilder_AddInteger(&builder, version.major);
    wkDigestBuilder_AddInteger(&builder, version.minor);
    wkDigestBuilder_AddInteger(&builder, version.patch);
    return wkDigestBuilder_End(&builder);
}

// Returns the digest of all objects of the scene with their shapes, maps included, and of the text of the
// world file, which has the categories and rules.
static wkDigest digestWorld(const wkBatchJob* job)
{
    const wkRobotScene* scene = job->robot.scene;
    wkDigestBuilder builder = wkDigestBuilder_Begin("whisker batch world 1");
    if (!wkDigest_Equals(job->worldDigest, job->worldDigest)) {
        return job->worldDigest; // from a pipe: it cannot be compared
    }
    wkDigestBuilder_AddDigest(&builder, job->worldDigest);
    for (int32_t i = 0; i < wkRobotScene_Count(scene); i++) {
        wkRobotObjectInfo info = wkRobotScene_Object(scene, i);
        wkDigestBuilder_AddText(&builder, info.name);
        wkDigestBuilder_AddText(&builder, info.category);
        wkDigestBuilder_AddInteger(&builder, info.link);
        wkDigestBuilder_AddInteger(&builder, info.shapeCount);
        wkDigestBuilder_AddPose(&builder, info.pose);
        for (int32_t k = 0; k < info.shapeCount; k++) {
            wkPose pose = wkIdentityPose();
            const wkShape* shape = wkRobotScene_ObjectShape(scene, i, k, &pose);
            wkDigestBuilder_AddPose(&builder, pose);
            wkDigestBuilder_AddShape(&builder, shape);
        }
    }
    return wkDigestBuilder_End(&builder);
}

static void findDigests(wkBatchJob* job, wkDigest digests[partCount])
{
    wkDigestBuilder none = wkDigestBuilder_Begin("whisker batch spheres fitted");
    digests[partVersion] = digestVersion();
    digests[partOptions] = job->options->digest;
    digests[partRobot] = wkRobot_Digest(job->robot.robot);
    digests[partWorld] = digestWorld(job);
    digests[partSpheres] =
        job->spheres != NULL ? wkSphereModel_Digest(job->spheres) : wkDigestBuilder_End(&none);
    digests[partImages] = job->imagesDigest;
    digests[partRows] = wkRowHash_Digest(&job->rowHash);
    wkDigestBuilder results = job->resultDigest; // a copy: the original continues
    digests[partResults] = wkDigestBuilder_End(&results);
}

static void writeCounts(wkJsonWriter* writer, const wkBatchJob* job)
{
    wkJsonWriter_Open(writer, "counts", '{');
    for (int i = 0; i < WK_VERDICT_COUNT; i++) {
        if (job->clearances == NULL || i == wk_verdictInvalid) {
            wkJsonWriter_Integer(writer, wkVerdictName((wkVerdict)i), job->counts[i]);
        }
    }
    if (job->clearances != NULL) {
        wkJsonWriter_Integer(writer, "touching", job->touchCount);
    }
    wkJsonWriter_Close(writer, '}');
}

bool wkBatchFiles_Save(wkBatchJob* job)
{
    char path[PATH_CAPACITY], text[WK_DIGEST_TEXT_BYTES];
    wkDigest digests[partCount];
    if (!job->isResumable || job->doneCount == 0 ||
        !makePath(job, WK_ARRAY_PARTIAL ".json", path)) {
        return false;
    }
    if (!hasDone(job, wkArrayFile_Flush(job->output)) ||
        (job->times != NULL && !hasDone(job, wkArrayFile_Flush(job->times)))) {
        return false;
    }
    findDigests(job, digests);
    wkJsonWriter writer = {0};
    wkJsonWriter_Open(&writer, NULL, '{');
    wkJsonWriter_String(&writer, "format", PARTIAL_FORMAT);
    wkJsonWriter_Integer(&writer, "total", job->itemCount);
    wkJsonWriter_Integer(&writer, "done", job->doneCount);
    wkJsonWriter_String(&writer, "backend", wkBatchCheck_Backend(job));
    writeCounts(&writer, job);
    wkJsonWriter_Open(&writer, "digests", '{');
    for (int i = 0; i < partCount; i++) {
        wkDigest_ToText(digests[i], text);
        wkJsonWriter_String(&writer, partNames[i], text);
    }
    wkJsonWriter_Close(&writer, '}');
    wkJsonWriter_Close(&writer, '}');
    return hasDone(job, wkJsonWriter_Save(&writer, path));
}

void wkBatchFiles_AddResults(wkBatchJob* job, const void* results, int64_t count,
                             const float* times)
{
    size_t size = job->outputType == wk_arrayFloat ? sizeof(float) : 1;
    // a unit at a time: the digest does not depend on the size of blocks
    for (int64_t first = 0; first < count; first += WK_BATCH_ROWS) {
        int64_t left = count - first;
        size_t at = (size_t)first, rows = (size_t)(left < WK_BATCH_ROWS ? left : WK_BATCH_ROWS);
        wkDigestBuilder_AddBytes(&job->resultDigest, (const char*)results + at * size, rows * size);
        if (job->times != NULL) {
            wkDigestBuilder_AddBytes(&job->resultDigest, times + at, rows * sizeof *times);
        }
    }
}

// Computes the digest of the results in the files of the earlier run, which another run may have changed.
static bool digestResults(wkBatchJob* job, int64_t doneCount)
{
    void* results = job->clearances != NULL ? (void*)job->clearances : (void*)job->verdicts;
    for (int64_t first = 0; first < doneCount; first += WK_BATCH_ROWS) {
        int64_t left = doneCount - first;
        int64_t count = left < WK_BATCH_ROWS ? left : WK_BATCH_ROWS;
        if (!hasDone(job, wkArrayFile_Read(job->output, first, count, results)) ||
            (job->times != NULL &&
             !hasDone(job, wkArrayFile_Read(job->times, first, count, job->contacts)))) {
            return false;
        }
        wkBatchFiles_AddResults(job, results, count, job->contacts);
    }
    return true;
}

// Hashes the rows that the earlier run has checked.
static bool hashRows(wkBatchJob* job, int64_t doneCount)
{
    while (job->doneCount < doneCount) {
        int64_t left = doneCount - job->doneCount;
        int64_t count = left < WK_BATCH_ROWS ? left : WK_BATCH_ROWS;
        if (!wkBatchInputs_Read(job, count)) {
            return false;
        }
        job->doneCount += count;
    }
    return true;
}

static bool compareParts(wkBatchJob* job, const char* path, const wkJson* parts)
{
    wkDigest digests[partCount], found;
    findDigests(job, digests);
    for (int i = 0; i < partCount; i++) {
        const char* text = wkJson_String(wkJson_Find(parts, partNames[i]));
        if (text == NULL || !wkDigest_FromText(text, &found) ||
            !wkDigest_Equals(found, digests[i])) {
            return wkRobotJob_Complain(&job->robot,
                                       "--resume: %s: the %s changed since; without --resume all "
                                       "is checked again",
                                       path, partNames[i]);
        }
    }
    return true;
}

static void takeCounts(wkBatchJob* job, const wkJson* counts)
{
    for (int i = 0; i < WK_VERDICT_COUNT; i++) {
        job->counts[i] = wkJson_Integer(wkJson_Find(counts, wkVerdictName((wkVerdict)i)));
    }
    job->touchCount = wkJson_Integer(wkJson_Find(counts, "touching"));
}

// Resumes from the file at `path` if all inputs are unchanged.
static bool resume(wkBatchJob* job, const char* path, const wkJson* root)
{
    const char* format = wkJson_String(wkJson_Find(root, "format"));
    int64_t total = wkJson_Integer(wkJson_Find(root, "total"));
    int64_t done = wkJson_Integer(wkJson_Find(root, "done"));
    if (format == NULL || strcmp(format, PARTIAL_FORMAT) != 0) {
        return wkRobotJob_Complain(&job->robot, "--resume: %s: format \"%.60s\", expected \"%s\"",
                                   path, format != NULL ? format : "", PARTIAL_FORMAT);
    }
    bool isWhole = done % WK_BATCH_ROWS == 0 || done == total;
    if (total != job->itemCount || done < 0 || done > total || !isWhole) {
        return wkRobotJob_Complain(&job->robot, "--resume: %s: %lld of %lld, there are %lld %s",
                                   path, (long long)done, (long long)total,
                                   (long long)job->itemCount, job->what);
    }
    const wkBatchOptions* o = job->options;
    takeCounts(job, wkJson_Find(root, "counts"));
    return hashRows(job, done) &&
           hasDone(job, wkArrayFile_Resume(o->output, job->outputType, total, &job->output)) &&
           (o->times == NULL ||
            hasDone(job, wkArrayFile_Resume(o->times, wk_arrayFloat, total, &job->times))) &&
           digestResults(job, done) && compareParts(job, path, wkJson_Find(root, "digests"));
}

static bool takeBackend(wkBatchJob* job, const char* path, const wkJson* root)
{
    const char* name = wkJson_String(wkJson_Find(root, "backend"));
    return wkBatchCheck_TakeBackend(job, name) ||
           wkRobotJob_Complain(&job->robot,
                               "--resume: %s: backend \"%.60s\", expected \"cpu\", "
                               "\"gpu\" or \"both\"",
                               path, name);
}

typedef bool takePartialFcn(wkBatchJob* job, const char* path, const wkJson* root);

// Reads the file of an earlier run, and passes it on.
static bool readPartial(wkBatchJob* job, const char* path, takePartialFcn* takePartial)
{
    wkWholeFile file;
    wkJsonTree tree = {0};
    wkAskError error = {0};
    bool isRead = wkWholeFile_Read(&file, path, &error);
    if (!isRead) {
        wkRobotJob_Complain(&job->robot, "--resume: %s", error.message);
    } else if (!wkJsonTree_Parse(&tree, file.bytes, file.count)) {
        isRead = tree.isOutOfMemory
                     ? wkRobotJob_Complain(&job->robot, "--resume: %s: out of memory", path)
                     : wkRobotJob_Complain(&job->robot, "--resume: %s:%zu:%zu: %s", path, tree.line,
                                           tree.column, tree.message);
    } else {
        isRead = takePartial(job, path, tree.root);
    }
    wkJsonTree_Free(&tree);
    wkWholeFile_Free(&file);
    return isRead;
}

static bool create(wkBatchJob* job)
{
    const wkBatchOptions* o = job->options;
    int64_t count = job->itemCount;
    return hasDone(job, wkArrayFile_Create(o->output, job->outputType, count, &job->output)) &&
           (o->times == NULL ||
            hasDone(job, wkArrayFile_Create(o->times, wk_arrayFloat, count, &job->times)));
}

static bool isOrdinary(const char* path)
{
    struct stat about;
    return strncmp(path, "/dev/", 5) != 0 && strncmp(path, "/proc/", 6) != 0 &&
           (stat(path, &about) != 0 || S_ISREG(about.st_mode));
}

bool wkBatchFiles_TakeBackend(wkBatchJob* job)
{
    char path[PATH_CAPACITY];
    return makePath(job, WK_ARRAY_PARTIAL ".json", path) &&
           (!job->options->resumes || access(path, F_OK) != 0 ||
            readPartial(job, path, takeBackend));
}

bool wkBatchFiles_Open(wkBatchJob* job)
{
    const wkBatchOptions* o = job->options;
    char path[PATH_CAPACITY];
    job->outputType = job->clearances != NULL ? wk_arrayFloat : wk_arrayUint8;
    job->resultDigest = wkDigestBuilder_Begin("whisker batch results 1");
    job->isResumable = isOrdinary(o->output) && (o->times == NULL || isOrdinary(o->times));
    if (!makePath(job, WK_ARRAY_PARTIAL ".json", path)) {
        return false;
    }
    bool isThere = job->isResumable && access(path, F_OK) == 0;
    bool isOpen = true;
    if (o->resumes && isThere) {
        isOpen = readPartial(job, path, resume);
    } else {
        if (o->resumes) {
            fprintf(stderr, "whisker batch: --resume: there is no %s: all is checked\n", path);
        } else if (isThere) {
            fprintf(stderr,
                    "whisker batch: %s of an earlier run is dropped; --resume would have "
                    "gone on from it\n",
                    path);
            unlink(path);
        }
        isOpen = create(job);
    }
    return isOpen;
}

static void writePaths(wkJsonWriter* writer, const char* name, const wkOptionList* paths)
{
    wkJsonWriter_Open(writer, name, '[');
    for (int i = 0; i < paths->count; i++) {
        wkJsonWriter_String(writer, NULL, paths->items[i]);
    }
    wkJsonWriter_Close(writer, ']');
}

static void writeValues(wkJsonWriter* writer)
{
    wkJsonWriter_Open(writer, "values", '{');
    for (int i = 0; i < WK_VERDICT_COUNT; i++) {
        wkJsonWriter_Integer(writer, wkVerdictName((wkVerdict)i), i);
    }
    wkJsonWriter_Close(writer, '}');
}

// Records which checks were made and which were skipped: the meaning of a verdict depends on them.
static void writeChecks(wkJsonWriter* writer, const wkBatchJob* job)
{
    const wkBatchOptions* o = job->options;
    wkJsonWriter_Bool(writer, "covering", wkBatch_Info(job->batch).isCovering);
    wkJsonWriter_String(writer, "spheres", o->spheres);
    wkJsonWriter_String(writer, "exactness", o->exactness);
    wkJsonWriter_Bool(writer, "checks_self", !o->job.skipsSelf);
    wkJsonWriter_Bool(writer, "checks_world", !o->job.skipsWorld);
    wkJsonWriter_Bool(writer, "checks_limits", !o->job.skipsLimits);
    wkJsonWriter_Number(writer, "margin", o->margin);
    wkJsonWriter_Number(writer, "padding", o->job.robot.padding);
    writePaths(writer, "depth", &o->depths);
    wkJsonWriter_Bool(writer, "occluded_is_free", o->occludedIsFree);
    wkJsonWriter_Bool(writer, "unobserved_is_free", o->unobservedIsFree);
}

// Writes the meaning of the numbers of an array, and which checks were made.
static bool describe(const wkBatchJob* job, const char* array, const char* kind)
{
    const wkBatchOptions* o = job->options;
    char path[PATH_CAPACITY];
    if (!isOrdinary(array)) {
        return true;
    }
    if (snprintf(path, sizeof path, "%s.json", array) >= (int)sizeof path) {
        return wkRobotJob_Complain(&job->robot, "%s: the path is too long", array);
    }
    wkJsonWriter writer = {0};
    wkJsonWriter_Open(&writer, NULL, '{');
    wkJsonWriter_String(&writer, "format", VALUES_FORMAT);
    wkJsonWriter_String(&writer, "array", array);
    wkJsonWriter_String(&writer, "kind", kind);
    if (strcmp(kind, "verdicts") == 0) {
        writeValues(&writer);
    } else {
        wkJsonWriter_String(&writer, "unchecked", "nan");
    }
    wkJsonWriter_String(&writer, "of", job->what);
    wkJsonWriter_Integer(&writer, "count", job->doneCount);
    writeCounts(&writer, job);
    wkJsonWriter_String(&writer, "robot", job->path);
    wkJsonWriter_String(&writer, "robot_name", wkRobot_Info(job->robot.robot).name);
    wkJsonWriter_String(&writer, "states", o->states);
    if (o->job.world != NULL) {
        wkJsonWriter_String(&writer, "world", o->job.world);
    }
    writePaths(&writer, "maps", &o->job.maps);
    writePaths(&writer, "clouds", &o->job.clouds);
    wkJsonWriter_Integer(&writer, "objects", wkRobotScene_Count(job->robot.scene));
    writeChecks(&writer, job);
    if (job->hasMotions) {
        wkJsonWriter_Bool(&writer, "certified", wkBatchOptions_Certify(o));
    }
    wkJsonWriter_String(&writer, "backend", wkBatchCheck_Backend(job));
    wkJsonWriter_Close(&writer, '}');
    return hasDone(job, wkJsonWriter_Save(&writer, path));
}

bool wkBatchFiles_Finish(wkBatchJob* job)
{
    char path[PATH_CAPACITY];
    const wkBatchOptions* o = job->options;
    bool isDone = hasDone(job, wkArrayFile_Close(job->output));
    job->output = NULL;
    if (isDone && job->times != NULL) {
        isDone = hasDone(job, wkArrayFile_Close(job->times));
        job->times = NULL;
    }
    if (isDone && job->isResumable && makePath(job, WK_ARRAY_PARTIAL ".json", path)) {
        unlink(path);
    }
    return isDone &&
           describe(job, o->output, job->clearances != NULL ? "clearances" : "verdicts") &&
           (o->times == NULL || describe(job, o->times, "times"));
}

void wkBatchFiles_Leave(wkBatchJob* job)
{
    bool isKept = job->isResumable && job->doneCount > 0;
    wkArrayFile_Leave(job->output, isKept);
    wkArrayFile_Leave(job->times, isKept);
    job->output = NULL;
    job->times = NULL;
}
