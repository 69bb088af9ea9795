// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// Creation, refresh and destruction of a batch.

#include "batch/batch_impl.h"

#include "base/cookie.h"
#include "base/error.h"
#include "base/memory.h"
#include "batch/batch_backend.h"
#include "batch/batch_kernel.h"
#include "batch/batch_layout.h"

#include "whisker/detail/counts.h"
#include "whisker/detail/device.h"

#include <math.h>
#include <string.h>

#define MOST_METRES 1e5 // of margins and cells

static const char* const exactnessNames[WK_EXACTNESS_COUNT] = {
    [wk_exactnessSpheres] = "spheres",
    [wk_exactnessFilter] = "filter",
    [wk_exactnessSelf] = "self",
    [wk_exactnessRefined] = "refined",
};

const char* wkExactnessName(wkExactness exactness)
{
    bool isThere = (unsigned)exactness < (unsigned)WK_EXACTNESS_COUNT;
    return isThere ? exactnessNames[exactness] : "unknown";
}

wkBatchDef wkDefaultBatchDef(void)
{
    wkBatchDef def;
    memset(&def, 0, sizeof def);
    def.base = wkIdentityPose();
    def.exactness = wk_exactnessRefined;
    def.checksLimits = def.checksSelf = def.checksWorld = def.checksDepth = true;
    def.cookie = WK_COOKIE(wkBatchDef);
    return def;
}

static wkResult checkNumbers(const wkBatchDef* def)
{
    const struct {
        const char* name;
        double value;
    } numbers[] = {{"margin", def->margin}, {"cellSize", def->cellSize}};
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; ++i) {
        if (!isfinite(numbers[i].value)) {
            return wkFail(wk_errorNotFinite, "batch: %s is %g", numbers[i].name, numbers[i].value);
        }
        if (!(numbers[i].value >= 0.0 && numbers[i].value <= MOST_METRES)) {
            return wkFail(wk_errorRange, "batch: %s is %g, must be 0 to %g", numbers[i].name,
                          numbers[i].value, MOST_METRES);
        }
    }
    if (!wkIsValidPose(def->base)) {
        return wkFail(wk_errorNotFinite, "batch: base is not valid");
    }
    return wk_ok;
}

static wkResult checkDepthMaps(const wkBatchDef* def)
{
    if (def->depthMapCount < 0 || def->depthMapCount > WK_BATCH_CAMERAS) {
        return wkFail(wk_errorRange, "batch: depthMapCount is %d, must be 0 to %d",
                      (int)def->depthMapCount, WK_BATCH_CAMERAS);
    }
    for (int32_t i = 0; i < def->depthMapCount; ++i) {
        if (def->depthMaps == NULL || def->depthMaps[i] == NULL) {
            return wkFail(wk_errorArgument, "batch: depthMaps[%d] is NULL", (int)i);
        }
    }
    return wk_ok;
}

static wkResult checkDef(const wkBatchDef* def)
{
    if (!WK_HAS_COOKIE(def, wkBatchDef)) {
        return WK_FAIL_COOKIE(def, wkBatchDef);
    }
    if (def->scene == NULL) {
        return wkFail(wk_errorArgument, "batch: scene is NULL");
    }
    bool isAnother = def->spheres != NULL &&
                     wkSphereModel_Info(def->spheres).robot != wkRobotScene_Robot(def->scene);
    if (isAnother) {
        return wkFail(wk_errorArgument, "batch: spheres are of another robot than the scene");
    }
    if ((unsigned)def->exactness >= (unsigned)WK_EXACTNESS_COUNT) {
        return wkFail(wk_errorArgument, "batch: exactness is %d", (int)def->exactness);
    }
    if (wkFindBackend(def->backend) == NULL) {
        return wkFail(wk_errorArgument, "batch: backend is %d, expected %d (%s)", (int)def->backend,
                      (int)wk_backendCpu, wkCpuBackend.name);
    }
    wkResult result = checkNumbers(def);
    return result == wk_ok ? checkDepthMaps(def) : result;
}

// Copies the list of depth maps, so that the batch owns it.
static wkResult copyDef(wkBatch* batch, const wkBatchDef* def)
{
    batch->def = *def;
    batch->backend = wkFindBackend(def->backend);
    batch->robot = wkRobotScene_Robot(def->scene);
    batch->def.depthMaps = NULL;
    size_t byteCount = (size_t)def->depthMapCount * sizeof(void*);
    if (byteCount == 0) {
        return wk_ok;
    }
    batch->maps = (const wkDepthMap**)wkAlloc(byteCount);
    if (batch->maps == NULL) {
        return wkFail(wk_errorMemory, "batch: no memory");
    }
    memcpy((void*)batch->maps, (const void*)def->depthMaps, byteCount);
    batch->def.depthMaps = batch->maps;
    return wk_ok;
}

