// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// Cameras as text: a key and its numbers on each line.

#include "io/line.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#define MAX_NUMBERS 8

// A camera on its way.
typedef struct draft {
    wkCamera camera;
    double scale;
    wkPose pose;
} draft;

// A key: where its numbers go, and how many there are.
typedef struct key {
    const char* name;
    size_t offset;  // of the first number in the draft
    bool isWhole;   // int32_t, otherwise doubles
    int leastCount; // numbers
    int mostCount;
    bool isNeeded;
} key;

// clang-format off
static const key keys[] = {
    {"width",         offsetof(draft, camera.width),        true,  1, 1, true},
    {"height",        offsetof(draft, camera.height),       true,  1, 1, true},
    {"fx",            offsetof(draft, camera.fx),           false, 1, 1, true},
    {"fy",            offsetof(draft, camera.fy),           false, 1, 1, true},
    {"cx",            offsetof(draft, camera.cx),           false, 1, 1, false},
    {"cy",            offsetof(draft, camera.cy),           false, 1, 1, false},
    {"depth_units_m", offsetof(draft, scale),               false, 1, 1, false},
    {"distortion",    offsetof(draft, camera.coefficients), false, 4, 8, false},
    {"pose",          offsetof(draft, pose),                false, 7, 7, false},
};
// clang-format on
#define KEY_COUNT ((int)(sizeof keys / sizeof keys[0]))

// `distortion_model` and its words, as ROS has them and as we do.
static const struct {
    const char* word;
    wkDistortion distortion;
} models[] = {
    {"none", wk_distortionNone},       {"brown", wk_distortionBrown},
    {"plumb_bob", wk_distortionBrown}, {"rational_polynomial", wk_distortionBrown},
    {"fisheye", wk_distortionFisheye}, {"equidistant", wk_distortionFisheye},
};
#define MODEL_COUNT ((int)(sizeof models / sizeof models[0]))
// Bits of what has been said, behind those of the keys.
#define SAID_MODEL (1u << KEY_COUNT)

static int lengthOf(const char* word, const char* wordEnd)
{
    return (int)(wordEnd - word < 40 ? wordEnd - word : 40);
}

static wkResult readModel(wkIoLine* line, draft* d)
{
    const char* wordEnd = NULL;
    const char* word = wkIoLine_Next(line, &wordEnd);
    for (int i = 0; i < MODEL_COUNT; ++i) {
        if ((size_t)(wordEnd - word) == strlen(models[i].word) &&
            wkIoIsWord(word, wordEnd, models[i].word)) {
            d->camera.distortion = models[i].distortion;
            return wk_ok;
        }
    }
    return wkIoFailLine(line->source, word, wk_errorParse,
                        "distortion_model: \"%.*s\" is none of none, brown, plumb_bob, "
                        "rational_polynomial, fisheye, equidistant",
                        lengthOf(word, wordEnd), word);
}

static wkResult storeNumbers(const wkIoLine* line, const key* k, const double* numbers, int count,
                             draft* d)
{
    char* place = (char*)d + k->offset;
    if (!k->isWhole) {
        memcpy(place, numbers, (size_t)count * sizeof *numbers);
        return wk_ok;
    }
    if (numbers[0] != floor(numbers[0]) || !(fabs(numbers[0]) <= 1e9)) {
        return wkIoFailLine(line->source, line->at, wk_errorParse, "%s: %g is no whole number",
                            k->name, numbers[0]);
    }
    int32_t whole = (int32_t)numbers[0];
    memcpy(place, &whole, sizeof whole);
    return wk_ok;
}

static wkResult readNumbers(wkIoLine* line, const key* k, draft* d)
{
    double numbers[MAX_NUMBERS + 1] = {0};
    int count = 0;
    while (count <= k->mostCount && wkIoSkipBlanks(line->at, line->end) < line->end) {
        const char* word = wkIoSkipBlanks(line->at, line->end);
        if (!wkIoLine_NextNumber(line, &numbers[count++])) {
            return wkIoFailLine(line->source, word, wk_errorParse, "%s: \"%.*s\" is no number",
                                k->name, lengthOf(word, line->at), word);
        }
    }
    if (k->leastCount == k->mostCount && count != k->mostCount) {
        return wkIoFailLine(line->source, line->at, wk_errorParse, "%s: must be followed by %d %s",
                            k->name, k->mostCount, k->mostCount == 1 ? "number" : "numbers");
    }
    if (count < k->leastCount || count > k->mostCount) {
        return wkIoFailLine(line->source, line->at, wk_errorParse,
                            "%s: must be followed by %d to %d numbers", k->name, k->leastCount,
                            k->mostCount);
    }
    return storeNumbers(line, k, numbers, count, d);
}

// @param said a bit for each key that was there
static wkResult readLine(wkIoLine line, draft* d, unsigned* said)
{
    const char* wordEnd = NULL;
    const char* word = wkIoLine_Next(&line, &wordEnd);
    size_t length = (size_t)(wordEnd - word);
    int number = 0;
    while (number < KEY_COUNT &&
           !(strlen(keys[number].name) == length && memcmp(keys[number].name, word, length) == 0)) {
        ++number;
    }
    bool isModel = length == 16 && memcmp(word, "distortion_model", 16) == 0;
    if (number == KEY_COUNT && !isModel) {
        return wkIoFailLine(line.source, word, wk_errorParse, "\"%.*s\" is no key of a camera",
                            lengthOf(word, wordEnd), word);
    }
    if ((*said >> number & 1) != 0) {
        return wkIoFailLine(line.source, word, wk_errorParse, "%.*s is there a second time",
                            lengthOf(word, wordEnd), word);
    }
    *said |= 1u << number;
    return isModel ? readModel(&line, d) : readNumbers(&line, &keys[number], d);
}

