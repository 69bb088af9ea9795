// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// Geometry that MoveIt saves as text, in .scene files: a name, and then objects. Words are separated by white
// space, except the names of scene and objects, which are the rest of their lines. Since MoveIt 1.1 objects
// have a pose and subframes. As in MoveIt, the first object determines the form of the file: a single number
// on the line after the name is the number of shapes.

#include "io/text/text_reader.h"
#include "io/world/world_builder.h"

#include <math.h>
#include <string.h>

// Minimum bytes of a number in the file, which limits the size of a mesh.
#define LEAST_NUMBER_BYTES 2

typedef struct sceneReader {
    wkWorldBuilder* builder;
    const char* at;
    const char* end;
    bool hasPoses; // the newer form
} sceneReader;

static wkResult failHere(const sceneReader* r, wkResult result, const char* words)
{
    return wkIoFailLine(r->builder->source, r->at, result, "%s", words);
}

// Repeats the last error, which has no location, with the current line.
static wkResult failAgain(const sceneReader* r, const char* at, wkResult result)
{
    char words[300];
    size_t length = strlen(wkGetLastError());
    length = length < sizeof words ? length : sizeof words - 1;
    memcpy(words, wkGetLastError(), length);
    words[length] = '\0';
    return wkIoFailLine(r->builder->source, at, result, "%s", words);
}

static const char* nextWord(sceneReader* r, int* length)
{
    const char* word = wkIoSkipSpaces(r->at, r->end);
    r->at = wkIoSkipWord(word, r->end);
    *length = (int)(r->at - word);
    return word;
}

static wkResult readNumber(sceneReader* r, const char* what, double* number)
{
    int length = 0;
    const char* word = nextWord(r, &length);
    const char* stop = length > 0 ? wkIoParseNumber(word, word + length, number) : NULL;
    if (stop != word + length || !isfinite(*number)) {
        int shown = length < 40 ? length : 40;
        return wkIoFailLine(r->builder->source, word, wk_errorParse,
                            length == 0 ? "%s: the file ends here%.*s"
                                        : "%s: \"%.*s\" is not a finite number",
                            what, shown, word);
    }
    return wk_ok;
}

static wkResult readNumbers(sceneReader* r, const char* what, double* numbers, int count)
{
    wkResult result = wk_ok;
    for (int i = 0; i < count && result == wk_ok; i++) {
        result = readNumber(r, what, &numbers[i]);
    }
    return result;
}

// Reads a count; the rest of the file must have at least `leastBytes` for each item.
static wkResult readCount(sceneReader* r, const char* what, size_t leastBytes, int32_t* count)
{
    double number = 0.0;
    wkResult result = readNumber(r, what, &number);
    if (result != wk_ok) {
        return result;
    }
    size_t capacity = (size_t)(r->end - r->at) / leastBytes + 1;
    double most = (double)capacity;
    if (number != floor(number) || number < 0.0 || number > most || number > INT32_MAX) {
        return wkIoFailLine(
            r->builder->source, r->at - 1, wk_errorParse,
            "%s: %g is no number from 0 to %.0f, which the rest of the file can hold", what, number,
            most < INT32_MAX ? most : (double)INT32_MAX);
    }
    *count = (int32_t)number;
    return wk_ok;
}

static wkResult readPose(sceneReader* r, wkPose* pose)
{
    double numbers[7];
    const char* start = wkIoSkipSpaces(r->at, r->end);
    wkResult result = readNumbers(r, "pose", numbers, 7);
    if (result != wk_ok) {
        return result;
    }
    result = wkWorldPose(numbers, numbers + 3, pose);
    return result == wk_ok ? wk_ok : failAgain(r, start, result);
}

static wkResult readSphere(sceneReader* r, wkShape* shape)
{
    double radius = 0.0;
    wkResult result = readNumber(r, "sphere", &radius);
    *shape = result == wk_ok ? wkMakeSphere(radius) : *shape;
    return result;
}

static wkResult readBox(sceneReader* r, wkShape* shape)
{
    double size[3] = {0.0};
    wkResult result = readNumbers(r, "box", size, 3);
    *shape = result == wk_ok ? wkMakeBox(size[0], size[1], size[2]) : *shape;
    return result;
}

