// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// The bodies behind the spheres of a batch. Spheres stick out of links, and those of links that are always
// near each other touch where the links do not: where spheres of two parts touch, their bodies decide.

#include "batch/batch_kernel.h"

#include "math/round.h"
#include "math/vec.h"

// Metres by which a sphere may differ from the body that it is.
#define SAME_SPHERE 1e-9
// Metres taken off spheres inside of bodies; and what a radius that is none has.
#define INNER_SLACK 1e-6
#define NO_SPHERE 1e6
// More than rounding takes from a distance.
#define REACH_SHARE (1.0 + 0x1p-20)

// Bodies of the body set that belong to a part; those of a side follow each other.
static wkPartBodies bodiesOf(const wkBodySet* bodySet, int32_t side)
{
    wkPartBodies bodies = {0, 0};
    while (bodies.first < bodySet->count && bodySet->bodies[bodies.first].side != side) {
        ++bodies.first;
    }
    bodies.end = bodies.first;
    while (bodies.end < bodySet->count && bodySet->bodies[bodies.end].side == side) {
        ++bodies.end;
    }
    return bodies;
}

static bool isSphere(const wkCollisionBody* body, const wkSphere3d* sphere)
{
    const wkShape* shape = &body->shape;
    double radius = shape->sphere.radius + shape->rounding + shape->padding;
    return shape->type == wk_shapeSphere && fabs(radius - sphere->radius) <= SAME_SPHERE &&
           wkLength(wkSub(body->inRigidGroup.position, sphere->center)) <= SAME_SPHERE;
}

// Whether the spheres of a part are its bodies: these have nothing to add then.
static bool areSpheres(const wkBatch* batch, const wkBodySet* bodySet, int32_t part)
{
    const wkPart* p = &batch->program->parts[part];
    wkPartBodies bodies = batch->partBodies[part];
    bool areAll = bodies.end - bodies.first == p->sphereCount;
    for (int32_t i = bodies.first; i < bodies.end && areAll; ++i) {
        bool isOne = false;
        for (int32_t k = p->firstSphere; k < p->firstSphere + p->sphereCount && !isOne; ++k) {
            isOne = isSphere(&bodySet->bodies[i], &batch->program->exact[k]);
        }
        areAll = isOne;
    }
    return areAll;
}

// How far points of the bodies of a part are from the point of its carrier at most. Where its spheres cover
// the bodies, no further than these; else by way of the nearest center.
static float reachOf(const wkBatch* batch, const wkBodySet* bodySet, int32_t part)
{
    const wkProgram* program = batch->program;
    const wkPart* p = &program->parts[part];
    bool isCovered = wkSphereModel_Info(batch->def.spheres).isCovering ||
                     p->side >= batch->robot->info.linkCount;
    double ofSpheres = 0.0, reach = 0.0;
    for (int32_t k = p->firstSphere; k < p->firstSphere + p->sphereCount; ++k) {
        double radius = (double)program->radius[k];
        ofSpheres = wkMaxD(ofSpheres, (double)batch->sphereReaches[k] + radius);
    }
    for (int32_t i = batch->partBodies[part].first; i < batch->partBodies[part].end; ++i) {
        const wkCollisionBody* body = &bodySet->bodies[i];
        wkVec3d middle = wkTransformPoint(body->inRigidGroup, body->middle);
        double least = INFINITY;
        for (int32_t k = p->firstSphere; k < p->firstSphere + p->sphereCount; ++k) {
            double away = wkLength(wkSub(middle, program->exact[k].center)) +
                          (double)program->radius[k] - program->exact[k].radius;
            least = wkMinD(least, (double)batch->sphereReaches[k] + away);
        }
        reach = wkMaxD(reach, least + wkLength(body->half));
    }
    return wkRoundUp((isCovered ? wkMinD(reach, ofSpheres) : reach) * REACH_SHARE);
}

// A body with an inside.
static bool isSolid(const wkShape* shape)
{
    return shape->type != wk_shapeMesh || wkMesh_Info(shape->mesh).isSolid;
}

// Radii of spheres about the centers of spheres that are inside of a body: where two of them overlap, so do
// the bodies. What floats may be off by is taken off, and a little more.
static void setInnerRadii(wkBatch* batch, const wkBodySet* bodySet, int32_t part)
{
    const wkProgram* program = batch->program;
    const wkPart* p = &program->parts[part];
    for (int32_t k = p->firstSphere; k < p->firstSphere + p->sphereCount; ++k) {
        double depth = -1.0;
        for (int32_t i = batch->partBodies[part].first; i < batch->partBodies[part].end; ++i) {
            const wkCollisionBody* body = &bodySet->bodies[i];
            if (!body->isEmpty && isSolid(&body->shape)) {
                depth = wkMaxD(depth, -wkShape_PointDistance(&body->shape, body->inRigidGroup,
                                                             program->exact[k].center));
            }
        }
        double slack = 2.0 * ((double)program->radius[k] - program->exact[k].radius) + INNER_SLACK;
        batch->innerRadii[k] = (float)(depth > slack ? depth - slack : -NO_SPHERE);
    }
}

void wkSetPartBodies(wkBatch* batch)
{
    const wkProgram* program = batch->program;
    const wkBodySet* bodySet = batch->def.scene->bodySet->bodySet;
    for (int32_t i = 0; i < program->partCount; ++i) {
        batch->partBodies[i] = bodiesOf(bodySet, program->parts[i].side);
        batch->bodyReaches[i] = reachOf(batch, bodySet, i);
        setInnerRadii(batch, bodySet, i);
    }
    for (int32_t i = 0; i < program->pairCount; ++i) {
        wkPartPair pair = program->pairs[i];
        wkPartBodies a = batch->partBodies[pair.a], b = batch->partBodies[pair.b];
        batch->hasBodyPair[i] =
            a.end > a.first && b.end > b.first &&
            !(areSpheres(batch, bodySet, pair.a) && areSpheres(batch, bodySet, pair.b));
    }
}

bool wkAreBodiesApart(const wkBatch* batch, wkBatchScratch* scratch, int32_t pair, const double* q,
                      double margin)
{
    const wkBodySet* bodySet = batch->def.scene->bodySet->bodySet;
    const wkPartPair* parts = &batch->program->pairs[pair];
    wkPartBodies a = batch->partBodies[parts->a], b = batch->partBodies[parts->b];
    int32_t map = batch->selfTables->mapOfPair[pair];
    if (margin == batch->def.margin && map >= 0 &&
        wkSelfMap_Find(batch->selfTables->maps[map], q) == wk_mapApart) {
        return true;
    }
    if (margin == batch->def.margin && batch->selfTables->ofPairs[pair] != NULL) {
        wkBoxVerdict verdict = wkSelfTable_Ask(batch, scratch, pair, q);
        if (verdict != wk_boxOpen) {
            return verdict == wk_boxApart;
        }
    }
    // the state is kept while the same configuration is asked about
    if (scratch->bodiesAt != q && wkRobotState_Set(scratch->state, batch->def.base, q) != wk_ok) {
        return false;
    }
    scratch->bodiesAt = q;
    for (int32_t i = a.first; i < a.end; ++i) {
        wkPose pose = wkBodyPose(bodySet, scratch->state, i);
        for (int32_t k = b.first; k < b.end; ++k) {
            wkStatus status;
            if (wkIsCheckedPair(bodySet, i, k) &&
                wkCollideBodies(&bodySet->bodies[i], pose, &bodySet->bodies[k],
                                wkBodyPose(bodySet, scratch->state, k), margin, &status)) {
                return false;
            }
        }
    }
    return true;
}
