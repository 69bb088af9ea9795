// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// cloud/ist/<points>: milliseconds for the distance of all points of an image to the seven links of a robot with
// 15,000 inner spheres, no structure on the points, beside a tree that every point searches; with /all: beside all
// pairs. Ours gives an interval for each link, the peers the least distance of the inner spheres alone.

#include "bench.h"
#include "clouds/sphere_tree_case.h"
#include "measure.h"

#include <math.h>

#define TREE_BAR 5.0
#define BRUTE_BAR 40.0

// Floats of the peers at the size of the room.
#define TOLERANCE 2e-6

static const struct {
    const char* name;
    int width, height;
    bool isFull; // runs at full size alone
} sizes[] = {
    {"300k", 640, 480, false},
    {"1M", 1160, 864, false},
    {"5M", 2592, 1930, true},
};

// Bounds that do not contain each other, or a distance that the peers do not find.
static long countWrong(const wkSphereTreeCase* c, double oracle)
{
    long wrong = fabs(c->ours - oracle) > TOLERANCE ? 1 : 0;
    for (int i = 0; i < WK_IST_LINKS; i++) {
        wrong += c->results[i].lower > c->results[i].upper ? 1 : 0;
    }
    return wrong;
}

static void runTree(wkBench* bench, const char* name, wkSphereTreeCase* c)
{
    wkBenchSide sides[2] = {{.pass = wkPassSphereTrees, .context = c},
                            {.pass = wkPassPeerTree, .context = c}};
    wkMeasure(sides, 2, 1, bench->blockCount);
    wkBenchRow row = {.unit = "ms", .peer = "tree", .variant = "per point", .n = c->pointCount};
    snprintf(row.name, sizeof row.name, "%s", name);
    row.ours = 1e-6 * sides[0].median;
    row.theirs = 1e-6 * sides[1].median;
    row.ratio = wkBlockRatio(&sides[1], &sides[0], bench->blockCount, &row.spread);
    row.bar = TREE_BAR;
    row.wrong = countWrong(c, c->tree);
    wkBench_Emit(bench, &row);
}

// All pairs take a second and are measured once.
static void runBrute(wkBench* bench, const char* name, wkSphereTreeCase* c)
{
    wkBenchSide ours = {.pass = wkPassSphereTrees, .context = c};
    wkMeasure(&ours, 1, 1, bench->blockCount);
    double start = wkBenchNow();
    wkPassAllPairs(c);
    wkBenchRow row = {.unit = "ms", .peer = "all", .variant = "pairs", .n = c->pointCount};
    snprintf(row.name, sizeof row.name, "%s", name);
    row.ours = 1e-6 * ours.median;
    row.theirs = 1e-6 * (wkBenchNow() - start);
    row.ratio = row.theirs / row.ours;
    row.spread = wkBlockSpread(&ours, bench->blockCount);
    row.bar = BRUTE_BAR;
    row.wrong = countWrong(c, c->brute);
    wkBench_Emit(bench, &row);
}

void wkRunSphereTreeRows(wkBench* bench)
{
    wkSphereTreeCase c;
    bool isOpen = false;
    for (size_t i = 0; i < sizeof sizes / sizeof sizes[0]; i++) {
        char tree[WK_ROW_NAME_CAPACITY], brute[WK_ROW_NAME_CAPACITY];
        snprintf(tree, sizeof tree, "cloud/ist/%s", sizes[i].name);
        snprintf(brute, sizeof brute, "cloud/ist/%s/all", sizes[i].name);
        if (sizes[i].isFull && !wkBench_IsFull(bench)) {
            continue;
        }
        bool wantsTree = wkBench_Wants(bench, tree), wantsBrute = wkBench_Wants(bench, brute);
        isOpen = isOpen || ((wantsTree || wantsBrute) && wkSphereTreeCase_Open(&c));
        if (!isOpen || !(wantsTree || wantsBrute) ||
            !wkSphereTreeCase_See(&c, sizes[i].width, sizes[i].height)) {
            continue;
        }
        if (wantsTree) {
            runTree(bench, tree, &c);
        }
        if (wantsBrute) {
            runBrute(bench, brute, &c);
        }
    }
    if (isOpen) {
        wkSphereTreeCase_Close(&c);
    }
}
