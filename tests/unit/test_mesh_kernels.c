// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// Lane code of meshes: bounds never above certified distances, on triangles and boxes of every size
// and shape, and the same bits with every instruction set.

#include "query/tree/box_kernel.h"
#include "query/tree/triangle_kernel.h"
#include "unit_kit.h"
#include "whisker/query.h"

#define BATCH_COUNT 3000

typedef struct trianglePair {
    wkVec3d a[3];
    wkVec3d b[3];
    double size; // of the largest coordinate
} trianglePair;

static wkVec3d randomPoint(wkRng* rng, double size)
{
    return wkScale(size * wkRngUnit(rng), wkRngDirection(rng));
}

typedef void shapeFcn(wkRng* rng, trianglePair* pair);

static void shapeFree(wkRng* rng, trianglePair* pair)
{
    (void)rng, (void)pair;
}

static void shapeNeedles(wkRng* rng, trianglePair* pair)
{
    double width = wkRngLogRange(rng, 1e-9, 1e-2);
    pair->a[2] = wkAdd(pair->a[wkRngBelow(rng, 2)], randomPoint(rng, width));
    if (wkRngChance(rng, 2)) {
        pair->b[2] = wkAdd(pair->b[0], randomPoint(rng, width));
    }
}

static void shapeFlat(wkRng* rng, trianglePair* pair)
{
    double off = wkRngChance(rng, 2) ? 0.0 : wkRngLogRange(rng, 1e-8, 1.0);
    for (int i = 0; i < 3; ++i) {
        pair->a[i].z = 0.0;
        pair->b[i].z = off;
    }
}

static void shapeTouching(wkRng* rng, trianglePair* pair)
{
    pair->b[0] = pair->a[wkRngBelow(rng, 3)];
    if (wkRngChance(rng, 2)) {
        pair->b[1] = wkScale(0.5, wkAdd(pair->a[0], pair->a[1]));
    }
    if (wkRngChance(rng, 2)) {
        wkVec3d shift = randomPoint(rng, wkRngLogRange(rng, 1e-9, 1e-1));
        for (int i = 0; i < 3; ++i) {
            pair->b[i] = wkAdd(pair->b[i], shift);
        }
    }
}

static void shapeDegenerate(wkRng* rng, trianglePair* pair)
{
    pair->a[2] = pair->a[wkRngBelow(rng, 2)];
    pair->b[1] = wkRngChance(rng, 2) ? pair->b[0] : pair->b[1];
    pair->b[2] = wkRngChance(rng, 2) ? pair->b[0] : pair->b[2];
}

// One of them much smaller than the other.
static void shapeUnequal(wkRng* rng, trianglePair* pair)
{
    double share = wkRngLogRange(rng, 1e-25, 1e-1);
    for (int i = 1; i < 3; ++i) {
        pair->b[i] = wkMulAdd(pair->b[0], share, wkSub(pair->b[i], pair->b[0]));
    }
}

// Edges that are parallel, or nearly so.
static void shapeParallel(wkRng* rng, trianglePair* pair)
{
    wkVec3d along = wkSub(pair->a[1], pair->a[0]);
    double lean = wkRngChance(rng, 2) ? 0.0 : wkRngLogRange(rng, 1e-8, 1e-2);
    pair->b[1] = wkMulAdd(pair->b[0], wkRngRange(rng, -1.5, 1.5), along);
    pair->b[1] = wkAdd(pair->b[1], randomPoint(rng, lean));
}

static void shapeDistant(wkRng* rng, trianglePair* pair)
{
    wkVec3d shift = wkScale(wkRngLogRange(rng, 1.0, 1e5), wkRngDirection(rng));
    for (int i = 0; i < 3; ++i) {
        pair->a[i] = wkAdd(pair->a[i], shift);
        pair->b[i] = wkAdd(pair->b[i], shift);
    }
}

