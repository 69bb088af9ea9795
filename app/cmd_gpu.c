// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// whisker gpu: which GPU the library would use, or why it uses none, and on request when it is faster than the CPU.

#include "command.h"
#include "gpu_costs.h"
#include "options.h"

#include <stdio.h>

static const char help[] =
    "usage: whisker gpu [--device NUMBER] [--costs]\n"
    "\n"
    "Says which GPU libwhisker-cuda uses, after a kernel has run on it and its numbers were "
    "compared\n"
    "with those of the CPU; or why it can use none.\n"
    "\n"
    "  --device NUMBER        this GPU, as nvidia-smi counts them: 0 is the first\n"
    "  --costs                measure the same work on one thread of the CPU and on the GPU, for "
    "some\n"
    "                         seconds, and print from how many items on the GPU pays\n"
    "\nexit status: 0 a GPU can be used, 1 none can, 2 the command line was wrong\n";

static int sayNone(const char* why)
{
    fprintf(stderr, "whisker gpu: no GPU can be used: %s\n", why);
    return wk_exitTrouble;
}

static void describe(const wkCudaInfo* info)
{
    const double gibibyte = 1024.0 * 1024.0 * 1024.0;
    printf("GPU %d: %s\n", (int)info->device, info->name);
    printf("  %-10s %d.%d, %d multiprocessors\n", "compute", (int)info->major, (int)info->minor,
           (int)info->multiprocessorCount);
    printf("  %-10s %.1f GiB, %.1f free\n", "memory", (double)info->totalBytes / gibibyte,
           (double)info->freeBytes / gibibyte);
    printf("  %-10s %d.%d, the driver knows %d.%d\n", "CUDA", (int)info->runtimeVersion / 1000,
           (int)info->runtimeVersion % 1000 / 10, (int)info->driverVersion / 1000,
           (int)info->driverVersion % 1000 / 10);
    printf("  %-10s a kernel has run; its numbers are those of the CPU\n", "checked");
}

// Measures and prints. False after a message: a GPU that fails here cannot be used.
static bool showCosts(const wkGpuLibrary* library, wkCuda* cuda)
{
    wkCudaCosts costs;
    wkCudaRobotCosts robot;
    bool isMeasured = library->measureCosts(cuda, NULL, &costs) == wk_ok &&
                      library->measureRobotCosts(cuda, NULL, &robot) == wk_ok;
    if (isMeasured) {
        wkPrintGpuCosts(stdout, library, &costs, &robot);
    } else {
        fprintf(stderr, "whisker gpu: costs cannot be measured: %s\n", library->lastError());
    }
    return isMeasured;
}

int wkRunGpu(int argc, char** argv)
{
    if (wkWantsHelp(argc, argv)) {
        fputs(help, stdout);
        return wk_exitDone;
    }
    const char* number = NULL;
    bool wantsCosts = false;
    const wkOption options[] = {{"--device", wk_optionText, &number},
                                {"--costs", wk_optionFlag, &wantsCosts}};
    int32_t device = -1;
    if (!wkTakeOptions(&argc, argv, options, sizeof options / sizeof options[0])) {
        return wk_exitUsage;
    }
    if (number != NULL && !wkReadGpuNumber(number, &device)) {
        fprintf(stderr, "whisker gpu: --device is %s, must be a number from 0 to 9999\n", number);
        return wk_exitUsage;
    }
    if (argc > 1) {
        fprintf(stderr, "whisker gpu: %s: no operand is expected\n", argv[1]);
        return wk_exitUsage;
    }
    char why[512];
    wkGpuLibrary library;
    if (!wkGpuLibrary_Open(&library, why, sizeof why)) {
        return sayNone(why);
    }
    wkCudaDef def = library.defaultDef();
    def.device = device;
    wkCuda* cuda = NULL;
    int status = wk_exitDone;
    if (library.create(&def, &cuda) == wk_ok) {
        wkCudaInfo info = library.info(cuda);
        describe(&info);
        status = !wantsCosts || showCosts(&library, cuda) ? wk_exitDone : wk_exitTrouble;
    } else {
        status = sayNone(library.lastError());
    }
    library.destroy(cuda);
    wkGpuLibrary_Close(&library);
    return status;
}
