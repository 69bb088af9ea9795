// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// A builder of clouds in memory.

#include "whisker/cloud_views.h"

struct wkCloudBuilder {
    wkViewPoint* points;
    size_t capacity; // in points
    bool hasDeviations;
    bool hasNormals;
    bool hasTimes;
    wkCloudBuilderInfo info;
};

// Reserves capacity for that many points more.
wkResult wkCloudBuilder_Reserve(wkCloudBuilder* builder, int64_t more);
