// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// Who checks a batch from the command line, a GPU or the CPU, and the checks of its blocks.

#include "batch_job.h"

// Chooses the GPU or the CPU, and says on stderr which and why: where --gpu was given, where the GPU might pay, and where
// the results so far leave no choice. Returns false after a message where the one that is asked for cannot be used.
bool wkBatchCheck_Choose(wkBatchJob* job);

// Checks the `count` items that were read: fills in verdicts, with times of motions, or clearances. Where the GPU fails, the
// CPU checks the whole block again and all that follow, unless --gpu asks for a GPU.
// @return false after a message
bool wkBatchCheck_Run(wkBatchJob* job, int64_t count);

// Names of who has checked so far: "cpu", "gpu", "both"; before the first block, of who will.
const char* wkBatchCheck_Backend(const wkBatchJob* job);

// Takes over who has checked the first results of an earlier run, by one of these names; NULL: the CPU.
// @return false: it is no such name
bool wkBatchCheck_TakeBackend(wkBatchJob* job, const char* name);
