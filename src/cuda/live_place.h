// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// The live fields of a request to a batch: they are checked, and placed among the spheres of the batch.

#include "cuda/cuda_batch.h"

// Returns wk_ok where all fields of a request are on the GPU of a batch.
// @return wk_errorRange, wk_errorArgument naming the field
wkResult wkCheckLiveFields(const wkCudaBatch* batch, const wkCudaStatesRequest* request);

// Places the fields of a request, which are checked.
// @param lives, objects arrays of WK_MOST_LIVE: the first `fieldCount` are set
void wkPlaceLiveFields(const wkCudaBatch* batch, const wkCudaStatesRequest* request,
                       wkDeviceLive* lives, wkLiveObjects* objects);
