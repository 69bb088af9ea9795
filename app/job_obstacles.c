// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// Adds maps to a scene, and what maps and clouds share: names, and values for one file or all of them.

#include "job_obstacles.h"

#include <stdio.h>
#include <string.h>

// Capacity of the names of files that are given several times.
#define NAME_CAPACITY 4200

bool wkFileValues_Check(const wkFileValues* values, const wkRobotJob* job)
{
    int count = values->values->count, fileCount = values->fileCount;
    bool isFine = count == 0 || count == fileCount || (count == 1 && fileCount > 0);
    return isFine ||
           wkRobotJob_Complain(job, "%s: %d %s for %d %s, expected one, or one for each",
                               values->option, count, values->plural, fileCount, values->files);
}

const char* wkFileValues_Find(const wkFileValues* values, int file)
{
    int count = values->values->count;
    return count > 0 ? values->values->items[count > 1 ? file : 0] : NULL;
}

bool wkFileValues_ReadPose(const wkFileValues* values, const wkRobotJob* job, int file,
                           wkPose* pose)
{
    const char* text = wkFileValues_Find(values, file);
    return text == NULL || wkReadPose(text, pose) ||
           wkRobotJob_Complain(job,
                               "%s: \"%.60s\" is none of x,y,z, x,y,z,roll,pitch,yaw and "
                               "x,y,z,qx,qy,qz,qw",
                               values->option, text);
}

bool wkRobotJob_AddShape(wkRobotJob* job, const char* path, int number, const wkShape* shape,
                         wkPose pose)
{
    char name[NAME_CAPACITY];
    snprintf(name, sizeof name, "%s#%d", path, number + 1);
    wkRobotObjectDef def = wkDefaultRobotObjectDef();
    def.name = wkRobotScene_Find(job->scene, path) < 0 ? path : name;
    def.shapes = shape;
    def.shapeCount = 1;
    def.pose = pose;
    return wkRobotJob_HasDone(job, wkRobotScene_Add(job->scene, &def));
}

static bool findUnknownRule(const wkRobotJob* job, const char* name, wkUnknownRule* rule)
{
    static const char* const names[] = {[wk_unknownFree] = "free",
                                        [wk_unknownOccupied] = "occupied",
                                        [wk_unknownReported] = "reported"};
    for (int i = wk_unknownFree; i <= wk_unknownReported; i++) {
        if (strcmp(names[i], name) == 0) {
            *rule = (wkUnknownRule)i;
            return true;
        }
    }
    return wkRobotJob_Complain(job, "--unknown wants free, occupied or reported");
}

bool wkRobotJob_AddMaps(wkRobotJob* job, const wkJobOptions* options)
{
    wkUnknownRule rule = wk_unknownFree;
    if (options->unknown != NULL && !findUnknownRule(job, options->unknown, &rule)) {
        return false;
    }
    wkFileValues poses = {"--map-pose", "poses", "maps", &options->mapPoses, options->maps.count};
    bool isAdded = wkFileValues_Check(&poses, job);
    for (int i = 0; i < options->maps.count && isAdded; i++) {
        const char* path = options->maps.items[i];
        wkPose pose = wkIdentityPose();
        if (!wkFileValues_ReadPose(&poses, job, i, &pose) ||
            !wkRobotJob_HasDone(job, wkOctree_Load(path, &job->maps[i]))) {
            return false;
        }
        wkShape shape = wkMakeOctree(job->maps[i]);
        shape.map.unknown = rule;
        if (wkOctree_Info(job->maps[i]).occupiedCount == 0) {
            wkRobotJob_Warn(job, "%.300s: the map has no occupied cells", path);
        }
        isAdded = wkRobotJob_AddShape(job, path, i, &shape, pose);
    }
    return isAdded;
}
