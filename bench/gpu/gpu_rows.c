// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// All rows of whisker-bench-gpu, on the first GPU.

#include "gpu/gpu_rows.h"

#include "peers/peer.h"

const char* wkPeerNames(void)
{
    return "the CPU";
}

void wkRunRows(wkBench* bench)
{
    wkCudaDef def = wkDefaultCudaDef();
    wkCuda* cuda = NULL;
    if (!bench->isListing && wkCuda_Create(&def, &cuda) != wk_ok) {
        fprintf(stderr, "gpu/*: left out: %s\n", wkGetLastError());
    }
    if (cuda != NULL) {
        wkCudaInfo info = wkCuda_Info(cuda);
        printf("# %s, compute capability %d.%d, %d multiprocessors, driver for CUDA %d.%d\n",
               info.name, (int)info.major, (int)info.minor, (int)info.multiprocessorCount,
               (int)info.driverVersion / 1000, (int)info.driverVersion % 1000 / 10);
    }
    wkRunGpuBatchRows(bench, cuda);
    wkRunGpuMotionRows(bench, cuda);
    wkRunGpuClearanceRows(bench, cuda);
    wkRunGpuTreeRows(bench, cuda);
    wkRunGpuDepthRows(bench, cuda);
    wkRunGpuDepthSetRows(bench, cuda);
    wkRunGpuFilterRows(bench, cuda);
    wkRunGpuScanRows(bench, cuda);
    wkRunGpuCenterRows(bench, cuda);
    wkRunGpuTableRows(bench, cuda);
    wkRunGpuFieldRows(bench, cuda);
    wkRunGpuFrameRows(bench, cuda);
    wkRunGpuCostRows(bench, cuda);
    wkCuda_Destroy(cuda);
}
