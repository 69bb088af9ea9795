// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// What tests ask of the emulated CUDA: calls that fail, devices and memory that are there. On a GPU (real_calls.c)
// nothing of it can be asked, and tests that need it are skipped.

#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

// Whether CUDA is emulated.
int emulatedIsUsed(void);

// Call number `call` from now on, counted from 0, fails with `error`, and so do all to the same device that follow where it
// is sticky, as after the loss of a device. -1: none fails.
void emulatedFailCall(int call, int error, int isSticky);

// Call number `call` is the last one that succeeds, but what it launches does not run: the failure of a kernel, which later
// calls report.
void emulatedFailKernel(int call, int error);

// Devices that are there, 8 at most; default 1. Version of CUDA that the driver knows, such as 13000; 0: no driver.
void emulatedSetDevices(int count, int driverVersion);

// How often work on a device is found unfinished before it is done; default 0.
void emulatedDelayDevice(int device, int queryCount);

// Runs a kernel with a pointer as its argument, which does nothing, in a stream: a cudaStream_t. Returns a cudaError_t.
int emulatedRunKernel(void* argument, void* stream);

// Kernels that a device has run.
long emulatedKernelCount(int device);

// Streams with work that no call has waited for.
int emulatedBusyCount(void);

// Bytes of the memory of each device, which allocations share; default 1 GiB.
void emulatedSetMemory(size_t byteCount);

// Bytes of shared memory that a block may use; default those of an H200.
void emulatedSetShared(size_t byteCount);

// Bytes of the memory of all devices and of pinned memory that are allocated.
size_t emulatedByteCount(void);

#ifdef __cplusplus
}
#endif
