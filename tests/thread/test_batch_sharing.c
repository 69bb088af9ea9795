// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// Many threads ask one batch at once, each about pieces in its own order and in a context of its own, and get
// what one thread alone gets. Without contexts one of them is answered at a time, and the others are refused.

#include "batch/batch_kit.h"
#include "crowd.h"
#include "kit.h"

#include <string.h>

#define PIECE_COUNT 13 // a prime
#define PIECE_ROWS 24
#define ROW_COUNT (PIECE_COUNT * PIECE_ROWS)
#define CUTOFF 0.1

typedef struct answer {
    uint8_t verdicts[PIECE_ROWS];
    float clearances[PIECE_ROWS];
    wkBatchMotionResult motions[PIECE_ROWS];
} answer;

typedef struct questions {
    const wkBatch* batch;
    const double* rows;
    const double* ends;
    int32_t length;
    answer expected[PIECE_COUNT];
} questions;

static bool ask(const questions* q, wkBatchContext* context, int piece, answer* out)
{
    memset(out, 0, sizeof *out);
    size_t first = (size_t)piece * PIECE_ROWS * (size_t)q->length;
    const double *rows = q->rows + first, *ends = q->ends + first;
    wkMotionRequest motion = wkDefaultMotionRequest();
    motion.isCertified = piece % 2 == 0;
    return wkBatch_CheckStates(q->batch, context, rows, PIECE_ROWS, out->verdicts) == wk_ok &&
           wkBatch_Clearances(q->batch, context, rows, PIECE_ROWS, CUTOFF, out->clearances) ==
               wk_ok &&
           wkBatch_CheckMotions(q->batch, context, rows, ends, PIECE_ROWS, &motion, out->motions) ==
               wk_ok;
}

static bool isSameMotion(const wkBatchMotionResult* a, const wkBatchMotionResult* b)
{
    return a->verdict == b->verdict && a->time == b->time && a->firstIndex == b->firstIndex;
}

static bool isSameAnswer(const answer* now, const answer* then)
{
    bool isSame = memcmp(now->verdicts, then->verdicts, sizeof now->verdicts) == 0 &&
                  memcmp(now->clearances, then->clearances, sizeof now->clearances) == 0;
    for (int i = 0; i < PIECE_ROWS && isSame; i++) {
        isSame = isSameMotion(&now->motions[i], &then->motions[i]);
    }
    return isSame;
}

static bool isSameInContext(const void* given, int index)
{
    const questions* q = (const questions*)given;
    wkBatchContext* context = NULL;
    answer now;
    bool isSame = wkBatchContext_Create(q->batch, &context) == wk_ok &&
                  ask(q, context, index, &now) && isSameAnswer(&now, &q->expected[index]);
    wkBatchContext_Destroy(context);
    return isSame;
}

// A call without a context is answered, or refused and leaves nothing that reads as free.
static bool isSameOrRefused(const void* given, int index)
{
    const questions* q = (const questions*)given;
    const double* rows = q->rows + (size_t)index * PIECE_ROWS * (size_t)q->length;
    uint8_t verdicts[PIECE_ROWS];
    const uint8_t* expected = q->expected[index].verdicts;
    wkResult result = wkBatch_CheckStates(q->batch, NULL, rows, PIECE_ROWS, verdicts);
    bool isRefused = result == wk_errorState && strstr(wkGetLastError(), "wkBatchContext") != NULL;
    for (int i = 0; i < PIECE_ROWS && isRefused; i++) {
        isRefused = verdicts[i] == wk_verdictUnchecked;
    }
    return isRefused || (result == wk_ok && memcmp(verdicts, expected, sizeof verdicts) == 0);
}

static void askInCrowds(const wkSurroundingsKind* kind)
{
    wkSurroundings all;
    wkMakeSurroundings(kind, 29, &all);
    wkSphereModel* model = wkSpheresOnBodies(all.robot, 0.6);
    static questions q;
    double* rows = wkRandomRows(all.robot, 3, ROW_COUNT);
    double* ends = wkNeighbourRows(all.robot, rows, 4, ROW_COUNT, 0.3);
    q.rows = rows;
    q.ends = ends;
    q.length = wkRobot_Info(all.robot).variableCount;
    wkParallel two = {.threadCount = 2};
    wkBatchDef def = wkDefaultBatchDef();
    def.scene = all.scene;
    def.spheres = model;
    def.cellSize = 0.1; // made in less time
    def.base = wkChooseBase(&def, rows, 100, 4);
    int freeCount = 0;
    for (int i = 0; i < 2; i++) {
        def.parallel = i == 0 ? NULL : &two;
        wkBatch* batch = wkCreateBatch(&def);
        q.batch = batch;
        for (int k = 0; k < PIECE_COUNT && i == 0; k++) {
            assert_true(ask(&q, NULL, k, &q.expected[k]));
            freeCount += q.expected[k].verdicts[0] == wk_verdictFree ? 1 : 0;
        }
        assert_int_equal(wkAskInCrowd(isSameInContext, &q, PIECE_COUNT), 0);
        assert_int_equal(wkAskInCrowd(isSameOrRefused, &q, PIECE_COUNT), 0);
        uint8_t verdicts[ROW_COUNT]; // enough rows for both threads
        assert_int_equal(wkBatch_CheckStates(batch, NULL, rows, ROW_COUNT, verdicts), wk_ok);
        for (int k = 0; k < PIECE_COUNT; k++) {
            assert_memory_equal(verdicts + k * PIECE_ROWS, q.expected[k].verdicts, PIECE_ROWS);
        }
        wkBatch_Destroy(batch);
    }
    assert_in_range(freeCount, 1, PIECE_COUNT - 1);
    free(rows);
    free(ends);
    wkSphereModel_Destroy(model);
    wkFreeSurroundings(&all);
}

static void one_batch_answers_many_threads(void** state)
{
    (void)state;
    for (int i = 0; i < WK_SURROUNDINGS_COUNT; i++) {
        const wkSurroundingsKind* kind = &wkSurroundingsKinds[i];
        if (i == 0 || kind->isCloudy) {
            askInCrowds(kind);
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(one_batch_answers_many_threads),
    };
    int failed = cmocka_run_group_tests_name("batches shared between threads", tests, NULL, NULL);
    wkKitEnd();
    return failed;
}
