// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// The public functions on worlds: options, the choice of a reader, and the transfer into a scene.

#include "base/cookie.h"
#include "io/text/text_reader.h"
#include "io/world/world_builder.h"

#include "whisker/detail/library.h"

#include <string.h>

wkWorldLoadDef wkDefaultWorldLoadDef(void)
{
    wkWorldLoadDef options = {.cookie = WK_COOKIE(wkWorldLoadDef)};
    return options;
}

// Returns the first character that is not white space; 0: none.
static char firstSign(const wkIoSource* source)
{
    const char* at = (const char*)source->bytes;
    const char* end = at + source->byteCount;
    if (source->byteCount >= 3 && memcmp(at, "\xef\xbb\xbf", 3) == 0) {
        at += 3;
    }
    at = wkIoSkipSpaces(at, end);
    if (at == end) {
        return '\0';
    }
    return *at;
}

static bool isSdf(const wkIoSource* source)
{
    return firstSign(source) == '<';
}

// Returns true for a name on the first line, then objects, which start with an asterisk, or the end, a point.
static bool isScene(const wkIoSource* source)
{
    const char* at = (const char*)source->bytes;
    const char* end = at + source->byteCount;
    at = wkIoSkipSpaces(wkIoNextLine(at, end), end);
    return at < end && (*at == '*' || *at == '.') && wkIoIsWordEnd(at + 1, end);
}

static bool isYaml(const wkIoSource* source)
{
    return firstSign(source) != '\0';
}

static const struct {
    const char* name;
    bool (*matches)(const wkIoSource* source);
    wkResult (*read)(wkWorldBuilder* builder);
} formats[] = {
    {"sdf", isSdf, wkWorldBuilder_ReadSdf},
    {"scene", isScene, wkWorldBuilder_ReadScene},
    {"yaml", isYaml, wkWorldBuilder_ReadYaml},
};

#define FORMAT_COUNT ((int)(sizeof formats / sizeof formats[0]))

static wkResult chooseAndRead(wkWorldBuilder* builder)
{
    const wkIoSource* source = builder->source;
    const char* wanted = builder->options->format;
    for (int i = 0; i < FORMAT_COUNT; i++) {
        if (wanted != NULL ? strcmp(wanted, formats[i].name) == 0 : formats[i].matches(source)) {
            memcpy(builder->data.format, formats[i].name, strlen(formats[i].name) + 1);
            return formats[i].read(builder);
        }
    }
    return wanted != NULL ? wkIoFail(source->name, wk_errorArgument,
                                     "format \"%.40s\" is none of sdf, scene, yaml", wanted)
                          : wkIoFail(source->name, wk_errorParse, "it is empty");
}

// @param folder of the source; NULL: parsed from memory
static wkResult make(const wkIoSource* source, const wkWorldLoadDef* options, const char* folder,
                     wkWorldData** world)
{
    wkWorldBuilder* builder = wkAllocate(sizeof *builder);
    if (builder == NULL) {
        return wkIoFail(source->name, wk_errorMemory, "no memory to start with");
    }
    memset(builder, 0, sizeof *builder);
    builder->options = options;
    builder->source = source;
    builder->finder = (wkIoFinder){folder, options->packages, options->packageCount};
    if (folder == NULL) {
        builder->finder.folder = wkIoFolderOf(source->path, &builder->arena);
    }
    wkResult result = builder->finder.folder != NULL
                          ? chooseAndRead(builder)
                          : wkIoFail(source->name, wk_errorMemory, "no memory to start with");
    builder->options = NULL;
    builder->source = NULL;
    if (result != wk_ok) {
        wkWorldData_Destroy(&builder->data);
        return result;
    }
    *world = &builder->data;
    return wk_ok;
}

