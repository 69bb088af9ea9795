// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// whisker info: prints the content of a file as the library reads it.

#include "cloud_spacing.h"
#include "command.h"
#include "info_mesh.h"
#include "info_robot.h"
#include "robot_options.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

static const char help[] =
    "usage: whisker info [OPTION...] FILE...\n"
    "\n"
    "Prints what is in files of meshes (stl, obj, ply, whisker and others), points (pcd, ply, "
    "npy,\n"
    "bin, las, csv, xyz, vtk), maps (bt, ot) and robots (urdf): counts, bounds in metres, and what "
    "looks\n"
    "wrong; of meshes also pieces, area, volume, and whether they are watertight and convex; of\n"
    "points how far they are from their neighbours. The bounds of a robot are those of its "
    "default\n"
    "configuration; builtin is the one that needs no file.\n"
    "The FILE - is the standard input, recognised by its content.\n"
    "\n"
    "for robots:\n" WK_ROBOT_OPTIONS_HELP "\n"
    "exit status: 0 done, 1 a file could not be read, 2 the command line was wrong\n";

static void printReport(const wkLoadInfo* report)
{
    wkPrintBounds("bounds", report->bounds);
    if (report->warning[0] != '\0') {
        printf("  %-10s %s\n", "warning", report->warning);
    }
}

static wkResult showMap(const char* path)
{
    wkOctree* octree = NULL;
    wkResult result = wkOctree_Load(path, &octree);
    if (result != wk_ok) {
        return result;
    }
    wkOctreeInfo stats = wkOctree_Info(octree);
    printf("%s: a map\n", path);
    printf("  %-10s %g m\n", "cells", wkOctree_Def(octree).resolution);
    printf("  %-10s %lld: %lld occupied, %lld free\n", "leaves", (long long)stats.leafCount,
           (long long)stats.occupiedCount, (long long)(stats.leafCount - stats.occupiedCount));
    printf("  %-10s %zu KiB\n", "memory", stats.byteCount / 1024);
    if (stats.leafCount > 0) {
        wkPrintBounds("bounds", stats.bounds);
    }
    if (stats.occupiedCount > 0) {
        wkPrintBounds("occupied", stats.occupiedBounds);
    }
    wkOctree_Destroy(octree);
    return wk_ok;
}

// Builds a solid mesh, which has a volume.
static wkResult buildMesh(const wkMeshData* data, wkMesh** mesh)
{
    wkMeshDef def = wkDefaultMeshDef();
    def.vertices = data->vertices;
    def.vertexCount = data->vertexCount;
    def.triangles = data->triangles;
    def.triangleCount = data->triangleCount;
    def.isSolid = true;
    return wkMesh_Create(&def, mesh);
}

// Prints a mesh. A file without triangles is left to the reader of points.
static wkResult showMesh(const char* path)
{
    wkMeshData* data = NULL;
    wkLoadInfo report;
    wkLoadDef options = wkDefaultLoadDef();
    wkResult result = wkMeshData_Load(path, &options, &report, &data);
    if (result != wk_ok) {
        return result;
    }
    bool isMesh = data->triangleCount > 0;
    wkMesh* mesh = NULL;
    result = isMesh ? buildMesh(data, &mesh) : wk_errorUnsupported;
    if (result == wk_ok) {
        wkMeshInfo info = wkMesh_Info(mesh);
        printf("%s: a mesh, %s\n", path, report.format);
        printf("  %-10s %d\n", "triangles", data->triangleCount);
        printf("  %-10s %d\n", "vertices", data->vertexCount);
        wkPrintMesh(&info);
        printReport(&report);
    }
    wkMesh_Destroy(mesh);
    wkMeshData_Destroy(data);
    return result;
}

// Makes a cloud of points to measure them.
static wkResult buildCloud(const wkPointData* data, wkCloud** cloud)
{
    wkCloudDef def = wkDefaultCloudDef();
    def.points.data = data->points;
    def.points.count = data->count;
    def.allowsEmpty = true; // figures of an empty file are printed, too
    return wkCloud_Create(&def, cloud);
}

static void printCloud(const wkCloud* cloud, const wkCloudSpacing* spacing)
{
    if (spacing->distance > 0.0) {
        printf("  %-10s %.4g m to the nearest neighbour (median)\n", "spacing", spacing->distance);
    }
    printf("  %-10s %zu KiB as a cloud\n", "memory", wkCloud_Info(cloud).byteCount / 1024);
}

