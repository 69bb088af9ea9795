// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// The calls of a batch: checks of their arguments, results that read as unchecked until they are known, and the
// backend that answers.

#include "batch/batch_backend.h"

#include "base/cookie.h"
#include "base/error.h"

#include <math.h>
#include <string.h>

// Robots without variables need no rows.
static wkResult checkRows(const char* caller, const wkBatch* batch, const double* rows,
                          int64_t count, const void* results)
{
    if (batch == NULL) {
        return wkFail(wk_errorArgument, "%s: batch is NULL", caller);
    }
    if (count < 0) {
        return wkFail(wk_errorRange, "%s: count is %lld, must be >= 0", caller, (long long)count);
    }
    if (count > 0 && rows == NULL && batch->robot->info.variableCount > 0) {
        return wkFail(wk_errorArgument, "%s: configurations are NULL", caller);
    }
    if (count > 0 && results == NULL) {
        return wkFail(wk_errorArgument, "%s: the results are NULL", caller);
    }
    return wk_ok;
}

// Returns wk_ok when the scene and its geometry are those that the batch was made from; otherwise
// wk_errorState, and every result must report that nothing was checked.
static wkResult checkScene(const char* caller, const wkBatch* batch)
{
    if (batch->def.scene->version != batch->sceneVersion) {
        return wkFail(wk_errorState,
                      "%s: the scene has changed since the batch was made; call wkBatch_Refresh",
                      caller);
    }
    return wkIsFreshRobotScene(batch->def.scene, caller) ? wk_ok : wk_errorState;
}

wkResult wkBatch_CheckStates(const wkBatch* batch, wkBatchContext* context,
                             const double* configurations, int64_t count, uint8_t* verdicts)
{
    const char* caller = "wkBatch_CheckStates";
    if (verdicts != NULL && count > 0) {
        memset(verdicts, wk_verdictUnchecked, (size_t)count);
    }
    wkResult result = checkRows(caller, batch, configurations, count, verdicts);
    result = result == wk_ok ? wkCheckContext(caller, batch, context) : result;
    if (result != wk_ok) {
        return result;
    }
    result = checkScene(caller, batch);
    if (result != wk_ok && count > 0) {
        memset(verdicts, wk_verdictInvalid, (size_t)count);
    }
    if (result != wk_ok || count == 0) {
        return result;
    }
    wkStatesCall call = {configurations, verdicts};
    return batch->backend->checkStates(batch, context, &call, count);
}

wkResult wkBatch_Clearances(const wkBatch* batch, wkBatchContext* context,
                            const double* configurations, int64_t count, double cutoff,
                            float* clearances)
{
    const char* caller = "wkBatch_Clearances";
    for (int64_t i = 0; i < count && clearances != NULL; ++i) {
        clearances[i] = NAN;
    }
    wkResult result = checkRows(caller, batch, configurations, count, clearances);
    result = result == wk_ok ? wkCheckContext(caller, batch, context) : result;
    if (result == wk_ok && !(cutoff > 0.0)) {
        result = wkFail(wk_errorRange, "%s: cutoff is %g, must be > 0", caller, cutoff);
    }
    result = result == wk_ok ? checkScene(caller, batch) : result;
    if (result != wk_ok || count == 0) {
        return result;
    }
    wkClearancesCall call = {configurations, cutoff, clearances};
    return batch->backend->clearances(batch, context, &call, count);
}

// The batch has its own options of checks: others than the default would be lost.
static bool isDefaultCheck(const wkRobotRequest* check)
{
    wkRobotRequest defaults = wkDefaultRobotRequest();
    return check->cookie == defaults.cookie && check->checksLimits == defaults.checksLimits &&
           check->checksSelf == defaults.checksSelf && check->checksWorld == defaults.checksWorld &&
           check->group == defaults.group && check->margin == defaults.margin &&
           check->cutoff == defaults.cutoff && check->contacts == defaults.contacts &&
           check->contactCapacity == defaults.contactCapacity &&
           check->wantsContacts == defaults.wantsContacts &&
           check->separationQueries == defaults.separationQueries;
}

static wkResult checkRequest(const char* caller, const wkMotionRequest* request)
{
    if (!WK_HAS_COOKIE(request, wkMotionRequest)) {
        return WK_FAIL_COOKIE(request, wkMotionRequest);
    }
    if (!isDefaultCheck(&request->check)) {
        return wkFail(wk_errorArgument,
                      "%s: check is not wkDefaultRobotRequest(): wkBatchDef has these options",
                      caller);
    }
    if (!(request->step > 0.0) || !isfinite(request->step)) {
        return wkFail(wk_errorRange, "%s: step is %g, must be > 0 and finite", caller,
                      request->step);
    }
    if (!(request->tolerance > 0.0) || !isfinite(request->tolerance)) {
        return wkFail(wk_errorRange, "%s: tolerance is %g, must be > 0 and finite", caller,
                      request->tolerance);
    }
    if (request->maxCheckCount < 1) {
        return wkFail(wk_errorRange, "%s: maxCheckCount is %d, must be at least 1", caller,
                      (int)request->maxCheckCount);
    }
    return wk_ok;
}

static void setMotions(wkBatchMotionResult* results, int64_t count, wkVerdict verdict, float time)
{
    const wkBatchMotionResult result = {(uint8_t)verdict, time, -1, 0};
    for (int64_t i = 0; i < count && results != NULL; ++i) {
        results[i] = result;
    }
}

wkResult wkBatch_CheckMotions(const wkBatch* batch, wkBatchContext* context, const double* from,
                              const double* to, int64_t count, const wkMotionRequest* request,
                              wkBatchMotionResult* results)
{
    const char* caller = "wkBatch_CheckMotions";
    setMotions(results, count, wk_verdictUnchecked, NAN);
    wkMotionsCall call = {request != NULL ? *request : wkDefaultMotionRequest(), from, to, results};
    wkResult result = checkRows(caller, batch, from, count, results);
    result = result == wk_ok ? checkRows(caller, batch, to, count, results) : result;
    result = result == wk_ok ? wkCheckContext(caller, batch, context) : result;
    result = result == wk_ok ? checkRequest(caller, &call.request) : result;
    if (result != wk_ok) {
        return result;
    }
    result = checkScene(caller, batch);
    if (result != wk_ok) {
        setMotions(results, count, wk_verdictInvalid, 0.0f);
    }
    return result != wk_ok || count == 0
               ? result
               : batch->backend->checkMotions(batch, context, &call, count);
}

wkResult wkBatch_PlaceSpheres(const wkBatch* batch, wkBatchContext* context,
                              const double* configurations, int64_t count, float* spheres)
{
    const char* caller = "wkBatch_PlaceSpheres";
    wkResult result = checkRows(caller, batch, configurations, count, spheres);
    result = result == wk_ok ? wkCheckContext(caller, batch, context) : result;
    result = result == wk_ok ? checkScene(caller, batch) : result;
    if (result == wk_ok && count > 0) {
        wkSpheresCall call = {configurations, spheres};
        result = batch->backend->placeSpheres(batch, context, &call, count);
    }
    bool isRefused = result != wk_ok && batch != NULL && spheres != NULL;
    int64_t numberCount = isRefused ? 4 * (int64_t)batch->program->modelSphereCount * count : 0;
    for (int64_t i = 0; i < numberCount; ++i) {
        spheres[i] = NAN;
    }
    return result;
}
