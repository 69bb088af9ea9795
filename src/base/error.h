// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// The message behind wkGetLastError().

#include "whisker/base.h"

// Stores the message for this thread and returns `result`, so that callers write
// `return wkFail(wk_errorRange, "box: size.x is %g, must be >= 0", x);`
wkResult wkFail(wkResult result, const char* format, ...) __attribute__((format(printf, 2, 3)));
