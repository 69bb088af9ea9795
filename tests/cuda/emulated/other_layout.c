// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// Preloaded, it lets libwhisker say that its batches have another layout, as one of another build does.

#include "whisker/detail/device.h"

uint64_t wkGetBatchLayout(void)
{
    return 1;
}
