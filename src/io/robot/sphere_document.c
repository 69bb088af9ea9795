// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// Spheres in JSON or YAML documents. Those of Whisker and cuRobo have a map of links, at the top or within
// robot_cfg and kinematics; those of smpl have a list of links.

#include "io/robot/sphere_builder.h"

#include <string.h>

// Maximum length of a path in a document: keys from the root on.
#define PATH_LENGTH 3
typedef const char* docPath[PATH_LENGTH + 1];

static const wkDocNode* follow(const wkDocNode* node, const char* const* path)
{
    for (; *path != NULL && node != NULL; path++) {
        node = wkDocNode_Find(node, *path);
    }
    return node;
}

static wkResult readCenter(const wkDocument* document, const wkDocNode* node, wkVec3d* center)
{
    wkResult result = wkDocument_NeedKind(document, node, wk_docList);
    if (result == wk_ok && node->count != 3) {
        result = wkDocument_Fail(document, node, wk_errorParse, "%d numbers instead of 3",
                                 (int)node->count);
    }
    double numbers[3] = {0.0, 0.0, 0.0};
    const wkDocNode* child = node->firstChild;
    for (int i = 0; i < 3 && result == wk_ok; i++) {
        result = wkDocument_Number(document, child, &numbers[i]);
        child = child->next;
    }
    center->x = numbers[0];
    center->y = numbers[1];
    center->z = numbers[2];
    return result;
}

static wkResult failRadius(const wkDocument* document, const wkDocNode* sphere, double radius)
{
    return wkDocument_Fail(document, wkDocNode_Find(sphere, "radius"), wk_errorRange,
                           "radius %g is negative", radius);
}

// Reads {center: [x, y, z], radius: r}. In cuRobo a negative radius disables a sphere.
static wkResult readSphere(wkSphereBuilder* builder, const wkDocument* document,
                           const wkDocNode* node, int32_t link, double buffer)
{
    const wkDocNode* center = NULL;
    wkSphere3d sphere = {{0.0, 0.0, 0.0}, 0.0};
    wkResult result = wkDocument_Need(document, node, "center", &center);
    if (result == wk_ok) {
        result = readCenter(document, center, &sphere.center);
    }
    if (result == wk_ok) {
        result = wkDocument_NeedNumber(document, node, "radius", &sphere.radius);
    }
    if (result != wk_ok) {
        return result;
    }
    if (sphere.radius < 0.0) {
        builder->report.disabledSphereCount += link >= 0 ? 1 : 0;
        return wk_ok;
    }
    sphere.radius += buffer;
    if (sphere.radius < 0.0) {
        return failRadius(document, node, sphere.radius);
    }
    wkSphereBuilder_Add(builder, link, sphere);
    return wk_ok;
}

// Reads the length that cuRobo adds to the spheres of a link: one number for all, or a map of links.
static wkResult readBuffer(const wkDocument* document, const wkDocNode* buffers, const char* link,
                           double* buffer)
{
    *buffer = 0.0;
    if (buffers == NULL || wkDocNode_IsEmpty(buffers)) {
        return wk_ok;
    }
    const wkDocNode* own = buffers->kind == wk_docMap ? wkDocNode_Find(buffers, link) : buffers;
    return own != NULL ? wkDocument_Number(document, own, buffer) : wk_ok;
}

// Reads the list of spheres of one link.
static wkResult readMapLink(wkSphereBuilder* builder, const wkDocument* document,
                            const wkDocNode* node, const wkDocNode* buffers)
{
    int32_t link = -1;
    double buffer = 0.0;
    wkResult result = wkSphereBuilder_FindLink(builder, node->key, node->line, &link);
    if (result == wk_ok) {
        result = readBuffer(document, buffers, node->key, &buffer);
    }
    if (result != wk_ok || wkDocNode_IsEmpty(node)) {
        return result;
    }
    result = wkDocument_NeedKind(document, node, wk_docList);
    for (const wkDocNode* sphere = node->firstChild; sphere != NULL && result == wk_ok;
         sphere = sphere->next) {
        result = readSphere(builder, document, sphere, link, buffer);
    }
    return result;
}

// Reads collision_spheres: {link: [sphere, ...], ...}
static wkResult readMap(wkSphereBuilder* builder, const wkDocument* document,
                        const wkDocNode* links)
{
    if (links->kind == wk_docText && !wkDocNode_IsEmpty(links)) {
        return wkDocument_Fail(document, links, wk_errorUnsupported,
                               "the spheres are in another file, \"%.80s\": load that one",
                               links->text);
    }
    if (wkDocNode_IsEmpty(links)) {
        return wk_ok;
    }
    wkResult result = wkDocument_NeedKind(document, links, wk_docMap);
    const wkDocNode* buffers = wkDocNode_Find(links->parent, "collision_sphere_buffer");
    for (const wkDocNode* link = links->firstChild; link != NULL && result == wk_ok;
         link = link->next) {
        result = readMapLink(builder, document, link, buffers);
    }
    return result;
}

// Reads {x: 0, y: 0, z: 0, radius: 1, name: ..., priority: ...}
static wkResult readListSphere(wkSphereBuilder* builder, const wkDocument* document,
                               const wkDocNode* node, int32_t link)
{
    wkSphere3d sphere = {{0.0, 0.0, 0.0}, 0.0};
    const struct {
        const char* key;
        double* value;
    } fields[] = {{"x", &sphere.center.x},
                  {"y", &sphere.center.y},
                  {"z", &sphere.center.z},
                  {"radius", &sphere.radius}};
    wkResult result = wk_ok;
    for (size_t i = 0; i < sizeof fields / sizeof fields[0] && result == wk_ok; i++) {
        result = wkDocument_NeedNumber(document, node, fields[i].key, fields[i].value);
    }
    if (result == wk_ok && sphere.radius < 0.0) {
        return failRadius(document, node, sphere.radius);
    }
    if (result == wk_ok) {
        wkSphereBuilder_Add(builder, link, sphere);
    }
    return result;
}

