// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// Whisker's side of the pair rows: public functions only, requests
// prepared once, as a caller would.

#include "peers/peer.h"

#include <stdlib.h>

typedef struct ourJob {
    wkPairJob job;
    wkAnswer* answers;
} ourJob;

static void* openOurs(const wkPairJob* job, wkAnswer* answers)
{
    ourJob* ours = (ourJob*)malloc(sizeof(ourJob));
    if (ours != NULL) {
        ours->job = *job;
        ours->answers = answers;
    }
    return ours;
}

static void collideAll(const wkPairJob* job, wkAnswer* answers)
{
    wkPairCache cache = {.count = 0};
    wkContact contact = {.depth = 0.0};
    wkCollideRequest request = wkDefaultCollideRequest();
    bool hasContacts = job->query == wk_queryContacts;
    if (hasContacts) {
        request.contacts = &contact;
        request.contactCapacity = 1;
    }
    if (job->isCoherent) {
        request.cache = &cache;
    }
    for (int i = 0; i < job->count; i++) {
        const wkPosePair* poses = &job->poses[i];
        wkCollideResult result = wkCollide(job->a, poses->a, job->b, poses->b, &request);
        double yes = hasContacts ? contact.depth : 1.0;
        double no = hasContacts ? -1.0 : 0.0;
        answers[i] = result.isTouching ? yes : no;
    }
}

static void measureAll(const wkPairJob* job, wkAnswer* answers)
{
    wkPairCache cache = {.count = 0};
    wkDistanceRequest request = wkDefaultDistanceRequest();
    request.isSigned = job->query == wk_querySignedDistance;
    if (job->isCoherent) {
        request.cache = &cache;
    }
    for (int i = 0; i < job->count; i++) {
        const wkPosePair* poses = &job->poses[i];
        answers[i] = wkDistance(job->a, poses->a, job->b, poses->b, &request).distance;
    }
}

static void passOurs(void* handle)
{
    const ourJob* ours = (const ourJob*)handle;
    if (ours->job.query <= wk_queryContacts) {
        collideAll(&ours->job, ours->answers);
    } else {
        measureAll(&ours->job, ours->answers);
    }
}

const wkPeer wkOurSide = {"whisker", NULL, openOurs, passOurs, free};
