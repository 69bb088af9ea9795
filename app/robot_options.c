// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

#include "robot_options.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void wkRobotOptions_Init(wkRobotOptions* options)
{
    memset(options, 0, sizeof *options);
    options->load = wkDefaultRobotLoadOptions();
    options->load.packages = options->packages;
    options->load.parallel = &options->parallel;
}

static bool takeSrdf(wkRobotOptions* options, char* value)
{
    options->load.srdf = value;
    return true;
}

static bool takePackage(wkRobotOptions* options, char* value)
{
    char* equals = strchr(value, '=');
    if (equals == NULL || equals == value || options->load.packageCount == WK_MAX_PACKAGES) {
        return false;
    }
    *equals = '\0';
    wkRobotPackage package = {value, equals + 1};
    options->packages[options->load.packageCount++] = package;
    return true;
}

static bool takeMeshes(wkRobotOptions* options, char* value)
{
    options->load.mode = wkRobotMeshModeFromName(value);
    return options->load.mode != wk_robotMeshModeCount;
}

static bool takePadding(wkRobotOptions* options, char* value)
{
    char* end = NULL;
    options->load.padding = strtod(value, &end);
    return end != value && *end == '\0' && isfinite(options->load.padding);
}

static const struct {
    const char* name;
    bool (*take)(wkRobotOptions* options, char* value);
    const char* expected;
} rows[] = {
    {"--srdf", takeSrdf, "FILE"},
    {"--package", takePackage, "NAME=FOLDER"},
    {"--meshes", takeMeshes, "surface, hull or pieces"},
    {"--padding", takePadding, "a length in metres"},
};

int wkRobotOptions_Take(wkRobotOptions* options, const char* command, int argc, char** argv)
{
    if (strcmp(argv[0], "--visual") == 0) {
        options->load.usesVisual = true;
        return 1;
    }
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        if (strcmp(argv[0], rows[i].name) != 0) {
            continue;
        }
        if (argc < 2 || !rows[i].take(options, argv[1])) {
            fprintf(stderr, "whisker %s: %s needs %s\n", command, rows[i].name, rows[i].expected);
            return -1;
        }
        return 2;
    }
    return 0;
}