static shapeFcn* const shapes[] = {shapeFree,       shapeNeedles, shapeFlat,     shapeTouching,
                                   shapeDegenerate, shapeUnequal, shapeParallel, shapeDistant};

#define SHAPE_COUNT ((int)(sizeof shapes / sizeof *shapes))

// From the smallest sizes to the largest that meshes may have.
static const double scales[] = {1.0, 1e-20, 1e-10, 1e-4, 1e3, 1e9, 1e15};

#define SCALE_COUNT ((int)(sizeof scales / sizeof *scales))

static trianglePair makePair(wkRng* rng, int shape, double scale)
{
    trianglePair pair;
    for (int i = 0; i < 3; ++i) {
        pair.a[i] = randomPoint(rng, 1.0);
        pair.b[i] = randomPoint(rng, 1.0);
    }
    shapes[shape](rng, &pair);
    pair.size = 0.0;
    for (int i = 0; i < 3; ++i) {
        pair.a[i] = wkScale(scale, pair.a[i]);
        pair.b[i] = wkScale(scale, pair.b[i]);
        pair.size = wkMaxD(pair.size, wkMaxD(wkMaxAbs(pair.a[i]), wkMaxAbs(pair.b[i])));
    }
    return pair;
}

static void putInLane(wkTriangleBatch* batch, int lane, const trianglePair* pair)
{
    for (int i = 0; i < 3; ++i) {
        const double a[3] = {pair->a[i].x, pair->a[i].y, pair->a[i].z};
        const double b[3] = {pair->b[i].x, pair->b[i].y, pair->b[i].z};
        for (int k = 0; k < 3; ++k) {
            batch->a[i][k][lane] = (float)a[k];
            batch->b[i][k][lane] = (float)b[k];
        }
    }
}

static double distanceOf(const trianglePair* pair)
{
    wkShape a = wkMakeTriangle(pair->a[0], pair->a[1], pair->a[2]);
    wkShape b = wkMakeTriangle(pair->b[0], pair->b[1], pair->b[2]);
    double distance = wkDistance(&a, wkIdentityPose(), &b, wkIdentityPose(), NULL).distance;
    return distance > 0.0 ? distance : 0.0;
}

static void checkBound(const trianglePair* pair, int shape, const char* name, float bound)
{
    double distance = distanceOf(pair);
    if (!((double)bound <= distance + 1e-12 * pair->size)) {
        for (int i = 0; i < 3; ++i) {
            print_message("(%.17g %.17g %.17g) (%.17g %.17g %.17g)\n", pair->a[i].x, pair->a[i].y,
                          pair->a[i].z, pair->b[i].x, pair->b[i].y, pair->b[i].z);
        }
        fail_msg("%s of shape %d: %.9g above %.17g (size %g)", name, shape, (double)bound, distance,
                 pair->size);
    }
}

static void bounds_of_triangles_are_below_their_distances(void** state)
{
    (void)state;
    wkRng rng = wkMakeRng(UNIT_SEED);
    const wkTriangleLanes* lanes = wkTriangleLanesOfMachine();
    for (int i = 0; i < BATCH_COUNT; ++i) {
        int shape = i % SHAPE_COUNT;
        trianglePair pairs[WK_BATCH];
        wkTriangleBatch batch;
        for (int lane = 0; lane < WK_BATCH; ++lane) {
            pairs[lane] = makePair(&rng, shape, scales[wkRngBelow(&rng, SCALE_COUNT)]);
            putInLane(&batch, lane, &pairs[lane]);
        }
        _Alignas(32) float distances[WK_BATCH], gaps[WK_BATCH];
        lanes->boundDistances(&batch, distances);
        lanes->boundGaps(&batch, gaps);
        for (int lane = 0; lane < WK_BATCH; ++lane) {
            checkBound(&pairs[lane], shape, "distance", distances[lane]);
            checkBound(&pairs[lane], shape, "gap", gaps[lane]);
        }
    }
}

