// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// Rows of the library for GPUs, each beside the CPU on the same work.

#include "bench.h"

#include "whisker/cuda.h"

// @param cuda NULL: rows are named and left out
void wkRunGpuBatchRows(wkBench* bench, wkCuda* cuda);
void wkRunGpuClearanceRows(wkBench* bench, wkCuda* cuda);
void wkRunGpuMotionRows(wkBench* bench, wkCuda* cuda);
void wkRunGpuTreeRows(wkBench* bench, wkCuda* cuda);
void wkRunGpuDepthRows(wkBench* bench, wkCuda* cuda);
void wkRunGpuDepthSetRows(wkBench* bench, wkCuda* cuda);
void wkRunGpuFilterRows(wkBench* bench, wkCuda* cuda);
void wkRunGpuScanRows(wkBench* bench, wkCuda* cuda);
void wkRunGpuCenterRows(wkBench* bench, wkCuda* cuda);
void wkRunGpuTableRows(wkBench* bench, wkCuda* cuda);
void wkRunGpuCostRows(wkBench* bench, wkCuda* cuda);
void wkRunGpuFrameRows(wkBench* bench, wkCuda* cuda);
void wkRunGpuFieldRows(wkBench* bench, wkCuda* cuda);
