// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// Balls in documents, JSON or YAML alike. Ours and those of cuRobo have a map of links, at the top or
// within robot_cfg and kinematics; those of smpl a list of links.

#include "io/sphere_draft.h"

#include <string.h>

// A place in a document: keys from the root on.
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

static wkResult failRadius(const wkDocument* document, const wkDocNode* ball, double radius)
{
    return wkDocument_Fail(document, wkDocNode_Find(ball, "radius"), wk_errorRange,
                           "radius %g is negative", radius);
}

// {center: [x, y, z], radius: r}. cuRobo turns a ball off by a radius below zero.
static wkResult readBall(wkSphereDraft* draft, const wkDocument* document, const wkDocNode* node,
                         int32_t link, double buffer)
{
    const wkDocNode* center = NULL;
    wkBall ball = {{0.0, 0.0, 0.0}, 0.0};
    wkResult result = wkDocument_Need(document, node, "center", &center);
    if (result == wk_ok) {
        result = readCenter(document, center, &ball.center);
    }
    if (result == wk_ok) {
        result = wkDocument_NeedNumber(document, node, "radius", &ball.radius);
    }
    if (result != wk_ok) {
        return result;
    }
    if (ball.radius < 0.0) {
        draft->report.disabledBallCount += link >= 0 ? 1 : 0;
        return wk_ok;
    }
    ball.radius += buffer;
    if (ball.radius < 0.0) {
        return failRadius(document, node, ball.radius);
    }
    wkSphereDraft_Add(draft, link, ball);
    return wk_ok;
}

// What cuRobo adds to the balls of a link: one number for all, or a map of links.
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

// The list of balls of one link.
static wkResult readMapLink(wkSphereDraft* draft, const wkDocument* document, const wkDocNode* node,
                            const wkDocNode* buffers)
{
    int32_t link = -1;
    double buffer = 0.0;
    wkResult result = wkSphereDraft_FindLink(draft, node->key, node->line, &link);
    if (result == wk_ok) {
        result = readBuffer(document, buffers, node->key, &buffer);
    }
    if (result != wk_ok || wkDocNode_IsEmpty(node)) {
        return result;
    }
    result = wkDocument_NeedKind(document, node, wk_docList);
    for (const wkDocNode* ball = node->firstChild; ball != NULL && result == wk_ok;
         ball = ball->next) {
        result = readBall(draft, document, ball, link, buffer);
    }
    return result;
}

// collision_spheres: {link: [ball, ...], ...}
static wkResult readMap(wkSphereDraft* draft, const wkDocument* document, const wkDocNode* links)
{
    if (links->kind == wk_docText && !wkDocNode_IsEmpty(links)) {
        return wkDocument_Fail(document, links, wk_errorUnsupported,
                               "the balls are in another file, \"%.80s\": load that one",
                               links->text);
    }
    if (wkDocNode_IsEmpty(links)) {
        return wk_ok;
    }
    wkResult result = wkDocument_NeedKind(document, links, wk_docMap);
    const wkDocNode* buffers = wkDocNode_Find(links->parent, "collision_sphere_buffer");
    for (const wkDocNode* link = links->firstChild; link != NULL && result == wk_ok;
         link = link->next) {
        result = readMapLink(draft, document, link, buffers);
    }
    return result;
}

// {x: 0, y: 0, z: 0, radius: 1, name: ..., priority: ...}
static wkResult readListBall(wkSphereDraft* draft, const wkDocument* document,
                             const wkDocNode* node, int32_t link)
{
    wkBall ball = {{0.0, 0.0, 0.0}, 0.0};
    const struct {
        const char* key;
        double* value;
    } fields[] = {{"x", &ball.center.x},
                  {"y", &ball.center.y},
                  {"z", &ball.center.z},
                  {"radius", &ball.radius}};
    wkResult result = wk_ok;
    for (size_t i = 0; i < sizeof fields / sizeof fields[0] && result == wk_ok; i++) {
        result = wkDocument_NeedNumber(document, node, fields[i].key, fields[i].value);
    }
    if (result == wk_ok && ball.radius < 0.0) {
        return failRadius(document, node, ball.radius);
    }
    if (result == wk_ok) {
        wkSphereDraft_Add(draft, link, ball);
    }
    return result;
}

// A link whose balls smpl makes itself has none in the file.
static wkResult refuseAutomatic(const wkDocument* document, const wkDocNode* link)
{
    const wkDocNode* node = wkDocNode_Find(link, "auto");
    bool isAutomatic = false;
    wkResult result = node != NULL ? wkDocument_Bool(document, node, &isAutomatic) : wk_ok;
    return isAutomatic ? wkDocument_Fail(document, node, wk_errorUnsupported,
                                         "balls that the reader makes itself are not known here")
                       : result;
}

