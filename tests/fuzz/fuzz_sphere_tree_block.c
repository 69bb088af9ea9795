// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// Forged blocks of sphere trees (forged_block.h) are refused with words, or can be asked anything; and nothing is left
// behind. The first byte of an input chooses bodies, the second the number of inner spheres.

#include "fit/sphere_tree/sphere_tree_impl.h"
#include "forged_block.h"

int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size);

#define BODY_CHOICES 6
#define COUNT_CHOICES 4

// The bodies of a tree: one, or two that overlap.
static int32_t makeBodies(int choice, const wkShape shapes[3], wkSphereTreeBody bodies[2])
{
    static const wkPose poses[] = {{{0.0, 0.0, 0.0}, {0.0, 0.0, 0.0, 1.0}},
                                   {{0.2, 0.1, 0.0}, {0.0, 0.0, 0.6, 0.8}}};
    for (int i = 0; i < 2; i++) {
        bodies[i] = (wkSphereTreeBody){&shapes[(choice + i) % 3], poses[i]};
    }
    return 1 + choice / 3;
}

static block makeTree(int choice, int32_t innerCount)
{
    const wkShape shapes[3] = {wkMakeBox(0.6, 0.4, 0.3), wkMakeSphere(0.3),
                               wkMakeCapsule(0.1, 0.5)};
    wkSphereTreeBody bodies[2];
    wkSphereTreeDef def = wkDefaultSphereTreeDef();
    def.bodyCount = makeBodies(choice, shapes, bodies);
    def.bodies = bodies;
    def.innerCount = innerCount;
    def.outerCount = 4;
    wkSphereTree* tree = NULL;
    if (wkSphereTree_Create(&def, &tree) != wk_ok) {
        fail("a sphere tree of our own is refused");
    }
    block b = emptyBlock(wkSphereTree_Info(tree).byteCount);
    memcpy(b.bytes, wkSphereTree_Block(tree), b.count);
    wkSphereTree_Destroy(tree);
    return b;
}

// Copies a tree that was made once: spheres are packed in milliseconds, thousands of times a forgery.
static block makeBlock(uint8_t first, uint8_t second)
{
    static const int32_t counts[COUNT_CHOICES] = {1, 7, 20, 64};
    static block made[BODY_CHOICES][COUNT_CHOICES];
    block* tree = &made[first % BODY_CHOICES][second % COUNT_CHOICES];
    if (tree->bytes == NULL) {
        *tree = makeTree(first % BODY_CHOICES, counts[second % COUNT_CHOICES]);
    }
    block b = emptyBlock(tree->count);
    memcpy(b.bytes, tree->bytes, tree->count);
    return b;
}

static void seal(void* bytes)
{
    wkSealSphereTree((wkSphereTree*)bytes);
}

static const forgedKind kind = {WK_SPHERE_TREE_MAGIC, WK_SPHERE_TREE_VERSION, sizeof(wkSphereTree),
                                makeBlock, seal};

static void askPoints(const wkPlacedSphereTree* placed)
{
    static const float points[][3] = {{0.0f, 0.0f, 0.0f}, {0.3f, 0.1f, 0.0f}, {4.0f, 1.0f, 0.5f}};
    wkCloudView view = wkMakeCloudView(points, 3);
    wkSphereTreeResult found;
    static uint8_t touched[4096];
    double volume;
    wkPlacedSphereTree_PointDistances(placed, 1, &view, wkIdentityPose(), NULL, &found);
    if (found.verdict == wk_sphereFree && !(found.lower > 0.0)) {
        fail("free at no distance");
    }
    wkPlacedSphereTree_PointVolumes(placed, 1, &view, wkIdentityPose(), NULL, touched,
                                    sizeof touched, &volume);
}

static void askTree(const wkSphereTree* tree)
{
    wkSphereTreeInfo info = wkSphereTree_Info(tree);
    wkPlacedSphereTree placed = {.tree = tree, .pose = wkIdentityPose()};
    wkPlacedSphereTree other = {.tree = tree, .pose = wkMakePose(0.5, 0.2, 0.0)};
    askPoints(&placed);
    wkDistanceOfSphereTrees(&placed, &other, NULL);
    wkPenetrationVolume(&placed, &other);
    for (int32_t i = 0; i < info.innerCount; i++) {
        wkSphereTree_InnerSphere(tree, i);
    }
    for (int32_t i = 0; i < info.outerCount; i++) {
        wkSphereTree_OuterSphere(tree, i);
    }
}

int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size)
{
    block b = forgeBlock(&kind, data, size);
    wkSphereTree* copy;
    const wkSphereTree* mapped;
    wkResult copied = wkSphereTree_FromBlock(b.bytes, b.count, &copy);
    wkResult placed = wkSphereTree_MapBlock(b.bytes, b.count, &mapped);
    checkLoaded(copied, copy, placed, mapped);
    if (copy != NULL) {
        askTree(copy);
    }
    wkSphereTree_Destroy(copy);
    freeBlock(b);
    return 0;
}
