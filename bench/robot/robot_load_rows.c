// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// robot/pr2/load: reading the PR2 with its meshes, by the clock on the wall, after the system was asked
// to forget its files. Asked for is less than a second, which makes other answers wrong.

#define _XOPEN_SOURCE 700 // nftw

#include "bench.h"
#include "measure.h"
#include "robot/robot_case.h"

#include "whisker/io.h"

#include <fcntl.h>
#include <ftw.h>
#include <string.h>
#include <unistd.h>

#define PATH_CAPACITY 1024
#define LOAD_COUNT 7
#define OPEN_FOLDERS 16
#define MOST_NS 1e9

// What is in the memory of the system is read from the disk again, where it does as it is asked.
static int forgetFile(const char* path, const struct stat* status, int kind, struct FTW* walk)
{
    (void)status;
    (void)walk;
    int file = kind == FTW_F ? open(path, O_RDONLY) : -1;
    if (file >= 0) {
        posix_fadvise(file, 0, 0, POSIX_FADV_DONTNEED);
        close(file);
    }
    return 0;
}

static bool load(const char* folder, const char* path, double* time)
{
    nftw(folder, forgetFile, OPEN_FOLDERS, FTW_PHYS);
    double start = wkBenchWallNow();
    wkRobot* robot = NULL;
    bool isLoaded = wkRobot_Load(path, NULL, NULL, &robot) == wk_ok;
    *time = wkBenchWallNow() - start;
    isLoaded = isLoaded && wkRobot_Info(robot).triangleCount > 0;
    wkRobot_Destroy(robot);
    return isLoaded;
}

void wkRunRobotLoadRows(wkBench* bench)
{
    char folder[PATH_CAPACITY], path[PATH_CAPACITY];
    wkBenchRow row;
    memset(&row, 0, sizeof row);
    snprintf(row.name, sizeof row.name, "robot/pr2/load");
    wkRobotDataPath("pr2", folder, PATH_CAPACITY);
    wkRobotDataPath("pr2/pr2.urdf", path, PATH_CAPACITY);
    if (!wkBench_Wants(bench, row.name) || access(path, R_OK) != 0) {
        return;
    }
    double times[LOAD_COUNT];
    for (int i = 0; i < LOAD_COUNT; i++) {
        row.wrong += load(folder, path, &times[i]) ? 0 : 1;
    }
    row.ours = wkMedian(times, LOAD_COUNT);
    row.unit = "ns";
    row.n = LOAD_COUNT;
    row.wrong += row.ours < MOST_NS ? 0 : 1;
    wkBench_Emit(bench, &row);
}
