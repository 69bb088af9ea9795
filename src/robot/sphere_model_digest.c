// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// A digest of the inputs of a proof that spheres cover a robot: files may store it in place of the proof.

#include "robot/sphere_model_impl.h"

wkDigest wkSphereModel_Digest(const wkSphereModel* model)
{
    wkDigestBuilder builder = wkDigestBuilder_Begin("whisker sphere model 1");
    if (model == NULL) {
        return (wkDigest){{0}};
    }
    wkDigestBuilder_AddDigest(&builder, wkRobot_BodyDigest(model->info.robot));
    wkDigestBuilder_AddInteger(&builder, model->info.sphereCount);
    for (int32_t i = 0; i < model->info.sphereCount; ++i) {
        const wkLinkSphere* sphere = &model->spheres[i];
        const double numbers[4] = {sphere->sphere.center.x, sphere->sphere.center.y,
                                   sphere->sphere.center.z, sphere->sphere.radius};
        wkDigestBuilder_AddInteger(&builder, sphere->link);
        wkDigestBuilder_AddNumbers(&builder, numbers, 4);
    }
    return wkDigestBuilder_End(&builder);
}

// The version number changes with the meaning of the proof: 2 since the inside of solids is proven, too; 3
// since negative padding takes nothing from the cores of bodies.
static wkDigest proofOf(const wkSphereModel* model, double protrusion)
{
    wkDigestBuilder builder = wkDigestBuilder_Begin("whisker sphere proof 3");
    wkDigestBuilder_AddDigest(&builder, wkSphereModel_Digest(model));
    wkDigestBuilder_AddNumbers(&builder, &protrusion, 1);
    return wkDigestBuilder_End(&builder);
}

wkDigest wkSphereModel_Proof(const wkSphereModel* model)
{
    if (model == NULL || !model->info.isCovering) {
        return (wkDigest){{0}};
    }
    return proofOf(model, model->info.protrusion);
}

bool wkSphereModel_AcceptProof(wkSphereModel* model, wkDigest proof, double protrusion)
{
    if (model == NULL || !wkDigest_Equals(proof, proofOf(model, protrusion))) {
        return false;
    }
    model->info.isCovering = true;
    model->info.gap = 0.0;
    model->info.bareLink = -1;
    model->info.protrusion = protrusion;
    return true;
}
