// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// Random bodies with damage of one kind each.

#include "broken_check.h"

static void singleDamageLeavesTheInsideSolid(void** state)
{
    (void)state;
    probes p = makeProbes();
    int failCount = 0;
    for (int i = -1; i < damageCount; ++i) {
        int insideCount = 0;
        for (int k = 0; k < caseCount(30); ++k) {
            uint64_t seed = 1000u * (uint64_t)(i + 1) + (uint64_t)k;
            failCount += !checkSeed(seed, i < 0 ? 0u : 1u << i, &p, &insideCount);
        }
        print_message("damage %d: %d points inside\n", i, insideCount);
        assert_true(insideCount > WK_CASES(30));
    }
    freeProbes(&p);
    assert_int_equal(failCount, 0);
}

// Lengths whose squares leave the range of double are not mistaken for others: no plane culls what is near.
static void tinyTrianglesAreNear(void** state)
{
    (void)state;
    wkShape a = wkMakeTriangle(wkVec(-1.0, -1.0, 1.0), wkVec(1.0, -1.0, 1.0), wkVec(0.0, 1.0, 1.0));
    double edge = 1e-82;
    for (int i = 0; i < 700; ++i, edge *= 1.01) {
        meshSet set = makeSet(3, 1);
        set.vertices[0] = wkVec(0.0, 0.0, 0.0);
        set.vertices[1] = wkVec(edge, 0.0, 0.0);
        set.vertices[2] = wkVec(0.0, edge, 0.0);
        setTriangle(&set, 0, 0, 1, 2);
        wkMesh* mesh = makeMesh(&set, false);
        freeSet(&set);
        wkShape b = wkMakeMesh(mesh);
        wkDistanceRequest request = wkDefaultDistanceRequest();
        request.cutoff = 1.05;
        double found = wkDistance(&a, wkIdentityPose(), &b, wkIdentityPose(), &request).distance;
        if (!(fabs(found - 1.0) < 1e-9)) {
            fail_msg("edge %g: distance %.17g, expected 1", edge, found);
        }
        wkMesh_Destroy(mesh);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(singleDamageLeavesTheInsideSolid),
        cmocka_unit_test(tinyTrianglesAreNear),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
