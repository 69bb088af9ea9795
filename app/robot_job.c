// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// Loads a robot and its scene from the command line.

#include "robot_job.h"

#include "job_obstacles.h"
#include "outputs.h"
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const char wkJobOptionsHelp[] = WK_ROBOT_OPTIONS_HELP
    "  --map FILE             an occupancy map (.bt, .ot); may be given several times\n"
    "  --map-pose NUMBERS     of the maps in the world: x,y,z, or x,y,z,roll,pitch,yaw, or\n"
    "                         x,y,z,qx,qy,qz,qw; once, or once for each --map\n"
    "  --cloud FILE           points of a sensor, each a sphere (pcd, ply, npy, bin, las, csv, "
    "xyz, vtk);\n"
    "                         - for the standard input; may be given several times\n"
    "  --cloud-pose NUMBERS   of the clouds in the world, as --map-pose\n"
    "  --cloud-radius METRES  of each point, or how far the sensor may be wrong (default 0); "
    "once,\n"
    "                         or once for each --cloud\n"
    "  --cloud-spacing METRES keep one point of each cube of this size, grown to cover the others\n"
    "  --unknown RULE         unknown cells of maps are free (default), occupied, or reported\n"
    "  --world FILE           objects around the robot: JSON, SDF, or a scene of MoveIt (.scene,\n"
    "                         .yaml); - for the standard input; see docs/worlds.md\n"
    "  --group NAME           values are those of this group; the others have their defaults\n"
    "  --no-self              do not check links and attached objects against each other\n"
    "  --no-world             do not check the robot against maps and objects\n"
    "  --no-limits            do not check joint limits\n"
    "  --json                 answers as JSON lines\n";

void wkJobOptions_Rows(wkJobOptions* options, wkOption rows[WK_JOB_OPTION_COUNT])
{
    const wkOption table[] = {
        {"--map", wk_optionList, &options->maps},
        {"--map-pose", wk_optionList, &options->mapPoses},
        {"--cloud", wk_optionList, &options->clouds},
        {"--cloud-pose", wk_optionList, &options->cloudPoses},
        {"--cloud-radius", wk_optionList, &options->cloudRadii},
        {"--cloud-spacing", wk_optionSize, &options->cloudSpacing},
        {"--unknown", wk_optionText, &options->unknown},
        {"--world", wk_optionText, &options->world},
        {"--group", wk_optionText, &options->group},
        {"--no-self", wk_optionFlag, &options->skipsSelf},
        {"--no-world", wk_optionFlag, &options->skipsWorld},
        {"--no-limits", wk_optionFlag, &options->skipsLimits},
        {"--json", wk_optionFlag, &options->isJson},
    };
    wkRobotOptions_Rows(&options->robot, rows);
    memcpy(rows + WK_ROBOT_OPTION_COUNT, table, sizeof table);
}

wkRobotRequest wkJobOptions_Request(const wkJobOptions* options)
{
    wkRobotRequest request = wkDefaultRobotRequest();
    request.checksSelf = !options->skipsSelf;
    request.checksWorld = !options->skipsWorld;
    request.checksLimits = !options->skipsLimits;
    return request;
}

bool wkRobotJob_Complain(const wkRobotJob* job, const char* format, ...)
{
    char words[800];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(words, sizeof words, format, arguments);
    va_end(arguments);
    fprintf(stderr, "whisker %s: %s\n", job->command, words);
    return false;
}

bool wkRobotJob_Print(const wkRobotJob* job, wkText* text)
{
    if (text->isOutOfMemory) {
        return wkRobotJob_Complain(job, "out of memory for the answers");
    }
    bool isWritten =
        text->length == 0 || fwrite(text->data, 1, text->length, stdout) == text->length;
    wkText_Truncate(text, 0);
    return isWritten ||
           wkRobotJob_Complain(job, "the answers could not be written to standard output");
}

void wkRobotJob_Warn(const wkRobotJob* job, const char* format, ...)
{
    char message[1400]; // holds two paths
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(message, sizeof message, format, arguments);
    va_end(arguments);
    fprintf(stderr, "whisker %s: warning: %s\n", job->command, message);
}

