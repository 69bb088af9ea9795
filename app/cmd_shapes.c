// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// whisker shapes: shows the queries of the library, in a page of text and a picture.

#include "command.h"
#include "outputs.h"
#include "picture.h"
#include "shapes_queries.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

#define PICTURE_WIDTH 1200
#define PICTURE_HEIGHT 675

static const char help[] =
    "usage: whisker shapes [--picture FILE]\n"
    "\n"
    "Places the ten shapes and a mesh in a scene, asks every kind of query about them, prints the\n"
    "answers with the median time of a call, and draws the scene with its answers into a PNG file\n"
    "(build/shapes.png where there is a folder build, shapes.png elsewhere).\n"
    "\n"
    "exit status: 0 done, 1 the picture could not be written, 2 the command line was wrong\n";

static bool drawPicture(const wkShapesScene* scene, const char* path)
{
    wkPicture picture;
    bool isDrawn = wkPicture_Create(&picture, PICTURE_WIDTH, PICTURE_HEIGHT) &&
                   wkDrawShapes(scene, &picture) && wkPicture_WritePng(&picture, path);
    wkPicture_Destroy(&picture);
    return isDrawn;
}

static int showShapes(const char* path)
{
    if (!wkOutputs_Add("shapes", path)) {
        return wk_exitUsage;
    }
    wkShapesScene scene;
    if (wkShapesScene_Create(&scene) != wk_ok) {
        fprintf(stderr, "whisker shapes: %s\n", wkGetLastError());
        return wk_exitTrouble;
    }
    wkVersion version = wkGetVersion();
    printf("Whisker %d.%d.%d (%s): ten shapes and a mesh, every kind of query\n\n", version.major,
           version.minor, version.patch, wkGetIsaName());
    wkPrintShapes(&scene);
    printf("\n");
    wkPrintQueries(&scene);
    printf("\n");
    wkPrintPairs(&scene);
    printf("\n");
    fflush(stdout);

    bool isDrawn = drawPicture(&scene, path);
    wkShapesScene_Destroy(&scene);
    if (!isDrawn) {
        fprintf(stderr, "whisker shapes: cannot write %s\n", path);
        return wk_exitTrouble;
    }
    printf("picture: %s\n", path);
    return wk_exitDone;
}

int wkRunShapes(int argc, char** argv)
{
    if (argc == 2 && (strcmp(argv[1], "--help") == 0 || strcmp(argv[1], "-h") == 0)) {
        fputs(help, stdout);
        return wk_exitDone;
    }
    if (argc == 3 && strcmp(argv[1], "--picture") == 0) {
        return showShapes(argv[2]);
    }
    if (argc != 1) {
        fprintf(stderr,
                "whisker shapes: '%s' is not expected; usage: whisker shapes [--picture FILE]\n",
                argv[1]);
        return wk_exitUsage;
    }
    return showShapes(access("build", W_OK) == 0 ? "build/shapes.png" : "shapes.png");
}
