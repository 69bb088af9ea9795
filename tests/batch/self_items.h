// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// Contacts of a robot with itself in one configuration, compiled as C++: as other devices compile them.

#include "batch/self_item.h"

#ifdef __cplusplus
extern "C" {
#endif

// Returns wkSelfItem_Check.
wkVerdict wkCheckSelfInCpp(const wkSelfItem* item, wkItemScratch scratch, bool isWithinLimits);

#ifdef __cplusplus
}
#endif
