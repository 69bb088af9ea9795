// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// whisker map: builds an occupancy map from point clouds and depth images.

#include "camera_pose.h"
#include "command.h"
#include "demo_samples.h"
#include "options.h"
#include "progress.h"
#include "whisker/depth_image.h"
#include "whisker/io.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char help[] =
    "usage: whisker map -o FILE [CLOUD...] [--depth FILE --camera FILE]... [OPTIONS]\n"
    "\n"
    "Makes an occupancy map (.bt, .ot) from point clouds (pcd, ply, npy, bin, las, csv, xyz, vtk) "
    "and\n"
    "depth images (16-bit png). Rays from the sensor to the points free the cells they cross; all "
    "others "
    "stay\n"
    "unknown. Scans are taken in their order, clouds first.\n"
    "\n"
    "  -o FILE              the map: .ot keeps probabilities, .bt free and occupied alone\n"
    "  --resolution METRES  size of a cell (default 0.05)\n"
    "  --onto FILE          start from this map; its resolution is kept\n"
    "  --pose NUMBERS       of a cloud in the map: x,y,z, or x,y,z,roll,pitch,yaw, or\n"
    "                       x,y,z,qx,qy,qz,qw; once for all clouds, or once for each\n"
    "  --origin X,Y,Z       where the sensor was, in the frame of the clouds; without it the "
    "viewpoint of\n"
    "                       the file, or 0,0,0\n"
    "  --depth FILE         a depth image; may be given several times\n"
    "  --camera FILE        its camera and pose (text, camera_info YAML or a 3x3 matrix); once "
    "for\n"
    "                       each image\n"
    "  --max-range METRES   longer rays free cells up to here and mark nothing occupied\n"
    "  --occupied-only      mark the cells of points, free nothing\n"
    "  --every-point        a ray to every point, not one to each cell that has points\n"
    "\n"
    "exit status: 0 done, 2 a file or an option is wrong; nothing is written then\n";

typedef struct mapOptions {
    const char* output;
    const char* onto;
    double resolution; // NAN, as maxRange: not given
    double maxRange;
    const char* origin;
    wkOptionList poses;
    wkOptionList depths;
    wkOptionList cameras;
    bool isOccupiedOnly;
    bool isEveryPoint;
} mapOptions;

typedef struct mapJob {
    const mapOptions* options;
    wkOctree* map;
    wkScan scan; // parameters of the scans
    wkParallel parallel;
    wkVec3d origin;
    wkScanInfo total;
} mapJob;

static bool complain(const char* what, const char* about)
{
    fprintf(stderr, "whisker map: %s%s%s\n", about != NULL ? about : "", about != NULL ? ": " : "",
            what);
    return false;
}

static bool hasDone(wkResult result)
{
    return result == wk_ok || complain(wkGetLastError(), NULL);
}

// Adds up a report, and prints how many points of a file were lost.
static void addReport(mapJob* job, const char* path, const wkScanInfo* report)
{
    job->total.usedCount += report->usedCount;
    if (report->outsideCount > 0) {
        fprintf(stderr,
                "whisker map: %s: %d points lie outside the map's 65536 cells and are lost\n", path,
                report->outsideCount);
    }
    if (report->notFiniteCount > 0) {
        fprintf(stderr, "whisker map: %s: %d points are not finite\n", path,
                report->notFiniteCount);
    }
    if (report->usedCount == 0) {
        fprintf(stderr, "whisker map: %s: no point is used\n", path);
    }
}

static bool addCloud(mapJob* job, const char* path, int index)
{
    const wkOptionList* poses = &job->options->poses;
    wkPointData* data = NULL;
    if (!hasDone(wkPointData_Load(path, NULL, NULL, &data))) {
        return false;
    }
    wkScan scan = job->scan;
    scan.points = (wkPointsView){data->points, data->count, 0};
    scan.origin = job->options->origin != NULL ? job->origin : data->sensor.position;
    bool isRead = true;
    if (poses->count > 0) {
        const char* text = poses->items[poses->count > 1 ? index : 0];
        isRead = wkReadPose(text, &scan.frame) ||
                 complain("expected x,y,z, x,y,z,roll,pitch,yaw, or x,y,z,qx,qy,qz,qw", text);
    }
    wkScanInfo report = {0};
    isRead = isRead && hasDone(wkOctree_Insert(job->map, &scan, &report));
    if (isRead) {
        addReport(job, path, &report);
    }
    wkPointData_Destroy(data);
    return isRead;
}

static bool addDepth(mapJob* job, const char* path, const char* camera)
{
    wkDepthData* data = NULL;
    wkDepthImage image = wkDefaultDepthImage();
    wkScanInfo report = {0};
    bool isRead = hasDone(wkLoadCamera("map", camera, &image)) &&
                  hasDone(wkDepthData_LoadFor(path, &image.camera, &data));
    if (isRead) {
        image.pixels = data->pixels;
        image.camera.width = data->width; // for cameras without a size
        image.camera.height = data->height;
        isRead = hasDone(
            wkOctree_InsertDepth(job->map, &image, NULL, &job->scan, wkIdentityPose(), &report));
    }
    if (isRead) {
        addReport(job, path, &report);
    }
    wkDepthData_Destroy(data);
    return isRead;
}

