// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// What kernels read lies in blocks that mean the same wherever they lie: a batch whose blocks have been copied
// elsewhere, and overwritten where they were, gives the same answers.

#include "base/view_block.h"
#include "batch/batch_backend.h"
#include "batch/field_cloud.h"
#include "batch_kit.h"

#include "whisker/detail/library.h"

#include <string.h>

#define STATE_COUNT WK_CASES(1500)
#define MOTION_COUNT WK_CASES(100)
#define CLEARANCE_COUNT WK_CASES(100)
#define SPHERE_CAPACITY 1024
#define POISON 0xa5

typedef struct blockAnswers {
    uint8_t verdicts[STATE_COUNT];
    float clearances[CLEARANCE_COUNT];
    wkBatchMotionResult motions[MOTION_COUNT];
    float spheres[4 * SPHERE_CAPACITY];
} blockAnswers;

static void ask(const wkBatchCase* c, const wkBatch* batch, blockAnswers* out)
{
    memset(out, 0, sizeof *out);
    assert_in_range(wkBatch_Info(batch).robotSphereCount, 1, SPHERE_CAPACITY);
    assert_int_equal(wkBatch_CheckStates(batch, NULL, c->rows, STATE_COUNT, out->verdicts), wk_ok);
    assert_int_equal(
        wkBatch_Clearances(batch, NULL, c->rows, CLEARANCE_COUNT, 0.1, out->clearances), wk_ok);
    assert_int_equal(
        wkBatch_CheckMotions(batch, NULL, c->rows, c->ends, MOTION_COUNT, NULL, out->motions),
        wk_ok);
    assert_int_equal(wkBatch_PlaceSpheres(batch, NULL, c->rows, 1, out->spheres), wk_ok);
}

// Copies a block to memory of its own, and overwrites the original.
static void* moveBlock(wkBlockHead* block, size_t byteCount)
{
    void* copy = wkAllocate(byteCount);
    assert_non_null(copy);
    memcpy(copy, block, byteCount);
    memset(block, POISON, byteCount);
    return copy;
}

// Moves the maps of joint values and the convex pieces of a batch. Returns how many there are.
static int moveSelfTests(wkSelfTables* tables)
{
    int count = 0;
    for (int32_t i = 0; i < tables->mapCount; i++, count++) {
        size_t byteCount = tables->maps[i]->byteCount;
        wkSelfMap* moved = (wkSelfMap*)wkAllocate(byteCount);
        assert_non_null(moved);
        memcpy(moved, tables->maps[i], byteCount);
        memset(tables->maps[i], POISON, byteCount);
        wkRelease(tables->maps[i], byteCount);
        tables->maps[i] = moved;
    }
    for (int32_t i = 0; i < WK_PIECE_LEVELS * tables->partCount; i++) {
        if (tables->pieces[i] == NULL) {
            continue;
        }
        size_t byteCount = tables->pieces[i]->byteCount;
        wkPartPieces* moved = (wkPartPieces*)wkAllocate(byteCount);
        assert_non_null(moved);
        memcpy(moved, tables->pieces[i], byteCount);
        memset(tables->pieces[i], POISON, byteCount);
        wkRelease(tables->pieces[i], byteCount);
        tables->pieces[i] = moved;
        count++;
    }
    return count;
}

#define CLOUD_CAPACITY 64

// The clouds of a field, with blocks and points elsewhere.
typedef struct movedClouds {
    wkFieldCloud views[CLOUD_CAPACITY];
    wkFieldCloud* pointers[CLOUD_CAPACITY];
    void* blocks[CLOUD_CAPACITY];
    wkCloud* points[CLOUD_CAPACITY];
    int count;
} movedClouds;

static void moveClouds(const wkField* from, movedClouds* moved, wkField* view)
{
    moved->count = from->cloudCount;
    assert_in_range(moved->count, 0, CLOUD_CAPACITY);
    for (int i = 0; i < moved->count; i++) {
        const wkFieldCloud* cloud = from->clouds[i];
        assert_int_equal(wkCloud_FromBlock(wkCloud_Block(cloud->cloud),
                                           wkCloud_Info(cloud->cloud).byteCount, &moved->points[i]),
                         wk_ok);
        moved->blocks[i] = moveBlock(cloud->block, cloud->byteCount);
        assert_int_equal(wkFieldCloud_Bind(moved->blocks[i], cloud->byteCount, moved->points[i],
                                           cloud->lanes, &moved->views[i]),
                         wk_ok);
        moved->pointers[i] = &moved->views[i];
    }
    view->clouds = moved->count > 0 ? moved->pointers : NULL;
}

