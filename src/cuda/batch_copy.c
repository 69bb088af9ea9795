// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// Blocks of a batch (base/view_block.h) are copied as they are, one after the other into one allocation; views get
// pointers to the copies. The same function runs twice: first it adds up the bytes, then it copies.

#include "cuda/batch_copy.h"

#include "base/block.h"
#include "batch/field_cloud.h"
#include "batch/program_item.h"
#include "tree/cloud/cloud_impl.h"
#include "whisker/detail/library.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

// Bytes of tables that are in shared memory with all pairs of the robot: many pairs would leave no memory for
// configurations.
#define MOST_SHARED_TABLES (24u << 10)

typedef struct copier {
    char* memory; // of the device; NULL: only the bytes are counted
    uint64_t byteCount;
    char*
        staging; // memory of the host for what is made here; copies read it until the stream is done
    uint64_t stagingCount;
    cudaStream_t stream;
    cudaError_t error;
} copier;

// Copies bytes and returns where they are on the device.
static char* put(copier* c, const void* from, size_t byteCount)
{
    uint64_t offset = wkReserve(&c->byteCount, byteCount);
    if (c->memory != NULL && byteCount > 0 && c->error == cudaSuccess) {
        c->error =
            cudaMemcpyAsync(c->memory + offset, from, byteCount, cudaMemcpyHostToDevice, c->stream);
    }
    return c->memory + offset;
}

// Returns memory of the host for an array that is made here; NULL while bytes are counted.
static void* stage(copier* c, size_t byteCount)
{
    uint64_t offset = wkReserve(&c->stagingCount, byteCount);
    return c->staging != NULL ? c->staging + offset : NULL;
}

// Lets a pointer into a block point to the same place in its copy.
static void move(void* pointer, const void* block, char* copy)
{
    const char* before;
    memcpy(&before, pointer, sizeof before);
    const char* after = before != NULL ? copy + (before - (const char*)block) : NULL;
    memcpy(pointer, &after, sizeof after);
}

static void putProgram(copier* c, const wkBatch* batch, wkDeviceBatch* view)
{
    const wkProgram* from = batch->program;
    wkProgram* to = &view->program;
    *to = *from;
    char* copy = put(c, from->block, from->byteCount);
    void* pointers[] = {&to->frames,  &to->placements, &to->constants, &to->ops,    &to->rotations,
                        &to->lengths, &to->limits,     &to->givens,    &to->parts,  &to->runs,
                        &to->x,       &to->y,          &to->z,         &to->radius, &to->numbers,
                        &to->exact,   &to->pairs};
    for (size_t i = 0; i < sizeof pointers / sizeof pointers[0]; ++i) {
        move(pointers[i], from->block, copy);
    }
    to->robot = NULL;
    to->block = NULL;
}

static void putContacts(copier* c, const wkBatch* batch, wkDeviceBatch* view)
{
    const wkContacts* from = batch->contacts;
    wkContacts* to = &view->contacts;
    *to = *from;
    char* copy = put(c, from->block, from->byteCount);
    move(&to->pairs, from->block, copy);
    move(&to->live, from->block, copy);
    move(&to->groups, from->block, copy);
    move(&to->spheres, from->block, copy);
    to->block = NULL;
}

static void putLimits(copier* c, const wkBatch* batch, wkDeviceBatch* view)
{
    size_t count = 2 * (size_t)batch->program->variableCount;
    double* exact = (double*)stage(c, count * sizeof *exact);
    for (size_t i = 0; i < count / 2 && exact != NULL; ++i) {
        exact[2 * i] = batch->robot->variables[i].lower;
        exact[2 * i + 1] = batch->robot->variables[i].upper;
    }
    view->exactLimits = (const double*)put(c, exact, count * sizeof *exact);
    view->limits = (const float*)put(c, batch->limits, count * sizeof *batch->limits);
}

static wkDevicePart partOf(const wkBatch* batch, int32_t number)
{
    const wkPart* from = &batch->program->parts[number];
    wkDevicePart part = {
        .axes = wkItemAxesOf(batch->program, from->rigidGroup),
        .x = from->x,
        .y = from->y,
        .z = from->z,
        .radius = batch->partRadii[number],
        .firstSphere = from->firstSphere,
        .sphereCount = from->sphereCount,
        .side = from->side,
        .layer = batch->field != NULL ? batch->field->layerOfSide[from->side] : 0,
        .selfRadius = from->radius,
    };
    return part;
}

