// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// The Panda of 59 spheres among boxes or in a map, in random configurations and in those along random
// motions, for the rows about batches; and the truth about each by looking at all boxes.

#include "robot/robot_case.h"

#include "whisker/batch.h"
#include "whisker/cloud.h"

#ifdef __cplusplus
extern "C" {
#endif

// What is around the robot.
typedef enum wkBatchWorld {
    wk_batchAlone,
    wk_batchBoxes16,
    wk_batchBoxes100,
    wk_batchBoxes1000,
    wk_batchOctree, // the 100 boxes as cells of a map
    wk_batchWorldCount,
} wkBatchWorld;

// As in the names of rows.
extern const char* const wkBatchWorldNames[wk_batchWorldCount];

// Steps of a motion, whose fastest joint turns by one radian.
#define WK_BATCH_STEPS 32

typedef struct wkBatchBenchCase {
    wkRobotCase peer; // the first configurations alone, for libraries that take far longer
    wkSphereModel* spheres;
    wkRobotScene* scene;
    wkOctree* octree; // NULL: none
    int variableCount;

    int count;
    double* states;
} wkBatchBenchCase;

// A batch of which the caller says what it checks.
wkBatchDef wkBatchCase_Def(const wkBatchBenchCase* made);

// Loads the robot of the data folder, and draws what is around it. False, with the last error,
// when there is no such file.
// @param peerCount how many of the configurations other libraries are asked about
bool wkBatchCase_Open(wkBatchBenchCase* made, wkBatchWorld world, int count, int peerCount);

// Configurations within the limits, all equally likely.
void wkBatchCase_DrawStates(wkBatchBenchCase* made);

// Configurations along motions of one radian, WK_BATCH_STEPS of each.
void wkBatchCase_DrawMotions(wkBatchBenchCase* made);

// A motion of one radian from a random configuration. `seed` is moved on.
void wkBatchCase_DrawMotion(const wkBatchBenchCase* made, uint64_t* seed, double* from, double* to);

void wkBatchCase_Close(wkBatchBenchCase* made);

// What a configuration comes to when each sphere is compared with each box, and with the other spheres
// that it must not touch: metres between the nearest two where that is below a hand's breadth.
// Ends at once when some overlap, with a negative number.
double wkBatchCase_Clearance(const wkBatchBenchCase* made, const double* q, bool checksWorld);

// The spheres of the robot in the world, one for each body.
#define WK_BATCH_SPHERES 128
void wkBatchCase_PlaceSpheres(const wkBatchBenchCase* made, const double* q, wkSphere3d* spheres);

// Is a verdict wrong? Free must be free, and what is free by more than what floats may take off
// must be found to be.
bool wkIsVerdictWrong(double clearance, bool isFree);

#ifdef __cplusplus
}
#endif
