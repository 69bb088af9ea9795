// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// A hash of the layout of a batch, which another library reads as it is in memory. Each library computes the hash with the
// headers that it was compiled with: where both differ, it must not read the batch.

#include "batch/batch_impl.h"
#include "batch/field_cloud.h"
#include "robot/robot_impl.h"
#include "tree/cloud/cloud_impl.h"

#include <stddef.h>

static inline uint64_t wkHashBatchLayout(void)
{
    const uint64_t numbers[] = {
        WK_VERSION_PATCH,
        WK_BATCH_BLOCK,
        sizeof(wkBatch),
        offsetof(wkBatch, refreshCount),
        offsetof(wkBatch, program),
        offsetof(wkBatch, field),
        offsetof(wkBatch, selfTables),
        offsetof(wkBatch, margin),
        offsetof(wkBatch, radii),
        offsetof(wkBatch, limits),
        offsetof(wkBatch, innerRadii),
        offsetof(wkBatch, hasBodyPair),
        sizeof(wkProgram),
        offsetof(wkProgram, block),
        sizeof(wkPart),
        sizeof(wkPartPair),
        sizeof(wkContacts),
        sizeof(wkPairContacts),
        sizeof(wkContactGroup),
        sizeof(wkSelfTables),
        sizeof(wkSelfMap),
        sizeof(wkPartPieces),
        sizeof(wkField),
        offsetof(wkField, block),
        sizeof(wkFieldLayer),
        sizeof(wkFieldCloud),
        sizeof(wkCloud),
        sizeof(wkRobot),
        sizeof(wkVariableInfo),
        sizeof(wkBatchMotionResult),
    };
    uint64_t hash = 0xcbf29ce484222325u; // FNV-1a, a number at a time
    for (size_t i = 0; i < sizeof numbers / sizeof numbers[0]; i++) {
        hash = (hash ^ numbers[i]) * 0x100000001b3u;
    }
    return hash;
}
