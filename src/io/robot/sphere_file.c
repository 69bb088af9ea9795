// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// The public functions that read and write sphere models, and the table of their formats.

#include "io/robot/sphere_builder.h"

#include "base/cookie.h"
#include "io/text/text_reader.h"

#include "whisker/detail/library.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

typedef struct formatRow {
    const char* extension;
    const char* name;
    wkResult (*read)(wkSphereBuilder* builder);
    wkIoSinkFcn* write;
} formatRow;

// clang-format off
static const formatRow formats[] = {
    {"json", "json", wkSphereBuilder_ReadJson, wkWriteSphereJson},
    {"yaml", "yaml", wkSphereBuilder_ReadYaml, wkWriteSphereYaml},
    {"yml",  "yaml", wkSphereBuilder_ReadYaml, wkWriteSphereYaml},
    {"urdf", "urdf", wkSphereBuilder_ReadUrdf, wkWriteSphereUrdf},
};
// clang-format on

#define FORMAT_COUNT (sizeof formats / sizeof formats[0])

wkSphereLoadDef wkDefaultSphereLoadDef(void)
{
    wkSphereLoadDef options = {.cookie = WK_COOKIE(wkSphereLoadDef)};
    return options;
}

wkResult wkSphereBuilder_Reserve(wkSphereBuilder* builder, int32_t capacity)
{
    size_t linkCount = (size_t)wkRobot_Info(builder->robot).linkCount;
    builder->spheres =
        wkIoArena_AllocArray(&builder->arena, (size_t)capacity, sizeof *builder->spheres);
    builder->isLinkNamed =
        wkIoArena_AllocArray(&builder->arena, linkCount, sizeof *builder->isLinkNamed);
    return builder->spheres != NULL && builder->isLinkNamed != NULL
               ? wk_ok
               : wkIoFail(builder->source->name, wk_errorMemory, "no memory for its spheres");
}

wkResult wkSphereBuilder_FindLink(wkSphereBuilder* builder, const char* name, int32_t line,
                                  int32_t* link)
{
    const char* file = builder->source->name;
    *link = wkRobot_FindLink(builder->robot, name);
    if (*link < 0 && !builder->options->skipsUnknownLinks) {
        return wkIoFailNumberedLine(file, (size_t)line, wk_errorParse,
                                    "robot \"%.80s\" has no link \"%.80s\"",
                                    wkRobot_Info(builder->robot).name, name);
    }
    if (*link < 0) {
        builder->report.unknownLinkCount++;
        return wk_ok;
    }
    if (builder->isLinkNamed[*link]) {
        return wkIoFailNumberedLine(file, (size_t)line, wk_errorParse,
                                    "link \"%.80s\" is there already", name);
    }
    builder->isLinkNamed[*link] = true;
    return wk_ok;
}

void wkSphereBuilder_Add(wkSphereBuilder* builder, int32_t link, wkSphere3d sphere)
{
    if (link >= 0) {
        wkLinkSphere* added = &builder->spheres[builder->count++];
        added->link = link;
        added->sphere = sphere;
    }
}

static const formatRow* findFormat(const char* name)
{
    for (size_t i = 0; i < FORMAT_COUNT; i++) {
        if (wkIoIsWord(name, name + strlen(name), formats[i].extension)) {
            return &formats[i];
        }
    }
    return NULL;
}

// Guesses the format: XML starts with <, JSON with {; anything else may be YAML.
static const formatRow* guessFormat(const wkIoSource* source)
{
    const char* at = (const char*)source->bytes;
    const char* end = at + source->byteCount;
    at = wkIoSkipSpaces(at, end);
    bool isXml = at < end && *at == '<', isJson = at < end && *at == '{';
    return findFormat(isXml ? "urdf" : isJson ? "json" : "yaml");
}

static wkResult chooseFormat(const wkSphereBuilder* builder, const formatRow** format)
{
    const char* wanted = builder->options->format;
    *format = findFormat(wanted != NULL ? wanted : builder->source->extension);
    if (*format == NULL && wanted == NULL) {
        *format = guessFormat(builder->source);
    }
    return *format != NULL ? wk_ok
                           : wkIoFail(builder->source->name, wk_errorUnsupported,
                                      "format \"%.40s\" is none of json, yaml, urdf", wanted);
}

// The robot and options of a model, and its destination.
typedef struct modelOrder {
    const wkRobot* robot;
    const wkSphereLoadDef* options;
    wkSphereModel** model;
    wkSphereLoadInfo* info; // NULL: not wanted
} modelOrder;

// Checks the proof that the file claims: truncated or edited files keep claims about the original.
static wkResult prove(wkSphereBuilder* builder, wkSphereModel* model)
{
    wkSphereLoadInfo* report = &builder->report;
    wkResult result = report->hasProof || builder->options->skipsProof
                          ? wk_ok
                          : wkSphereModel_Prove(model, INFINITY, builder->options->parallel);
    // unbounded bodies, which no spheres cover, are not an error of the file
    result = result == wk_errorMemory ? result : wk_ok;
    wkSphereModelInfo info = wkSphereModel_Info(model);
    bool isFalse = result == wk_ok && report->isCovering && !info.isCovering;
    if (isFalse && !builder->options->skipsProof && report->warning[0] == '\0') {
        wkIoWarn(report->warning,
                 "%.80s: covering: it is said to be true, but the spheres do not cover link "
                 "\"%.40s\"",
                 builder->source->name, wkRobot_Link(info.robot, info.bareLink).name);
    }
    return result;
}

