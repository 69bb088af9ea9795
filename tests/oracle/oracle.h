// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// Other libraries, asked the same questions. None of them is the truth: where one disagrees, the
// reference solver decides.

#include "scenes/nasty.h"

#ifdef __cplusplus
extern "C" {
#endif

// What a library answered about one pair.
typedef struct wkOpinion {
    bool isTouching;
    bool
        hasDistance; // `distance` is meant: apart always, overlapping only where the library says so
    double distance; // signed
    bool hasFailed;  // an exception, or "could not compute"
} wkOpinion;

typedef struct wkOracle {
    const char* name;
    double
        tolerance; // relative to the size of the pair: what the library promises or usually reaches
    bool (*knows)(wkShapeType a, wkShapeType b);
    wkOpinion (*ask)(const wkScenePair* pair);
} wkOracle;

extern const wkOracle wkOracleFclCcd;
extern const wkOracle wkOracleFclIndep;
extern const wkOracle wkOracleCcdGjk;
extern const wkOracle wkOracleCcdMpr;
extern const wkOracle wkOracleBullet;

#ifdef __cplusplus
}
#endif
