// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// Worlds of the format "sdf".

#include "fuzz_world.h"

int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size)
{
    return fuzzWorld(data, size, "sdf");
}
