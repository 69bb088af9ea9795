// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

#include "batch_check.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

// As many items as a thread checks in about a second among some boxes, which is the time that a GPU takes to start.
#define STATES_A_SECOND ((int64_t)1 << 22)
#define CLEARANCES_A_SECOND ((int64_t)1 << 20)
#define STEPPED_A_SECOND ((int64_t)1 << 19)
#define CERTIFIED_A_SECOND ((int64_t)1 << 19)

#define WHY_CAPACITY 512

static const char* const backendNames[] = {"", "cpu", "gpu", "both"};

static bool isCertified(const wkBatchJob* job)
{
    return job->hasMotions && wkBatchOptions_Certify(job->options);
}

// Returns from how many items on a GPU pays.
static int64_t itemsThatPay(const wkBatchJob* job)
{
    int64_t each = isCertified(job)           ? CERTIFIED_A_SECOND
                   : job->hasMotions          ? STEPPED_A_SECOND
                   : wkBatchJob_Measures(job) ? CLEARANCES_A_SECOND
                                              : STATES_A_SECOND;
    return each * wkBatch_Info(job->batch).threadCount;
}

// Whether the results so far are of the GPU alone or of the CPU alone, and those of the other one may differ: of a
// certified motion the GPU may find another contact, or prove one that is uncertain on the CPU (whisker/cuda_batches.h).
static bool isBound(const wkBatchJob* job)
{
    return isCertified(job) && job->usedGpu != job->usedCpu;
}

// Writes why a GPU or the CPU checks.
static void writeReason(const wkBatchJob* job, char* why)
{
    const wkBatchOptions* o = job->options;
    if (o->gpuChoice.wish != wk_gpuAuto) {
        snprintf(why, WHY_CAPACITY, "--gpu %s", o->gpu);
    } else if (isBound(job)) {
        snprintf(why, WHY_CAPACITY, "as the first %s", job->what);
    } else {
        snprintf(why, WHY_CAPACITY, "%" PRId64 " %s, a GPU pays from about %" PRId64 " on",
                 job->itemCount, job->what, itemsThatPay(job));
    }
}

static bool wantsGpu(const wkBatchJob* job)
{
    wkGpuWish wish = job->options->gpuChoice.wish;
    bool isChosen = isBound(job) ? job->usedGpu : job->itemCount >= itemsThatPay(job);
    return wish == wk_gpuAlways || (wish == wk_gpuAuto && isChosen);
}

bool wkBatchCheck_Choose(wkBatchJob* job)
{
    const wkBatchOptions* o = job->options;
    bool isWanted = wantsGpu(job);
    bool isNeeded = isWanted && (o->gpuChoice.wish == wk_gpuAlways || isBound(job));
    char reason[WHY_CAPACITY], why[WHY_CAPACITY];
    writeReason(job, reason);
    if (isBound(job) && isWanted != job->usedGpu) {
        return wkRobotJob_Complain(
            &job->robot,
            "--resume: the first %s were checked on %s, whose results may differ from those of %s; "
            "without --resume all is checked again",
            job->what, job->usedGpu ? "a GPU" : "the CPU", job->usedGpu ? "the CPU" : "a GPU");
    }
    if (isWanted && wkBatchGpu_Open(&job->gpu, job->batch, o->gpuChoice.device, job->hasMotions,
                                    why, sizeof why)) {
        fprintf(stderr, "whisker batch: on GPU %d (%s): %s\n", (int)job->gpu.info.device,
                job->gpu.info.name, reason);
        return true;
    }
    if (isNeeded) {
        return wkRobotJob_Complain(&job->robot, "on a GPU (%s): none can be used: %s", reason, why);
    }
    if (isWanted) {
        fprintf(stderr, "whisker batch: on the CPU: no GPU can be used: %s\n", why);
    } else if (o->gpu != NULL || isBound(job)) {
        fprintf(stderr, "whisker batch: on the CPU: %s\n", reason);
    }
    return true;
}

