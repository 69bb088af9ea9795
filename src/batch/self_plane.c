// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// Chooses a plane between two parts that pass each other within a millimetre, such as the base and the upper arm of
// an arm whose shoulder is as narrow as can be: wherever they are near, the same face of one is what keeps them
// apart. The normal is constant in the frame of this part, and so is how far the part reaches along it. Candidates
// are the normals between the bodies in free samples that looser pieces call touching. The one that separates most
// of these is taken.

#include "batch/self_choice.h"

#include "math/round.h"
#include "math/vec.h"

#include "whisker/query.h"

#define MOST_SAMPLES 96 // on the stack
#define CANDIDATE_COUNT 24
// Share of the samples that a plane separates at least: each costs time where it separates nothing.
#define LEAST_SHARE 0.2
// Factor of a gap that is more than the rounding of the kernel takes.
#define GAP_SHARE 1.01

typedef struct planeSample {
    wkPose groups[2]; // of the rigid groups of both parts
    wkVec3d normal;   // from the first part to the second, in the world
} planeSample;

typedef struct planeSearch {
    const wkPartPieces* pieces[2];
    const wkFramePlacement* placements[2];
    double beyond; // gap that separates the parts
    int32_t sampleCount;
    planeSample samples[MOST_SAMPLES];
} planeSearch;

// Returns a direction of the world in the frame of the program, for one of the parts.
static wkVec3d inFrame(const planeSearch* s, const planeSample* sample, int side, wkVec3d along)
{
    wkQuat rotation = sample->groups[side].rotation;
    wkQuat inverse = {-rotation.x, -rotation.y, -rotation.z, rotation.w};
    wkVec3d local = wkRotateByUnit(inverse, along);
    const wkMat3d* axes = &s->placements[side]->axes;
    return wkVec(wkDot(axes->x, local), wkDot(axes->y, local), wkDot(axes->z, local));
}

static wkVec3d inWorld(const planeSearch* s, const planeSample* sample, int side, wkVec3d along)
{
    const wkMat3d* axes = &s->placements[side]->axes;
    wkVec3d local = wkMulAdd(wkScale(along.x, axes->x), along.y, axes->y);
    return wkRotateByUnit(sample->groups[side].rotation, wkMulAdd(local, along.z, axes->z));
}

static wkVec3d originOf(const planeSearch* s, const planeSample* sample, int side)
{
    return wkTransformPoint(sample->groups[side], s->placements[side]->origin);
}

// Returns how far the vertices of a part reach along a direction of its frame.
static double reachOf(const wkPartPieces* pieces, wkVec3d along)
{
    const float *x = wkPieceVertices(pieces, 0), *y = wkPieceVertices(pieces, 1),
                *z = wkPieceVertices(pieces, 2);
    double reach = -INFINITY;
    for (int32_t i = 0; i < pieces->vertexCount; ++i) {
        wkVec3d vertex = wkVec((double)x[i], (double)y[i], (double)z[i]);
        reach = wkMaxD(reach, wkDot(along, vertex));
    }
    return reach;
}

static wkVec3d outward(int side, wkVec3d normal)
{
    return side == 0 ? normal : wkNeg(normal);
}

// Returns whether a plane separates the parts in a sample.
// @param normal in the frame of a part
static bool separates(const planeSearch* s, const planeSample* sample, int side, wkVec3d normal,
                      double ownReach)
{
    wkVec3d along = inWorld(s, sample, side, normal);
    wkVec3d between = wkSub(originOf(s, sample, 1), originOf(s, sample, 0));
    int other = 1 - side;
    double reach = reachOf(s->pieces[other], outward(other, inFrame(s, sample, other, along)));
    return wkDot(along, between) - ownReach - reach > s->beyond;
}

