// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// Creation of convex pieces. Of the points of a piece, vertices are chosen one after the other where the hull of
// those chosen so far falls short most, measured along many directions. The distance of the other points
// from the hull of the chosen ones is the inflation of the piece.

#include "batch/self_pieces.h"

#include "base/error.h"
#include "base/memory.h"
#include "batch/batch_impl.h"
#include "batch/program_builder.h"
#include "batch/self_piece_boxes.h"
#include "batch/self_piece_points.h"
#include "math/angle.h"
#include "math/round.h"
#include "whisker/hull.h"

#include <string.h>

#define ALIGNMENT 64
// Directions along which a hull is measured.
#define DIRECTION_COUNT 320
#define GOLDEN_ANGLE 2.39996322972865332
// Vertices of a piece at most, of any level.
#define MOST_VERTICES 768
// Vertices that are added at a time, where the hull falls short, are this far from each other, in metres.
#define NEAR_VERTICES 0.01
// Metres added to the inflation: more than the error of hulls and distances.
#define HULL_SLACK 1e-6
// Rounding of a separation in floats, relative to the coordinates: three products and sums for each of two
// directions, their products with a vertex, and the positions of two frames.
#define SEPARATION_ROUNDING (64.0 * WK_FLOAT_ROUNDING)
// Share of rounding of a bounding sphere.
#define SPHERE_SHARE 0x1p-20

// Fewer vertices are chosen where the rest sticks out by no more than a length in metres, and a share of the size
// of the piece. Lanes go through all vertices for each normal, so that loose pieces are several times as fast; tight
// ones are for links that pass each other within a millimetre.
typedef struct tightness {
    int32_t mostVertices;
    double leastShortfall;
    double shortfallShare;
} tightness;

static const tightness levels[WK_PIECE_LEVELS] = {
    [wk_piecesWhole] = {192, 0.00015, 0.002},
    [wk_piecesDivided] = {192, 0.00015, 0.002},
    [wk_piecesTight] = {MOST_VERTICES, 0.0001, 0.0002},
};

// A piece under construction.
typedef struct pieceBuilder {
    wkVec3d vertices[MOST_VERTICES];
    int32_t vertexCount;
    int32_t mostVertices;
    double shortfall; // that is tolerated
    double inflation;
} pieceBuilder;

typedef struct partBuilder {
    const wkFramePlacement* placement;
    pieceBuilder* pieces; // WK_PART_PIECES of them
    int32_t count;
    wkPiecePoints points;
    wkSphere3d* spheres; // MOST_VERTICES of them: scratch
    wkPieceLevel level;
    bool isKnown; // all bodies have pieces
} partBuilder;

static wkVec3d direction(int number)
{
    double z = 1.0 - 2.0 * (number + 0.5) / DIRECTION_COUNT, sine, cosine;
    double radius = sqrt(wkPositive(1.0 - z * z));
    wkSinCos(number * GOLDEN_ANGLE, &sine, &cosine);
    return wkVec(radius * cosine, radius * sine, z);
}

// Finds how far the points reach along each direction, and which one does.
static void measurePoints(const wkPiecePoints* points, double* reaches, int32_t* farthest)
{
    for (int k = 0; k < DIRECTION_COUNT; ++k) {
        wkVec3d along = direction(k);
        reaches[k] = -INFINITY;
        farthest[k] = 0;
        for (int32_t i = 0; i < points->count; ++i) {
            double reach = wkDot(along, points->points[i]);
            if (reach > reaches[k]) {
                reaches[k] = reach;
                farthest[k] = i;
            }
        }
    }
}

// Chooses vertices for the points of a piece.
static void chooseVertices(const wkPiecePoints* points, const tightness* level, pieceBuilder* piece)
{
    double reaches[DIRECTION_COUNT], chosen[DIRECTION_COUNT];
    int32_t farthest[DIRECTION_COUNT];
    measurePoints(points, reaches, farthest);
    for (int k = 0; k < DIRECTION_COUNT; ++k) {
        chosen[k] = -INFINITY;
    }
    double size = 0.0;
    for (int k = 0; k < DIRECTION_COUNT; ++k) {
        // directions come in pairs that are nearly opposite
        size = wkMaxD(size, reaches[k] + reaches[DIRECTION_COUNT - 1 - k]);
    }
    piece->mostVertices = level->mostVertices;
    piece->shortfall = wkMaxD(level->leastShortfall, level->shortfallShare * size);
    while (piece->vertexCount < piece->mostVertices) {
        int worst = 0;
        for (int k = 1; k < DIRECTION_COUNT; ++k) {
            worst = reaches[k] - chosen[k] > reaches[worst] - chosen[worst] ? k : worst;
        }
        if (!(reaches[worst] - chosen[worst] > piece->shortfall)) {
            break;
        }
        wkVec3d vertex = points->points[farthest[worst]];
        piece->vertices[piece->vertexCount++] = vertex;
        for (int k = 0; k < DIRECTION_COUNT; ++k) {
            chosen[k] = wkMaxD(chosen[k], wkDot(direction(k), vertex));
        }
    }
}