static wkResult readCylinder(sceneReader* r, wkShape* shape)
{
    double size[2] = {0.0};
    wkResult result = readNumbers(r, "cylinder", size, 2);
    *shape = result == wk_ok ? wkMakeCylinder(size[0], size[1]) : *shape;
    return result;
}

static wkResult readCone(sceneReader* r, wkShape* shape)
{
    double size[2] = {0.0};
    wkResult result = readNumbers(r, "cone", size, 2);
    *shape = result == wk_ok ? wkMakeCone(size[0], size[1]) : *shape;
    return result;
}

// Reads a plane: a x + b y + c z + d = 0
static wkResult readPlane(sceneReader* r, wkShape* shape)
{
    double n[4] = {0.0};
    wkResult result = readNumbers(r, "plane", n, 4);
    *shape = result == wk_ok ? wkMakePlane((wkVec3d){n[0], n[1], n[2]}, -n[3]) : *shape;
    return result;
}

static wkResult readVertices(sceneReader* r, wkVec3d* vertices, int32_t count)
{
    wkResult result = wk_ok;
    for (int32_t i = 0; i < count && result == wk_ok; i++) {
        double v[3] = {0.0};
        result = readNumbers(r, "mesh", v, 3);
        vertices[i] = (wkVec3d){v[0], v[1], v[2]};
    }
    return result;
}

static wkResult readTriangles(sceneReader* r, int32_t* triangles, int32_t count,
                              int32_t vertexCount)
{
    for (int64_t i = 0; i < 3 * (int64_t)count; i++) {
        double index = 0.0;
        wkResult result = readNumber(r, "mesh", &index);
        if (result != wk_ok) {
            return result;
        }
        if (index != floor(index) || index < 0.0 || index >= vertexCount) {
            return wkIoFailLine(r->builder->source, r->at - 1, wk_errorParse,
                                "mesh: %g is not the index of one of %d vertices", index,
                                (int)vertexCount);
        }
        triangles[i] = (int32_t)index;
    }
    return wk_ok;
}

static wkResult readMesh(sceneReader* r, wkShape* shape)
{
    wkWorldBuilder* builder = r->builder;
    int32_t vertexCount = 0, triangleCount = 0;
    wkResult result = readCount(r, "mesh: vertices", 3 * LEAST_NUMBER_BYTES, &vertexCount);
    if (result == wk_ok) {
        result = readCount(r, "mesh: triangles", 3 * LEAST_NUMBER_BYTES, &triangleCount);
    }
    if (result != wk_ok) {
        return result;
    }
    wkIoArena arena = {NULL, 0};
    wkVec3d* vertices = wkIoArena_AllocArray(&arena, (size_t)vertexCount + 1, sizeof *vertices);
    int32_t* triangles =
        wkIoArena_AllocArray(&arena, (size_t)triangleCount + 1, 3 * sizeof *triangles);
    if (vertices == NULL || triangles == NULL) {
        result = failHere(r, wk_errorMemory, "mesh: no memory for its vertices");
    }
    const char* start = r->at;
    result = result == wk_ok ? readVertices(r, vertices, vertexCount) : result;
    result = result == wk_ok ? readTriangles(r, triangles, triangleCount, vertexCount) : result;
    if (result == wk_ok) {
        wkMeshDef def = wkDefaultMeshDef();
        def.vertices = vertices;
        def.vertexCount = vertexCount;
        def.triangles = triangles;
        def.triangleCount = triangleCount;
        result = wkWorldBuilder_BuildMesh(builder, &def, shape);
        result = result == wk_ok ? wk_ok : failAgain(r, start, result);
    }
    wkIoArena_Free(&arena);
    return result;
}

static const struct {
    const char* name;
    wkResult (*read)(sceneReader* r, wkShape* shape);
} shapes[] = {
    {"box", readBox},   {"cylinder", readCylinder}, {"sphere", readSphere},
    {"cone", readCone}, {"plane", readPlane},       {"mesh", readMesh},
};