// Refuses a link whose spheres smpl generates: the file has none.
static wkResult refuseAutomatic(const wkDocument* document, const wkDocNode* link)
{
    const wkDocNode* node = wkDocNode_Find(link, "auto");
    bool isAutomatic = false;
    wkResult result = node != NULL ? wkDocument_Bool(document, node, &isAutomatic) : wk_ok;
    return isAutomatic ? wkDocument_Fail(document, node, wk_errorUnsupported,
                                         "spheres that the reader makes itself are not known here")
                       : result;
}

// Reads {link_name: ..., auto: false, spheres: [sphere, ...]}
static wkResult readListLink(wkSphereBuilder* builder, const wkDocument* document,
                             const wkDocNode* node)
{
    const wkDocNode *name = NULL, *spheres = NULL;
    int32_t link = -1;
    wkResult result = wkDocument_Need(document, node, "link_name", &name);
    if (result == wk_ok) {
        result = wkDocument_NeedKind(document, name, wk_docText);
    }
    if (result == wk_ok) {
        result = refuseAutomatic(document, node);
    }
    if (result == wk_ok) {
        result = wkDocument_Need(document, node, "spheres", &spheres);
    }
    if (result == wk_ok) {
        result = wkSphereBuilder_FindLink(builder, name->text, name->line, &link);
    }
    if (result != wk_ok || wkDocNode_IsEmpty(spheres)) {
        return result;
    }
    result = wkDocument_NeedKind(document, spheres, wk_docList);
    for (const wkDocNode* sphere = spheres->firstChild; sphere != NULL && result == wk_ok;
         sphere = sphere->next) {
        result = readListSphere(builder, document, sphere, link);
    }
    return result;
}

// Reads spheres_models: [link, ...]
static wkResult readList(wkSphereBuilder* builder, const wkDocument* document,
                         const wkDocNode* links)
{
    wkResult result = wkDocument_NeedKind(document, links, wk_docList);
    for (const wkDocNode* link = links->firstChild; link != NULL && result == wk_ok;
         link = link->next) {
        result = readListLink(builder, document, link);
    }
    return result;
}

// Paths at which spheres may be, and their readers.
static const struct {
    docPath path;
    wkResult (*read)(wkSphereBuilder* builder, const wkDocument* document, const wkDocNode* links);
} layouts[] = {
    {{"collision_spheres"}, readMap},
    {{"kinematics", "collision_spheres"}, readMap},
    {{"robot_cfg", "kinematics", "collision_spheres"}, readMap},
    {{"spheres_models"}, readList},
    {{"robot_collision_model", "spheres_models"}, readList},
};

#define LAYOUT_COUNT (sizeof layouts / sizeof layouts[0])

// Reads the statements of the file about the whole model.
static wkResult readClaims(wkSphereBuilder* builder, const wkDocument* document)
{
    const wkDocNode* robot = wkDocNode_Find(document->root, "robot");
    const wkDocNode* covering = wkDocNode_Find(document->root, "covering");
    const wkDocNode* protrusion = wkDocNode_Find(document->root, "protrusion");
    const char* name = wkRobot_Info(builder->robot).name;
    if (robot != NULL && robot->kind == wk_docText && strcmp(robot->text, name) != 0) {
        wkIoWarn(builder->report.warning, "%.80s:%d: robot: it is for \"%.40s\", not for \"%.40s\"",
                 document->name, (int)robot->line, robot->text, name);
    }
    wkResult result = wk_ok;
    if (covering != NULL) {
        result = wkDocument_Bool(document, covering, &builder->report.isCovering);
    }
    if (result == wk_ok && protrusion != NULL) {
        result = wkDocument_Number(document, protrusion, &builder->report.protrusion);
    }
    const wkDocNode* proof = wkDocNode_Find(document->root, "proof");
    bool isText = proof != NULL && proof->kind == wk_docText;
    if (result == wk_ok && proof != NULL &&
        !(isText && wkDigest_FromText(proof->text, &builder->proof))) {
        result = wkDocument_Fail(document, proof, wk_errorParse,
                                 "expected a digest of 64 hexadecimal digits");
    }
    return result;
}

static wkResult readDocument(wkSphereBuilder* builder, const wkDocument* document)
{
    wkResult result = readClaims(builder, document);
    if (result == wk_ok) {
        result = wkSphereBuilder_Reserve(builder, document->nodeCount);
    }
    if (result != wk_ok) {
        return result;
    }
    for (size_t i = 0; i < LAYOUT_COUNT; i++) {
        const wkDocNode* links = follow(document->root, layouts[i].path);
        if (links != NULL) {
            return layouts[i].read(builder, document, links);
        }
    }
    return wkDocument_Fail(document, document->root, wk_errorParse,
                           "there are neither collision_spheres nor spheres_models");
}

wkResult wkSphereBuilder_ReadJson(wkSphereBuilder* builder)
{
    wkDocument document;
    wkResult result = wkDocument_ParseJson(&document, builder->source, &builder->arena);
    return result == wk_ok ? readDocument(builder, &document) : result;
}

wkResult wkSphereBuilder_ReadYaml(wkSphereBuilder* builder)
{
    wkDocument document;
    wkResult result = wkDocument_ParseYaml(&document, builder->source, &builder->arena);
    return result == wk_ok ? readDocument(builder, &document) : result;
}
