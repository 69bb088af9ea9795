// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// Shapes on the links of a URDF. Meshes are only registered here, once per file and scale.

#include "io/robot/finder.h"
#include "io/robot/urdf_builder.h"

#include <stdio.h>
#include <string.h>

// The options for a link.
typedef struct linkRule {
    double padding;
    double scale;
    wkRobotMeshMode mode;
} linkRule;

// State shared by the readers of shapes.
typedef struct bodyReader {
    wkUrdfBuilder* builder;
    wkIoNames ruleNames; // links with their own options, by name
    wkIoNames meshNames;
    const char* link; // current link
    linkRule rule;    // of that link
} bodyReader;

// Reads a shape, or registers the mesh of the body.
typedef wkResult readShapeFcn(bodyReader* r, const wkXmlElement* element, wkBuilderBody* body);

// Adds a shape read from an element.
static wkResult takeShape(bodyReader* r, const wkXmlElement* element, wkShape shape,
                          wkBuilderBody* body)
{
    if (shape.type == wk_shapeNone) {
        char words[200];
        snprintf(words, sizeof words, "%s", wkGetLastError());
        return wkXmlFile_Fail(&r->builder->urdf, element, wk_errorParse, "%s", words);
    }
    body->def.shape = shape;
    return wk_ok;
}

static wkResult readBox(bodyReader* r, const wkXmlElement* element, wkBuilderBody* body)
{
    double size[3] = {0.0, 0.0, 0.0}, scale = r->rule.scale;
    wkResult result = wkXmlFile_NeedNumbers(&r->builder->urdf, element, "size", size, 3);
    if (result != wk_ok) {
        return result;
    }
    wkShape box = wkMakeBox(size[0] * scale, size[1] * scale, size[2] * scale);
    return takeShape(r, element, box, body);
}

static wkResult readSphere(bodyReader* r, const wkXmlElement* element, wkBuilderBody* body)
{
    double radius = 0.0;
    wkResult result = wkXmlFile_NeedNumbers(&r->builder->urdf, element, "radius", &radius, 1);
    return result == wk_ok ? takeShape(r, element, wkMakeSphere(radius * r->rule.scale), body)
                           : result;
}

// Reads radius and length of a cylinder or capsule.
static wkResult readRound(bodyReader* r, const wkXmlElement* element, wkBuilderBody* body,
                          wkShape (*make)(double radius, double length))
{
    const wkXmlFile* file = &r->builder->urdf;
    double radius = 0.0, length = 0.0, scale = r->rule.scale;
    wkResult result = wkXmlFile_NeedNumbers(file, element, "radius", &radius, 1);
    if (result == wk_ok) {
        result = wkXmlFile_NeedNumbers(file, element, "length", &length, 1);
    }
    return result == wk_ok ? takeShape(r, element, make(radius * scale, length * scale), body)
                           : result;
}

static wkResult readCylinder(bodyReader* r, const wkXmlElement* element, wkBuilderBody* body)
{
    return readRound(r, element, body, wkMakeCylinder);
}

// Reads a capsule; its length is the distance between the centers of its caps.
static wkResult readCapsule(bodyReader* r, const wkXmlElement* element, wkBuilderBody* body)
{
    return readRound(r, element, body, wkMakeCapsule);
}

// Returns the index of a mesh, which is new unless the same mesh was registered before.
static wkResult nameMesh(bodyReader* r, const wkXmlElement* element, const char* path,
                         wkVec3d scale, int32_t* number)
{
    wkUrdfBuilder* builder = r->builder;
    size_t byteCount = strlen(path) + 128; // enough for the numbers
    char* key = wkIoArena_Alloc(&builder->arena, byteCount);
    if (key == NULL) {
        return wkXmlFile_FailMemory(&builder->urdf);
    }
    snprintf(key, byteCount, "%a %a %a %d %s", scale.x, scale.y, scale.z, (int)r->rule.mode, path);
    *number = wkIoNames_Add(&r->meshNames, key, builder->meshCount);
    if (*number >= 0) {
        return wk_ok;
    }
    wkBuilderMesh* mesh = wkIoArena_Alloc(&builder->arena, sizeof *mesh);
    if (mesh == NULL) {
        return wkXmlFile_FailMemory(&builder->urdf);
    }
    mesh->element = element;
    mesh->link = r->link;
    mesh->path = path;
    mesh->scale = scale;
    mesh->mode = r->rule.mode;
    builder->meshes[builder->meshCount] = mesh;
    *number = builder->meshCount++;
    return wk_ok;
}