// Whether a part may touch something around it: else it never moves, and this has been checked.
static bool isWorldPart(const wkBatch* batch, int32_t number)
{
    return number >= 64 || (batch->clearParts >> number & 1) == 0;
}

// Lists all parts in their order, those first that are checked against the world.
static int32_t listParts(const wkBatch* batch, int32_t* numbers)
{
    int32_t count = 0, worldCount = 0, partCount = batch->program->partCount;
    for (int pass = 0; pass < 2; ++pass) {
        for (int32_t i = 0; i < partCount; ++i) {
            if (isWorldPart(batch, batch->partOrder[i]) == (pass == 0)) {
                numbers[count++] = batch->partOrder[i];
            }
        }
        worldCount = pass == 0 ? count : worldCount;
    }
    return worldCount;
}

static wkDevicePair pairOf(const wkBatch* batch, int32_t number)
{
    const wkPartPair* parts = &batch->program->pairs[number];
    const wkPairContacts* contacts = &batch->contacts->pairs[number];
    const wkSelfTables* tables = batch->selfTables;
    wkDevicePair pair = {
        .a = parts->a,
        .b = parts->b,
        .radii = batch->program->parts[parts->a].radius + batch->program->parts[parts->b].radius,
        .map = tables->mapOfPair[number],
        .around = {contacts->around[0], contacts->around[1]},
        .firstGroup = contacts->firstGroup,
        .groupCount = contacts->areAll ? -1 : contacts->groupCount,
        .isTighter = contacts->isTighter,
        .usesPieces = tables->usesPieces[number],
        .asksBodies = wkAsksBodies(batch, number),
    };
    return pair;
}

static void fillPairs(const wkBatch* batch, const wkDeviceTables* tables, char* block)
{
    const wkContacts* contacts = batch->contacts;
    for (int32_t i = 0; i < batch->program->pairCount; ++i) {
        ((wkDevicePair*)(void*)(block + tables->pairsAt))[i] =
            pairOf(batch, batch->selfTables->order[i]);
    }
    if (contacts->groupCount > 0) {
        memcpy(block + tables->groupsAt, contacts->groups,
               (size_t)contacts->groupCount * sizeof *contacts->groups);
    }
    if (contacts->sphereCount > 0) {
        memcpy(block + tables->groupSpheresAt, contacts->spheres,
               (size_t)contacts->sphereCount * sizeof *contacts->spheres);
    }
}

static void fillTables(const wkBatch* batch, wkDeviceTables* tables, char* block)
{
    const wkProgram* program = batch->program;
    for (int32_t i = 0; i < program->opCount; ++i) {
        ((wkItemOp*)(void*)(block + tables->opsAt))[i] = wkMakeItemOp(program, &program->ops[i]);
    }
    for (int32_t i = 0; i < program->partCount; ++i) {
        ((wkDevicePart*)(void*)(block + tables->partsAt))[i] = partOf(batch, i);
    }
    for (int32_t i = 0; i < program->sphereCount; ++i) {
        wkDeviceSphere sphere = {program->x[i], program->y[i], program->z[i], batch->radii[i]};
        ((wkDeviceSphere*)(void*)(block + tables->spheresAt))[i] = sphere;
        ((float*)(void*)(block + tables->selfRadiiAt))[i] = program->radius[i];
        ((float*)(void*)(block + tables->innerRadiiAt))[i] = batch->innerRadii[i];
    }
    wkFillItemConstants(program, (float*)(void*)(block + tables->constantsAt));
    fillPairs(batch, tables, block);
    tables->worldPartCount = listParts(batch, (int32_t*)(void*)(block + tables->worldPartsAt));
}