bool wkRobotJob_HasDone(const wkRobotJob* job, wkResult result)
{
    return result == wk_ok || wkRobotJob_Complain(job, "%s", wkGetLastError());
}

static bool loadFile(wkRobotJob* job, const char* path, const wkRobotOptions* options)
{
    wkRobotLoad* load = malloc(sizeof *load);
    if (load == NULL) {
        return wkRobotJob_Complain(job, "out of memory");
    }
    bool isLoaded = wkRobotOptions_Read(options, job->command, load) &&
                    wkRobotJob_HasDone(job, wkRobot_Load(path, &load->options, NULL, &job->robot));
    if (isLoaded) {
        wkRobotLoad_EndWarnings(load);
    }
    free(load);
    return isLoaded;
}

// Opens the built-in robot; options that do not apply to it are refused.
static bool openBuiltIn(wkRobotJob* job, const wkRobotOptions* options)
{
    bool isPlain = options->srdf == NULL && options->packages.count == 0 &&
                   options->meshes == NULL && options->padding == 0.0 && !options->usesVisual;
    if (!isPlain) {
        return wkRobotJob_Complain(
            job, "--srdf, --package, --meshes, --padding and --visual need a URDF "
                 "file, not builtin");
    }
    return wkRobotJob_HasDone(job, wkRobot_CreateBuiltIn(&job->robot));
}

bool wkRobotJob_LoadRobot(wkRobotJob* job, const char* command, const char* path,
                          const wkRobotOptions* options)
{
    *job = (wkRobotJob){.command = command, .group = -1};
    bool isBuiltIn = strcmp(path, "builtin") == 0;
    bool isLoaded = isBuiltIn ? openBuiltIn(job, options) : loadFile(job, path, options);
    job->variableCount = wkRobot_Info(job->robot).variableCount;
    // the paths of the meshes are known only now
    if (isLoaded && !wkOutputs_AreApart(command)) {
        wkRobot_Destroy(job->robot);
        job->robot = NULL;
        return false;
    }
    return isLoaded;
}

bool wkRobotJob_MakeState(wkRobotJob* job)
{
    return wkRobotJob_HasDone(job, wkRobotState_Create(job->robot, &job->state));
}

static bool openScene(wkRobotJob* job, const wkJobOptions* options)
{
    wkRobotSceneDef def = wkDefaultRobotSceneDef();
    def.robot = job->robot;
    def.allowsEmpty = options->robot.allowsEmpty;
    return wkRobotJob_HasDone(job, wkRobotScene_Create(&def, &job->scene)) &&
           wkRobotJob_MakeState(job);
}

// Maximum number of warnings printed about a world; more would hide other messages.
#define MAX_WARNINGS 12

// Prints the warnings about a world.
typedef struct worldWarnings {
    const wkRobotJob* job;
    const char* path; // of the world
    int count;
} worldWarnings;

static void printWorldWarning(const char* message, void* context)
{
    worldWarnings* warnings = context;
    if (warnings->count++ < MAX_WARNINGS) {
        wkRobotJob_Warn(warnings->job, "%.300s: %s", warnings->path, message);
    }
}

static bool addWorld(wkRobotJob* job, const wkJobOptions* options)
{
    if (options->world == NULL) {
        return true;
    }
    int32_t before = wkRobotScene_Count(job->scene);
    wkRobotLoad* load = malloc(sizeof *load);
    if (load == NULL) {
        return wkRobotJob_Complain(job, "out of memory");
    }
    wkAskError error = {0};
    worldWarnings warnings = {job, options->world, 0};
    bool isAdded = wkRobotOptions_Read(&options->robot, job->command, load);
    if (isAdded) {
        wkWorldLoadDef how = wkDefaultWorldLoadDef();
        how.packages = load->options.packages;
        how.packageCount = load->options.packageCount;
        how.allowsEmpty = load->options.allowsEmpty;
        how.reads = load->options.reads;
        how.robot = wkRobot_Info(job->robot).name;
        how.warn = printWorldWarning;
        how.warnContext = &warnings;
        isAdded = wkWorld_Load(&job->world, options->world, job->scene, job->state, &how, &error) ||
                  wkRobotJob_Complain(job, "%s", error.message);
    }
    if (isAdded && warnings.count > MAX_WARNINGS) {
        wkRobotJob_Warn(job, "%.300s: %d more warnings", options->world,
                        warnings.count - MAX_WARNINGS);
    }
    if (isAdded && wkRobotScene_Count(job->scene) == before) {
        wkRobotJob_Warn(job, "%.300s: the world has no objects", options->world);
    }
    free(load);
    return isAdded;
}

