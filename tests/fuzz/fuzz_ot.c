// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

#include "fuzz_map.h"

int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size)
{
    return fuzzMap(data, size);
}
