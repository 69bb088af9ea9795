// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// Camera descriptions of ROS, in two layouts: calibration files (image_width, camera_matrix with rows, cols
// and data) and messages of sensor_msgs/CameraInfo (width, K or k). They describe the raw image: K and D are
// used; R and P belong to the rectified image and are only checked.

#include "io/image/camera.h"
#include "io/text/document.h"
#include "io/text/text_reader.h"

#include <math.h>
#include <string.h>

// Maximum count of numbers of a key: the 12 of P, and the 14 coefficients of OpenCV.
#define MAX_NUMBERS 14

// A document and the camera read from it.
typedef struct infoReader {
    const wkDocument* document;
    wkCameraBuilder* builder;
    const wkDocNode* matrix;
    const wkDocNode* coefficients;
} infoReader;

typedef wkResult readFcn(infoReader* r, const wkDocNode* node);

static wkResult readWhole(infoReader* r, const wkDocNode* node, int32_t* value)
{
    double number = 0.0;
    wkResult result = wkDocument_Number(r->document, node, &number);
    if (result == wk_ok && (number != floor(number) || !(number >= 0.0 && number <= 1e9))) {
        result = wkDocument_Fail(r->document, node, wk_errorParse,
                                 "%g is no whole number from 0 to 1e9", number);
    }
    *value = result == wk_ok ? (int32_t)number : 0;
    return result;
}

static wkResult readWidth(infoReader* r, const wkDocNode* node)
{
    return readWhole(r, node, &r->builder->camera.width);
}

static wkResult readHeight(infoReader* r, const wkDocNode* node)
{
    return readWhole(r, node, &r->builder->camera.height);
}

// Reads numbers from a list, or from the list `data` of a map whose rows times cols match its length.
static wkResult readNumbers(infoReader* r, const wkDocNode* node, int32_t leastCount,
                            int32_t mostCount, double* numbers, int32_t* count)
{
    const wkDocument* document = r->document;
    const wkDocNode* list = node;
    int32_t rows = 0, columns = 0;
    wkResult result = wk_ok;
    if (node->kind == wk_docMap) {
        const wkDocNode *rowNode = NULL, *columnNode = NULL;
        result = wkDocument_Need(document, node, "data", &list);
        result = result == wk_ok ? wkDocument_Need(document, node, "rows", &rowNode) : result;
        result = result == wk_ok ? wkDocument_Need(document, node, "cols", &columnNode) : result;
        result = result == wk_ok ? readWhole(r, rowNode, &rows) : result;
        result = result == wk_ok ? readWhole(r, columnNode, &columns) : result;
    }
    if (result == wk_ok) {
        result = wkDocument_NeedKind(document, list, wk_docList);
    }
    if (result != wk_ok) {
        return result;
    }
    if (list->count < leastCount || list->count > mostCount ||
        (list != node && (int64_t)rows * columns != list->count)) {
        return leastCount == mostCount
                   ? wkDocument_Fail(document, list, wk_errorParse, "%d numbers, expected %d",
                                     (int)list->count, (int)mostCount)
                   : wkDocument_Fail(document, list, wk_errorParse,
                                     "%d numbers, expected %d to %d, rows times cols",
                                     (int)list->count, (int)leastCount, (int)mostCount);
    }
    *count = 0;
    for (const wkDocNode* child = list->firstChild; child != NULL && result == wk_ok;
         child = child->next) {
        result = wkDocument_Number(document, child, &numbers[(*count)++]);
    }
    return result;
}

static wkResult readMatrix(infoReader* r, const wkDocNode* node)
{
    double matrix[MAX_NUMBERS] = {0.0};
    int32_t count = 0;
    r->matrix = node;
    wkResult result = readNumbers(r, node, 9, 9, matrix, &count);
    if (result != wk_ok) {
        return result;
    }
    const char* words = wkCameraBuilder_TakeMatrix(r->builder, matrix);
    return words == NULL ? wk_ok : wkDocument_Fail(r->document, node, wk_errorParse, "%s", words);
}

// Reads coefficients. Those that no supported model has, of thin prisms and tilted sensors, must be 0.
static wkResult readCoefficients(infoReader* r, const wkDocNode* node)
{
    double numbers[MAX_NUMBERS] = {0.0};
    int32_t count = 0;
    r->coefficients = node;
    wkResult result = readNumbers(r, node, 0, MAX_NUMBERS, numbers, &count);
    for (int32_t i = WK_CAMERA_COEFFICIENTS; i < count && result == wk_ok; i++) {
        if (numbers[i] != 0.0) {
            result = wkDocument_Fail(r->document, node, wk_errorUnsupported,
                                     "coefficient %d is %g: only the first 8 are read, the others "
                                     "must be 0",
                                     (int)i + 1, numbers[i]);
        }
    }
    memcpy(r->builder->camera.coefficients, numbers, sizeof r->builder->camera.coefficients);
    return result;
}

