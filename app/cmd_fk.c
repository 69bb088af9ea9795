// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// whisker fk: forward kinematics, the poses of links in given configurations.

#include "command.h"
#include "robot_job.h"
#include "robot_words.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char help[] =
    "usage: whisker fk ROBOT (--q NUMBERS | --states FILE) [OPTIONS]\n"
    "\n"
    "Prints the poses of links in the frame of the robot's root. ROBOT is a URDF file, - or "
    "builtin.\n"
    "A line for each link: number of the configuration, name of the link, position x y z in "
    "metres,\n"
    "quaternion x y z w.\n"
    "\n"
    "  --q NUMBERS            one configuration, as for whisker check\n"
    "  --states FILE          many: rows of a .npy or text file\n"
    "  --link NAME            this link alone; may be given several times\n"
    "  --group NAME           values are those of this group; the others have their defaults\n"
    "  --json                 a line of JSON for each configuration\n" WK_ROBOT_OPTIONS_HELP
    "\nexit status: 0 done, 1 a configuration is not finite, 2 a file or an option is wrong\n";

typedef struct fkOptions {
    wkRobotOptions robot;
    const char* q;
    const char* states;
    wkOptionList links;
    const char* group;
    bool isJson;
} fkOptions;

// The links to print.
typedef struct linkList {
    int32_t* links;
    int count;
} linkList;

static bool findLinks(const wkRobotJob* job, const wkOptionList* names, linkList* list)
{
    int32_t linkCount = wkRobot_Info(job->robot).linkCount;
    list->count = names->count > 0 ? names->count : linkCount;
    list->links = malloc(((size_t)list->count + 1) * sizeof *list->links);
    if (list->links == NULL) {
        return wkRobotJob_Complain(job, "out of memory for %d links", list->count);
    }
    for (int i = 0; i < list->count; i++) {
        list->links[i] = i;
        if (names->count > 0 &&
            !wkRobotJob_FindLink(job, "--link", names->items[i], &list->links[i])) {
            return false;
        }
    }
    return true;
}

static void appendQuaternion(wkText* text, const char* separator, wkQuat q)
{
    const double numbers[] = {q.x, q.y, q.z, q.w};
    for (int i = 0; i < 4; i++) {
        wkText_AppendString(text, i > 0 ? separator : "");
        wkText_AppendNumber(text, numbers[i]);
    }
}

static void sayLink(wkText* text, int index, const char* name, wkPose pose)
{
    const double position[] = {pose.position.x, pose.position.y, pose.position.z};
    wkText_AppendInteger(text, index);
    wkText_AppendString(text, " ");
    wkText_AppendString(text, name);
    for (int i = 0; i < 3; i++) {
        wkText_AppendString(text, " ");
        wkText_AppendNumber(text, position[i]);
    }
    wkText_AppendString(text, " ");
    appendQuaternion(text, " ", pose.rotation);
    wkText_AppendString(text, "\n");
}

static void reportLink(wkText* text, const char* name, wkPose pose)
{
    wkText_AppendQuoted(text, name, strlen(name));
    wkText_AppendString(text, ":{\"xyz\":");
    wkText_AppendVec3(text, pose.position);
    wkText_AppendString(text, ",\"quat\":[");
    appendQuaternion(text, ",", pose.rotation);
    wkText_AppendString(text, "]}");
}

static void printConfiguration(const wkRobotJob* job, const linkList* list, int index, bool isJson,
                               wkText* text)
{
    if (isJson) {
        wkText_AppendString(text, "{\"index\":");
        wkText_AppendInteger(text, index);
        wkText_AppendString(text, ",\"links\":{");
    }
    for (int i = 0; i < list->count; i++) {
        const char* name = wkRobot_Link(job->robot, list->links[i]).name;
        wkPose pose = wkRobotState_LinkPose(job->state, list->links[i]);
        if (isJson) {
            wkText_AppendString(text, i > 0 ? "," : "");
            reportLink(text, name, pose);
        } else {
            sayLink(text, index, name, pose);
        }
    }
    wkText_AppendString(text, isJson ? "}}\n" : "");
}

// Prints all poses. A configuration that is not finite has none: it gets a message and no line.
static int printAll(const wkRobotJob* job, const linkList* list, const wkConfigurations* all,
                    bool isJson)
{
    wkText text = {0};
    int status = wk_exitDone;
    for (int i = 0; i < all->count && status != wk_exitUsage; i++) {
        const double* q = all->values + (size_t)i * (size_t)job->variableCount;
        if (wkRobotState_Set(job->state, wkIdentityPose(), q) != wk_ok) {
            wkRobotJob_Complain(job, "configuration %d: %s", i, wkGetLastError());
            status = wk_exitTrouble;
            continue;
        }
        printConfiguration(job, list, i, isJson, &text);
        status = wkRobotJob_Print(job, &text) ? status : wk_exitUsage;
    }
    wkText_Free(&text);
    return status;
}

static int runFk(const fkOptions* options, const char* path)
{
    wkRobotJob job;
    linkList links = {0};
    wkConfigurations all = {0};
    wkRobotOptions robot = options->robot;
    robot.allowsEmpty = true; // links have poses, with shapes or without
    bool isReady = wkRobotJob_LoadRobot(&job, "fk", path, &robot) &&
                   wkRobotJob_ChooseGroup(&job, options->group) && wkRobotJob_MakeState(&job) &&
                   findLinks(&job, &options->links, &links) &&
                   wkRobotJob_ReadConfigurations(&job, options->q, options->states, &all);
    int status = isReady ? printAll(&job, &links, &all, options->isJson) : wk_exitUsage;
    free(all.values);
    free(links.links);
    wkRobotJob_Close(&job);
    return status;
}

int wkRunFk(int argc, char** argv)
{
    if (wkWantsHelp(argc, argv)) {
        fputs(help, stdout);
        return wk_exitDone;
    }
    fkOptions options = {0};
    wkOption rows[WK_ROBOT_OPTION_COUNT + 5] = {
        [WK_ROBOT_OPTION_COUNT] = {"--q", wk_optionText, &options.q},
        {"--states", wk_optionText, &options.states},
        {"--link", wk_optionList, &options.links},
        {"--group", wk_optionText, &options.group},
        {"--json", wk_optionFlag, &options.isJson},
    };
    wkRobotOptions_Rows(&options.robot, rows);
    if (!wkTakeOptions(&argc, argv, rows, sizeof rows / sizeof rows[0])) {
        return wk_exitUsage;
    }
    if (!wkTakesOne(argc, argv, "ROBOT")) {
        return wk_exitUsage;
    }
    if ((options.q == NULL) == (options.states == NULL)) {
        fprintf(stderr, "whisker fk: wants --q or --states, one of them; try: whisker fk --help\n");
        return wk_exitUsage;
    }
    return runFk(&options, argv[1]);
}
