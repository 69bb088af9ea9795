// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// Converts command line options to load options of the library.

#include "robot_options.h"

#include "outputs.h"

#include "whisker/detail/counts.h"

#include <stdio.h>
#include <string.h>

void wkRobotOptions_Rows(wkRobotOptions* options, wkOption rows[WK_ROBOT_OPTION_COUNT])
{
    const wkOption table[WK_ROBOT_OPTION_COUNT] = {
        {"--srdf", wk_optionText, &options->srdf},
        {"--package", wk_optionList, &options->packages},
        {"--meshes", wk_optionText, &options->meshes},
        {"--padding", wk_optionOffset, &options->padding},
        {"--visual", wk_optionFlag, &options->usesVisual},
        {"--allow-empty", wk_optionFlag, &options->allowsEmpty},
    };
    memcpy(rows, table, sizeof table);
}

static bool splitPackages(const wkOptionList* list, wkRobotLoad* load)
{
    for (int i = 0; i < list->count; i++) {
        const char* equals = strchr(list->items[i], '=');
        size_t length = equals != NULL ? (size_t)(equals - list->items[i]) : 0;
        if (length == 0 || length >= WK_PACKAGE_NAME) {
            return false;
        }
        memcpy(load->names[i], list->items[i], length);
        load->names[i][length] = '\0';
        load->packages[i] = (wkRobotPackage){load->names[i], equals + 1};
    }
    return true;
}

// Maximum number of warnings printed; more would hide other messages.
#define MAX_WARNINGS 12

static void printWarning(const char* message, void* context)
{
    wkRobotLoad* load = context;
    if (load->warningCount++ < MAX_WARNINGS) {
        fprintf(stderr, "whisker %s: warning: %s\n", load->command, message);
    }
}

void wkRobotLoad_EndWarnings(const wkRobotLoad* load)
{
    if (load->warningCount > MAX_WARNINGS) {
        fprintf(stderr, "whisker %s: %d more warnings; whisker info prints all of them\n",
                load->command, (int)(load->warningCount - MAX_WARNINGS));
    }
}

static void noteRead(const char* path, void* context)
{
    (void)context;
    wkOutputs_NoteRead(path);
}

bool wkRobotOptions_Read(const wkRobotOptions* options, const char* command, wkRobotLoad* load)
{
    load->options = wkDefaultRobotLoadDef();
    load->options.srdf = options->srdf;
    load->options.padding = options->padding;
    load->options.usesVisual = options->usesVisual;
    load->options.allowsEmpty = options->allowsEmpty;
    load->options.reads = noteRead;
    load->options.warn = printWarning;
    load->options.warnContext = load;
    load->command = command;
    load->warningCount = 0;
    load->options.packages = load->packages;
    load->options.packageCount = options->packages.count;
    load->parallel = (wkParallel){0};
    load->options.parallel = &load->parallel;
    if (!splitPackages(&options->packages, load)) {
        fprintf(stderr, "whisker %s: --package needs NAME=FOLDER\n", command);
        return false;
    }
    if (options->meshes != NULL &&
        wkRobotMeshModeFromName(options->meshes, &load->options.mode) != wk_ok) {
        fprintf(stderr, "whisker %s: --meshes needs solid, surface, hull or pieces\n", command);
        return false;
    }
    return true;
}