static void freeClouds(const wkField* from, const movedClouds* moved)
{
    for (int i = 0; i < moved->count; i++) {
        wkRelease(moved->blocks[i], from->clouds[i]->byteCount);
        wkCloud_Destroy(moved->points[i]);
    }
}

static void batches_read_blocks_wherever_they_lie(void** state)
{
    (void)state;
    static blockAnswers before, after;
    static movedClouds clouds;
    int selfTestCount = 0, cloudCount = 0;
    for (int kind = 0; kind < WK_SURROUNDINGS_COUNT; kind++) {
        if (kind > 3 && !wkSurroundingsKinds[kind].isCloudy) {
            continue;
        }
        wkBatchCase c;
        wkMakeBatchCase(&c, kind, kind % 2 == 1, STATE_COUNT, MOTION_COUNT);
        wkBatch* batch = wkCreateBatch(&c.def);
        ask(&c, batch, &before);

        size_t programBytes = batch->program->byteCount, tableBytes = batch->tableByteCount;
        void* program = moveBlock(batch->program->block, programBytes);
        void* tables = moveBlock(batch->tables, tableBytes);
        wkProgram *owned = batch->program, view;
        assert_int_equal(wkProgram_Bind(program, programBytes, owned->robot, &view), wk_ok);
        assert_int_equal(wkBindTables(tables, tableBytes, batch), wk_ok);
        batch->program = &view;

        wkField *ownedField = batch->field, fieldView;
        size_t fieldBytes = ownedField->byteCount;
        void* field = moveBlock(ownedField->block, fieldBytes);
        assert_int_equal(wkField_Bind(field, fieldBytes, ownedField->scene, &fieldView), wk_ok);
        moveClouds(ownedField, &clouds, &fieldView);
        cloudCount += clouds.count;
        batch->field = &fieldView;
        selfTestCount += moveSelfTests(batch->selfTables);

        wkContacts *ownedContacts = batch->contacts, contactView;
        size_t contactBytes = ownedContacts->byteCount;
        void* contacts = moveBlock(ownedContacts->block, contactBytes);
        assert_int_equal(wkContacts_Bind(contacts, contactBytes, &contactView), wk_ok);
        batch->contacts = &contactView;
        size_t testBytes = batch->selfTables->blockByteCount;
        void* tests = moveBlock(batch->selfTables->block, testBytes);
        assert_int_equal(wkBindPairTests(tests, testBytes, batch->selfTables), wk_ok);

        ask(&c, batch, &after);
        assert_memory_equal(before.verdicts, after.verdicts, sizeof before.verdicts);
        assert_memory_equal(before.clearances, after.clearances, sizeof before.clearances);
        assert_memory_equal(before.spheres, after.spheres, sizeof before.spheres);
        for (int i = 0; i < MOTION_COUNT; i++) {
            assert_int_equal(before.motions[i].verdict, after.motions[i].verdict);
            assert_true(before.motions[i].time == after.motions[i].time);
        }
        batch->program = owned;
        batch->field = ownedField;
        batch->contacts = ownedContacts;
        wkRelease(contacts, contactBytes);
        wkRelease(tests, testBytes);
        wkRelease(field, fieldBytes);
        freeClouds(ownedField, &clouds);
        wkRelease(program, programBytes);
        wkRelease(tables, tableBytes);
        wkBatch_Destroy(batch);
        wkFreeBatchCase(&c);
    }
    assert_true(selfTestCount > 0);
    assert_true(cloudCount > 0);
}