static wkResult readLines(const wkIoSource* source, draft* d, unsigned* said)
{
    const char* next = (const char*)source->bytes;
    const char* end = next + source->byteCount;
    wkResult result = wk_ok;
    while (next < end && result == wk_ok) {
        wkIoLine line = wkIoLine_At(source, next, &next);
        const char* start = wkIoSkipBlanks(line.at, line.end);
        if (start < line.end && *start != '#') {
            result = readLine(line, d, said);
        }
    }
    return result;
}

// A model that was not named is Brown's, and no lens at all when all its numbers are zero.
static void finishLens(wkCamera* camera, unsigned said)
{
    bool bends = false;
    for (int i = 0; i < MAX_NUMBERS; ++i) {
        bends = bends || camera->coefficients[i] != 0.0;
    }
    if ((said & SAID_MODEL) == 0) {
        camera->distortion = wk_distortionBrown;
    }
    if (camera->distortion == wk_distortionBrown && !bends) {
        camera->distortion = wk_distortionNone;
    }
}

static wkResult finish(const wkIoSource* source, draft* d, unsigned said)
{
    for (int i = 0; i < KEY_COUNT; ++i) {
        if (keys[i].isNeeded && (said >> i & 1) == 0) {
            return wkIoFail(source->name, wk_errorParse, "%s is missing", keys[i].name);
        }
    }
    finishLens(&d->camera, said);
    d->camera.cx = isnan(d->camera.cx) ? 0.5 * (d->camera.width - 1) : d->camera.cx;
    d->camera.cy = isnan(d->camera.cy) ? 0.5 * (d->camera.height - 1) : d->camera.cy;
    wkResult result = wkCamera_Check(&d->camera);
    if (result != wk_ok) {
        return wkIoFailAgain(source, result);
    }
    if (!(d->scale > 0.0) || !(d->scale < INFINITY)) {
        return wkIoFail(source->name, wk_errorRange, "depth_units_m is %g, must be above 0",
                        d->scale);
    }
    return wkIsValidPose(d->pose) ? wk_ok
                                  : wkIoFail(source->name, wk_errorNotFinite, "pose is no pose");
}

static wkResult read(const wkIoSource* source, void* result)
{
    wkDepthImage* image = (wkDepthImage*)result;
    draft d = {wkDefaultCamera(), 0.001, wkIdentityPose()};
    unsigned said = 0;
    d.camera.cx = d.camera.cy = NAN;
    wkResult outcome = readLines(source, &d, &said);
    if (outcome == wk_ok) {
        outcome = finish(source, &d, said);
    }
    if (outcome == wk_ok) {
        image->camera = d.camera;
        image->scale = d.scale;
        image->pose = d.pose;
    }
    return outcome;
}

wkResult wkDepthImage_LoadCamera(const char* path, wkDepthImage* image)
{
    return wkIoReadFrom(path, read, image);
}

wkResult wkDepthImage_ParseCamera(const void* bytes, size_t byteCount, wkDepthImage* image)
{
    return wkIoReadBytes("camera", bytes, byteCount, read, image);
}

static void printNumbers(wkIoSink* sink, const char* name, const double* numbers, int count)
{
    wkIoSink_Print(sink, "%s", name);
    for (int i = 0; i < count; ++i) {
        char text[WK_IO_NUMBER_CAPACITY];
        wkIoSink_Print(sink, " %s", wkIoWriteNumber(numbers[i], text));
    }
    wkIoSink_Print(sink, "\n");
}

static void writeCamera(wkIoSink* sink, const void* context)
{
    static const char* const words[wk_distortionCount] = {"none", "brown", "fisheye"};
    const wkDepthImage* image = (const wkDepthImage*)context;
    const wkCamera* camera = &image->camera;
    wkIoSink_Print(sink, "width %d\nheight %d\n", camera->width, camera->height);
    printNumbers(sink, "fx", &camera->fx, 1);
    printNumbers(sink, "fy", &camera->fy, 1);
    printNumbers(sink, "cx", &camera->cx, 1);
    printNumbers(sink, "cy", &camera->cy, 1);
    printNumbers(sink, "depth_units_m", &image->scale, 1);
    if (camera->distortion != wk_distortionNone) {
        wkIoSink_Print(sink, "distortion_model %s\n", words[camera->distortion]);
        printNumbers(sink, "distortion", camera->coefficients, MAX_NUMBERS);
    }
    const double pose[7] = {image->pose.position.x, image->pose.position.y, image->pose.position.z,
                            image->pose.rotation.x, image->pose.rotation.y, image->pose.rotation.z,
                            image->pose.rotation.w};
    printNumbers(sink, "pose", pose, 7);
}

wkResult wkDepthImage_SaveCamera(const char* path, const wkDepthImage* image)
{
    if (path == NULL || image == NULL) {
        return wkSetLastError(wk_errorArgument, "save: path or image is NULL");
    }
    wkResult result = wkCamera_Check(&image->camera);
    if (result == wk_ok && !wkIsValidPose(image->pose)) {
        result = wkIoFail(path, wk_errorNotFinite, "the pose is none");
    }
    return result == wk_ok ? wkIoWriteFile(path, writeCamera, image) : result;
}
