// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// Failures of a GPU and of the memory around it, at every call.

#include "emulated_calls.h"
#include "kit.h"

// Creates what it needs, asks it and destroys it.
typedef wkResult storyFcn(void* context);

// Runs a story with every call of CUDA failing in turn, for several errors, then with every allocation of the host failing
// in turn: its result is that of the failure, and nothing stays allocated. On a GPU, calls do not fail.
// @return allocations of the host when nothing fails
long failEverywhere(storyFcn* story, void* context);