static wkResult readShape(sceneReader* r)
{
    int length = 0;
    const char* word = nextWord(r, &length);
    size_t row = 0;
    while (row < sizeof shapes / sizeof shapes[0] &&
           !((size_t)length == strlen(shapes[row].name) &&
             memcmp(word, shapes[row].name, (size_t)length) == 0)) {
        row++;
    }
    if (row == sizeof shapes / sizeof shapes[0]) {
        return wkIoFailLine(r->builder->source, word, wk_errorUnsupported,
                            "\"%.*s\" is none of box, cylinder, sphere, cone, plane, mesh",
                            length < 40 ? length : 40, word);
    }
    wkShape shape = {0};
    wkPose pose = wkIdentityPose();
    double colour[4];
    wkResult result = shapes[row].read(r, &shape);
    result = result == wk_ok ? readPose(r, &pose) : result;
    result = result == wk_ok ? readNumbers(r, "colour", colour, 4) : result;
    if (result == wk_ok) {
        result = wkWorldBuilder_AddShape(r->builder, shape, pose);
        result = result == wk_ok ? wk_ok : failAgain(r, word, result);
    }
    return result;
}

static wkResult skipSubframes(sceneReader* r)
{
    int32_t count = 0;
    wkResult result = readCount(r, "subframes", 2, &count);
    for (int32_t i = 0; i < count && result == wk_ok; i++) {
        wkPose pose;
        int length = 0;
        nextWord(r, &length);
        result = readPose(r, &pose);
    }
    return result;
}

// Returns the rest of the line without surrounding blanks, in the arena.
static const char* takeName(sceneReader* r)
{
    const char* start = wkIoSkipBlanks(r->at, r->end);
    const char* stop = start;
    while (stop < r->end && *stop != '\n') {
        stop++;
    }
    r->at = stop;
    while (stop > start && wkIoIsSpace(stop[-1])) {
        stop--;
    }
    return wkIoArena_CopyText(&r->builder->arena, start, (size_t)(stop - start));
}

static wkResult readObject(sceneReader* r)
{
    const char* start = r->at;
    const char* name = takeName(r);
    wkPose pose = wkIdentityPose();
    int32_t shapeCount = 0;
    if (name == NULL || name[0] == '\0') {
        return name == NULL ? failHere(r, wk_errorMemory, "no memory for what it describes")
                            : wkIoFailLine(r->builder->source, start, wk_errorParse,
                                           "an object has no name");
    }
    wkResult result = r->hasPoses ? readPose(r, &pose) : wk_ok;
    result = result == wk_ok ? readCount(r, "shapes", 4, &shapeCount) : result;
    if (result == wk_ok) {
        result = wkWorldBuilder_OpenObject(r->builder, name, pose, false);
        result = result == wk_ok ? wk_ok : failAgain(r, start, result);
    }
    for (int32_t i = 0; i < shapeCount && result == wk_ok; i++) {
        result = readShape(r);
    }
    result = result == wk_ok && r->hasPoses ? skipSubframes(r) : result;
    if (result == wk_ok) {
        wkWorldBuilder_CloseObject(r->builder);
    }
    return result;
}

// Returns true when the line after the name of the first object has more than one word.
static bool hasPoses(const char* at, const char* end)
{
    for (; at < end; at = wkIoNextLine(at, end)) {
        const char* first = wkIoSkipBlanks(at, end);
        if (first < end && *first == '*') {
            const char* line = wkIoNextLine(at, end);
            const char* word = wkIoSkipBlanks(line, end);
            word = wkIoSkipBlanks(wkIoSkipWord(word, end), end);
            return word < end && *word != '\n' && *word != '\r';
        }
    }
    return false;
}

wkResult wkWorldBuilder_ReadScene(wkWorldBuilder* builder)
{
    const char* start = (const char*)builder->source->bytes;
    const char* end = start + builder->source->byteCount;
    sceneReader r = {.builder = builder, .at = wkIoNextLine(start, end), .end = end};
    r.hasPoses = hasPoses(r.at, end);
    for (wkResult result = wk_ok; result == wk_ok;) {
        int length = 0;
        const char* word = nextWord(&r, &length);
        if (length == 1 && *word == '.') {
            if (wkIoSkipSpaces(r.at, end) < end) {
                wkWorldBuilder_Warn(builder,
                                    "what follows the point that ends the scene is not read");
            }
            return wk_ok;
        }
        if (length != 1 || *word != '*') {
            return wkIoFailLine(builder->source, word, wk_errorParse,
                                length == 0 ? "the file ends before the point that ends a scene%.*s"
                                            : "\"%.*s\" is neither * nor . of a scene",
                                length < 40 ? length : 40, word);
        }
        result = readObject(&r);
        if (result != wk_ok) {
            return result;
        }
    }
    return wk_ok;
}