// Copies what every configuration reads, in one block.
static void putTables(copier* c, const wkBatch* batch, wkDeviceBatch* view)
{
    const wkProgram* program = batch->program;
    wkDeviceTables* tables = &view->tables;
    uint64_t bytes = 0;
    uint64_t parts = (uint64_t)program->partCount, spheres = (uint64_t)program->sphereCount;
    tables->opsAt = (uint32_t)wkReserve(&bytes, (uint64_t)program->opCount * sizeof(wkItemOp));
    tables->partsAt = (uint32_t)wkReserve(&bytes, parts * sizeof(wkDevicePart));
    tables->spheresAt = (uint32_t)wkReserve(&bytes, spheres * sizeof(wkDeviceSphere));
    tables->worldPartsAt = (uint32_t)wkReserve(&bytes, parts * sizeof(int32_t));
    tables->constantsAt =
        (uint32_t)wkReserve(&bytes, (uint64_t)wkItemConstantCount(program) * sizeof(float));
    tables->selfRadiiAt = (uint32_t)wkReserve(&bytes, spheres * sizeof(float));
    tables->innerRadiiAt = (uint32_t)wkReserve(&bytes, spheres * sizeof(float));
    tables->pairsAt =
        (uint32_t)wkReserve(&bytes, (uint64_t)program->pairCount * sizeof(wkDevicePair));
    tables->groupsAt =
        (uint32_t)wkReserve(&bytes, (uint64_t)batch->contacts->groupCount * sizeof(wkContactGroup));
    tables->groupSpheresAt =
        (uint32_t)wkReserve(&bytes, (uint64_t)batch->contacts->sphereCount * sizeof(int32_t));
    tables->byteCount = (uint32_t)wkReserve(&bytes, 0);
    tables->sharedByteCount =
        tables->byteCount <= MOST_SHARED_TABLES ? tables->byteCount : tables->pairsAt;
    char* block = (char*)stage(c, tables->byteCount);
    if (block != NULL) {
        fillTables(batch, tables, block);
    }
    tables->block = put(c, block, tables->byteCount);
    view->innerRadii =
        (const float*)put(c, batch->innerRadii, (size_t)program->sphereCount * sizeof(float));
}

// Copies the maps and the convex pieces, each a block of its own.
static void putMapsAndPieces(copier* c, const wkSelfTables* from, wkSelfTables* to)
{
    for (int32_t i = 0; i < from->mapCount; ++i) {
        to->maps[i] = (wkSelfMap*)(void*)put(c, from->maps[i], from->maps[i]->byteCount);
    }
    size_t count = (size_t)from->partCount * WK_PIECE_LEVELS;
    wkPartPieces** pieces = (wkPartPieces**)stage(c, count * sizeof(void*));
    for (size_t i = 0; i < count; ++i) {
        const wkPartPieces* of = from->pieces[i];
        char* copy = of != NULL ? put(c, of, of->byteCount) : NULL;
        if (pieces != NULL) {
            pieces[i] = (wkPartPieces*)(void*)copy;
        }
    }
    to->pieces = (wkPartPieces**)(void*)put(c, (const void*)pieces, count * sizeof(void*));
}

// Copies what decides about pairs of parts.
static void putPairs(copier* c, const wkBatch* batch, wkDeviceBatch* view)
{
    const wkSelfTables* from = batch->selfTables;
    wkSelfTables* to = &view->selfTables;
    *to = *from;
    to->ofPairs = NULL;
    putMapsAndPieces(c, from, to);
    char* copy = put(c, from->block, from->blockByteCount);
    void* pointers[] = {&to->mapOfPair, &to->usesPieces, &to->detail,      &to->inner,
                        &to->planes,    &to->bundles,    &to->bundlePairs, &to->order};
    for (size_t i = 0; i < sizeof pointers / sizeof pointers[0]; ++i) {
        move(pointers[i], from->block, copy);
    }
    to->block = NULL;
    size_t count = (size_t)batch->program->pairCount;
    bool* asks = (bool*)stage(c, count);
    for (size_t i = 0; i < count && asks != NULL; ++i) {
        asks[i] = wkAsksBodies(batch, (int32_t)i);
    }
    view->asksBodies = (const bool*)put(c, asks, count);
}

static void moveLayers(const wkField* from, char* copy, wkField* to)
{
    for (int32_t i = 0; i < from->layerCount; ++i) {
        wkFieldLayer* layer = &to->layers[i];
        move(&layer->grid.words, from->block, copy);
        move(&layer->bricks, from->block, copy);
        move(&layer->entries, from->block, copy);
    }
}

// Copies a cloud of a field with its points.
static const wkFieldCloud* putCloud(copier* c, const wkFieldCloud* from)
{
    wkFieldCloud* to = (wkFieldCloud*)stage(c, sizeof *to);
    char* block = put(c, from->block, from->byteCount);
    char* points = put(c, from->cloud, (size_t)from->cloud->byteCount);
    if (to != NULL) {
        *to = *from;
        move(&to->octets, from->block, block);
        move(&to->bricks, from->block, block);
        move(&to->entries, from->block, block);
        to->cloud = (const wkCloud*)points;
        to->lanes = NULL;
        to->words = NULL;
        to->points = NULL;
        to->block = NULL;
    }
    return (const wkFieldCloud*)put(c, to, sizeof *to);
}

