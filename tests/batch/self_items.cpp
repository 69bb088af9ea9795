// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

#include "self_items.h"

wkVerdict wkCheckSelfInCpp(const wkSelfItem* item, wkItemScratch scratch, bool isWithinLimits)
{
    return wkSelfItem_Check(item, scratch, isWithinLimits);
}