static void bounds_of_triangles_are_worth_having(void** state)
{
    (void)state;
    wkRng rng = wkMakeRng(UNIT_SEED + 1);
    for (int i = 0; i < 300; ++i) {
        trianglePair pairs[WK_BATCH];
        wkTriangleBatch batch;
        for (int lane = 0; lane < WK_BATCH; ++lane) {
            pairs[lane] = makePair(&rng, 0, scales[i % SCALE_COUNT]);
            putInLane(&batch, lane, &pairs[lane]);
        }
        _Alignas(32) float distances[WK_BATCH];
        wkTriangleLanesOfMachine()->boundDistances(&batch, distances);
        for (int lane = 0; lane < WK_BATCH; ++lane) {
            assert_true((double)distances[lane] >=
                        distanceOf(&pairs[lane]) - 1e-2 * pairs[lane].size);
        }
    }
}

static void triangles_beyond_float_are_never_ruled_out(void** state)
{
    (void)state;
    wkRng rng = wkMakeRng(UNIT_SEED + 2);
    for (int i = 0; i < 200; ++i) {
        wkTriangleBatch batch;
        for (int lane = 0; lane < WK_BATCH; ++lane) {
            trianglePair pair = makePair(&rng, i % SHAPE_COUNT, 1.0);
            putInLane(&batch, lane, &pair);
            float value = i % 2 == 0 ? INFINITY : 3e38f;
            float* vertex = (i % 3 == 0 ? batch.a : batch.b)[i / 3 % 3][i / 9 % 3];
            vertex[lane] = i % 5 == 0 ? -value : value;
        }
        _Alignas(32) float distances[WK_BATCH], gaps[WK_BATCH];
        wkTriangleLanesOfMachine()->boundDistances(&batch, distances);
        wkTriangleLanesOfMachine()->boundGaps(&batch, gaps);
        for (int lane = 0; lane < WK_BATCH; ++lane) {
            assert_true(!(distances[lane] > 0.0f) && !(gaps[lane] > 0.0f));
        }
    }
}

static void every_instruction_set_gives_the_same_bounds(void** state)
{
    (void)state;
    wkRng rng = wkMakeRng(UNIT_SEED + 3);
    for (int i = 0; i < BATCH_COUNT; ++i) {
        wkTriangleBatch batch;
        for (int lane = 0; lane < WK_BATCH; ++lane) {
            trianglePair pair =
                makePair(&rng, i % SHAPE_COUNT, scales[wkRngBelow(&rng, SCALE_COUNT)]);
            putInLane(&batch, lane, &pair);
        }
        _Alignas(32) float first[2][WK_BATCH] = {{0.0f}}, other[2][WK_BATCH];
        bool isFirst = true;
        for (int isa = 0; isa < wk_isaCount; ++isa) {
            const wkTriangleLanes* lanes = wkTriangleLanesOf((wkIsa)isa);
            float(*to)[WK_BATCH] = isFirst ? first : other;
            if (lanes != NULL) {
                lanes->boundDistances(&batch, to[0]);
                lanes->boundGaps(&batch, to[1]);
                assert_memory_equal(to, first, sizeof first);
                isFirst = false;
            }
        }
    }
}

// A tree of one node below the stem, with a leaf of one item in each slot.
typedef struct boxTree {
    _Alignas(64) wkBoxNode nodes[2];
} boxTree;

static void setBox(wkBoxNode* node, int slot, wkVec3d lower, wkVec3d upper)
{
    const double low[3] = {lower.x, lower.y, lower.z}, high[3] = {upper.x, upper.y, upper.z};
    for (int k = 0; k < 3; ++k) {
        node->lower[k][slot] = (float)low[k];
        node->upper[k][slot] = fmaxf((float)low[k], (float)high[k]);
    }
}

