// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// Many threads ask one batch at once, each about pieces in its own order, and get what one thread alone
// gets; so they do from a batch that was made with two threads and asks with them.

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

static bool ask(const questions* q, int piece, answer* out)
{
    memset(out, 0, sizeof *out);
    size_t first = (size_t)piece * PIECE_ROWS * (size_t)q->length;
    const double *rows = q->rows + first, *ends = q->ends + first;
    wkBatchMotion motion = wkDefaultBatchMotion();
    motion.isCertified = piece % 2 == 0;
    return wkBatch_CheckStates(q->batch, rows, PIECE_ROWS, out->verdicts) == wk_ok &&
           wkBatch_Clearances(q->batch, rows, PIECE_ROWS, CUTOFF, out->clearances) == wk_ok &&
           wkBatch_CheckMotions(q->batch, rows, ends, PIECE_ROWS, &motion, out->motions) == wk_ok;
}

static bool isSameMotion(const wkBatchMotionResult* a, const wkBatchMotionResult* b)
{
    return a->verdict == b->verdict && a->time == b->time && a->firstIndex == b->firstIndex;
}

static bool isSameAgain(const void* given, int index)
{
    const questions* q = (const questions*)given;
    const answer* then = &q->expected[index];
    answer now;
    bool isSame = ask(q, index, &now) &&
                  memcmp(now.verdicts, then->verdicts, sizeof now.verdicts) == 0 &&
                  memcmp(now.clearances, then->clearances, sizeof now.clearances) == 0;
    for (int i = 0; i < PIECE_ROWS && isSame; i++) {
        isSame = isSameMotion(&now.motions[i], &then->motions[i]);
    }
    return isSame;
}

static void one_batch_answers_many_threads(void** state)
{
    (void)state;
    wkSurroundings all;
    wkMakeSurroundings(&wkSurroundingsKinds[0], 29, &all);
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
            assert_true(ask(&q, k, &q.expected[k]));
            freeCount += q.expected[k].verdicts[0] == wk_verdictFree ? 1 : 0;
        }
        assert_int_equal(wkAskInCrowd(isSameAgain, &q, PIECE_COUNT), 0);
        wkBatch_Destroy(batch);
    }
    assert_in_range(freeCount, 1, PIECE_COUNT - 1);
    free(rows);
    free(ends);
    wkSphereModel_Destroy(model);
    wkFreeSurroundings(&all);
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
