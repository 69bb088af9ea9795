// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// Loops over tasks that do not depend on each other: wkRunTasks.

#include "whisker/base.h" // IWYU pragma: export
