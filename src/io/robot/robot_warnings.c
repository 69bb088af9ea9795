// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// Warnings about doubtful robots, and the refusal of robots without collision shapes.

#define _POSIX_C_SOURCE 200809L // newlocale

#include "base/plain_text.h"
#include "io/robot/urdf_builder.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

// Bytes of a warning as `warn` receives it: paths of meshes and lists of links are long.
#define MESSAGE_CAPACITY 1024

// Bytes reserved for the rest of a message that lists links.
#define LIST_RESERVE 128

void wkUrdfBuilder_Warn(wkUrdfBuilder* builder, const char* format, ...)
{
    char message[MESSAGE_CAPACITY];
    va_list arguments;
    va_start(arguments, format);
    wkPrintPlain(message, sizeof message, format, arguments);
    va_end(arguments);
    if (builder->report.warningCount++ == 0) {
        snprintf(builder->report.warning, sizeof builder->report.warning, "%.*s",
                 WK_WARNING_CAPACITY - 1, message);
    }
    if (builder->options->warn != NULL) {
        builder->options->warn(message, builder->options->warnContext);
    }
}

void wkUrdfBuilder_WarnOf(wkUrdfBuilder* builder, const wkXmlFile* file,
                          const wkXmlElement* element, const char* format, ...)
{
    char words[WK_WARNING_CAPACITY];
    va_list arguments;
    va_start(arguments, format);
    wkPrintPlain(words, sizeof words, format, arguments);
    va_end(arguments);
    wkUrdfBuilder_Warn(builder, "%.400s:%d: <%.40s>: %s", file->name, (int)element->line,
                       element->name, words);
}

void wkUrdfBuilder_WarnOfMesh(wkUrdfBuilder* builder, const wkBuilderMesh* mesh)
{
    if (mesh->warning[0] != '\0') {
        wkUrdfBuilder_Warn(builder, "link \"%.100s\": %.400s: %s", mesh->link, mesh->path,
                           mesh->warning);
    }
    if (mesh->mesh == NULL || mesh->mode != wk_robotMeshSolid) {
        return;
    }
    wkMeshInfo info = wkMesh_Info(mesh->mesh);
    if (!info.isClosed) {
        wkUrdfBuilder_Warn(
            builder,
            "link \"%.100s\": %.400s: the mesh is not watertight: what its open edges "
            "enclose counts as solid",
            mesh->link, mesh->path);
    } else if (info.lidCount > 0) {
        wkUrdfBuilder_Warn(builder,
                           "link \"%.100s\": %.400s: triangles are there from both sides or face "
                           "different ways: what they enclose counts as solid",
                           mesh->link, mesh->path);
    }
    if (info.hullCount > 0) {
        wkUrdfBuilder_Warn(builder,
                           "link \"%.100s\": %.400s: triangles contradict each other: parts taken "
                           "as their convex hulls: %d",
                           mesh->link, mesh->path, (int)info.hullCount);
    }
    if (info.sewnGap > 0.0) {
        wkUrdfBuilder_Warn(
            builder, "link \"%.100s\": %.400s: gaps of up to %.2g m between open edges are closed",
            mesh->link, mesh->path, info.sewnGap);
    }
}

static bool hasBody(const wkUrdfBuilder* builder, const char* link)
{
    for (int32_t i = 0; i < builder->def.bodyCount; i++) {
        if (strcmp(builder->def.bodies[i].link, link) == 0) {
            return true;
        }
    }
    return false;
}

// Warns in one line about links without collision shapes, with as many names as fit.
static void warnOfBareLinks(wkUrdfBuilder* builder)
{
    char names[MESSAGE_CAPACITY - LIST_RESERVE];
    size_t length = 0;
    int32_t bareCount = 0, namedCount = 0;
    for (int32_t i = 0; i < builder->def.linkCount; i++) {
        const char* link = builder->links[i];
        if (hasBody(builder, link)) {
            continue;
        }
        bareCount++;
        size_t needed = strlen(link) + 2;
        if (namedCount == bareCount - 1 && length + needed < sizeof names) {
            length += (size_t)snprintf(names + length, sizeof names - length, "%s%s",
                                       namedCount > 0 ? ", " : "", link);
            namedCount++;
        }
    }
    char rest[32] = "";
    if (namedCount < bareCount) {
        snprintf(rest, sizeof rest, " and %d more", (int)(bareCount - namedCount));
    }
    if (bareCount > 0) {
        wkUrdfBuilder_Warn(builder,
                           "%d of %d links have no collision shape and touch nothing: %.*s%s",
                           (int)bareCount, (int)builder->def.linkCount, (int)length, names, rest);
    }
}

wkResult wkUrdfBuilder_CheckBodies(wkUrdfBuilder* builder)
{
    const wkRobotLoadDef* options = builder->options;
    if (builder->def.bodyCount == 0 && !options->allowsEmpty && !options->skipsMeshes) {
        return wkIoFail(builder->urdf.name, wk_errorArgument,
                        "no link has a collision shape, so that every configuration would be free; "
                        "usesVisual (--visual) takes visual shapes, allowsEmpty (--allow-empty) "
                        "takes the robot as it is");
    }
    if (!options->skipsMeshes) {
        warnOfBareLinks(builder);
    }
    return wk_ok;
}
