// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// Tests of the library for GPUs on a GPU: no call can be made to fail there.

#include "emulated_calls.h"

int emulatedIsUsed(void)
{
    return 0;
}

void emulatedFailCall(int call, int error, int isSticky)
{
    (void)call, (void)error, (void)isSticky;
}

void emulatedFailKernel(int call, int error)
{
    (void)call, (void)error;
}

void emulatedSetDevices(int count, int driverVersion)
{
    (void)count, (void)driverVersion;
}

void emulatedDelayDevice(int device, int queryCount)
{
    (void)device, (void)queryCount;
}

int emulatedRunKernel(void* argument, void* stream)
{
    (void)argument, (void)stream;
    return 0;
}

long emulatedKernelCount(int device)
{
    (void)device;
    return 0;
}

int emulatedBusyCount(void)
{
    return 0;
}

void emulatedSetMemory(size_t byteCount)
{
    (void)byteCount;
}

void emulatedSetShared(size_t byteCount)
{
    (void)byteCount;
}

size_t emulatedByteCount(void)
{
    return 0;
}
