// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// The `whisker` command: finds the row of the command and runs it.

#include "command.h"
#include "suggestion.h"

#include "whisker/base.h"

#include <signal.h>
#include <stdio.h>
#include <string.h>

typedef struct command {
    const char* name;
    const char* arguments;
    const char* summary;
    wkCommandFcn* run;
} command;

// clang-format off
static const command commands[] = {
    {"acm",    "ROBOT -o FILE",    "find pairs of links that need no check, as SRDF", wkRunAcm},
    {"ask",    "[FILE]",           "answer questions given as JSON lines", wkRunAsk},
    {"batch",  "ROBOT --states FILE", "check configurations of a robot by the million", wkRunBatch},
    {"check",  "ROBOT --q NUMBERS", "say which configurations of a robot are safe", wkRunCheck},
    {"cloud",  "FILE... -o FILE",  "filter point clouds, join them, and convert them", wkRunCloud},
    {"demo",   "[ROBOT]",          "a robot in a room that it knows from depth images, with a report", wkRunDemo},
    {"fk",     "ROBOT --q NUMBERS", "print the poses of links", wkRunFk},
    {"gpu",    "[--costs]",        "say which GPU is used, or why none is, and when it pays", wkRunGpu},
    {"info",   "FILE...",          "say what is in files of robots, meshes, points and maps", wkRunInfo},
    {"map",    "-o FILE CLOUD...", "make an occupancy map from point clouds and depth images", wkRunMap},
    {"motion", "ROBOT --path FILE", "say which motions of a robot are safe at every instant", wkRunMotion},
    {"shapes", "[--picture FILE]", "show the shapes, ask every kind of query, draw them", wkRunShapes},
    {"spheres", "ROBOT -o FILE",   "cover a robot with spheres, or measure those of others", wkRunSpheres},
};
// clang-format on

static const size_t commandCount = sizeof commands / sizeof commands[0];

static void printHelp(FILE* stream)
{
    fprintf(stream, "usage: whisker COMMAND [ARGUMENTS]\n\ncommands:\n");
    for (size_t i = 0; i < commandCount; i++) {
        const command* row = &commands[i];
        fprintf(stream, "  %-7s %-19s %s\n", row->name, row->arguments, row->summary);
    }
    fprintf(stream,
            "\nwhisker COMMAND --help says more about a command; whisker --version prints the "
            "version.\n");
}

static bool isOneOf(const char* word, const char* longName, const char* shortName)
{
    return strcmp(word, longName) == 0 || strcmp(word, shortName) == 0;
}

// Flushes the output; a write error makes the command fail whatever its status. A command that failed has
// printed its own message.
static int finish(const char* name, int status)
{
    if (status == wk_exitUsage || (fflush(stdout) == 0 && !ferror(stdout))) {
        return status;
    }
    fprintf(stderr, "whisker %s: the answers could not be written to standard output\n", name);
    return wk_exitUsage;
}

int main(int argc, char** argv)
{
    signal(SIGXFSZ, SIG_IGN); // a file beyond its size limit becomes a write error
    if (argc < 2) {
        printHelp(stderr);
        return wk_exitUsage;
    }
    if (isOneOf(argv[1], "--help", "-h")) {
        printHelp(stdout);
        return wk_exitDone;
    }
    if (isOneOf(argv[1], "--version", "-V")) {
        wkVersion version = wkGetVersion();
        printf("whisker %d.%d.%d (%s)\n", version.major, version.minor, version.patch,
               wkGetIsaName());
        return wk_exitDone;
    }
    for (size_t i = 0; i < commandCount; i++) {
        if (strcmp(argv[1], commands[i].name) == 0) {
            return finish(commands[i].name, commands[i].run(argc - 1, argv + 1));
        }
    }
    wkSuggestion nearest = {0};
    for (size_t i = 0; i < commandCount; i++) {
        wkSuggestion_Try(&nearest, argv[1], commands[i].name, strlen(commands[i].name));
    }
    fprintf(stderr, "whisker: unknown command '%s'%s; try: whisker --help\n", argv[1],
            wkSuggestion_Hint(&nearest).text);
    return wk_exitUsage;
}
