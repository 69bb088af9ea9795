// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// Trajectories from files: waypoints with their lines, so that messages say where something is wrong.

#include "robot_job.h"

#include "whisker/trajectory.h"

// What the waypoints of a file have beside positions.
typedef enum wkPointRates {
    wk_pointPositions = 0,
    wk_pointVelocities = 1,
    wk_pointAccelerations = 2, // and velocities
} wkPointRates;

typedef struct wkTrajectoryPoints {
    const wkRobotJob* job;
    const char* path;   // for messages
    int32_t* variables; // of the columns
    int columnCount;
    wkPointRates rates;
    double* times;
    double* numbers[3]; // positions, velocities, accelerations: waypoint by waypoint
    int* lines;
    int count;
    int capacity;
} wkTrajectoryPoints;

// Adds the variable of a column. Returns false after a message for one that does not exist or is there already.
bool wkTrajectoryPoints_AddColumn(wkTrajectoryPoints* points, int line, const char* name);

// Adds a waypoint, whose numbers the caller writes to row count - 1. Returns false, after a message, for a time that is
// not later than that of the waypoint before it, and without memory.
bool wkTrajectoryPoints_Add(wkTrajectoryPoints* points, int line, double time);

// Returns where the numbers of the last waypoint go.
double* wkTrajectoryPoints_Row(const wkTrajectoryPoints* points, wkPointRates rates);

// Prints "path:line: ..." to stderr and returns false.
bool wkTrajectoryPoints_Complain(const wkTrajectoryPoints* points, int line, const char* format,
                                 ...) __attribute__((format(printf, 3, 4)));

// The two forms of files. Return false after a message.
bool wkTrajectoryPoints_ReadCsv(wkTrajectoryPoints* points, char* text);
bool wkTrajectoryPoints_ReadJson(wkTrajectoryPoints* points, const char* text, size_t length);

// Reads a trajectory: JSON as ROS's trajectory_msgs/JointTrajectory, or CSV with the names of variables in its first line.
// @param takesShorterWay of continuous joints, see wkTrajectoryDef
// @param trajectory NULL after a message on stderr
bool wkRobotJob_ReadTrajectory(const wkRobotJob* job, const char* path, bool takesShorterWay,
                               wkTrajectory** trajectory);
