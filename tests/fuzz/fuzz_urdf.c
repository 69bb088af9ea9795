// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

#include "fuzz_robot.h"

int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size)
{
    static const uint8_t none[1] = {0};
    return fuzzRobot(size > 0 ? data : none, size, NULL, 0);
}