// Starts the threads of the batch, unless the host program has its own.
static wkResult startThreads(wkBatch* batch, const wkBatchDef* def)
{
    int32_t threadCount = wkCountThreads(def->parallel);
    batch->def.parallel = NULL;
    if (def->parallel != NULL && def->parallel->run != NULL) {
        batch->parallel = *def->parallel;
        batch->def.parallel = &batch->parallel;
    } else if (threadCount > 1) {
        batch->pool = (wkThreadPool*)wkAlloc(sizeof *batch->pool);
        if (batch->pool == NULL) {
            return wkFail(wk_errorMemory, "batch: no memory for threads");
        }
        wkThreadPool_Start(batch->pool, threadCount);
        batch->parallel = wkThreadPool_Parallel(batch->pool);
        batch->def.parallel = &batch->parallel;
    }
    return wk_ok;
}

static wkResult findSpheres(wkBatch* batch)
{
    wkResult result = wk_ok;
    if (batch->def.spheres == NULL) {
        wkSphereFitDef fit = wkDefaultSphereFitDef();
        fit.parallel = batch->def.parallel;
        fit.progress = batch->def.progress;
        fit.progressContext = batch->def.progressContext;
        result = wkSphereModel_Fit(batch->robot, &fit, &batch->ownSpheres);
        batch->def.spheres = batch->ownSpheres;
    }
    bool isEmpty = result == wk_ok && wkSphereModel_Info(batch->def.spheres).sphereCount == 0;
    return isEmpty && !batch->def.allowsEmpty
               ? wkFail(wk_errorArgument,
                        "batch: the sphere model of robot '%s' has no spheres, so that every "
                        "configuration would be free; allowsEmpty takes it as it is",
                        batch->robot->info.name)
               : result;
}

// Under the filter shapes overrule spheres: fails for a link without shapes, whose spheres would not count.
static wkResult checkFilter(const wkBatch* batch)
{
    bool isFilter = batch->def.exactness == wk_exactnessFilter;
    for (int32_t i = 0; i < batch->robot->info.linkCount && isFilter; ++i) {
        const wkLinkInfo* link = &batch->robot->links[i].info;
        if (link->bodyCount == 0 && wkSphereModel_Link(batch->def.spheres, i).count > 0) {
            return wkFail(wk_errorArgument,
                          "batch: link '%s' has spheres but no collision shape, which exactness "
                          "filter needs to overrule them",
                          link->name);
        }
    }
    return wk_ok;
}

static void setRequest(wkBatch* batch)
{
    batch->request = wkDefaultRobotRequest();
    batch->request.checksLimits = false;
    batch->request.checksSelf = batch->def.checksSelf;
    batch->request.checksWorld = batch->def.checksWorld;
    batch->request.margin = batch->def.margin;
}

wkResult wkBatch_Create(const wkBatchDef* def, wkBatch** out)
{
    if (out == NULL) {
        return wkFail(wk_errorArgument, "batch: the output pointer is NULL");
    }
    *out = NULL;
    wkResult result = checkDef(def);
    if (result != wk_ok) {
        return result;
    }
    wkBatch* batch = (wkBatch*)wkAlloc(sizeof *batch);
    if (batch == NULL) {
        return wkFail(wk_errorMemory, "batch: no memory");
    }
    memset(batch, 0, sizeof *batch);
    result = copyDef(batch, def);
    result = result == wk_ok ? startThreads(batch, def) : result;
    result = result == wk_ok ? findSpheres(batch) : result;
    result = result == wk_ok ? checkFilter(batch) : result;
    setRequest(batch);
    result = result == wk_ok ? wkBatch_Refresh(batch) : result;
    if (result != wk_ok) {
        wkBatch_Destroy(batch);
        return result;
    }
    *out = batch;
    return wk_ok;
}

static void freeMade(wkBatch* batch)
{
    batch->backend->destroy(batch);
    wkFree(batch->tables, batch->tableByteCount);
    wkSelfTables_Destroy(batch->selfTables);
    wkField_Destroy(batch->field);
    wkReach_Destroy(batch->reach);
    wkContacts_Destroy(batch->contacts);
    wkProgram_Destroy(batch->program);
    wkAttachedSpheres_Free(&batch->attached);
}

