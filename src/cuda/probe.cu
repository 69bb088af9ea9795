// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// The kernel of probe.h.

#include "cuda/probe.h"

#include "cuda/launch.h"
#include "cuda/probe_item.h"

static __global__ void probe(double* values)
{
    values[threadIdx.x] = wkProbeValue((int32_t)threadIdx.x);
}

cudaError_t wkLaunchProbe(double* values, cudaStream_t stream)
{
    return wkLaunch(probe, 1, WK_PROBE_COUNT, stream, values);
}