// Checks that R and P are matrices; they are not used.
static wkResult checkRectification(infoReader* r, const wkDocNode* node)
{
    double numbers[MAX_NUMBERS];
    int32_t count = 0;
    return readNumbers(r, node, 9, 9, numbers, &count);
}

static wkResult checkProjection(infoReader* r, const wkDocNode* node)
{
    double numbers[MAX_NUMBERS];
    int32_t count = 0;
    return readNumbers(r, node, 12, 12, numbers, &count);
}

static wkResult readModel(infoReader* r, const wkDocNode* node)
{
    wkResult result = wkDocument_NeedKind(r->document, node, wk_docText);
    if (result != wk_ok || node->text[0] == '\0' ||
        wkCameraBuilder_TakeModel(r->builder, node->text, strlen(node->text))) {
        return result;
    }
    return wkDocument_Fail(r->document, node, wk_errorUnsupported,
                           "\"%.40s\" is none of " WK_CAMERA_MODELS, node->text);
}

// Refuses binning: K describes pixels without it.
static wkResult checkBinning(infoReader* r, const wkDocNode* node)
{
    int32_t binning = 0;
    wkResult result = readWhole(r, node, &binning);
    return result != wk_ok || binning <= 1
               ? result
               : wkDocument_Fail(r->document, node, wk_errorUnsupported,
                                 "binning of %d pixels is not read, must be 0 or 1", (int)binning);
}

// Refuses a region of interest; the whole image is written as zeros, or as the full size.
static wkResult checkRegion(infoReader* r, const wkDocNode* node)
{
    static const char* const names[] = {"x_offset", "y_offset", "width", "height"};
    const int32_t full[] = {0, 0, r->builder->camera.width, r->builder->camera.height};
    wkResult result = wkDocument_NeedKind(r->document, node, wk_docMap);
    for (int i = 0; i < 4 && result == wk_ok; i++) {
        const wkDocNode* child = wkDocNode_Find(node, names[i]);
        int32_t value = 0;
        result = child != NULL ? readWhole(r, child, &value) : wk_ok;
        if (result == wk_ok && value != 0 && value != full[i]) {
            result =
                wkDocument_Fail(r->document, child, wk_errorUnsupported,
                                "a part of the image (%s %d) is not read", names[i], (int)value);
        }
    }
    return result;
}

static wkResult readScale(infoReader* r, const wkDocNode* node)
{
    return wkDocument_Number(r->document, node, &r->builder->scale);
}

static wkResult readPose(infoReader* r, const wkDocNode* node)
{
    double numbers[MAX_NUMBERS] = {0.0};
    int32_t count = 0;
    wkResult result = readNumbers(r, node, 7, 7, numbers, &count);
    r->builder->hasPose = true;
    r->builder->pose = (wkPose){{numbers[0], numbers[1], numbers[2]},
                                {numbers[3], numbers[4], numbers[5], numbers[6]}};
    return result;
}

static wkResult skip(infoReader* r, const wkDocNode* node)
{
    (void)r;
    (void)node;
    return wk_ok;
}

// Keys of both layouts, and two of Whisker. The size comes first because the region is compared with it.
static const struct {
    const char* name;
    readFcn* read;
} keys[] = {
    {"width", readWidth},
    {"image_width", readWidth},
    {"height", readHeight},
    {"image_height", readHeight},
    {"distortion_model", readModel},
    {"camera_matrix", readMatrix},
    {"K", readMatrix},
    {"k", readMatrix},
    {"distortion_coefficients", readCoefficients},
    {"D", readCoefficients},
    {"d", readCoefficients},
    {"rectification_matrix", checkRectification},
    {"R", checkRectification},
    {"r", checkRectification},
    {"projection_matrix", checkProjection},
    {"P", checkProjection},
    {"p", checkProjection},
    {"binning_x", checkBinning},
    {"binning_y", checkBinning},
    {"roi", checkRegion},
    {"depth_units_m", readScale},
    {"pose", readPose},
    {"header", skip},
    {"camera_name", skip},
};

