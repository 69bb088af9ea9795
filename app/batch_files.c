// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// Results of an interrupted run are resumed only when the robot with all of its meshes, the world, maps,
// spheres, images, options and the rows that were checked are the same.

#include "batch_files.h"

#include <jansson.h>
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

// Adds a member; when out of memory the whole object is dropped.
static void put(json_t** object, const char* name, json_t* value)
{
    if (json_object_set_new(*object, name, value) != 0) {
        json_decref(*object);
        *object = NULL;
    }
}

// Makes a JSON text; a path may have bytes that JSON cannot represent.
static json_t* makeText(const char* text)
{
    json_t* made = json_string(text);
    return made != NULL ? made : json_string("(not UTF-8)");
}

static wkResult saveJson(const char* path, json_t* root)
{
    char* text = root != NULL ? json_dumps(root, JSON_INDENT(2) | JSON_PRESERVE_ORDER) : NULL;
    size_t length = text != NULL ? strlen(text) : 0;
    char* line = text != NULL ? realloc(text, length + 2) : NULL;
    if (line == NULL) {
        free(text);
        json_decref(root);
        return wkSetLastError(wk_errorMemory, "out of memory for a small JSON file");
    }
    line[length] = '\n';
    wkResult result = wkSaveFile(path, line, length + 1);
    free(line);
    json_decref(root);
    return result;
}

static json_t* listCounts(const wkBatchJob* job)
{
    json_t* counts = json_object();
    for (int i = 0; i < wk_verdictCount; i++) {
        if (job->clearances == NULL || i == wk_verdictInvalid) {
            put(&counts, wkVerdictName((wkVerdict)i), json_integer(job->counts[i]));
        }
    }
    if (job->clearances != NULL) {
        put(&counts, "touching", json_integer(job->touchCount));
    }
    return counts;
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
    json_t *root = json_object(), *parts = json_object();
    put(&root, "format", json_string(PARTIAL_FORMAT));
    put(&root, "total", json_integer(job->itemCount));
    put(&root, "done", json_integer(job->doneCount));
    put(&root, "counts", listCounts(job));
    for (int i = 0; i < partCount; i++) {
        wkDigest_ToText(digests[i], text);
        put(&parts, partNames[i], json_string(text));
    }
    put(&root, "digests", parts);
    return hasDone(job, saveJson(path, root));
}

void wkBatchFiles_AddResults(wkBatchJob* job, const void* results, int64_t count,
                             const float* times)
{
    size_t size = job->outputType == wk_arrayFloat ? sizeof(float) : 1;
    wkDigestBuilder_AddBytes(&job->resultDigest, results, (size_t)count * size);
    if (job->times != NULL) {
        wkDigestBuilder_AddBytes(&job->resultDigest, times, (size_t)count * sizeof *times);
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
        if (!wkBatchJob_ReadRows(job, count)) {
            return false;
        }
        job->doneCount += count;
    }
    return true;
}

static bool compareParts(wkBatchJob* job, const char* path, const json_t* parts)
{
    wkDigest digests[partCount], found;
    findDigests(job, digests);
    for (int i = 0; i < partCount; i++) {
        const char* text = json_string_value(json_object_get(parts, partNames[i]));
        if (text == NULL || !wkDigest_FromText(text, &found) ||
            !wkDigest_Equals(found, digests[i])) {
            return wkRobotJob_Complain(&job->robot,
                                       "--resume: %s: the %s changed since; without --resume all "
                                       "is checked anew",
                                       path, partNames[i]);
        }
    }
    return true;
}

static void takeCounts(wkBatchJob* job, const json_t* counts)
{
    for (int i = 0; i < wk_verdictCount; i++) {
        job->counts[i] = json_integer_value(json_object_get(counts, wkVerdictName((wkVerdict)i)));
    }
    job->touchCount = json_integer_value(json_object_get(counts, "touching"));
}

