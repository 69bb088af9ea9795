// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// Poses of SDF and the frames that they are relative to.

#include "io/text/text_reader.h"
#include "io/world/sdf.h"

#include <string.h>

#define RADIANS_PER_DEGREE 0.017453292519943295

wkResult wkSdf_FailAgain(const wkXmlFile* file, const wkXmlElement* element, wkResult result)
{
    char words[300];
    size_t length = strlen(wkGetLastError());
    length = length < sizeof words ? length : sizeof words - 1;
    memcpy(words, wkGetLastError(), length);
    words[length] = '\0';
    return wkXmlFile_Fail(file, element, result, "%s", words);
}

const char* wkSdf_Text(wkSdfReader* reader, const wkXmlElement* element)
{
    const char* text = element->text != NULL ? element->text : "";
    const char* end = text + strlen(text);
    text = wkIoSkipSpaces(text, end);
    while (end > text && wkIoIsSpace(end[-1])) {
        end--;
    }
    return wkIoArena_CopyText(&reader->builder->arena, text, (size_t)(end - text));
}

static bool isTrue(const char* text)
{
    return text != NULL && (strcmp(text, "true") == 0 || strcmp(text, "1") == 0);
}

static wkResult readQuaternion(const wkXmlFile* file, const wkXmlElement* element, wkPose* pose)
{
    double n[7];
    wkResult result = wkXmlFile_TextNumbers(file, element, n, 7);
    if (result != wk_ok) {
        return result;
    }
    result = wkWorldPose(n, n + 3, pose);
    return result == wk_ok ? wk_ok : wkSdf_FailAgain(file, element, result);
}

wkResult wkSdf_ReadPose(const wkXmlFile* file, const wkXmlElement* element, wkPose* pose)
{
    const wkXmlElement* child = wkXmlElement_Child(element, "pose");
    *pose = wkIdentityPose();
    const char* end = child != NULL && child->text != NULL ? child->text + strlen(child->text) : "";
    bool isEmpty = child == NULL || child->text == NULL || wkIoSkipSpaces(child->text, end) == end;
    if (isEmpty) {
        return wk_ok;
    }
    const char* format = wkXmlElement_Value(child, "rotation_format");
    if (format != NULL && strcmp(format, "quat_xyzw") == 0) {
        return readQuaternion(file, child, pose);
    }
    if (format != NULL && strcmp(format, "euler_rpy") != 0) {
        return wkXmlFile_Fail(file, child, wk_errorUnsupported,
                              "rotation_format \"%.40s\" is neither euler_rpy nor quat_xyzw",
                              format);
    }
    double n[6];
    wkResult result = wkXmlFile_TextNumbers(file, child, n, 6);
    if (result == wk_ok) {
        double unit = isTrue(wkXmlElement_Value(child, "degrees")) ? RADIANS_PER_DEGREE : 1.0;
        *pose = wkMakePoseRpy((wkVec3d){n[0], n[1], n[2]}, n[3] * unit, n[4] * unit, n[5] * unit);
    }
    return result;
}

static wkResult resolve(wkSdfReader* r, const wkSdfScope* scope, const wkXmlElement* element,
                        int depth, wkPose* pose);

// Finds a child of a scope that a pose can be relative to, by the first `length` letters of a name.
static const wkXmlElement* findFrame(wkSdfReader* r, const wkSdfScope* scope, const char* name,
                                     size_t length)
{
    static const char* const kinds[] = {"link", "frame", "joint", "model"};
    for (const wkXmlElement* child = scope->element->firstChild; child != NULL && r->budget > 0;
         child = child->next) {
        r->budget--;
        const char* own = wkXmlElement_Value(child, "name");
        if (own == NULL || strncmp(own, name, length) != 0 || own[length] != '\0') {
            continue;
        }
        for (size_t i = 0; i < sizeof kinds / sizeof kinds[0]; i++) {
            if (strcmp(child->name, kinds[i]) == 0) {
                return child;
            }
        }
    }
    return NULL;
}

// Computes the pose of a named frame; "model::link" names a nested one.
static wkResult poseOfFrame(wkSdfReader* r, const wkSdfScope* scope, const wkXmlElement* asking,
                            const char* name, int depth, wkPose* pose)
{
    bool isOwn = strcmp(name, scope->isWorld ? "world" : "__model__") == 0;
    *pose = wkIdentityPose();
    if (isOwn || name[0] == '\0') {
        return wk_ok;
    }
    const char* colons = strstr(name, "::");
    size_t length = colons != NULL ? (size_t)(colons - name) : strlen(name);
    const wkXmlElement* found = findFrame(r, scope, name, length);
    if (found == NULL || depth > WK_SDF_MAX_DEPTH) {
        return wkXmlFile_Fail(scope->file, asking, wk_errorUnsupported,
                              r->budget <= 0 ? "too many frames to look for \"%.60s\""
                              : found == NULL
                                  ? "no frame \"%.60s\" is in the same model or world"
                                  : "the frames that \"%.60s\" is relative to never end",
                              name);
    }
    wkResult result = resolve(r, scope, found, depth, pose);
    if (result == wk_ok && colons != NULL) {
        wkSdfScope inner = {scope->file, found, false};
        wkPose further;
        result = poseOfFrame(r, &inner, asking, colons + 2, depth + 1, &further);
        *pose = result == wk_ok ? wkMulPose(*pose, further) : *pose;
    }
    return result;
}

// Returns the frame that a pose is relative to if it does not name one.
static const char* defaultBase(wkSdfReader* r, const wkXmlElement* element)
{
    if (strcmp(element->name, "joint") == 0) {
        const wkXmlElement* child = wkXmlElement_Child(element, "child");
        const char* name = child != NULL ? wkSdf_Text(r, child) : NULL;
        return name != NULL ? name : "";
    }
    const char* attached = wkXmlElement_Value(element, "attached_to");
    return attached != NULL ? attached : "";
}

static wkResult resolve(wkSdfReader* r, const wkSdfScope* scope, const wkXmlElement* element,
                        int depth, wkPose* pose)
{
    const wkXmlElement* child = wkXmlElement_Child(element, "pose");
    const char* base = wkXmlElement_Value(child, "relative_to");
    wkPose own, frame = wkIdentityPose();
    wkResult result = wkSdf_ReadPose(scope->file, element, &own);
    if (result == wk_ok && wkXmlElement_Value(element, "placement_frame") != NULL) {
        result = wkXmlFile_Fail(scope->file, element, wk_errorUnsupported,
                                "placement_frame is not read");
    }
    if (result == wk_ok) {
        base = base != NULL && base[0] != '\0' ? base : defaultBase(r, element);
        result = poseOfFrame(r, scope, element, base, depth + 1, &frame);
    }
    *pose = result == wk_ok ? wkMulPose(frame, own) : wkIdentityPose();
    return result;
}

wkResult wkSdf_ResolvePose(wkSdfReader* reader, const wkSdfScope* scope,
                           const wkXmlElement* element, wkPose* pose)
{
    return resolve(reader, scope, element, 0, pose);
}
