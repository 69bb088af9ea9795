// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// What is nearest in a configuration, and the report about it.

#include "check_study.h"

#include "page.h"
#include "robot_words.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

// Returns the position of a point of a cloud in the world; `found` where it is not found.
static wkVec3d findPoint(const wkCheckStudy* study, wkVec3d found)
{
    const wkRobotSide* side = &study->nearest.b;
    wkRobotObjectInfo object = wkRobotScene_Object(study->job->scene, side->index);
    wkPose inObject;
    const wkShape* shape =
        wkRobotScene_ObjectShape(study->job->scene, side->index, side->shape, &inObject);
    if (side->kind != wk_sideObject || shape == NULL || shape->type != wk_shapeCloud) {
        return found;
    }
    for (int32_t i = 0; i < wkCloud_Info(shape->cloud).pointCount; i++) {
        wkCloudPoint point = wkCloud_Point(shape->cloud, i);
        if (point.index == study->nearest.closest.partB) {
            return wkTransformPoint(wkMulPose(object.pose, inObject), point.position);
        }
    }
    return found;
}

void wkCheckStudy_Examine(wkCheckStudy* study, const wkRobotJob* job, const double* q)
{
    study->job = job;
    wkRobotState_Set(job->state, wkIdentityPose(), q);
    study->check = wkRobotScene_Check(job->scene, job->state, &study->request);
    wkRobotRequest apart = study->request;
    apart.checksSelf = false;
    study->nearest = wkRobotScene_Clearance(job->scene, job->state, &apart, NULL, NULL);
    study->onRobot = study->nearest.closest.pointA;
    study->onObject = findPoint(study, study->nearest.closest.pointB);
}

// Returns false when out of memory.
static bool writeWords(FILE* file, const wkCheckStudy* study)
{
    wkVersion version = wkGetVersion();
    wkText counts = {0}, contact = {0};
    wkSayCounts(&counts, study->what, study->counts);
    wkText_AppendString(&contact, wkVerdictName(study->check.verdict));
    wkSayContact(&contact, study->job->robot, &study->check);
    fprintf(file, "<h1>");
    wkPage_WriteText(file, wkRobot_Info(study->job->robot).name);
    fprintf(file, "</h1>\n<p>Written by <code>whisker %s</code>, version %d.%d.%d. %.*s.</p>\n",
            study->job->command, version.major, version.minor, version.patch, (int)counts.length,
            counts.data);
    fprintf(file, "<p>Configuration %lld: ", (long long)study->index);
    char words[400];
    snprintf(words, sizeof words, "%.*s.", (int)contact.length, contact.data);
    wkPage_WriteText(file, words);
    fprintf(file, "</p>\n");
    bool isWritten = !counts.isOutOfMemory && !contact.isOutOfMemory;
    wkText_Free(&counts);
    wkText_Free(&contact);
    return isWritten;
}

// Writes the distance of each link from the nearest obstacle.
static bool writeLinks(FILE* file, const wkCheckStudy* study)
{
    int32_t count = wkRobot_Info(study->job->robot).linkCount;
    double* distances = malloc(((size_t)count + 1) * sizeof *distances);
    if (distances == NULL) {
        return false; // the page is not saved, which is reported as out of memory
    }
    wkRobotRequest apart = study->request;
    apart.checksSelf = false;
    wkRobotScene_Clearance(study->job->scene, study->job->state, &apart, distances, NULL);
    fprintf(file, "<h2>Links</h2>\n<table><tr><th>link</th><th class=\"n\">clearance to obstacles, "
                  "mm</th></tr>\n");
    for (int32_t i = 0; i < count; i++) {
        wkLinkInfo link = wkRobot_Link(study->job->robot, i);
        if (link.bodyCount > 0 && isfinite(distances[i])) {
            fprintf(file, "<tr><td>");
            wkPage_WriteText(file, link.name);
            fprintf(file, "</td><td class=\"n\">%.1f</td></tr>\n", 1e3 * distances[i]);
        }
    }
    fprintf(file, "</table>\n");
    free(distances);
    return true;
}

// Writes the objects of the scene.
static void writeObjects(FILE* file, const wkCheckStudy* study)
{
    const wkRobotScene* scene = study->job->scene;
    fprintf(file, "<h2>Obstacles</h2>\n<table><tr><th>name</th><th>category</th><th>shape</th>"
                  "<th class=\"n\">points</th></tr>\n");
    for (int32_t i = 0; i < wkRobotScene_Count(scene); i++) {
        wkRobotObjectInfo object = wkRobotScene_Object(scene, i);
        wkPose pose;
        const wkShape* shape = wkRobotScene_ObjectShape(scene, i, 0, &pose);
        fprintf(file, "<tr><td>");
        wkPage_WriteText(file, object.name);
        fprintf(file, "</td><td>");
        wkPage_WriteText(file, object.category);
        fprintf(file, "</td><td>%s</td><td class=\"n\">",
                object.shapeCount == 1 ? wkShapeTypeName(shape->type) : "several");
        if (shape->type == wk_shapeCloud) {
            fprintf(file, "%d", wkCloud_Info(shape->cloud).pointCount);
        }
        fprintf(file, "</td></tr>\n");
    }
    fprintf(file, "</table>\n");
}

bool wkCheckStudy_WriteReport(const wkCheckStudy* study, wkCheckPicture pictures[WK_CHECK_PICTURES],
                              const char* path)
{
    wkPage page;
    char title[200];
    snprintf(title, sizeof title, "Whisker: %.100s", wkRobot_Info(study->job->robot).name);
    if (!wkPage_Start(&page, title)) {
        return false;
    }
    bool isWritten = writeWords(page.file, study);
    for (int i = 0; i < WK_CHECK_PICTURES && isWritten; i++) {
        isWritten =
            pictures[i].title == NULL || wkPage_WriteFigure(page.file, &pictures[i].picture,
                                                            pictures[i].title, pictures[i].words);
    }
    if (wkRobotScene_Count(study->job->scene) > 0) {
        isWritten = isWritten && writeLinks(page.file, study);
        writeObjects(page.file, study);
    }
    return wkPage_End(&page, isWritten, path);
}

bool wkCheckStudy_Write(const wkCheckStudy* study, const wkStudyOptions* options)
{
    wkCheckPicture pictures[WK_CHECK_PICTURES] = {{0}};
    const char* failed = NULL;
    if (!wkCheckStudy_Draw(study, options->size, pictures)) {
        failed = "the pictures";
    } else if (options->report != NULL &&
               !wkCheckStudy_WriteReport(study, pictures, options->report)) {
        failed = options->report;
    } else if (options->picture != NULL &&
               !wkPicture_WritePng(&pictures[0].picture, options->picture)) {
        failed = options->picture;
    }
    for (int i = 0; i < WK_CHECK_PICTURES; i++) {
        wkPicture_Destroy(&pictures[i].picture);
    }
    return failed == NULL ||
           wkRobotJob_Complain(study->job, "%s could not be written: %s", failed, wkGetLastError());
}

void wkStudyOptions_Rows(wkStudyOptions* options, wkOption rows[WK_STUDY_OPTION_COUNT])
{
    const wkOption table[WK_STUDY_OPTION_COUNT] = {
        {"--report", wk_optionOutput, &options->report},
        {"--picture", wk_optionOutput, &options->picture},
        {"--size", wk_optionCount, &options->size},
    };
    memcpy(rows, table, sizeof table);
}