static void makeTree(wkRng* rng, double scale, boxTree* tree)
{
    for (int slot = 0; slot < WK_TREE_WIDTH; ++slot) {
        wkVec3d vertex = randomPoint(rng, scale);
        wkVec3d size = wkAbs(randomPoint(rng, scale * wkRngLogRange(rng, 1e-6, 1.0)));
        size.z = wkRngChance(rng, 3) ? 0.0 : size.z;
        setBox(&tree->nodes[1], slot, vertex, wkAdd(vertex, size));
        setBox(&tree->nodes[0], slot, wkVec(1e18, 1e18, 1e18), wkVec(1e18, 1e18, 1e18));
        tree->nodes[1].links[slot] = wkMakeLeaf(slot, 1);
        tree->nodes[0].links[slot] = WK_LINK_EMPTY;
    }
    wkVec3d reach = wkVec(2.0 * scale, 2.0 * scale, 2.0 * scale);
    setBox(&tree->nodes[0], 0, wkNeg(reach), reach);
    tree->nodes[0].links[0] = 1;
}

static wkTree treeOf(const boxTree* tree)
{
    wkTree t = {(const char*)tree->nodes, sizeof(wkBoxNode), 2, wk_volumeAabb};
    return t;
}

// Which leaves a walk reaches, and in what order.
typedef struct boxWalk {
    union {
        wkTreesWalk pair;
        wkBoxWalk box;
    };
    int32_t visited[WK_TREE_WIDTH * WK_TREE_WIDTH];
    int count;
} boxWalk;

static wkStep notePair(wkPairWalk* walk, wkLink a, wkLink b)
{
    boxWalk* w = (boxWalk*)walk;
    w->visited[w->count++] = wkLeafFirst(a) * WK_TREE_WIDTH + wkLeafFirst(b);
    return wk_stepOn;
}

static wkStep noteLeaf(wkSlotWalk* walk, wkLink link)
{
    boxWalk* w = (boxWalk*)walk;
    w->visited[w->count++] = wkLeafFirst(link);
    return wk_stepOn;
}

static bool hasVisited(const boxWalk* walk, int32_t item)
{
    for (int i = 0; i < walk->count; ++i) {
        if (walk->visited[i] == item) {
            return true;
        }
    }
    return false;
}

// The box of a slot as a shape, in the world of A.
static wkShape shapeOfSlot(const boxTree* tree, int slot, wkPose treePose, wkPose* pose)
{
    const wkBoxNode* node = &tree->nodes[1];
    wkVec3d lower = wkVec(node->lower[0][slot], node->lower[1][slot], node->lower[2][slot]);
    wkVec3d upper = wkVec(node->upper[0][slot], node->upper[1][slot], node->upper[2][slot]);
    wkPose local = {wkScale(0.5, wkAdd(lower, upper)), {0.0, 0.0, 0.0, 1.0}};
    *pose = wkMulPose(treePose, local);
    wkVec3d half = wkScale(0.5, wkSub(upper, lower));
    return wkMakeBox(half.x, half.y, half.z);
}

typedef struct boxScene {
    boxTree a;
    boxTree b;
    wkPose bInA;
    double reach;
} boxScene;

static void makeScene(wkRng* rng, boxScene* scene)
{
    double scale = scales[wkRngBelow(rng, SCALE_COUNT)];
    makeTree(rng, scale, &scene->a);
    makeTree(rng, scale, &scene->b);
    scene->bInA.position = randomPoint(rng, scale * wkRngLogRange(rng, 1e-3, 1e3));
    scene->bInA.rotation = wkRngChance(rng, 3) ? wkRngRightAngles(rng) : wkRngRotation(rng);
    scene->reach = 4.0 * scale + wkMaxAbs(scene->bInA.position);
}