void wkBatch_Destroy(wkBatch* batch)
{
    if (batch == NULL) {
        return;
    }
    freeMade(batch);
    if (batch->pool != NULL) {
        wkThreadPool_Stop(batch->pool);
        wkFree(batch->pool, sizeof *batch->pool);
    }
    wkFree((void*)batch->maps, (size_t)batch->def.depthMapCount * sizeof(void*));
    wkSphereModel_Destroy(batch->ownSpheres);
    wkFree(batch, sizeof *batch);
}

// One look-up in the field decides spheres around parts up to this radius, and the spheres of parts grown by
// the next length, as intervals of motions grow them.
#define MOST_PART_RADIUS 0.35
#define INTERVAL_RADIUS 0.1

static double largestRadius(const wkProgram* program)
{
    double around = 0.0;
    for (int32_t i = 0; i < program->partCount; ++i) {
        around = wkMaxD(around, (double)program->parts[i].radius);
    }
    around = wkMinD(around, MOST_PART_RADIUS);
    return wkMaxD(around, (double)program->largestRadius) + INTERVAL_RADIUS;
}

// @param earlier the field before the change; NULL: there is none
static wkResult makeField(wkBatch* batch, const wkField* earlier)
{
    const wkProgram* program = batch->program;
    if (!batch->def.checksWorld || program->sphereCount == 0) {
        return wk_ok;
    }
    wkFieldDef def;
    memset(&def, 0, sizeof def);
    def.scene = batch->def.scene;
    def.origin = program->origin;
    wkAabb reach = program->reach;
    if (batch->reach != NULL) {
        reach.lower = wkMax(reach.lower, batch->reach->box.lower);
        reach.upper = wkMin(reach.upper, batch->reach->box.upper);
    }
    def.reach.lower = wkAdd(program->origin, reach.lower);
    def.reach.upper = wkAdd(program->origin, reach.upper);
    def.reachCells = batch->reach;
    def.largestRadius = largestRadius(program) + batch->def.margin;
    def.cellSize = batch->def.cellSize;
    def.parallel = batch->def.parallel;
    def.earlier = earlier;
    return wkField_Create(&def, &batch->field);
}

// Returns whether a part never moves.
static bool isFixedPart(const wkProgram* program, const wkPart* part)
{
    const wkProgramFrame* frame = &program->frames[part->rigidGroup];
    int32_t count = program->constantCount;
    return frame->x < count && frame->y < count && frame->z < count && frame->origin < count;
}

// Returns whether no sphere of a part that never moves touches anything around.
static bool isClearPart(const wkBatch* batch, const wkPart* part)
{
    const wkProgram* program = batch->program;
    const wkProgramFrame* frame = &program->frames[part->rigidGroup];
    const float* x = &program->constants[3 * (size_t)frame->x];
    const float* y = &program->constants[3 * (size_t)frame->y];
    const float* z = &program->constants[3 * (size_t)frame->z];
    const float* origin = &program->constants[3 * (size_t)frame->origin];
    bool isClear = true;
    for (int32_t i = part->firstSphere; i < part->firstSphere + part->sphereCount && isClear; ++i) {
        float center[3];
        for (int axis = 0; axis < 3; ++axis) {
            center[axis] = origin[axis] + (x[axis] * program->x[i] + y[axis] * program->y[i] +
                                           z[axis] * program->z[i]);
        }
        isClear = wkField_CheckSphere(batch->field, part->side, center, batch->radii[i]) ==
                  wk_verdictFree;
    }
    return isClear;
}

// A robot often stands on something that its base is always near to: this is checked once.
static void findClearParts(wkBatch* batch)
{
    batch->clearParts = 0;
    int32_t count = batch->program->partCount < 64 ? batch->program->partCount : 64;
    for (int32_t i = 0; i < count && batch->field != NULL; ++i) {
        const wkPart* part = &batch->program->parts[i];
        bool isClear = isFixedPart(batch->program, part) && isClearPart(batch, part);
        batch->clearParts |= (uint64_t)isClear << i;
    }
}

// Builds the tables of pairs of parts, and chooses the test of each pair. Both depend on the bodies of the
// robot alone: when these have not changed, the earlier tables are kept with their contents.
static wkResult makeSelfTests(wkBatch* batch, const wkBatch* earlier)
{
    batch->bodySetSerial = batch->def.scene->bodySet->serial;
    if (earlier->selfTables != NULL && earlier->bodySetSerial == batch->bodySetSerial) {
        batch->selfTables = earlier->selfTables;
        memcpy(batch->hasBodyPair, earlier->hasBodyPair,
               (size_t)batch->program->pairCount * sizeof *batch->hasBodyPair);
        return batch->backend->create(batch);
    }
    wkResult result = wkSelfTables_Create(batch, &batch->selfTables);
    result = result == wk_ok ? batch->backend->create(batch) : result;
    result = result == wk_ok ? wkChooseSelfTests(batch) : result;
    if (result == wk_ok) {
        wkSealPairTests(batch->selfTables);
    }
    return result;
}