// Resumes from the file at `path` if all inputs are unchanged.
static bool resume(wkBatchJob* job, const char* path, const json_t* root)
{
    const char* format = json_string_value(json_object_get(root, "format"));
    int64_t total = json_integer_value(json_object_get(root, "total"));
    int64_t done = json_integer_value(json_object_get(root, "done"));
    if (format == NULL || strcmp(format, PARTIAL_FORMAT) != 0) {
        return wkRobotJob_Complain(&job->robot, "--resume: %s: format is not \"%s\"", path,
                                   PARTIAL_FORMAT);
    }
    bool isWhole = done % WK_BATCH_ROWS == 0 || done == total;
    if (total != job->itemCount || done < 0 || done > total || !isWhole) {
        return wkRobotJob_Complain(&job->robot, "--resume: %s: %lld of %lld, there are %lld %s",
                                   path, (long long)done, (long long)total,
                                   (long long)job->itemCount, job->what);
    }
    const wkBatchOptions* o = job->options;
    takeCounts(job, json_object_get(root, "counts"));
    return hashRows(job, done) &&
           hasDone(job, wkArrayFile_Resume(o->output, job->outputType, total, &job->output)) &&
           (o->times == NULL ||
            hasDone(job, wkArrayFile_Resume(o->times, wk_arrayFloat, total, &job->times))) &&
           digestResults(job, done) && compareParts(job, path, json_object_get(root, "digests"));
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
    json_error_t trouble;
    json_t* root = job->isResumable ? json_load_file(path, 0, &trouble) : NULL;
    bool isThere = job->isResumable && access(path, F_OK) == 0;
    bool isOpen = true;
    if (o->resumes && isThere) {
        isOpen = root != NULL ? resume(job, path, root)
                              : wkRobotJob_Complain(&job->robot, "--resume: %s:%d: %s", path,
                                                    trouble.line, trouble.text);
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
    json_decref(root);
    return isOpen;
}

static json_t* listPaths(const wkOptionList* maps)
{
    json_t* list = json_array();
    for (int i = 0; i < maps->count; i++) {
        if (json_array_append_new(list, makeText(maps->items[i])) != 0) {
            json_decref(list);
            return NULL;
        }
    }
    return list;
}

static json_t* listValues(void)
{
    json_t* values = json_object();
    for (int i = 0; i < wk_verdictCount; i++) {
        put(&values, wkVerdictName((wkVerdict)i), json_integer(i));
    }
    return values;
}

// Records which checks were made and which were skipped: the meaning of a verdict depends on them.
static void putChecks(json_t** root, const wkBatchJob* job)
{
    const wkBatchOptions* o = job->options;
    put(root, "covering", json_boolean(wkBatch_Info(job->batch).isCovering));
    put(root, "spheres", o->spheres != NULL ? makeText(o->spheres) : json_null());
    put(root, "exactness", o->exactness != NULL ? makeText(o->exactness) : json_null());
    put(root, "checks_self", json_boolean(!o->job.skipsSelf));
    put(root, "checks_world", json_boolean(!o->job.skipsWorld));
    put(root, "checks_limits", json_boolean(!o->job.skipsLimits));
    put(root, "margin", json_real(o->margin));
    put(root, "padding", json_real(o->job.robot.padding));
    put(root, "depth", listPaths(&o->depths));
    put(root, "occluded_is_free", json_boolean(o->occludedIsFree));
    put(root, "unobserved_is_free", json_boolean(o->unobservedIsFree));
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
    json_t* root = json_object();
    put(&root, "format", json_string(VALUES_FORMAT));
    put(&root, "array", makeText(array));
    put(&root, "kind", json_string(kind));
    if (strcmp(kind, "verdicts") == 0) {
        put(&root, "values", listValues());
    } else {
        put(&root, "unchecked", json_string("nan"));
    }
    put(&root, "of", json_string(job->what));
    put(&root, "count", json_integer(job->doneCount));
    put(&root, "counts", listCounts(job));
    put(&root, "robot", makeText(job->path));
    put(&root, "robot_name", makeText(wkRobot_Info(job->robot.robot).name));
    put(&root, "states", makeText(o->states));
    if (o->job.world != NULL) {
        put(&root, "world", makeText(o->job.world));
    }
    put(&root, "maps", listPaths(&o->job.maps));
    put(&root, "objects", json_integer(wkRobotScene_Count(job->robot.scene)));
    putChecks(&root, job);
    if (job->hasMotions) {
        put(&root, "certified", json_boolean(wkBatchOptions_Certify(o)));
    }
    return hasDone(job, saveJson(path, root));
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
