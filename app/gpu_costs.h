// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// Measured costs of the CPU and of a GPU as tables for people.

#include "gpu_library.h"

#include <stdio.h>

// Prints times at several sizes, and from how many items on the GPU pays.
void wkPrintGpuCosts(FILE* stream, const wkGpuLibrary* library, const wkCudaCosts* costs,
                     const wkCudaRobotCosts* robot);
