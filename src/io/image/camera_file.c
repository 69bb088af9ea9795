// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// Cameras as text: a key and its numbers on each line, or a 3x3 matrix and then such lines.

#include "io/image/camera.h"
#include "io/text/line.h"

#include "whisker/detail/counts.h"
#include "whisker/detail/library.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#define MAX_NUMBERS WK_CAMERA_COEFFICIENTS

// Numbers of an intrinsic matrix.
#define MATRIX_NUMBERS 9

// Camera builder with the matrix from lines without a key.
typedef struct textBuilder {
    wkCameraBuilder d;
    double matrix[MATRIX_NUMBERS];
    int matrixCount;
} textBuilder;

// A key: the destination and the count of its numbers.
typedef struct key {
    const char* name;
    size_t offset;  // of the first number in the builder
    bool isWhole;   // int32_t, otherwise doubles
    int leastCount; // numbers
    int mostCount;
    bool isNeeded;
    bool isInMatrix; // also given by a 3x3 matrix
} key;

// clang-format off
static const key keys[] = {
    {"width",         offsetof(wkCameraBuilder, camera.width),        true,  1, 1, true, false},
    {"height",        offsetof(wkCameraBuilder, camera.height),       true,  1, 1, true, false},
    {"fx",            offsetof(wkCameraBuilder, camera.fx),           false, 1, 1, true, true},
    {"fy",            offsetof(wkCameraBuilder, camera.fy),           false, 1, 1, true, true},
    {"cx",            offsetof(wkCameraBuilder, camera.cx),           false, 1, 1, false, true},
    {"cy",            offsetof(wkCameraBuilder, camera.cy),           false, 1, 1, false, true},
    {"depth_units_m", offsetof(wkCameraBuilder, scale),               false, 1, 1, false, false},
    {"distortion",    offsetof(wkCameraBuilder, camera.coefficients), false, 4, 8, false, false},
    {"pose",          offsetof(wkCameraBuilder, pose),                false, 7, 7, false, false},
};
// clang-format on
#define KEY_COUNT ((int)(sizeof keys / sizeof keys[0]))

// Values of `distortion_model`, in ROS and in Whisker.
static const struct {
    const char* word;
    wkDistortion distortion;
} models[] = {
    {"none", wk_distortionNone},       {"brown", wk_distortionBrown},
    {"plumb_bob", wk_distortionBrown}, {"rational_polynomial", wk_distortionBrown},
    {"fisheye", wk_distortionFisheye}, {"equidistant", wk_distortionFisheye},
};
#define MODEL_COUNT ((int)(sizeof models / sizeof models[0]))

bool wkCameraBuilder_TakeModel(wkCameraBuilder* builder, const char* word, size_t length)
{
    for (int i = 0; i < MODEL_COUNT; ++i) {
        if (length == strlen(models[i].word) && wkIoIsWord(word, word + length, models[i].word)) {
            builder->camera.distortion = models[i].distortion;
            builder->hasModel = true;
            return true;
        }
    }
    return false;
}

const char* wkCameraBuilder_TakeMatrix(wkCameraBuilder* builder, const double matrix[9])
{
    wkCamera* camera = &builder->camera;
    if (matrix[0] == 0.0 && matrix[4] == 0.0) {
        return "its focal lengths are 0: the camera is not calibrated";
    }
    if (matrix[1] != 0.0) {
        return "its skew (row 1, column 2) is not 0";
    }
    if (matrix[3] != 0.0 || matrix[6] != 0.0 || matrix[7] != 0.0 || matrix[8] != 1.0) {
        return "it is not fx 0 cx, 0 fy cy, 0 0 1";
    }
    camera->fx = matrix[0];
    camera->cx = matrix[2];
    camera->fy = matrix[4];
    camera->cy = matrix[5];
    return NULL;
}

static int lengthOf(const char* word, const char* wordEnd)
{
    return (int)(wordEnd - word < 40 ? wordEnd - word : 40);
}

static wkResult readModel(wkIoLine* line, wkCameraBuilder* d)
{
    const char* wordEnd = NULL;
    const char* word = wkIoLine_Next(line, &wordEnd);
    if (wkCameraBuilder_TakeModel(d, word, (size_t)(wordEnd - word))) {
        return wk_ok;
    }
    return wkIoFailLine(line->source, word, wk_errorParse,
                        "distortion_model: \"%.*s\" is none of " WK_CAMERA_MODELS,
                        lengthOf(word, wordEnd), word);
}