static wkResult checkOptions(const wkWorldLoadDef** options, wkWorldLoadDef* defaults)
{
    if (*options == NULL) {
        *defaults = wkDefaultWorldLoadDef();
        *options = defaults;
    }
    const wkWorldLoadDef* o = *options;
    if (!WK_HAS_COOKIE(o, wkWorldLoadDef)) {
        return WK_FAIL_COOKIE(o, wkWorldLoadDef);
    }
    return wkIoCheckPackages("load world", o->packages, o->packageCount);
}

wkResult wkWorldData_Load(const char* path, const wkWorldLoadDef* def, wkWorldData** world)
{
    if (path == NULL || world == NULL) {
        return wkSetLastError(wk_errorArgument, "load world: path or world is NULL");
    }
    *world = NULL;
    wkWorldLoadDef defaults;
    wkResult result = checkOptions(&def, &defaults);
    if (result != wk_ok) {
        return result;
    }
    wkIoSource source = {.name = path, .path = path};
    result = wkIoReadInput(path, &source);
    if (result == wk_ok) {
        result = make(&source, def, NULL, world);
        wkIoUnread(&source);
    }
    return result;
}

wkResult wkWorldData_Parse(const void* bytes, size_t byteCount, const wkWorldLoadDef* def,
                           wkWorldData** world)
{
    static const uint8_t none[1] = {0};
    if ((bytes == NULL && byteCount > 0) || world == NULL) {
        return wkSetLastError(wk_errorArgument, "parse world: bytes or world is NULL");
    }
    *world = NULL;
    wkWorldLoadDef defaults;
    wkResult result = checkOptions(&def, &defaults);
    if (result != wk_ok) {
        return result;
    }
    wkIoSource source = {.name = def->name != NULL ? def->name : "world",
                         .bytes = byteCount > 0 ? bytes : none,
                         .byteCount = byteCount};
    return make(&source, def, def->folder != NULL ? def->folder : ".", world);
}

// Adds the rules of the world to those of the scene.
static wkResult addRules(const wkWorldData* world, wkRobotScene* scene)
{
    wkAllowed* allowed = NULL;
    wkResult result = wkAllowed_Copy(wkRobotScene_Allowed(scene), &allowed);
    for (int32_t i = 0; i < world->ruleCount && result == wk_ok; i++) {
        const wkWorldRule* rule = &world->rules[i];
        result = wkAllowed_Set(allowed, rule->nameA, rule->nameB,
                               rule->isAllowed ? wk_ruleAllowed : wk_ruleChecked);
    }
    if (result == wk_ok) {
        result = wkRobotScene_SetAllowed(scene, allowed);
    }
    wkAllowed_Destroy(allowed);
    return result;
}

wkResult wkWorldData_AddTo(const wkWorldData* world, wkRobotScene* scene)
{
    if (world == NULL || scene == NULL) {
        return wkSetLastError(wk_errorArgument, "add world: world or scene is NULL");
    }
    int32_t addedCount = 0;
    wkResult result = wk_ok;
    for (; addedCount < world->objectCount && result == wk_ok; addedCount++) {
        const wkWorldObject* object = &world->objects[addedCount];
        wkRobotObjectDef def = wkDefaultRobotObjectDef();
        def.name = object->name;
        def.shapes = object->shapes;
        def.poses = object->poses;
        def.shapeCount = object->shapeCount;
        def.pose = object->pose;
        result = wkRobotScene_Add(scene, &def);
    }
    addedCount -= result != wk_ok ? 1 : 0; // the last one was refused
    if (result == wk_ok && world->ruleCount > 0) {
        result = addRules(world, scene);
    }
    if (result != wk_ok) {
        char words[300];
        size_t length = strlen(wkGetLastError());
        length = length < sizeof words ? length : sizeof words - 1;
        memcpy(words, wkGetLastError(), length);
        words[length] = '\0';
        while (addedCount > 0) {
            wkRobotScene_Remove(scene, world->objects[--addedCount].name);
        }
        wkSetLastError(result, words);
    }
    return result;
}