static bool openMap(mapJob* job)
{
    const mapOptions* o = job->options;
    wkPose origin = wkIdentityPose();
    if (o->origin != NULL && !wkReadPose(o->origin, &origin)) {
        return complain("--origin: expected x,y,z", o->origin);
    }
    job->origin = origin.position;
    job->scan = wkDefaultScan();
    job->scan.parallel = &job->parallel;
    job->scan.maxRange = isnan(o->maxRange) ? job->scan.maxRange : o->maxRange;
    job->scan.isExact = o->isEveryPoint;
    job->scan.keepsFree = o->isOccupiedOnly;
    if (o->onto != NULL) {
        return hasDone(wkOctree_Load(o->onto, &job->map));
    }
    wkOctreeDef def = wkDefaultOctreeDef();
    def.resolution = isnan(o->resolution) ? def.resolution : o->resolution;
    return hasDone(wkOctree_Create(&def, &job->map));
}

static void sayMap(const mapJob* job, double seconds)
{
    wkOctreeInfo stats = wkOctree_Info(job->map);
    fprintf(stderr, "%s: %d points; %lld leaves, %lld of them occupied; cells of %g m; %.2f s\n",
            job->options->output, job->total.usedCount, (long long)stats.leafCount,
            (long long)stats.occupiedCount, wkOctree_Def(job->map).resolution, seconds);
    if (stats.occupiedCount == 0) {
        complain("no cell of the map is occupied", job->options->output);
    }
}

static int runMap(const mapOptions* options, char** clouds, int cloudCount)
{
    mapJob job = {.options = options};
    double start = wkNow();
    bool isDone = openMap(&job);
    wkProgress progress =
        wkProgress_Start("clouds and images", (int64_t)cloudCount + options->depths.count);
    for (int i = 0; i < cloudCount && isDone; i++) {
        isDone = addCloud(&job, clouds[i], i);
        wkProgress_Update(&progress, i + 1);
    }
    for (int i = 0; i < options->depths.count && isDone; i++) {
        isDone = addDepth(&job, options->depths.items[i], options->cameras.items[i]);
        wkProgress_Update(&progress, (int64_t)cloudCount + i + 1);
    }
    wkProgress_End(&progress);
    isDone = isDone && hasDone(wkOctree_Save(options->output, job.map));
    if (isDone) {
        sayMap(&job, wkNow() - start);
    }
    wkOctree_Destroy(job.map);
    return isDone ? wk_exitDone : wk_exitUsage;
}

// Returns a message about invalid combinations of options; NULL: none.
static const char* findContradiction(const mapOptions* o, int cloudCount)
{
    if (o->output == NULL) {
        return "wants -o FILE";
    }
    if (cloudCount + o->depths.count == 0) {
        return "wants a CLOUD or --depth";
    }
    if (o->depths.count != o->cameras.count) {
        return "each --depth needs a --camera";
    }
    if (o->poses.count > 1 && o->poses.count != cloudCount) {
        return "--pose must be given once, or once for each CLOUD";
    }
    if ((o->poses.count > 0 || o->origin != NULL) && cloudCount == 0) {
        return "--pose and --origin are about CLOUDs";
    }
    if (o->onto != NULL && !isnan(o->resolution)) {
        return "--resolution is that of the map given with --onto";
    }
    return NULL;
}

int wkRunMap(int argc, char** argv)
{
    if (wkWantsHelp(argc, argv)) {
        fputs(help, stdout);
        return wk_exitDone;
    }
    mapOptions options = {.resolution = NAN, .maxRange = NAN};
    const wkOption rows[] = {
        {"-o", wk_optionOutput, &options.output},
        {"--onto", wk_optionText, &options.onto},
        {"--resolution", wk_optionSize, &options.resolution},
        {"--max-range", wk_optionSize, &options.maxRange},
        {"--origin", wk_optionText, &options.origin},
        {"--pose", wk_optionList, &options.poses},
        {"--depth", wk_optionList, &options.depths},
        {"--camera", wk_optionList, &options.cameras},
        {"--occupied-only", wk_optionFlag, &options.isOccupiedOnly},
        {"--every-point", wk_optionFlag, &options.isEveryPoint},
    };
    if (!wkTakeOptions(&argc, argv, rows, sizeof rows / sizeof rows[0])) {
        return wk_exitUsage;
    }
    const char* trouble = findContradiction(&options, argc - 1);
    if (trouble != NULL) {
        fprintf(stderr, "whisker map: %s; try: whisker map --help\n", trouble);
        return wk_exitUsage;
    }
    return runMap(&options, argv + 1, argc - 1);
}