// Finds the file that a mesh element names. The path lives in the arena.
static wkResult findMesh(wkUrdfBuilder* builder, const wkXmlElement* element, const char* uri,
                         const char** path)
{
    char found[WK_IO_PATH_CAPACITY], words[WK_IO_FINDER_WORDS];
    wkIoFinder finder = {wkIoFolderOf(builder->path, &builder->arena), builder->options->packages,
                         builder->options->packageCount};
    if (finder.folder == NULL) {
        return wkXmlFile_FailMemory(&builder->urdf);
    }
    wkResult result = wkIoFinder_Find(&finder, uri, found, words);
    if (result != wk_ok) {
        return wkXmlFile_Fail(&builder->urdf, element, result, "%s", words);
    }
    *path = wkIoArena_CopyText(&builder->arena, found, strlen(found));
    return *path != NULL ? wk_ok : wkXmlFile_FailMemory(&builder->urdf);
}

static wkResult readMesh(bodyReader* r, const wkXmlElement* element, wkBuilderBody* body)
{
    const wkXmlFile* file = &r->builder->urdf;
    const char *uri = NULL, *path = NULL;
    double factors[3] = {1.0, 1.0, 1.0};
    wkResult result = wkXmlFile_NeedValue(file, element, "filename", &uri);
    if (result == wk_ok) {
        result = wkXmlFile_ReadNumbers(file, element, "scale", factors, 3);
    }
    if (result != wk_ok) {
        return result;
    }
    wkVec3d scale = {factors[0] * r->rule.scale, factors[1] * r->rule.scale,
                     factors[2] * r->rule.scale};
    if (scale.x == 0.0 || scale.y == 0.0 || scale.z == 0.0 || !wkIoIsFinite(scale)) {
        return wkXmlFile_Fail(file, element, wk_errorParse,
                              "scale: %g %g %g leaves nothing of the mesh, or too much", scale.x,
                              scale.y, scale.z);
    }
    if (r->builder->options->skipsMeshes) {
        return wk_ok;
    }
    result = findMesh(r->builder, element, uri, &path);
    return result == wk_ok ? nameMesh(r, element, path, scale, &body->mesh) : result;
}

static const struct {
    const char* name;
    readShapeFcn* read;
} shapes[] = {
    {"box", readBox},         {"cylinder", readCylinder}, {"sphere", readSphere},
    {"capsule", readCapsule}, {"mesh", readMesh},
};

#define SHAPE_COUNT ((int)(sizeof shapes / sizeof shapes[0]))

// Returns the first child of a geometry that is a shape.
static const wkXmlElement* findShape(const wkXmlElement* geometry, readShapeFcn** read)
{
    for (const wkXmlElement* child = geometry->firstChild; child != NULL; child = child->next) {
        for (int i = 0; i < SHAPE_COUNT; i++) {
            if (strcmp(child->name, shapes[i].name) == 0) {
                *read = shapes[i].read;
                return child;
            }
        }
    }
    return NULL;
}