static void walkPairs(const boxScene* scene, const wkBoxLanes* lanes, double distance,
                      bool isNearest, boxWalk* walk)
{
    walk->count = 0;
    walk->pair = (wkTreesWalk){
        .pairs = {.a = treeOf(&scene->a), .b = treeOf(&scene->b), .leaf = notePair},
        .bInA = wkFrameFromPose(scene->bInA),
        .slack = wkWalkSlack(scene->reach),
        .isNearest = isNearest,
    };
    walk->pair.pairs.limit = wkWalkLimit(distance, walk->pair.slack);
    lanes->walkTrees(&walk->pair);
}

// Two boxes are not ruled out by a limit that is their distance.
static void walks_reach_all_boxes_within_the_limit(void** state)
{
    (void)state;
    wkRng rng = wkMakeRng(UNIT_SEED + 4);
    for (int i = 0; i < 400; ++i) {
        boxScene scene;
        makeScene(&rng, &scene);
        for (int k = 0; k < WK_TREE_WIDTH; ++k) {
            int slotA = wkRngBelow(&rng, WK_TREE_WIDTH);
            wkPose poseA, poseB;
            wkShape a = shapeOfSlot(&scene.a, slotA, wkIdentityPose(), &poseA);
            wkShape b = shapeOfSlot(&scene.b, k, scene.bInA, &poseB);
            double distance = wkDistance(&a, poseA, &b, poseB, NULL).distance;
            distance = wkMaxD(distance, 0.0) + 1e-12 * scene.reach;
            boxWalk walk;
            walkPairs(&scene, wkBoxLanesOfMachine(), distance, k % 2 == 0, &walk);
            if (!hasVisited(&walk, slotA * WK_TREE_WIDTH + k)) {
                fail_msg("boxes %d and %d, %g apart at the reach %g, were ruled out", slotA, k,
                         distance, scene.reach);
            }
            walk.count = 0;
            wkFrame frameA = wkFrameFromPose(poseA), frameB = wkFrameFromPose(scene.bInA);
            frameB.position = wkSub(frameB.position, frameA.position);
            walk.box = (wkBoxWalk){
                .slots = {.tree = treeOf(&scene.b), .leaf = noteLeaf},
                .treeInBox = frameB,
                .half = a.box.half,
                .slack = wkWalkSlack(2.0 * scene.reach),
            };
            walk.box.slots.limit = wkWalkLimit(distance, walk.box.slack);
            wkBoxLanesOfMachine()->walkTree(&walk.box);
            assert_true(hasVisited(&walk, k));
        }
    }
}

static void every_instruction_set_walks_the_same_way(void** state)
{
    (void)state;
    wkRng rng = wkMakeRng(UNIT_SEED + 5);
    int culledCount = 0;
    for (int i = 0; i < 1000; ++i) {
        boxScene scene;
        makeScene(&rng, &scene);
        double distance = scene.reach * wkRngLogRange(&rng, 1e-4, 1.0);
        boxWalk first = {.count = -1}, other;
        for (int isa = 0; isa < wk_isaCount; ++isa) {
            const wkBoxLanes* lanes = wkBoxLanesOf((wkIsa)isa);
            if (lanes == NULL) {
                continue;
            }
            walkPairs(&scene, lanes, distance, i % 2 == 0, &other);
            if (first.count < 0) {
                first = other;
                culledCount += WK_TREE_WIDTH * WK_TREE_WIDTH - first.count;
            }
            assert_int_equal(other.count, first.count);
            assert_memory_equal(other.visited, first.visited,
                                sizeof *first.visited * (size_t)first.count);
        }
    }
    assert_true(culledCount > 1000);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(bounds_of_triangles_are_below_their_distances),
        cmocka_unit_test(bounds_of_triangles_are_worth_having),
        cmocka_unit_test(triangles_beyond_float_are_never_ruled_out),
        cmocka_unit_test(every_instruction_set_gives_the_same_bounds),
        cmocka_unit_test(walks_reach_all_boxes_within_the_limit),
        cmocka_unit_test(every_instruction_set_walks_the_same_way),
    };
    return cmocka_run_group_tests_name("mesh_lanes", tests, NULL, NULL);
}
