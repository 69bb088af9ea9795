// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// The files that `whisker batch` writes. Arrays are in files called `.partial` until they are complete; a
// small file next to them says how far they have come and what with, so that another run can go on. A
// complete array has a file beside it that names its values.

#include "batch_job.h"

// Makes the arrays, or goes on with those of an interrupted run after a proof that nothing has changed
// since: then `doneCount` and the counts are those of that run.
bool wkBatchFiles_Open(wkBatchJob* job);

// Brings what was done so far to the disk.
bool wkBatchFiles_Save(wkBatchJob* job);

// Takes in results that were written behind those before, for a later run to compare with the files.
// @param times used only where these are written
void wkBatchFiles_AddResults(wkBatchJob* job, const void* results, int64_t count,
                             const float* times);

// Gives the arrays their names, and writes what their values mean.
bool wkBatchFiles_Finish(wkBatchJob* job);

// Closes arrays that are not complete, which stay for another run when there is anything in them.
void wkBatchFiles_Leave(wkBatchJob* job);