// Makes a model of the spheres as they are, or with the padding of the options added to their radii: files
// are made for a robot without padding, unless a proof shows otherwise.
static wkResult makeModel(wkSphereBuilder* builder, wkSphereModel** model)
{
    wkSphereLoadInfo* report = &builder->report;
    double padding = builder->options->padding;
    wkResult result = wkSphereModel_Create(builder->robot, builder->spheres, builder->count, model);
    if (result != wk_ok) {
        return result;
    }
    report->hasProof = wkSphereModel_AcceptProof(*model, builder->proof, report->protrusion);
    if (report->hasProof || !(padding > 0.0)) {
        return wk_ok;
    }
    wkSphereModel_Destroy(*model);
    for (int32_t i = 0; i < builder->count; i++) {
        // no smaller than before when the padding is subtracted again
        double radius = builder->spheres[i].sphere.radius, grown = radius + padding;
        while (grown - padding < radius) {
            grown = nextafter(grown, INFINITY);
        }
        builder->spheres[i].sphere.radius = grown;
    }
    report->padding = padding;
    return wkSphereModel_Create(builder->robot, builder->spheres, builder->count, model);
}

// Builds a model from the bytes of a file.
static wkResult build(const wkIoSource* source, void* context)
{
    const modelOrder* order = (const modelOrder*)context;
    const wkSphereLoadDef* options = order->options;
    wkSphereBuilder builder;
    memset(&builder, 0, sizeof builder);
    builder.robot = order->robot;
    builder.options = options;
    builder.source = source;
    builder.report.protrusion = INFINITY;
    const formatRow* format = NULL;
    wkResult result = chooseFormat(&builder, &format);
    if (result == wk_ok) {
        result = format->read(&builder);
    }
    if (result == wk_ok) {
        result = makeModel(&builder, order->model);
        result = result == wk_ok ? prove(&builder, *order->model) : result;
        result = result != wk_ok ? wkIoFailAgain(source, result) : wk_ok;
    }
    if (result != wk_ok) {
        wkSphereModel_Destroy(*order->model);
        *order->model = NULL;
    }
    wkIoArena_Free(&builder.arena);
    if (result == wk_ok && order->info != NULL) {
        snprintf(builder.report.format, sizeof builder.report.format, "%s", format->name);
        *order->info = builder.report;
    }
    return result;
}

static wkResult checkArguments(bool isThere, const wkSphereLoadDef** options,
                               wkSphereLoadDef* defaults)
{
    if (!isThere) {
        return wkSetLastError(wk_errorArgument,
                              "load spheres: a path, bytes, a robot or a model is NULL");
    }
    if (*options == NULL) {
        *defaults = wkDefaultSphereLoadDef();
        *options = defaults;
    }
    if (!WK_HAS_COOKIE((*options), wkSphereLoadDef)) {
        return WK_FAIL_COOKIE((*options), wkSphereLoadDef);
    }
    double padding = (*options)->padding;
    return padding >= 0.0 && padding < INFINITY
               ? wk_ok
               : wkIoFail("load spheres", wk_errorRange,
                          "padding is %g, expected a finite number >= 0", padding);
}

wkResult wkSphereModel_Load(const char* path, const wkRobot* robot, const wkSphereLoadDef* def,
                            wkSphereLoadInfo* info, wkSphereModel** model)
{
    wkSphereLoadDef defaults;
    if (model != NULL) {
        *model = NULL;
    }
    wkResult result =
        checkArguments(path != NULL && robot != NULL && model != NULL, &def, &defaults);
    if (result != wk_ok) {
        return result;
    }
    modelOrder order = {robot, def, model, info};
    return wkIoReadFrom(path, build, &order);
}

wkResult wkSphereModel_Parse(const void* bytes, size_t byteCount, const wkRobot* robot,
                             const wkSphereLoadDef* def, wkSphereLoadInfo* info,
                             wkSphereModel** model)
{
    wkSphereLoadDef defaults;
    if (model != NULL) {
        *model = NULL;
    }
    bool isThere = (bytes != NULL || byteCount == 0) && robot != NULL && model != NULL;
    wkResult result = checkArguments(isThere, &def, &defaults);
    if (result != wk_ok) {
        return result;
    }
    modelOrder order = {robot, def, model, info};
    return wkIoReadBytes("spheres", bytes, byteCount, build, &order);
}

wkResult wkSphereModel_Save(const char* path, const wkSphereModel* model)
{
    if (path == NULL || model == NULL) {
        return wkSetLastError(wk_errorArgument, "save spheres: path or model is NULL");
    }
    const char* extension = wkIoExtension(path);
    const formatRow* format = findFormat(extension);
    if (format == NULL) {
        return wkIoFail(path, wk_errorUnsupported,
                        "extension \"%.40s\" is none of json, yaml, yml, urdf", extension);
    }
    return wkIoWriteFile(path, format->write, model);
}
