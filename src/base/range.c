// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

#include "base/range.h"

#include "base/error.h"

#include <math.h>

wkResult wkCheckNumbers(const char* what, const wkNamedNumber* numbers, size_t count)
{
    for (size_t i = 0; i < count; ++i) {
        const wkNamedNumber* n = &numbers[i];
        if (!(n->value >= n->lowest && n->value <= n->highest)) {
            return wkFail(isfinite(n->value) ? wk_errorRange : wk_errorNotFinite,
                          "%s: %s is %g, must be %g to %g", what, n->name, n->value, n->lowest,
                          n->highest);
        }
    }
    return wk_ok;
}
