// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// Formats without a corpus of their own: the vertices of PLY, and scans of KITTI, which are anything
// whose size is right. The first byte says which.

#include "fuzz_points.h"

int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size)
{
    static const char* const formats[] = {"ply", "bin"};
    return size > 0 ? fuzzPoints(data + 1, size - 1, formats[data[0] % 2]) : 0;
}
