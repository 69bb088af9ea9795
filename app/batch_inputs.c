// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

#include "batch_inputs.h"

#include "whisker/detail/library.h"

#include <stdatomic.h>

// Rows that are read from a file, a unit of a block in each task.
typedef struct reading {
    const wkBatchJob* job;
    const wkStateTable* table;
    int64_t count;
    int32_t unitCount;
    double* rows;
    bool areWhole;      // columns of the file are all variables in their order
    atomic_int failure; // a wkResult
} reading;

static bool areWhole(const wkBatchJob* job, const wkStateTable* table)
{
    bool areWhole = table->columnCount == job->robot.variableCount;
    for (int32_t k = 0; k < table->columnCount && areWhole; k++) {
        areWhole = table->variables[k] == k;
    }
    return areWhole;
}

// Makes whole configurations of rows as in the file.
static void fillRows(const reading* r, const double* read, int64_t count, double* rows)
{
    size_t length = (size_t)r->job->robot.variableCount, columns = (size_t)r->table->columnCount;
    for (size_t i = 0; i < (size_t)count; i++) {
        if (columns < length) {
            wkRobot_DefaultConfiguration(r->job->robot.robot, rows + i * length);
        }
        for (size_t k = 0; k < columns; k++) {
            rows[i * length + (size_t)r->table->variables[k]] = read[i * columns + k];
        }
    }
}

static void readUnit(void* context, int32_t unit)
{
    reading* r = context;
    int64_t first = (int64_t)unit * WK_BATCH_ROWS;
    int64_t count = unit == r->unitCount - 1 ? r->count - first : WK_BATCH_ROWS;
    double* rows = r->rows + first * r->job->robot.variableCount;
    double* read = r->areWhole ? rows : r->job->read + first * r->table->columnCount;
    wkResult result = wkTableMap_Read(r->table->map, r->job->doneCount + first, count, read);
    if (result != wk_ok) {
        atomic_store(&r->failure, (int)result);
    } else if (!r->areWhole) {
        fillRows(r, read, count, rows);
    }
}

static bool readRows(wkBatchJob* job, const char* path, const wkStateTable* table, int64_t count,
                     double* rows)
{
    // rows behind whole units, such as the one that ends a path, belong to the last one
    int32_t unitCount = count < 2 * WK_BATCH_ROWS ? 1 : (int32_t)(count / WK_BATCH_ROWS);
    reading r = {job, table, count, unitCount, rows, areWhole(job, table), wk_ok};
    wkRunTasks(&job->parallel, readUnit, &r, unitCount);
    wkResult failure = (wkResult)atomic_load(&r.failure);
    return failure == wk_ok ||
           wkRobotJob_Complain(&job->robot, "%s: cannot be read: %s", path, wkResultName(failure));
}

// Adds rows that were read to the hash, a unit at a time: the hash does not depend on the size of blocks.
static void hashRows(wkBatchJob* job, int64_t count)
{
    size_t length = (size_t)job->robot.variableCount;
    for (int64_t first = 0; first < count; first += WK_BATCH_ROWS) {
        int64_t left = count - first;
        size_t rows = (size_t)(left < WK_BATCH_ROWS ? left : WK_BATCH_ROWS);
        size_t at = (size_t)first * length;
        size_t fromCount = rows + (job->options->isPath ? 1 : 0);
        wkRowHash_Add(&job->rowHash, job->from + at, fromCount * length);
        if (job->options->to != NULL) {
            wkRowHash_Add(&job->rowHash, job->until + at, rows * length);
        }
    }
}

bool wkBatchInputs_Read(wkBatchJob* job, int64_t count)
{
    const wkBatchOptions* o = job->options;
    int64_t rowCount = count + (o->isPath ? 1 : 0);
    if (!readRows(job, o->states, &job->states, rowCount, job->from) ||
        (o->to != NULL && !readRows(job, o->to, &job->to, count, job->until))) {
        return false;
    }
    hashRows(job, count);
    return true;
}
