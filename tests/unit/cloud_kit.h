// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// What tests of clouds share: definitions, and points as a message has them.

#include "tree/cloud/cloud_impl.h"
#include "unit_kit.h"

#include "whisker/cloud.h"

static inline wkCloudDef cloudDefOf(const void* data, int64_t count)
{
    wkCloudDef def = wkDefaultCloudDef();
    def.points.data = data;
    def.points.count = count;
    def.allowsEmpty = true;
    return def;
}

static inline wkCloud* makeCloud(const wkCloudDef* def)
{
    wkCloud* cloud = NULL;
    wkResult result = wkCloud_Create(def, &cloud);
    if (result != wk_ok) {
        fail_msg("%s", wkGetLastError());
    }
    return cloud;
}

// Fails unless the definition is refused with these words.
static inline void expectRefused(const wkCloudDef* def, wkResult expected, const char* words)
{
    wkCloud* cloud = NULL;
    wkResult result = wkCloud_Create(def, &cloud);
    if (result != expected || cloud != NULL || strstr(wkGetLastError(), words) == NULL) {
        fail_msg("expected \"%s\" and %d, found \"%s\" and %d", words, (int)expected,
                 wkGetLastError(), (int)result);
    }
}

// A point as a message has it.
#pragma pack(push, 1)
typedef struct message {
    uint8_t before[3]; // so that nothing is aligned
    float z;
    float radius;
    float x;
    uint16_t between;
    float y;
    float deviation;
    float normal[3];
} message;
#pragma pack(pop)

static inline void layoutOfMessage(wkCloudDef* def)
{
    def->points.stride = sizeof(message);
    def->points.xOffset = offsetof(message, x);
    def->points.yOffset = offsetof(message, y);
    def->points.zOffset = offsetof(message, z);
    def->points.radiusOffset = offsetof(message, radius);
    def->points.deviationOffset = offsetof(message, deviation);
    def->points.normalOffset = offsetof(message, normal);
}