static wkResult storeNumbers(const wkIoLine* line, const key* k, const double* numbers, int count,
                             wkCameraBuilder* d)
{
    char* field = (char*)d + k->offset;
    if (!k->isWhole) {
        memcpy(field, numbers, (size_t)count * sizeof *numbers);
        return wk_ok;
    }
    if (numbers[0] != floor(numbers[0]) || !(fabs(numbers[0]) <= 1e9)) {
        return wkIoFailLine(line->source, line->at, wk_errorParse, "%s: %g is no whole number",
                            k->name, numbers[0]);
    }
    int32_t whole = (int32_t)numbers[0];
    memcpy(field, &whole, sizeof whole);
    return wk_ok;
}

static wkResult readNumbers(wkIoLine* line, const key* k, wkCameraBuilder* d)
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
        return wkIoFailLine(line->source, line->at, wk_errorParse, "%s: %s%d numbers, expected %d",
                            k->name, count > k->mostCount ? "at least " : "", count, k->mostCount);
    }
    if (count < k->leastCount || count > k->mostCount) {
        return wkIoFailLine(
            line->source, line->at, wk_errorParse, "%s: %s%d numbers, expected %d to %d", k->name,
            count > k->mostCount ? "at least " : "", count, k->leastCount, k->mostCount);
    }
    return storeNumbers(line, k, numbers, count, d);
}

// @param said one bit for each key that was read
static wkResult readLine(wkIoLine line, wkCameraBuilder* d, unsigned* said)
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

// Reads numbers of the matrix, separated by blanks or commas, in any number per line.
static wkResult readMatrix(wkIoLine line, textBuilder* d)
{
    const char* at = wkIoSkipBlanks(line.at, line.end);
    while (at < line.end) {
        double number = NAN;
        const char* stop = wkIoParseNumber(at, line.end, &number);
        bool isEnd =
            stop != NULL && (wkIoIsWordEnd(stop, line.end) || *stop == ',' || *stop == ';');
        if (!isEnd || !isfinite(number)) {
            return wkIoFailLine(line.source, at, wk_errorParse,
                                "\"%.*s\" is no number of a 3x3 matrix",
                                lengthOf(at, wkIoSkipWord(at, line.end)), at);
        }
        if (d->matrixCount == MATRIX_NUMBERS) {
            return wkIoFailLine(line.source, at, wk_errorParse,
                                "more than the nine numbers of a 3x3 matrix");
        }
        d->matrix[d->matrixCount++] = number;
        at = wkIoSkipBlanks(stop, line.end);
        at = at < line.end && (*at == ',' || *at == ';') ? wkIoSkipBlanks(at + 1, line.end) : at;
    }
    return wk_ok;
}

static bool startsNumber(const char* at)
{
    return wkIoIsDigit(*at) || *at == '-' || *at == '+' || *at == '.';
}

static wkResult readLines(const wkIoSource* source, textBuilder* d, unsigned* said)
{
    const char* next = (const char*)source->bytes;
    const char* end = next + source->byteCount;
    wkResult result = wk_ok;
    while (next < end && result == wk_ok) {
        wkIoLine line = wkIoLine_At(source, next, &next);
        const char* start = wkIoSkipBlanks(line.at, line.end);
        if (start < line.end && *start != '#') {
            result = startsNumber(start) ? readMatrix(line, d) : readLine(line, &d->d, said);
        }
    }
    return result;
}

// Uses the matrix for the keys of the focal lengths and the principal point.
static wkResult takeMatrix(const wkIoSource* source, textBuilder* d, unsigned* said)
{
    if (d->matrixCount == 0) {
        return wk_ok;
    }
    if (d->matrixCount != MATRIX_NUMBERS) {
        return wkIoFail(source->name, wk_errorParse, "%d numbers of a 3x3 matrix, expected nine",
                        d->matrixCount);
    }
    for (int i = 0; i < KEY_COUNT; ++i) {
        if (keys[i].isInMatrix && (*said >> i & 1) != 0) {
            return wkIoFail(source->name, wk_errorParse, "%s is there, and in the 3x3 matrix too",
                            keys[i].name);
        }
        *said |= keys[i].isInMatrix ? 1u << i : 0;
    }
    const char* words = wkCameraBuilder_TakeMatrix(&d->d, d->matrix);
    d->d.maySkipSize = true;
    return words == NULL ? wk_ok
                         : wkIoFail(source->name, wk_errorParse, "the 3x3 matrix: %s", words);
}