static void putClouds(copier* c, const wkField* from, wkField* to)
{
    size_t count = from->clouds != NULL ? (size_t)from->cloudCount : 0;
    const wkFieldCloud** clouds = (const wkFieldCloud**)stage(c, count * sizeof(void*));
    for (size_t i = 0; i < count; ++i) {
        const wkFieldCloud* cloud = putCloud(c, from->clouds[i]);
        if (clouds != NULL) {
            clouds[i] = cloud;
        }
    }
    to->clouds = (wkFieldCloud**)(void*)put(c, (const void*)clouds, count * sizeof(void*));
    to->clouds = count > 0 ? to->clouds : NULL;
}

static void putField(copier* c, const wkBatch* batch, wkDeviceBatch* view)
{
    const wkField* from = batch->field;
    wkField* to = &view->field;
    if (from == NULL) {
        return;
    }
    *to = *from;
    char* copy = put(c, from->block, from->byteCount);
    void* pointers[] = {&to->boxes,   &to->objects, &to->cloudObjects, &to->maps,
                        &to->mapBits, &to->allowed, &to->layerOfSide,  &to->applies};
    for (size_t i = 0; i < sizeof pointers / sizeof pointers[0]; ++i) {
        move(pointers[i], from->block, copy);
    }
    moveLayers(from, copy, to);
    putClouds(c, from, to);
    to->scene = NULL;
    to->reachCells = NULL;
    to->marks = NULL;
    to->block = NULL;
}

static void putAll(copier* c, const wkBatch* batch, wkDeviceBatch* view)
{
    memset(view, 0, sizeof *view);
    putProgram(c, batch, view);
    putContacts(c, batch, view);
    putLimits(c, batch, view);
    putTables(c, batch, view);
    putPairs(c, batch, view);
    putField(c, batch, view);
    view->numberCount = wkItemNumberCount(batch->program);
    view->rowBytes = batch->program->variableCount * (int32_t)sizeof(double);
    view->margin = batch->margin;
    view->bits = wkBatchBits(batch);
    view->bits &= batch->field == NULL ? ~(unsigned)wk_checkWorld : ~0u;
    view->leavesTouching = batch->def.exactness == wk_exactnessFilter;
    view->leavesFree = (view->bits & wk_checkDepth) != 0;
}

static wkResult copyAll(copier* c, const wkBatch* batch, wkBatchCopy* copy)
{
    c->byteCount = 0;
    c->stagingCount = 0;
    putAll(c, batch, &copy->view);
    cudaError_t done = cudaStreamSynchronize(c->stream);
    return wkTakeCudaError(c->error == cudaSuccess ? done : c->error, "copying a batch to the GPU");
}

wkResult wkBatchCopy_Make(const wkBatch* batch, cudaStream_t stream, wkBatchCopy* copy)
{
    copier c = {.stream = stream, .error = cudaSuccess};
    putAll(&c, batch, &copy->view);
    copy->byteCount = (size_t)c.byteCount;
    copy->memory = NULL;
    size_t stagingBytes = (size_t)c.stagingCount;
    c.staging = (char*)wkAllocate(stagingBytes);
    if (c.staging == NULL) {
        return wkFailCuda(wk_errorMemory, "cuda batch: no memory");
    }
    memset(c.staging, 0, stagingBytes); // bytes between arrays are copied, too
    void* memory = NULL;
    char words[100];
    snprintf(words, sizeof words, "allocating %zu bytes on the GPU", copy->byteCount);
    wkResult result = wkTakeCudaError(cudaMalloc(&memory, copy->byteCount), words);
    copy->memory = c.memory = (char*)memory;
    result = result == wk_ok ? copyAll(&c, batch, copy) : result;
    wkRelease(c.staging, stagingBytes);
    if (result != wk_ok) {
        wkBatchCopy_Free(copy);
    }
    return result;
}

void wkBatchCopy_Free(wkBatchCopy* copy)
{
    if (copy->memory != NULL) {
        cudaFree(copy->memory);
    }
    copy->memory = NULL;
}
