// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// Cache of fitted spheres in a folder. The name of a file is the digest of the robot and the options of the
// fit. The proof in the file shows that its spheres cover the robot; without it they are fitted again. A
// cache that cannot be read or written is ignored.

#define _POSIX_C_SOURCE 200809L // getpid, mkdir

#include "whisker/io.h"

#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define PATH_BYTES 4096

// Changes with each change of the fit: spheres of earlier versions are not found.
#define FIT_PURPOSE "whisker sphere fit 2"

static wkDigest keyOf(const wkRobot* robot, const wkSphereFitDef* fit)
{
    wkDigestBuilder builder = wkDigestBuilder_Begin(FIT_PURPOSE);
    wkRobotInfo info = wkRobot_Info(robot);
    const double numbers[2] = {fit->accuracy, fit->padding};
    wkDigestBuilder_AddDigest(&builder, wkRobot_BodyDigest(robot));
    wkDigestBuilder_AddInteger(&builder, fit->count);
    wkDigestBuilder_AddNumbers(&builder, numbers, 2);
    wkDigestBuilder_AddInteger(&builder, fit->linkCounts != NULL);
    for (int32_t i = 0; i < info.linkCount && fit->linkCounts != NULL; i++) {
        wkDigestBuilder_AddInteger(&builder, fit->linkCounts[i]);
    }
    wkDigestBuilder_AddInteger(&builder, fit->linkAccuracies != NULL);
    for (int32_t i = 0; i < info.linkCount && fit->linkAccuracies != NULL; i++) {
        wkDigestBuilder_AddNumbers(&builder, &fit->linkAccuracies[i], 1);
    }
    return wkDigestBuilder_End(&builder);
}

// Writes the paths of the files. Returns false when they are too long.
static bool writePaths(const char* folder, wkDigest key, char path[PATH_BYTES],
                       char temporary[PATH_BYTES])
{
    char name[WK_DIGEST_TEXT_BYTES];
    wkDigest_ToText(key, name);
    int length = snprintf(path, PATH_BYTES, "%s/spheres-%s.json", folder, name);
    int other =
        snprintf(temporary, PATH_BYTES, "%s/spheres-%s.%ld.tmp.json", folder, name, (long)getpid());
    return length > 0 && length < PATH_BYTES && other > 0 && other < PATH_BYTES;
}

static bool load(const char* path, const wkRobot* robot, wkSphereModel** model)
{
    wkSphereLoadDef options = wkDefaultSphereLoadDef();
    options.skipsProof = true;
    if (wkSphereModel_Load(path, robot, &options, NULL, model) != wk_ok) {
        return false;
    }
    if (wkSphereModel_Info(*model).isCovering) {
        return true;
    }
    wkSphereModel_Destroy(*model);
    *model = NULL;
    return false;
}

// Creates the folder and its parent.
static void makeFolder(const char* folder)
{
    char parent[PATH_BYTES];
    const char* slash = strrchr(folder, '/');
    size_t length = slash != NULL ? (size_t)(slash - folder) : 0;
    if (length > 0 && length < sizeof parent) {
        memcpy(parent, folder, length);
        parent[length] = '\0';
        mkdir(parent, 0700);
    }
    mkdir(folder, 0700);
}

// Saves a file that appears whole or not at all, even if several processes write it.
static void save(const char* folder, const char* path, const char* temporary,
                 const wkSphereModel* model)
{
    makeFolder(folder);
    if (wkSphereModel_Save(temporary, model) != wk_ok || rename(temporary, path) != 0) {
        remove(temporary);
    }
}

wkResult wkSphereModel_FitCached(const wkRobot* robot, const wkSphereFitDef* def,
                                 const char* folder, bool* isCached, wkSphereModel** model)
{
    wkSphereFitDef defaults = wkDefaultSphereFitDef();
    def = def != NULL ? def : &defaults;
    char path[PATH_BYTES], temporary[PATH_BYTES];
    bool hasCache = robot != NULL && model != NULL && folder != NULL && folder[0] != '\0' &&
                    def->cookie == defaults.cookie &&
                    writePaths(folder, keyOf(robot, def), path, temporary);
    bool isFound = hasCache && load(path, robot, model);
    if (isCached != NULL) {
        *isCached = isFound;
    }
    if (isFound) {
        return wk_ok;
    }
    wkResult result = wkSphereModel_Fit(robot, def, model);
    if (result == wk_ok && hasCache && wkSphereModel_Info(*model).isCovering) {
        save(folder, path, temporary, *model);
    }
    return result;
}
