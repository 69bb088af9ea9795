// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// What is doubtful about a robot that can be used, and robots that nothing would ever touch.

#define _POSIX_C_SOURCE 200809L // newlocale

#include "base/plain_text.h"
#include "io/urdf_draft.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

// Bytes of a warning as `warn` receives it: paths of meshes and lists of links are long.
#define MESSAGE_CAPACITY 1024

// Bytes that the names of links leave for the rest of their message.
#define LIST_RESERVE 128

void wkUrdfDraft_Warn(wkUrdfDraft* draft, const char* format, ...)
{
    char message[MESSAGE_CAPACITY];
    va_list arguments;
    va_start(arguments, format);
    wkPrintPlain(message, sizeof message, format, arguments);
    va_end(arguments);
    if (draft->report.warningCount++ == 0) {
        snprintf(draft->report.warning, sizeof draft->report.warning, "%.*s",
                 WK_WARNING_CAPACITY - 1, message);
    }
    if (draft->options->warn != NULL) {
        draft->options->warn(message, draft->options->warnContext);
    }
}

void wkUrdfDraft_WarnOf(wkUrdfDraft* draft, const wkXmlFile* file, const wkXmlElement* element,
                        const char* format, ...)
{
    char words[WK_WARNING_CAPACITY];
    va_list arguments;
    va_start(arguments, format);
    wkPrintPlain(words, sizeof words, format, arguments);
    va_end(arguments);
    wkUrdfDraft_Warn(draft, "%.400s:%d: <%.40s>: %s", file->name, (int)element->line, element->name,
                     words);
}

void wkUrdfDraft_WarnOfMesh(wkUrdfDraft* draft, const wkDraftMesh* mesh)
{
    if (mesh->warning[0] != '\0') {
        wkUrdfDraft_Warn(draft, "link \"%.100s\": %.400s: %s", mesh->link, mesh->path,
                         mesh->warning);
    }
    if (mesh->mesh == NULL || mesh->mode != wk_robotMeshSolid) {
        return;
    }
    wkMeshInfo info = wkMesh_Info(mesh->mesh);
    if (!info.isClosed) {
        wkUrdfDraft_Warn(draft,
                         "link \"%.100s\": %.400s: the mesh is not watertight: what its open edges "
                         "enclose counts as solid",
                         mesh->link, mesh->path);
    } else if (info.lidCount > 0) {
        wkUrdfDraft_Warn(draft,
                         "link \"%.100s\": %.400s: triangles are there from both sides or face "
                         "different ways: what they enclose counts as solid",
                         mesh->link, mesh->path);
    }
    if (info.sewnGap > 0.0) {
        wkUrdfDraft_Warn(
            draft, "link \"%.100s\": %.400s: gaps of up to %.2g m between open edges are closed",
            mesh->link, mesh->path, info.sewnGap);
    }
}

static bool hasBody(const wkUrdfDraft* draft, const char* link)
{
    for (int32_t i = 0; i < draft->def.bodyCount; i++) {
        if (strcmp(draft->def.bodies[i].link, link) == 0) {
            return true;
        }
    }
    return false;
}

// One line with the links that nothing can touch, as many names as it has room for.
static void warnOfBareLinks(wkUrdfDraft* draft)
{
    char names[MESSAGE_CAPACITY - LIST_RESERVE];
    size_t length = 0;
    int32_t bareCount = 0, namedCount = 0;
    for (int32_t i = 0; i < draft->def.linkCount; i++) {
        const char* link = draft->links[i];
        if (hasBody(draft, link)) {
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
        wkUrdfDraft_Warn(draft, "%d of %d links have no collision shape and touch nothing: %.*s%s",
                         (int)bareCount, (int)draft->def.linkCount, (int)length, names, rest);
    }
}

wkResult wkUrdfDraft_CheckBodies(wkUrdfDraft* draft)
{
    const wkRobotLoadOptions* options = draft->options;
    if (draft->def.bodyCount == 0 && !options->allowsEmpty && !options->skipsMeshes) {
        return wkIoFail(draft->urdf.name, wk_errorArgument,
                        "no link has a collision shape, so that every configuration would be free; "
                        "usesVisual (--visual) takes visual shapes, allowsEmpty (--allow-empty) "
                        "takes the robot as it is");
    }
    if (!options->skipsMeshes) {
        warnOfBareLinks(draft);
    }
    return wk_ok;
}