// Sets Brown's model if none was named, and no lens if all coefficients are zero.
static void finishLens(wkCameraBuilder* d)
{
    wkCamera* camera = &d->camera;
    bool bends = false;
    for (int i = 0; i < MAX_NUMBERS; ++i) {
        bends = bends || camera->coefficients[i] != 0.0;
    }
    if (!d->hasModel) {
        camera->distortion = wk_distortionBrown;
    }
    if (camera->distortion == wk_distortionBrown && !bends) {
        camera->distortion = wk_distortionNone;
    }
}

// Checks a camera; one without a size is checked with the principal point at the center of the image.
static wkResult checkCamera(const wkCamera* camera)
{
    wkCamera sized = *camera;
    if (sized.width == 0 && sized.height == 0) {
        sized.width = sized.height = 2;
    }
    return wkCamera_Check(&sized);
}

wkResult wkCameraBuilder_Finish(wkCameraBuilder* d, const wkIoSource* source)
{
    finishLens(d);
    bool hasSize = d->camera.width != 0 || d->camera.height != 0;
    d->camera.cx = isnan(d->camera.cx) ? 0.5 * (d->camera.width - 1) : d->camera.cx;
    d->camera.cy = isnan(d->camera.cy) ? 0.5 * (d->camera.height - 1) : d->camera.cy;
    wkResult result =
        hasSize || !d->maySkipSize ? wkCamera_Check(&d->camera) : checkCamera(&d->camera);
    if (result != wk_ok) {
        return wkIoFailAgain(source, result);
    }
    if (!(d->scale > 0.0) || !(d->scale < INFINITY)) {
        return wkIoFail(source->name, wk_errorRange, "depth_units_m is %g, must be above 0",
                        d->scale);
    }
    wkPose p = d->pose;
    return wkIsValidPose(p)
               ? wk_ok
               : wkIoFail(
                     source->name, wk_errorNotFinite,
                     "pose is %g %g %g %g %g %g %g, expected x y z and a quaternion, all finite "
                     "and not all of qx qy qz qw 0",
                     p.position.x, p.position.y, p.position.z, p.rotation.x, p.rotation.y,
                     p.rotation.z, p.rotation.w);
}

static wkResult readText(const wkIoSource* source, wkCameraBuilder* result)
{
    textBuilder d = {.d = *result};
    unsigned said = 0;
    wkResult outcome = readLines(source, &d, &said);
    if (outcome == wk_ok) {
        outcome = takeMatrix(source, &d, &said);
    }
    for (int i = 0; i < KEY_COUNT && outcome == wk_ok; ++i) {
        bool isSize = keys[i].isWhole;
        bool isPose = keys[i].offset == offsetof(wkCameraBuilder, pose);
        d.d.hasPose = d.d.hasPose || (isPose && (said >> i & 1) != 0);
        if (keys[i].isNeeded && (said >> i & 1) == 0 && !(isSize && d.d.maySkipSize)) {
            outcome = wkIoFail(source->name, wk_errorParse, "%s is missing", keys[i].name);
        }
    }
    *result = d.d;
    return outcome;
}

static wkResult read(const wkIoSource* source, void* result)
{
    wkDepthImage* image = (wkDepthImage*)result;
    wkCameraBuilder d = {.camera = wkDefaultCamera(), .scale = 0.001, .pose = wkIdentityPose()};
    d.camera.width = d.camera.height = 0;
    d.camera.cx = d.camera.cy = NAN;
    wkResult outcome =
        wkIsCameraYaml(source) ? wkCameraBuilder_ReadYaml(&d, source) : readText(source, &d);
    if (outcome == wk_ok) {
        outcome = wkCameraBuilder_Finish(&d, source);
    }
    if (outcome == wk_ok) {
        image->camera = d.camera;
        image->scale = d.scale;
        image->pose = d.hasPose ? d.pose : image->pose;
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
    static const char* const words[WK_DISTORTION_COUNT] = {"none", "brown", "fisheye"};
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
