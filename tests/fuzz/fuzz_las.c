// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

#include "fuzz_points.h"

int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size)
{
    return fuzzPoints(data, size, "las");
}
