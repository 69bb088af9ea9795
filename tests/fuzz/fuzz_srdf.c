// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// The robot that the SRDF goes with has every type of joint: links a to h, joints ab to ah.

#include "fuzz_robot.h"

#include <string.h>

#define LINK(name) "<link name='" name "'/>"
#define JOINT(name, type, parent, child)                                                           \
    "<joint name='" name "' type='" type "'><parent link='" parent "'/><child link='" child        \
    "'/><limit upper='1'/></joint>"

static const char urdf[] = "<robot name='r'>" LINK("a") LINK("b") LINK("c") LINK("d") LINK("e")
    LINK("f") LINK("g") JOINT("ab", "revolute", "a", "b") JOINT("bc", "prismatic", "b", "c")
        JOINT("bd", "continuous", "b", "d") JOINT("de", "fixed", "d", "e")
            JOINT("ef", "planar", "e", "f") JOINT("eg", "floating", "e", "g") "</robot>";

int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size)
{
    static const uint8_t none[1] = {0};
    return fuzzRobot((const uint8_t*)urdf, strlen(urdf), size > 0 ? data : none, size);
}