// Measures the distances of points from the hull of the vertices. Points that are not far from it are removed;
// some of the others are added to the vertices.
// @param farthest the largest distance of a removed point; receives that of all
// @return wk_errorMemory, or that there is no hull
static wkResult measureHull(wkPiecePoints* points, pieceBuilder* piece, double* farthest)
{
    wkHullDef def = wkDefaultHullDef();
    def.points = piece->vertices;
    def.pointCount = piece->vertexCount;
    wkHull* hull = NULL;
    wkResult result = wkHull_Create(&def, &hull);
    if (result != wk_ok) {
        return result;
    }
    wkShape shape = wkMakeHull(hull);
    int32_t first = piece->vertexCount, left = 0;
    for (int32_t i = 0; i < points->count; ++i) {
        wkVec3d point = points->points[i];
        double distance = wkShape_PointDistance(&shape, wkIdentityPose(), point);
        bool isNew = !(distance <= piece->shortfall) && piece->vertexCount < piece->mostVertices;
        if (!isNew) {
            *farthest = wkMaxD(*farthest, distance);
            continue;
        }
        points->points[left++] = point;
        for (int32_t k = first; k < piece->vertexCount && isNew; ++k) {
            isNew = wkLength(wkSub(point, piece->vertices[k])) > NEAR_VERTICES;
        }
        if (isNew) {
            piece->vertices[piece->vertexCount++] = point;
        }
    }
    points->count = left;
    wkHull_Destroy(hull);
    return wk_ok;
}

// Sets the inflation: the distance of the farthest point from the hull of the vertices.
// @return false: no memory
static bool setInflation(wkPiecePoints* points, pieceBuilder* piece, bool* isKnown)
{
    double farthest = 0.0;
    wkResult result = wk_ok;
    while (points->count > 0 && result == wk_ok) {
        result = measureHull(points, piece, &farthest);
    }
    piece->inflation = farthest + HULL_SLACK + points->radius;
    *isKnown = *isKnown && result == wk_ok && farthest < INFINITY;
    return result != wk_errorMemory;
}

// Adds the pieces of a body.
// @return false: no memory
static bool addBody(const wkCollisionBody* body, partBuilder* builder)
{
    wkAabb boxes[WK_MESH_BOXES];
    int32_t mostBoxes = builder->level == wk_piecesWhole ? 1 : WK_MESH_BOXES;
    int32_t boxCount =
        body->isEmpty || !wkHasPieces(body) ? 0 : wkDivideBody(body, mostBoxes, boxes);
    builder->isKnown = builder->isKnown && (body->isEmpty || boxCount > 0) &&
                       builder->count + boxCount <= WK_PART_PIECES;
    for (int32_t i = 0; i < boxCount && builder->isKnown; ++i) {
        if (!wkFindPiecePoints(body, &boxes[i], &builder->points)) {
            return false;
        }
        if (builder->points.count == 0) {
            continue;
        }
        pieceBuilder* piece = &builder->pieces[builder->count++];
        chooseVertices(&builder->points, &levels[builder->level], piece);
        if (!setInflation(&builder->points, piece, &builder->isKnown)) {
            return false;
        }
    }
    return true;
}