static wkResult showPoints(const char* path)
{
    wkPointData* data = NULL;
    wkLoadInfo report;
    wkLoadDef options = wkDefaultLoadDef();
    options.findsOrigin = true;
    wkResult result = wkPointData_Load(path, &options, &report, &data);
    wkCloud* cloud = NULL;
    wkCloudSpacing spacing;
    if (result == wk_ok) {
        result = buildCloud(data, &cloud);
    }
    if (result == wk_ok) {
        result = wkMeasureSpacing(cloud, &spacing);
    }
    if (result != wk_ok) {
        wkCloud_Destroy(cloud);
        wkPointData_Destroy(data);
        return result;
    }
    printf("%s: points, %s\n", path, report.format);
    printf("  %-10s %d: %d finite\n", "points", data->count, data->count - report.notFiniteCount);
    if (data->height > 1) {
        printf("  %-10s %d x %d\n", "image", data->width, data->height);
    }
    if (data->hasSensor) {
        wkVec3d p = data->sensor.position;
        wkQuat q = data->sensor.rotation;
        printf("  %-10s (%g, %g, %g), turned by (%g, %g, %g, %g)\n", "sensor", p.x, p.y, p.z, q.x,
               q.y, q.z, q.w);
    }
    wkVec3d from = report.origin;
    if (from.x != 0.0 || from.y != 0.0 || from.z != 0.0) {
        printf("  %-10s (%.0f, %.0f, %.0f), from which the bounds below are measured\n", "origin",
               from.x, from.y, from.z);
    }
    printCloud(cloud, &spacing);
    printReport(&report);
    wkCloud_Destroy(cloud);
    wkPointData_Destroy(data);
    return wk_ok;
}

// In the order in which readers are tried.
static wkResult (*const kinds[])(const char* path) = {showMap, showMesh, showPoints};

// Replaces the standard input by a temporary copy, since several readers may have to read it.
// @param isXml set when it starts as a robot description does
static bool keepInput(bool* isXml)
{
    FILE* file = tmpfile();
    char bytes[8192];
    size_t count = 0;
    bool isKept = file != NULL, hasText = false;
    while (isKept && (count = fread(bytes, 1, sizeof bytes, stdin)) > 0) {
        for (size_t i = 0; i < count && !hasText; i++) {
            hasText = strchr(" \t\r\n", bytes[i]) == NULL;
            *isXml = hasText && bytes[i] == '<';
        }
        isKept = fwrite(bytes, 1, count, file) == count;
    }
    isKept = isKept && !ferror(stdin) && fflush(file) == 0 &&
             dup2(fileno(file), STDIN_FILENO) >= 0 && lseek(STDIN_FILENO, 0, SEEK_SET) == 0;
    if (!isKept) {
        fprintf(stderr, "whisker info: the standard input cannot be read: %s\n", strerror(errno));
    }
    if (file != NULL) {
        fclose(file);
    }
    return isKept;
}

static bool showFile(const char* path, const wkRobotLoadDef* robotOptions)
{
    bool isRobot = false, isInput = strcmp(path, "-") == 0, isXml = true;
    if (isInput && !keepInput(&isXml)) {
        return false;
    }
    wkResult result = isXml ? wkShowRobot(path, robotOptions, &isRobot) : wk_errorUnsupported;
    path = isInput ? "/dev/stdin" : path; // a regular file now
    for (size_t i = 0;
         !isRobot && i < sizeof kinds / sizeof kinds[0] && result == wk_errorUnsupported; i++) {
        result = kinds[i](path);
    }
    fflush(stdout); // keeps errors next to the output of their file
    if (result == wk_errorUnsupported && !isRobot) {
        fprintf(
            stderr,
            "whisker info: %s: holds no mesh, points, map or robot that can be read; as points: "
            "%s\n",
            path, wkGetLastError());
    } else if (result != wk_ok) {
        fprintf(stderr, "whisker info: %s\n", wkGetLastError());
    }
    return result == wk_ok;
}

int wkRunInfo(int argc, char** argv)
{
    if (wkWantsHelp(argc, argv)) {
        fputs(help, stdout);
        return wk_exitDone;
    }
    wkRobotOptions options = {0};
    wkOption rows[WK_ROBOT_OPTION_COUNT];
    static wkRobotLoad load; // too large for the stack
    wkRobotOptions_Rows(&options, rows);
    if (!wkTakeOptions(&argc, argv, rows, WK_ROBOT_OPTION_COUNT) ||
        !wkRobotOptions_Read(&options, "info", &load)) {
        return wk_exitUsage;
    }
    if (argc == 1) {
        fprintf(stderr, "whisker info: no file; usage: whisker info [OPTION...] FILE...\n");
        return wk_exitUsage;
    }
    int status = wk_exitDone;
    for (int i = 1; i < argc; i++) {
        status = showFile(argv[i], &load.options) ? status : wk_exitTrouble;
    }
    return status;
}