static wkMotionRequest motionRequest(const wkBatchOptions* o)
{
    wkMotionRequest motion = wkDefaultMotionRequest();
    motion.isCertified = wkBatchOptions_Certify(o);
    motion.step = isnan(o->step) ? motion.step : o->step;
    motion.tolerance = isnan(o->tolerance) ? motion.tolerance : o->tolerance;
    motion.wantsFirst = o->times != NULL;
    return motion;
}

// Returns where the motions of a block end.
static const double* endsOf(const wkBatchJob* job)
{
    return job->options->isPath ? job->from + job->robot.variableCount : job->until;
}

static wkResult checkOnCpu(wkBatchJob* job, int64_t count)
{
    if (job->hasMotions) {
        wkMotionRequest motion = motionRequest(job->options);
        return wkBatch_CheckMotions(job->batch, NULL, job->from, endsOf(job), count, &motion,
                                    job->results);
    }
    if (wkBatchJob_Measures(job)) {
        return wkBatch_Clearances(job->batch, NULL, job->from, count, job->options->clearance,
                                  job->clearances);
    }
    return wkBatch_CheckStates(job->batch, NULL, job->from, count, job->verdicts);
}

static wkResult checkOnGpu(wkBatchJob* job, int64_t count)
{
    const wkGpuLibrary* library = &job->gpu.library;
    wkCudaBatch* batch = job->gpu.batch;
    if (job->hasMotions) {
        wkCudaMotionsRequest request = library->defaultMotionsRequest();
        request.motion = motionRequest(job->options);
        return library->checkMotions(batch, job->from, endsOf(job), count, &request, job->results);
    }
    if (wkBatchJob_Measures(job)) {
        return library->clearances(batch, job->from, count, NULL, job->options->clearance,
                                   job->clearances);
    }
    return library->checkStates(batch, job->from, count, NULL, job->verdicts);
}

// Leaves a GPU that has failed to the CPU. Returns false after a message where --gpu asks for a GPU.
static bool leaveGpu(wkBatchJob* job)
{
    const char* message = job->gpu.library.lastError();
    if (job->options->gpuChoice.wish == wk_gpuAlways) {
        return wkRobotJob_Complain(&job->robot, "--gpu %s: the GPU failed: %s", job->options->gpu,
                                   message);
    }
    fprintf(stderr, "whisker batch: the GPU failed: %s; the CPU goes on after %" PRId64 " %s\n",
            message, job->doneCount, job->what);
    wkBatchGpu_Leave(&job->gpu);
    return true;
}

static bool hasChecked(wkBatchJob* job, int64_t count)
{
    if (job->gpu.batch != NULL) {
        if (checkOnGpu(job, count) == wk_ok) {
            job->usedGpu = true;
            return true;
        }
        if (!leaveGpu(job)) {
            return false;
        }
    }
    job->usedCpu = true;
    return wkRobotJob_HasDone(&job->robot, checkOnCpu(job, count));
}

bool wkBatchCheck_Run(wkBatchJob* job, int64_t count)
{
    if (!hasChecked(job, count)) {
        return false;
    }
    for (int64_t i = 0; i < count && job->hasMotions; i++) {
        job->verdicts[i] = job->results[i].verdict;
        job->contacts[i] = job->results[i].time;
    }
    return true;
}

const char* wkBatchCheck_Backend(const wkBatchJob* job)
{
    int number = (job->usedCpu ? 1 : 0) + (job->usedGpu ? 2 : 0);
    int next = job->gpu.batch != NULL ? 2 : 1;
    return backendNames[number > 0 ? number : next];
}

bool wkBatchCheck_TakeBackend(wkBatchJob* job, const char* name)
{
    name = name != NULL ? name : "cpu";
    for (int i = 1; i < (int)(sizeof backendNames / sizeof backendNames[0]); i++) {
        if (strcmp(name, backendNames[i]) == 0) {
            job->usedCpu = (i & 1) != 0;
            job->usedGpu = (i & 2) != 0;
            return true;
        }
    }
    return false;
}