// Refuses obstacles that are given but not checked, and options that leave nothing to check.
static bool areSkipsSensible(const wkRobotJob* job, const wkJobOptions* options)
{
    bool hasWorld = options->maps.count > 0 || options->clouds.count > 0 || options->world != NULL;
    if (options->skipsWorld && hasWorld) {
        return wkRobotJob_Complain(job, "--no-world contradicts --map, --cloud and --world");
    }
    return !(options->skipsSelf && options->skipsWorld && options->skipsLimits) ||
           wkRobotJob_Complain(job, "--no-self, --no-world and --no-limits leave nothing to check");
}

bool wkRobotJob_ChooseGroup(wkRobotJob* job, const char* name)
{
    job->group = name != NULL ? wkRobot_FindGroup(job->robot, name) : -1;
    if (name == NULL || job->group >= 0) {
        return true;
    }
    wkSuggestion nearest = {0};
    for (int32_t i = 0; i < wkRobot_Info(job->robot).groupCount; i++) {
        const char* known = wkRobot_Group(job->robot, i).name;
        wkSuggestion_Try(&nearest, name, known, strlen(known));
    }
    return wkRobotJob_Complain(job, "--group: the robot has no group '%.100s'%s", name,
                               wkSuggestion_Hint(&nearest).text);
}

bool wkRobotJob_FindLink(const wkRobotJob* job, const char* option, const char* name, int32_t* link)
{
    *link = wkRobot_FindLink(job->robot, name);
    if (*link >= 0) {
        return true;
    }
    wkSuggestion nearest = {0};
    for (int32_t i = 0; i < wkRobot_Info(job->robot).linkCount; i++) {
        const char* known = wkRobot_Link(job->robot, i).name;
        wkSuggestion_Try(&nearest, name, known, strlen(known));
    }
    return wkRobotJob_Complain(job, "%s: the robot has no link '%.100s'%s", option, name,
                               wkSuggestion_Hint(&nearest).text);
}

bool wkRobotJob_Open(wkRobotJob* job, const char* command, const char* path,
                     const wkJobOptions* options)
{
    *job = (wkRobotJob){.command = command, .group = -1};
    bool isOpen = wkRobotJob_LoadRobot(job, command, path, &options->robot) &&
                  areSkipsSensible(job, options) && wkRobotJob_ChooseGroup(job, options->group) &&
                  openScene(job, options) && wkRobotJob_AddMaps(job, options) &&
                  wkRobotJob_AddClouds(job, options) && addWorld(job, options) &&
                  wkOutputs_AreApart(command);
    if (isOpen) {
        wkRobotJob_WarnOfFarClouds(job);
    } else {
        wkRobotJob_Close(job);
    }
    return isOpen;
}

void wkRobotJob_Close(wkRobotJob* job)
{
    wkRobotScene_Destroy(job->scene);
    wkRobotState_Destroy(job->state);
    wkRobot_Destroy(job->robot);
    wkWorld_Free(&job->world);
    for (int i = 0; i < WK_OPTION_LIST; i++) {
        wkOctree_Destroy(job->maps[i]);
        wkCloud_Destroy(job->clouds[i]);
    }
    *job = (wkRobotJob){0};
}

bool wkRobotJob_MakeStates(const wkRobotJob* job, wkRobotState* states[WK_JOB_SLICES])
{
    bool isDone = true;
    for (int i = 0; i < WK_JOB_SLICES; i++) {
        states[i] = NULL;
        isDone = isDone && wkRobotJob_HasDone(job, wkRobotState_Create(job->robot, &states[i]));
    }
    return isDone;
}

void wkRobotJob_FreeStates(wkRobotState* states[WK_JOB_SLICES])
{
    for (int i = 0; i < WK_JOB_SLICES; i++) {
        wkRobotState_Destroy(states[i]);
    }
}