// Reads a collision or visual element. One without geometry is valid and ignored.
static wkResult readBody(bodyReader* r, const wkXmlElement* element)
{
    wkUrdfBuilder* builder = r->builder;
    const wkXmlFile* file = &builder->urdf;
    const wkXmlElement* geometry = wkXmlElement_Child(element, "geometry");
    if (geometry == NULL || geometry->firstChild == NULL) {
        wkUrdfBuilder_WarnOf(builder, file, element, "it has no geometry");
        return wk_ok;
    }
    readShapeFcn* read = NULL;
    const wkXmlElement* shape = findShape(geometry, &read);
    if (shape == NULL) {
        return wkXmlFile_Fail(file, geometry, wk_errorUnsupported,
                              "<%.40s> is none of box, cylinder, sphere, capsule, mesh",
                              geometry->firstChild->name);
    }
    wkBuilderBody* body = &builder->bodies[builder->bodyCount];
    body->def.link = r->link;
    body->def.name = wkXmlElement_Value(element, "name");
    body->mesh = -1;
    wkResult result = wkUrdf_ReadOrigin(file, element, &body->def.pose);
    if (result == wk_ok) {
        result = read(r, shape, body);
    }
    body->def.shape.padding = r->rule.padding;
    bool isThere = body->mesh >= 0 || body->def.shape.type != wk_shapeNone;
    builder->bodyCount += result == wk_ok && isThere ? 1 : 0;
    return result;
}

static linkRule ruleOf(const bodyReader* r, const char* link)
{
    const wkRobotLoadDef* options = r->builder->options;
    int32_t number = wkIoNames_Find(&r->ruleNames, link);
    linkRule all = {options->padding, options->scale, options->mode};
    if (number < 0) {
        return all;
    }
    const wkRobotLinkDef* own = &options->links[number];
    linkRule one = {own->padding, own->scale, own->mode};
    return one;
}

static wkResult readBodiesOf(bodyReader* r, int32_t link)
{
    const wkXmlElement* element = r->builder->linkElements[link];
    const char* kind = "collision";
    if (r->builder->options->usesVisual && wkXmlElement_Child(element, kind) == NULL) {
        kind = "visual";
    }
    r->link = r->builder->links[link];
    r->rule = ruleOf(r, r->link);
    wkResult result = wk_ok;
    for (const wkXmlElement* body = wkXmlElement_Child(element, kind);
         body != NULL && result == wk_ok; body = wkXmlElement_Next(body, kind)) {
        result = readBody(r, body);
    }
    return result;
}

static wkResult nameRules(bodyReader* r)
{
    wkUrdfBuilder* builder = r->builder;
    for (int32_t i = 0; i < builder->options->linkCount; i++) {
        const char* link = builder->options->links[i].link;
        if (wkIoNames_Find(&builder->linkNames, link) < 0) {
            return wkIoFail(builder->urdf.name, wk_errorArgument,
                            "it has no link \"%.80s\", which the options name", link);
        }
        wkIoNames_Add(&r->ruleNames, link, i);
    }
    return wk_ok;
}

wkResult wkUrdf_ReadBodies(wkUrdfBuilder* builder)
{
    wkIoArena* arena = &builder->arena;
    bodyReader r = {.builder = builder};
    size_t count = 0;
    for (int32_t link = 0; link < builder->def.linkCount; link++) {
        count += (size_t)wkXmlElement_CountChildren(builder->linkElements[link], "collision");
        count += (size_t)wkXmlElement_CountChildren(builder->linkElements[link], "visual");
    }
    builder->bodies = wkIoArena_AllocArray(arena, count, sizeof *builder->bodies);
    builder->meshes = wkIoArena_AllocArray(arena, count, sizeof(wkBuilderMesh*));
    if (builder->bodies == NULL || builder->meshes == NULL ||
        !wkIoNames_Init(&r.meshNames, arena, count) ||
        !wkIoNames_Init(&r.ruleNames, arena, (size_t)builder->options->linkCount)) {
        return wkXmlFile_FailMemory(&builder->urdf);
    }
    wkResult result = nameRules(&r);
    for (int32_t link = 0; link < builder->def.linkCount && result == wk_ok; link++) {
        result = readBodiesOf(&r, link);
    }
    if (builder->options->skipsMeshes) {
        builder->bodyCount = 0; // an incomplete set of shapes must not be used
    }
    return result;
}