// Blocks of another kind or version, cut ones, and ones that lie askew.
static void other_blocks_are_refused(void** state)
{
    (void)state;
    wkBatchCase c;
    wkMakeBatchCase(&c, 0, false, STATE_COUNT, MOTION_COUNT);
    wkBatch* batch = wkCreateBatch(&c.def);
    const wkRobot* robot = batch->program->robot;
    size_t byteCount = batch->program->byteCount;
    char* copy = (char*)wkAllocate(byteCount + WK_BLOCK_ALIGNMENT);
    wkBlockHead* head = (wkBlockHead*)copy;
    wkProgram view;
    memcpy(copy, batch->program->block, byteCount);
    assert_int_equal(wkProgram_Bind(copy, byteCount, robot, &view), wk_ok);
    assert_int_equal(view.sphereCount, batch->program->sphereCount);
    assert_ptr_equal(view.block, NULL);

    assert_int_equal(wkProgram_Bind(NULL, byteCount, robot, &view), wk_errorArgument);
    assert_int_equal(wkProgram_Bind(copy, 0, robot, &view), wk_errorArgument);
    assert_int_equal(wkProgram_Bind(copy, byteCount - 1, robot, &view), wk_errorArgument);
    assert_int_equal(wkProgram_Bind(batch->tables, batch->tableByteCount, robot, &view),
                     wk_errorArgument);
    head->version++;
    assert_int_equal(wkProgram_Bind(copy, byteCount, robot, &view), wk_errorArgument);
    assert_non_null(strstr(wkGetLastError(), "version 3, expected 2"));
    head->version--;
    head->byteCount = byteCount / 2; // arrays would end beyond the block
    assert_int_equal(wkProgram_Bind(copy, byteCount / 2, robot, &view), wk_errorArgument);
    memmove(copy + 8, batch->program->block, byteCount);
    assert_int_equal(wkProgram_Bind(copy + 8, byteCount, robot, &view), wk_errorArgument);

    wkRelease(copy, byteCount + WK_BLOCK_ALIGNMENT);
    wkBatch_Destroy(batch);
    wkFreeBatchCase(&c);
}

static int askedCount;

static wkResult countStates(const wkBatch* batch, wkBatchContext* context, const wkStatesCall* call,
                            int64_t count)
{
    askedCount++;
    return wkCpuBackend.checkStates(batch, context, call, count);
}

// Calls reach the backend of their batch, and only those whose arguments are valid.
static void calls_reach_the_backend(void** state)
{
    (void)state;
    assert_ptr_equal(wkFindBackend(wk_backendCpu), &wkCpuBackend);
    assert_null(wkFindBackend((wkBackend)1));
    assert_string_equal(wkBackendName(wk_backendCpu), "cpu");
    assert_string_equal(wkBackendName((wkBackend)1), "unknown");
    assert_string_equal(wkBackendName((wkBackend)-1), "unknown");
    wkBatchCase c;
    wkMakeBatchCase(&c, 0, false, STATE_COUNT, MOTION_COUNT);
    wkBatch* batch = wkCreateBatch(&c.def);
    assert_int_equal(wkBatch_Info(batch).backend, wk_backendCpu);
    wkBatchBackend counting = wkCpuBackend;
    counting.checkStates = countStates;
    batch->backend = &counting;
    uint8_t verdict = 0;
    askedCount = 0;
    assert_int_not_equal(wkBatch_CheckStates(batch, NULL, c.rows, -1, &verdict), wk_ok);
    assert_int_not_equal(wkBatch_CheckStates(batch, NULL, NULL, 1, &verdict), wk_ok);
    assert_int_equal(wkBatch_CheckStates(batch, NULL, c.rows, 0, &verdict), wk_ok);
    assert_int_equal(askedCount, 0);
    assert_int_equal(wkBatch_CheckStates(batch, NULL, c.rows, 1, &verdict), wk_ok);
    assert_int_equal(askedCount, 1);
    assert_int_not_equal(verdict, wk_verdictUnchecked);
    assert_int_equal(wkBatch_Refresh(batch), wk_ok);
    wkBatch_Destroy(batch);
    wkFreeBatchCase(&c);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(batches_read_blocks_wherever_they_lie),
        cmocka_unit_test(other_blocks_are_refused),
        cmocka_unit_test(calls_reach_the_backend),
    };
    return cmocka_run_group_tests_name("blocks of batches", tests, NULL, NULL);
}