// Finds the normal between the nearest bodies of two parts.
static bool findNormal(const wkSelfChoice* c, int32_t pair, planeSample* sample)
{
    const wkBodySet* bodySet = c->batch->def.scene->bodySet->bodySet;
    wkPartPair parts = c->batch->program->pairs[pair];
    wkPartBodies a = c->batch->partBodies[parts.a], b = c->batch->partBodies[parts.b];
    double least = INFINITY;
    for (int32_t i = a.first; i < a.end; ++i) {
        for (int32_t k = b.first; k < b.end; ++k) {
            if (!wkIsCheckedPair(bodySet, i, k)) {
                continue;
            }
            wkDistanceResult found = wkDistance(
                &bodySet->bodies[i].shape, wkBodyPose(bodySet, c->scratch->state, i),
                &bodySet->bodies[k].shape, wkBodyPose(bodySet, c->scratch->state, k), NULL);
            if (found.distance < least) {
                least = found.distance;
                sample->normal = found.normal;
            }
        }
    }
    return least < INFINITY;
}

// Takes the samples that the pieces of a candidate call touching so far.
static void takeSamples(const wkSelfChoice* c, int32_t number, planeSearch* s)
{
    const wkBatch* batch = c->batch;
    int32_t pair = c->candidates[number].pair;
    wkPartPair parts = batch->program->pairs[pair];
    for (int32_t i = 0; i < c->freeCount && s->sampleCount < MOST_SAMPLES; ++i) {
        const double* q = c->rows + (ptrdiff_t)i * batch->program->variableCount;
        planeSample* sample = &s->samples[s->sampleCount];
        if (c->marks[(ptrdiff_t)i * c->count + number] == 0 ||
            wkRobotState_Set(c->scratch->state, batch->def.base, q) != wk_ok ||
            !findNormal(c, pair, sample)) {
            continue;
        }
        wkPlaceScalar(batch, c->scratch, q);
        sample->groups[0] = c->scratch->rigidGroups[batch->program->parts[parts.a].rigidGroup];
        sample->groups[1] = c->scratch->rigidGroups[batch->program->parts[parts.b].rigidGroup];
        ++s->sampleCount;
    }
    c->scratch->bodiesAt = NULL;
}

static void tryPlane(const planeSearch* s, int side, wkVec3d normal, int32_t* most,
                     wkPairPlane* best)
{
    double reach = reachOf(s->pieces[side], outward(side, normal));
    int32_t count = 0;
    for (int32_t i = 0; i < s->sampleCount; ++i) {
        count += separates(s, &s->samples[i], side, normal, reach) ? 1 : 0;
    }
    if (count > *most) {
        *most = count;
        wkPairPlane plane = {.side = side,
                             .isUsed = true,
                             .x = (float)normal.x,
                             .y = (float)normal.y,
                             .z = (float)normal.z};
        // that of the rounded normal
        wkVec3d rounded = wkVec((double)plane.x, (double)plane.y, (double)plane.z);
        plane.reach = wkRoundUp(reachOf(s->pieces[side], outward(side, rounded)));
        *best = plane;
    }
}

void wkChoosePlane(const wkSelfChoice* c, int32_t number)
{
    const wkBatch* batch = c->batch;
    int32_t pair = c->candidates[number].pair;
    planeSearch s = {.sampleCount = 0};
    for (int side = 0; side < 2; ++side) {
        wkPartPair parts = batch->program->pairs[pair];
        int32_t part = side == 0 ? parts.a : parts.b;
        s.pieces[side] = batch->selfTables->pieces[WK_PIECE_LEVELS * part + wk_piecesTight];
        s.placements[side] = &batch->program->placements[batch->program->parts[part].rigidGroup];
    }
    s.beyond = GAP_SHARE * ((double)s.pieces[0]->inflation + (double)s.pieces[1]->inflation +
                            (double)batch->margin);
    takeSamples(c, number, &s);
    wkPairPlane best = {.isUsed = false};
    int32_t most = (int32_t)(LEAST_SHARE * s.sampleCount);
    int32_t step = s.sampleCount / CANDIDATE_COUNT + 1;
    for (int32_t i = 0; i < s.sampleCount; i += step) {
        for (int side = 0; side < 2; ++side) {
            wkVec3d normal = inFrame(&s, &s.samples[i], side, s.samples[i].normal);
            tryPlane(&s, side, normal, &most, &best);
        }
    }
    batch->selfTables->planes[pair] = best;
}