// {link_name: ..., auto: false, spheres: [ball, ...]}
static wkResult readListLink(wkSphereDraft* draft, const wkDocument* document,
                             const wkDocNode* node)
{
    const wkDocNode *name = NULL, *balls = NULL;
    int32_t link = -1;
    wkResult result = wkDocument_Need(document, node, "link_name", &name);
    if (result == wk_ok) {
        result = wkDocument_NeedKind(document, name, wk_docText);
    }
    if (result == wk_ok) {
        result = refuseAutomatic(document, node);
    }
    if (result == wk_ok) {
        result = wkDocument_Need(document, node, "spheres", &balls);
    }
    if (result == wk_ok) {
        result = wkSphereDraft_FindLink(draft, name->text, name->line, &link);
    }
    if (result != wk_ok || wkDocNode_IsEmpty(balls)) {
        return result;
    }
    result = wkDocument_NeedKind(document, balls, wk_docList);
    for (const wkDocNode* ball = balls->firstChild; ball != NULL && result == wk_ok;
         ball = ball->next) {
        result = readListBall(draft, document, ball, link);
    }
    return result;
}

// spheres_models: [link, ...]
static wkResult readList(wkSphereDraft* draft, const wkDocument* document, const wkDocNode* links)
{
    wkResult result = wkDocument_NeedKind(document, links, wk_docList);
    for (const wkDocNode* link = links->firstChild; link != NULL && result == wk_ok;
         link = link->next) {
        result = readListLink(draft, document, link);
    }
    return result;
}

// Where balls can be, and what they look like there.
static const struct {
    docPath path;
    wkResult (*read)(wkSphereDraft* draft, const wkDocument* document, const wkDocNode* links);
} places[] = {
    {{"collision_spheres"}, readMap},
    {{"kinematics", "collision_spheres"}, readMap},
    {{"robot_cfg", "kinematics", "collision_spheres"}, readMap},
    {{"spheres_models"}, readList},
    {{"robot_collision_model", "spheres_models"}, readList},
};

#define PLACE_COUNT (sizeof places / sizeof places[0])

// What the file says about the balls as a whole.
static wkResult readClaims(wkSphereDraft* draft, const wkDocument* document)
{
    const wkDocNode* robot = wkDocNode_Find(document->root, "robot");
    const wkDocNode* covering = wkDocNode_Find(document->root, "covering");
    const wkDocNode* protrusion = wkDocNode_Find(document->root, "protrusion");
    const char* name = wkRobot_Info(draft->robot).name;
    if (robot != NULL && robot->kind == wk_docText && strcmp(robot->text, name) != 0) {
        wkIoWarn(draft->report.warning, "%.80s:%d: robot: it is for \"%.40s\", not for \"%.40s\"",
                 document->name, (int)robot->line, robot->text, name);
    }
    wkResult result = wk_ok;
    if (covering != NULL) {
        result = wkDocument_Bool(document, covering, &draft->report.isCovering);
    }
    if (result == wk_ok && protrusion != NULL) {
        result = wkDocument_Number(document, protrusion, &draft->report.protrusion);
    }
    const wkDocNode* proof = wkDocNode_Find(document->root, "proof");
    bool isText = proof != NULL && proof->kind == wk_docText;
    if (result == wk_ok && proof != NULL &&
        !(isText && wkDigest_FromText(proof->text, &draft->proof))) {
        result = wkDocument_Fail(document, proof, wk_errorParse,
                                 "it is no digest of 64 hexadecimal digits");
    }
    return result;
}

static wkResult readDocument(wkSphereDraft* draft, const wkDocument* document)
{
    wkResult result = readClaims(draft, document);
    if (result == wk_ok) {
        result = wkSphereDraft_Reserve(draft, document->nodeCount);
    }
    if (result != wk_ok) {
        return result;
    }
    for (size_t i = 0; i < PLACE_COUNT; i++) {
        const wkDocNode* links = follow(document->root, places[i].path);
        if (links != NULL) {
            return places[i].read(draft, document, links);
        }
    }
    return wkDocument_Fail(document, document->root, wk_errorParse,
                           "there are neither collision_spheres nor spheres_models");
}

wkResult wkSphereDraft_ReadJson(wkSphereDraft* draft)
{
    wkDocument document;
    wkResult result = wkDocument_ParseJson(&document, draft->source, &draft->arena);
    return result == wk_ok ? readDocument(draft, &document) : result;
}

wkResult wkSphereDraft_ReadYaml(wkSphereDraft* draft)
{
    wkDocument document;
    wkResult result = wkDocument_ParseYaml(&document, draft->source, &draft->arena);
    return result == wk_ok ? readDocument(draft, &document) : result;
}
