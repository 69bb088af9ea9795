// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// Rows of the files of a batch from the command line, as whole configurations.

#include "batch_job.h"

// Reads the configurations of the next `count` items, and adds them to the hash. Large blocks are read by all threads of
// the job. Returns false after a message.
bool wkBatchInputs_Read(wkBatchJob* job, int64_t count);
