// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// The files that `whisker batch` writes. Arrays are in files called `.partial` until they are complete. A
// small file beside them records the progress and all inputs, so that another run can resume. A complete
// array has a file beside it that describes its values.

#include "batch_job.h"

// Finds out who has checked the first results of an interrupted run that is resumed. Returns false after a message.
bool wkBatchFiles_TakeBackend(wkBatchJob* job);

// Creates the arrays, or resumes those of an interrupted run if all inputs are proven unchanged: `doneCount`
// and the counts are then those of that run.
bool wkBatchFiles_Open(wkBatchJob* job);

// Flushes the results so far to the disk.
bool wkBatchFiles_Save(wkBatchJob* job);

// Adds newly written results to the digest, which a later run compares with the files.
// @param times used only where times are written
void wkBatchFiles_AddResults(wkBatchJob* job, const void* results, int64_t count,
                             const float* times);

// Renames the complete arrays, and writes the description of their values.
bool wkBatchFiles_Finish(wkBatchJob* job);

// Closes incomplete arrays; they are kept for another run unless they are empty.
void wkBatchFiles_Leave(wkBatchJob* job);