static size_t roundUpBytes(size_t byteCount)
{
    return (byteCount + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
}

// Sets the offsets of arrays.
static void layOut(wkPartPieces* pieces)
{
    size_t used = roundUpBytes(sizeof *pieces);
    pieces->piecesAt = used;
    used += roundUpBytes((size_t)pieces->count * sizeof(wkConvexPiece));
    for (int axis = 0; axis < 3; ++axis) {
        pieces->verticesAt[axis] = used;
        used += roundUpBytes((size_t)pieces->vertexCount * sizeof(float));
    }
    pieces->byteCount = used;
}

// Returns the box around some vertices of a part.
static wkPieceBox boxAround(const wkPartPieces* made, int32_t first, int32_t end)
{
    float centers[3];
    wkPieceBox box;
    for (int axis = 0; axis < 3; ++axis) {
        const float* along = wkPieceVertices(made, axis);
        double lower = INFINITY, upper = -INFINITY;
        for (int32_t i = first; i < end; ++i) {
            lower = wkMinD(lower, (double)along[i]);
            upper = wkMaxD(upper, (double)along[i]);
        }
        centers[axis] = (float)(0.5 * (lower + upper));
        double center = (double)centers[axis];
        box.half[axis] = wkRoundUp(wkMaxD(upper - center, center - lower));
    }
    box.x = centers[0];
    box.y = centers[1];
    box.z = centers[2];
    return box;
}

// Transforms a piece to the frame of the program, with the rounding of floats in its inflation.
static void finishPiece(const partBuilder* builder, const pieceBuilder* built, int32_t first,
                        wkPartPieces* made, wkConvexPiece* piece)
{
    const wkFramePlacement* placement = builder->placement;
    wkSphere3d* points = builder->spheres;
    float* coordinates[3];
    for (int axis = 0; axis < 3; ++axis) {
        coordinates[axis] = (float*)(void*)((char*)made + made->verticesAt[axis]) + first;
    }
    double slack = 0.0, largest = 0.0;
    for (int32_t i = 0; i < built->vertexCount; ++i) {
        wkVec3d rounded;
        slack = wkMaxD(slack, wkPlaceInProgram(placement, built->vertices[i], &rounded));
        largest = wkMaxD(largest, wkLength(rounded));
        coordinates[0][i] = (float)rounded.x;
        coordinates[1][i] = (float)rounded.y;
        coordinates[2][i] = (float)rounded.z;
        points[i].center = rounded;
        points[i].radius = 0.0;
    }
    // the axes of a frame in lanes are not quite perpendicular, which boxes along them take them to be
    double skew = 4.0 * placement->rotationError * largest;
    double inflation =
        built->inflation + slack + skew + SEPARATION_ROUNDING * (placement->away + largest);
    wkSphere3d around = wkSphereAround(points, built->vertexCount);
    wkVec3d center = wkVec(wkNearestFloat(around.center.x), wkNearestFloat(around.center.y),
                           wkNearestFloat(around.center.z));
    double radius = around.radius + wkLength(wkSub(center, around.center)) + 2.0 * inflation;
    wkConvexPiece finished = {.first = first,
                              .end = first + built->vertexCount,
                              .x = (float)center.x,
                              .y = (float)center.y,
                              .z = (float)center.z,
                              .radius = wkRoundUp(radius * (1.0 + SPHERE_SHARE)),
                              .inflation = wkRoundUp(inflation),
                              .box = boxAround(made, first, first + built->vertexCount)};
    *piece = finished;
}

static wkResult finishPart(const partBuilder* builder, wkPartPieces** out)
{
    wkPartPieces counts = {.count = builder->count};
    for (int32_t i = 0; i < builder->count; ++i) {
        counts.vertexCount += builder->pieces[i].vertexCount;
    }
    layOut(&counts);
    wkPartPieces* made = (wkPartPieces*)wkAlloc(counts.byteCount);
    if (made == NULL) {
        return wkFail(wk_errorMemory, "batch: no memory for %zu bytes", counts.byteCount);
    }
    *made = counts;
    wkConvexPiece* pieces = (wkConvexPiece*)(void*)((char*)made + made->piecesAt);
    int32_t first = 0;
    for (int32_t i = 0; i < builder->count; ++i) {
        finishPiece(builder, &builder->pieces[i], first, made, &pieces[i]);
        first += builder->pieces[i].vertexCount;
        made->inflation =
            pieces[i].inflation > made->inflation ? pieces[i].inflation : made->inflation;
    }
    made->box = boxAround(made, 0, first);
    *out = made;
    return wk_ok;
}

wkResult wkPartPieces_Create(const wkBatch* batch, int32_t part, wkPieceLevel level,
                             wkPartPieces** pieces)
{
    *pieces = NULL;
    const wkBodySet* bodySet = batch->def.scene->bodySet->bodySet;
    size_t pieceBytes = WK_PART_PIECES * sizeof(pieceBuilder);
    size_t byteCount = pieceBytes + MOST_VERTICES * sizeof(wkSphere3d);
    partBuilder builder = {.level = level,
                           .isKnown = true,
                           .placement =
                               &batch->program->placements[batch->program->parts[part].rigidGroup]};
    builder.pieces = (pieceBuilder*)wkAlloc(byteCount);
    bool hasMemory = builder.pieces != NULL;
    if (hasMemory) {
        memset(builder.pieces, 0, byteCount);
        builder.spheres = (wkSphere3d*)(void*)((char*)builder.pieces + pieceBytes);
    }
    wkPartBodies bodies = batch->partBodies[part];
    for (int32_t i = bodies.first; i < bodies.end && hasMemory && builder.isKnown; ++i) {
        hasMemory = addBody(&bodySet->bodies[i], &builder);
    }
    wkResult result = hasMemory ? wk_ok : wkFail(wk_errorMemory, "batch: no memory for pieces");
    if (hasMemory && builder.isKnown && builder.count > 0) {
        result = finishPart(&builder, pieces);
    }
    wkPiecePoints_Free(&builder.points);
    wkFree(builder.pieces, byteCount);
    return result;
}

void wkPartPieces_Destroy(wkPartPieces* pieces)
{
    if (pieces != NULL) {
        wkFree(pieces, pieces->byteCount);
    }
}
