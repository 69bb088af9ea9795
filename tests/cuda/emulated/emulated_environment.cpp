// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// Lets tests of programs that load the library ask the emulated CUDA for failures: they set variables of the environment.
//   EMULATED_DEVICES    number of GPUs
//   EMULATED_FAIL_CALL  number of the call that fails, and of the kernel whose failure later calls report where
//   EMULATED_FAIL_LATE  is set

#include "emulated_calls.h"

#include <stdlib.h>

#define ILLEGAL_ADDRESS 700

static int readVariable(const char* name, int missing)
{
    const char* text = getenv(name);
    return text != NULL ? atoi(text) : missing;
}

__attribute__((constructor)) static void readEnvironment(void)
{
    const int newest = 13000;
    int call = readVariable("EMULATED_FAIL_CALL", -1);
    emulatedSetDevices(readVariable("EMULATED_DEVICES", 1), newest);
    if (readVariable("EMULATED_FAIL_LATE", 0) != 0) {
        emulatedFailKernel(call, ILLEGAL_ADDRESS);
    } else {
        emulatedFailCall(call, ILLEGAL_ADDRESS, 1);
    }
}
