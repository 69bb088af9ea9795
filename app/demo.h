// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// `whisker demo`: a robot in a room that it knows from its own depth camera alone. Each stage of the
// work is timed; pictures and a report show what came out.

#include "demo_room.h"
#include "demo_samples.h"
#include "whisker/depth_image.h"
#include "whisker/robot_scene.h"

// How much work there is.
typedef struct wkDemoSize {
    int viewCount;
    int stateCount;
    int clearanceCount;
    int motionCount;
    int pictureWidth; // 0: no pictures
} wkDemoSize;

// A stage as it is printed and reported.
typedef struct wkDemoStage {
    const char* name;
    char words[160];
    double seconds;
    wkSamples samples; // seconds of single pieces of work; empty: there are none
} wkDemoStage;

typedef enum wkDemoStageName {
    wk_demoRoom,
    wk_demoCamera,
    wk_demoMap,
    wk_demoStates,
    wk_demoClearance,
    wk_demoMotions,
    wk_demoCost,
    wk_demoPictures,
    wk_demoStageCount,
} wkDemoStageName;

// The motion that is shown.
typedef struct wkDemoMotion {
    double* q0;
    double* q1;
    double length; // no point of the robot goes further; 0: there is no motion
    wkVerdict verdict;
} wkDemoMotion;

typedef struct wkDemo {
    wkDemoSize size;
    wkRoom room;
    wkRobot* robot;
    const char* robotPath; // as the user gave it; NULL: the robot of the library
    bool isBuiltIn;
    wkPose base;       // where the robot stands
    double scale;      // of the room
    wkVec3d pedestal;  // below the robot: edges; height zero: none
    bool* isStatic;    // of each link: no joint moves it
    wkPose* linkPoses; // spare room for as many poses
    double* ready;     // configuration to be shown in
    wkRobotState* state;
    wkRobotScene* scene;
    wkOctree* map;
    wkDepthImage view;      // the last picture of the camera
    float* depths;          // its pixels
    double* configurations; // random ones, `stateCount` of them
    wkVerdict* verdicts;
    int verdictCounts[wk_verdictCount];
    int motionCounts[wk_verdictCount];
    wkDemoMotion shown;
    wkCost* cost; // of the motion that is shown
    wkDemoStage stages[wk_demoStageCount];
} wkDemo;

// @param robot taken over, also on failure; NULL: the robot of the library
wkResult wkDemo_Create(wkDemo* demo, const wkDemoSize* size, wkRobot* robot, const char* robotPath);
void wkDemo_Destroy(wkDemo* demo);

// Name of the map among the objects of the scene.
#define WK_DEMO_MAP "map"

// Sets the last error.
wkResult wkDemo_OutOfMemory(void);

// Room for `count` configurations, to be given back with free(); NULL without memory.
double* wkDemo_MakeConfigurations(const wkDemo* demo, int count);

// The stages, in this order; each fills its row.
wkResult wkDemo_Observe(wkDemo* demo); // camera, map
wkResult wkDemo_Check(wkDemo* demo);   // states, clearance
wkResult wkDemo_Move(wkDemo* demo);    // motions, cost

// Sets the variables of a named state, if there is one.
void wkDemo_ApplyState(const wkDemo* demo, const char* name, double* q);

// Where the robot stands, how large the room is, and the configuration to be shown in.
wkResult wkDemo_PlaceRobot(wkDemo* demo);

// Bounds of the bodies of the state, of some links or, for NULL, of all; lower above upper: none.
wkAabb wkDemo_RobotBounds(const wkDemo* demo, const bool* links);

#define WK_DEMO_PICTURES 4

// A picture with what is to be said about it.
typedef struct wkDemoPicture {
    const char* title;
    char words[320];
    wkPicture picture;
} wkDemoPicture;

// The room, the depth image, the map with the robot coloured by clearance, the cost of the motion.
bool wkDemo_Draw(wkDemo* demo, wkDemoPicture pictures[WK_DEMO_PICTURES]);

// A page that needs no other file.
bool wkDemo_WriteReport(wkDemo* demo, wkDemoPicture pictures[WK_DEMO_PICTURES], const char* path);

// What to type next: a command and what it does; false after the last.
bool wkDemo_NextStep(const wkDemo* demo, int index, char* command, size_t size, const char** words);