// Builds everything that depends on the contents of the scene.
// @param earlier the batch before the change; empty the first time
static wkResult makeAll(wkBatch* batch, const wkBatch* earlier)
{
    const wkBatchDef* def = &batch->def;
    batch->sceneVersion = def->scene->version;
    wkResult result = wkIsFreshRobotScene(def->scene, "batch") ? wk_ok : wk_errorState;
    memset(&batch->attached, 0, sizeof batch->attached);
    result = result == wk_ok
                 ? wkAttachedSpheres_Create(def->scene, &earlier->attached, &batch->attached)
                 : result;
    if (result == wk_ok) {
        result = wkProgram_Create(def->scene, def->spheres, &batch->attached, def->base,
                                  &batch->program);
    }
    result =
        result == wk_ok ? wkContacts_Create(batch->program, def->margin, &batch->contacts) : result;
    result = result == wk_ok ? wkMakeTables(batch) : result;
    result = result == wk_ok ? makeSelfTests(batch, earlier) : result;
    result = result == wk_ok ? wkReach_Create(batch, &batch->reach) : result;
    result = result == wk_ok ? makeField(batch, NULL) : result;
    if (result == wk_ok) {
        findClearParts(batch);
    }
    return result;
}

// Builds what depends on the objects around the robot, and keeps all else.
static wkResult refreshWorld(wkBatch* batch)
{
    wkBatch next = *batch;
    next.sceneVersion = batch->def.scene->version;
    ++next.refreshCount;
    next.field = NULL;
    wkResult result = wkIsFreshRobotScene(batch->def.scene, "batch") ? wk_ok : wk_errorState;
    result = result == wk_ok ? makeField(&next, batch->field) : result;
    if (result == wk_ok) {
        findClearParts(&next);
        wkField_Destroy(batch->field);
        *batch = next;
    }
    return result;
}

wkResult wkBatch_Refresh(wkBatch* batch)
{
    if (batch == NULL) {
        return wkFail(wk_errorArgument, "wkBatch_Refresh: batch is NULL");
    }
    const wkBatchKernels* lanes = wkBatchKernelsOfMachine();
    if (batch->program != NULL && batch->lanes == lanes &&
        batch->bodySetSerial == batch->def.scene->bodySet->serial) {
        return refreshWorld(batch);
    }
    wkBatch next = *batch;
    next.program = NULL;
    next.contacts = NULL;
    next.field = NULL;
    next.reach = NULL;
    next.selfTables = NULL;
    next.tables = NULL;
    next.tableByteCount = 0;
    next.contexts = NULL;
    next.contextCount = 0;
    ++next.refreshCount;
    next.lanes = lanes;
    wkResult result = makeAll(&next, batch);
    wkBatch* loser = result == wk_ok ? batch : &next;
    loser->selfTables = next.selfTables == batch->selfTables ? NULL : loser->selfTables;
    if (result != wk_ok) {
        freeMade(&next);
        return result;
    }
    freeMade(batch);
    *batch = next;
    return wk_ok;
}

void wkBatch_UseLanes(wkBatch* batch, const wkBatchKernels* lanes)
{
    batch->lanes = lanes;
    for (int32_t i = 0; i < batch->contextCount; ++i) {
        lanes->startScratch(batch, &batch->contexts[i]->scratch);
    }
}

wkBatchInfo wkBatch_Info(const wkBatch* batch)
{
    wkBatchInfo info;
    memset(&info, 0, sizeof info);
    if (batch == NULL) {
        return info;
    }
    info.variableCount = batch->program->variableCount;
    info.sphereCount = batch->program->sphereCount;
    info.robotSphereCount = batch->program->modelSphereCount;
    info.isCovering = wkSphereModel_Info(batch->def.spheres).isCovering;
    info.pairCount = batch->program->pairCount;
    info.backend = batch->def.backend;
    info.cellSize = batch->field != NULL ? (double)batch->field->layers[0].grid.size : 0.0;
    info.byteCount = sizeof *batch + batch->attached.byteCount + batch->program->byteCount +
                     batch->tableByteCount + batch->contacts->byteCount +
                     batch->selfTables->byteCount + wkField_ByteCount(batch->field) +
                     wkSphereModel_Info(batch->ownSpheres).byteCount;
    batch->backend->info(batch, &info);
    return info;
}

uint64_t wkGetBatchLayout(void)
{
    return wkHashBatchLayout();
}
