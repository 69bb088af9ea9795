// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// Shapes of SDF, one row per shape.

#include "io/world/sdf.h"

#include <string.h>

// State of the reader of a shape.
typedef struct shapeReader {
    wkSdfReader* r;
    const wkXmlFile* file;
    const wkXmlElement* element;
    wkShape shape;
} shapeReader;

static wkResult readBox(shapeReader* s)
{
    double size[3] = {0.0};
    wkResult result = wkXmlFile_NeedTextNumbers(s->file, s->element, "size", size, 3);
    s->shape = wkMakeBox(size[0], size[1], size[2]);
    return result;
}

static wkResult readSphere(shapeReader* s)
{
    double radius = 0.0;
    wkResult result = wkXmlFile_NeedTextNumbers(s->file, s->element, "radius", &radius, 1);
    s->shape = wkMakeSphere(radius);
    return result;
}

static wkResult readEllipsoid(shapeReader* s)
{
    double radii[3] = {0.0};
    wkResult result = wkXmlFile_NeedTextNumbers(s->file, s->element, "radii", radii, 3);
    s->shape = wkMakeEllipsoid(radii[0], radii[1], radii[2]);
    return result;
}

static wkResult readRound(shapeReader* s, wkShape (*make)(double radius, double length))
{
    double radius = 0.0, length = 0.0;
    wkResult result = wkXmlFile_NeedTextNumbers(s->file, s->element, "radius", &radius, 1);
    if (result == wk_ok) {
        result = wkXmlFile_NeedTextNumbers(s->file, s->element, "length", &length, 1);
    }
    s->shape = make(radius, length);
    return result;
}

static wkResult readCylinder(shapeReader* s)
{
    return readRound(s, wkMakeCylinder);
}

// Reads a capsule; its length is that of the cylindrical part.
static wkResult readCapsule(shapeReader* s)
{
    return readRound(s, wkMakeCapsule);
}

static wkResult readCone(shapeReader* s)
{
    return readRound(s, wkMakeCone);
}

// Reads a plane as a half-space: as a collision shape it is unbounded, and in simulators nothing gets below
// it. Its size is only for display.
static wkResult readPlane(shapeReader* s)
{
    double n[3] = {0.0, 0.0, 1.0};
    const wkXmlElement* normal = wkXmlElement_Child(s->element, "normal");
    wkResult result = normal != NULL ? wkXmlFile_TextNumbers(s->file, normal, n, 3) : wk_ok;
    s->shape = wkMakeHalfspace((wkVec3d){n[0], n[1], n[2]}, 0.0);
    return result;
}

static wkResult readMesh(shapeReader* s)
{
    double scale[3] = {1.0, 1.0, 1.0};
    const wkXmlElement* uri = wkXmlElement_Child(s->element, "uri");
    const wkXmlElement* factors = wkXmlElement_Child(s->element, "scale");
    if (uri == NULL) {
        return wkXmlFile_Fail(s->file, s->element, wk_errorParse, "<uri> is missing");
    }
    if (wkXmlElement_Child(s->element, "submesh") != NULL) {
        return wkXmlFile_Fail(s->file, s->element, wk_errorUnsupported, "<submesh> is not read");
    }
    wkResult result = factors != NULL ? wkXmlFile_TextNumbers(s->file, factors, scale, 3) : wk_ok;
    const char* name = wkSdf_Text(s->r, uri);
    if (result != wk_ok || name == NULL) {
        return result != wk_ok ? result : wkXmlFile_FailMemory(s->file);
    }
    if (wkXmlElement_Value(s->element, "optimization") != NULL) {
        wkWorldBuilder_Warn(s->r->builder, "%.60s:%d: the optimization of a mesh is not read",
                            s->file->name, (int)s->element->line);
    }
    result = wkWorldBuilder_LoadMesh(s->r->builder, name, (wkVec3d){scale[0], scale[1], scale[2]},
                                     &s->shape);
    return result == wk_ok ? wk_ok : wkSdf_FailAgain(s->file, uri, result);
}

static wkResult readEmpty(shapeReader* s)
{
    (void)s;
    return wk_ok;
}

static const struct {
    const char* name;
    wkResult (*read)(shapeReader* s);
} shapes[] = {
    {"box", readBox},         {"sphere", readSphere},       {"cylinder", readCylinder},
    {"capsule", readCapsule}, {"ellipsoid", readEllipsoid}, {"cone", readCone},
    {"plane", readPlane},     {"mesh", readMesh},           {"empty", readEmpty},
};

wkResult wkSdf_ReadShape(wkSdfReader* reader, const wkXmlFile* file, const wkXmlElement* geometry,
                         wkShape* shape)
{
    const wkXmlElement* element = geometry->firstChild;
    *shape = (wkShape){0};
    if (element == NULL) {
        return wk_ok;
    }
    for (size_t i = 0; i < sizeof shapes / sizeof shapes[0]; i++) {
        if (strcmp(shapes[i].name, element->name) == 0) {
            shapeReader s = {reader, file, element, {0}};
            wkResult result = shapes[i].read(&s);
            if (result == wk_ok && s.shape.type == wk_shapeNone && shapes[i].read != readEmpty) {
                result = wkSdf_FailAgain(file, element, wk_errorRange);
            }
            *shape = s.shape;
            return result;
        }
    }
    return wkXmlFile_Fail(file, geometry, wk_errorUnsupported,
                          "<%.40s> is none of box, sphere, cylinder, capsule, ellipsoid, cone, "
                          "plane, mesh",
                          element->name);
}
