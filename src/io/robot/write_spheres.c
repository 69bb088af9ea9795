// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// Writers of spheres as JSON and as YAML, with the same keys in both: those that cuRobo reads.

#include "io/robot/sphere_builder.h"

#include <math.h>
#include <string.h>

static void put(wkIoSink* sink, const char* text)
{
    wkIoSink_Write(sink, text, strlen(text));
}

// Writes a text in quotes, with escapes that are valid in both formats.
static void putText(wkIoSink* sink, const char* text)
{
    put(sink, "\"");
    for (; *text != '\0'; text++) {
        unsigned char letter = (unsigned char)*text;
        if (letter < 0x20 || letter == 0x7f) {
            wkIoSink_Print(sink, "\\u%04x", letter);
        } else {
            put(sink, letter == '"' || letter == '\\' ? "\\" : "");
            wkIoSink_Write(sink, text, 1);
        }
    }
    put(sink, "\"");
}

// Writes a number that reads back exactly. Some YAML readers take 1e-05 for a string, but not 1.0e-05.
static void putNumber(wkIoSink* sink, double value)
{
    char text[WK_IO_NUMBER_CAPACITY];
    wkIoWriteNumber(value, text);
    const char* exponent = strchr(text, 'e');
    if (exponent != NULL && strchr(text, '.') == NULL) {
        wkIoSink_Write(sink, text, (size_t)(exponent - text));
        put(sink, ".0");
        put(sink, exponent);
    } else {
        put(sink, text);
    }
}

static void putCenter(wkIoSink* sink, wkVec3d center)
{
    put(sink, "[");
    putNumber(sink, center.x);
    put(sink, ", ");
    putNumber(sink, center.y);
    put(sink, ", ");
    putNumber(sink, center.z);
    put(sink, "]");
}

// Differences between the two formats.
typedef struct style {
    const char* start;
    const char* keyStart; // before a key, and after it
    const char* keyEnd;
    const char* claimEnd; // after the statements about all spheres
    const char* linksStart;
    const char* linkStart; // before the name of a link
    const char* linkEnd;   // after the name
    const char* nextLink;  // between links
    const char* sphereStart;
    const char* nextSphere;
    const char* radius; // between center and radius
    const char* sphereEnd;
    const char* spheresEnd; // after the last sphere of a link
    const char* end;
} style;

static void writeSpheres(wkIoSink* sink, const wkSphereModel* model, wkLinkSpheres link,
                         const style* s)
{
    for (int32_t i = 0; i < link.count; i++) {
        wkSphere3d sphere = wkSphereModel_Sphere(model, link.first + i).sphere;
        put(sink, i > 0 ? s->nextSphere : "");
        put(sink, s->sphereStart);
        putCenter(sink, sphere.center);
        put(sink, s->radius);
        putNumber(sink, sphere.radius);
        put(sink, s->sphereEnd);
    }
    put(sink, s->spheresEnd);
}

static void putKey(wkIoSink* sink, const style* s, const char* key)
{
    put(sink, s->keyStart);
    put(sink, key);
    put(sink, s->keyEnd);
}

static void writeModel(wkIoSink* sink, const wkSphereModel* model, const style* s)
{
    wkSphereModelInfo info = wkSphereModel_Info(model);
    wkRobotInfo robot = wkRobot_Info(info.robot);
    put(sink, s->start);
    putKey(sink, s, "robot");
    put(sink, " ");
    putText(sink, robot.name);
    put(sink, s->claimEnd);
    putKey(sink, s, "covering");
    put(sink, info.isCovering ? " true" : " false");
    put(sink, s->claimEnd);
    if (isfinite(info.protrusion)) {
        putKey(sink, s, "protrusion");
        put(sink, " ");
        putNumber(sink, info.protrusion);
        put(sink, s->claimEnd);
    }
    if (info.isCovering) {
        char proof[WK_DIGEST_TEXT_BYTES];
        wkDigest_ToText(wkSphereModel_Proof(model), proof);
        putKey(sink, s, "proof");
        put(sink, " ");
        putText(sink, proof);
        put(sink, s->claimEnd);
    }
    putKey(sink, s, "collision_spheres");
    put(sink, s->linksStart);
    bool isFirst = true;
    for (int32_t link = 0; link < robot.linkCount; link++) {
        wkLinkSpheres spheres = wkSphereModel_Link(model, link);
        if (spheres.count > 0) {
            put(sink, isFirst ? "" : s->nextLink);
            put(sink, s->linkStart);
            putText(sink, wkRobot_Link(info.robot, link).name);
            put(sink, s->linkEnd);
            writeSpheres(sink, model, spheres, s);
            isFirst = false;
        }
    }
    put(sink, s->end);
}

void wkWriteSphereJson(wkIoSink* sink, const void* context)
{
    static const style json = {
        .start = "{\n",
        .keyStart = "  \"",
        .keyEnd = "\":",
        .claimEnd = ",\n",
        .linksStart = " {",
        .linkStart = "\n    ",
        .linkEnd = ": [",
        .nextLink = ",",
        .sphereStart = "\n      {\"center\": ",
        .nextSphere = ",",
        .radius = ", \"radius\": ",
        .sphereEnd = "}",
        .spheresEnd = "\n    ]",
        .end = "\n  }\n}\n",
    };
    writeModel(sink, (const wkSphereModel*)context, &json);
}

void wkWriteSphereYaml(wkIoSink* sink, const void* context)
{
    static const style yaml = {
        .start = "",
        .keyStart = "",
        .keyEnd = ":",
        .claimEnd = "\n",
        .linksStart = "",
        .linkStart = "\n  ",
        .linkEnd = ":",
        .nextLink = "",
        .sphereStart = "\n    - center: ",
        .nextSphere = "",
        .radius = "\n      radius: ",
        .sphereEnd = "",
        .spheresEnd = "",
        .end = "\n",
    };
    writeModel(sink, (const wkSphereModel*)context, &yaml);
}