#define KEY_COUNT ((int)(sizeof keys / sizeof keys[0]))

static wkResult checkKeys(const wkDocument* document)
{
    for (const wkDocNode* child = document->root->firstChild; child != NULL; child = child->next) {
        int i = 0;
        while (i < KEY_COUNT && strcmp(keys[i].name, child->key) != 0) {
            i++;
        }
        if (i == KEY_COUNT) {
            return wkDocument_Fail(document, child, wk_errorParse, "unknown key of a camera file");
        }
    }
    return wk_ok;
}

// Checks the number of coefficients of the model; missing coefficients are not taken as zeros.
static wkResult checkLens(const infoReader* r)
{
    const wkCamera* camera = &r->builder->camera;
    const double* c = camera->coefficients;
    bool isFisheye = camera->distortion == wk_distortionFisheye;
    if (isFisheye && (c[4] != 0.0 || c[5] != 0.0 || c[6] != 0.0 || c[7] != 0.0)) {
        return wkDocument_Fail(r->document, r->coefficients, wk_errorParse,
                               "a fisheye lens has 4 coefficients, the others must be 0");
    }
    bool bends = false;
    for (int i = 0; i < WK_CAMERA_COEFFICIENTS; i++) {
        bends = bends || c[i] != 0.0;
    }
    if (r->builder->hasModel && camera->distortion == wk_distortionNone && bends) {
        return wkDocument_Fail(r->document, r->coefficients, wk_errorParse,
                               "distortion_model is none, but a coefficient is not 0");
    }
    return wk_ok;
}

static wkResult readDocument(const wkDocument* document, wkCameraBuilder* builder)
{
    infoReader r = {document, builder, NULL, NULL};
    wkResult result = wkDocument_NeedKind(document, document->root, wk_docMap);
    if (result == wk_ok) {
        result = checkKeys(document);
    }
    for (int i = 0; i < KEY_COUNT && result == wk_ok; i++) {
        const wkDocNode* node = wkDocNode_Find(document->root, keys[i].name);
        result = node != NULL ? keys[i].read(&r, node) : wk_ok;
    }
    if (result == wk_ok && r.matrix == NULL) {
        result = wkDocument_Fail(document, document->root, wk_errorParse,
                                 "camera_matrix (or K) is missing");
    }
    return result == wk_ok ? checkLens(&r) : result;
}

bool wkIsCameraYaml(const wkIoSource* source)
{
    const char* at = (const char*)source->bytes;
    const char* end = at + source->byteCount;
    for (; at < end; at = wkIoNextLine(at, end)) {
        const char* word = wkIoSkipBlanks(at, end);
        if (word < end && *word != '#' && *word != '\n' && *word != '\r') {
            const char* stop = wkIoSkipWord(word, end);
            return *word == '{' || *word == '%' ||
                   (stop - word == 3 && memcmp(word, "---", 3) == 0) ||
                   memchr(word, ':', (size_t)(stop - word)) != NULL;
        }
    }
    return false;
}

// Finds the first of several messages, which rostopic separates with "---". Only blanks may follow.
static wkResult takeFirst(const wkIoSource* source, wkIoSource* first)
{
    const char* start = (const char*)source->bytes;
    const char* end = start + source->byteCount;
    bool hasContent = false;
    *first = *source;
    for (const char* at = start; at < end; at = wkIoNextLine(at, end)) {
        bool isMark = end - at >= 3 && memcmp(at, "---", 3) == 0 && wkIoIsWordEnd(at + 3, end);
        if (isMark && hasContent) {
            first->byteCount = (size_t)(at - start);
            const char* rest = wkIoSkipSpaces(at + 3, end);
            return rest == end ? wk_ok
                               : wkIoFailLine(source, rest, wk_errorParse,
                                              "another message follows: one is read");
        }
        const char* word = wkIoSkipBlanks(at, end);
        hasContent = hasContent || (!isMark && word < end && *word != '\n' && *word != '#');
    }
    return wk_ok;
}

wkResult wkCameraBuilder_ReadYaml(wkCameraBuilder* builder, const wkIoSource* source)
{
    wkIoArena arena = {NULL, 0};
    wkDocument document;
    wkIoSource first;
    wkResult result = takeFirst(source, &first);
    if (result == wk_ok) {
        result = wkDocument_ParseYaml(&document, &first, &arena);
    }
    if (result == wk_ok) {
        result = readDocument(&document, builder);
    }
    wkIoArena_Free(&arena);
    return result;
}
