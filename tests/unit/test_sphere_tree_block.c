// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// Blocks of sphere trees: copied, mapped, cut, damaged and forged.

#include "fit/sphere_tree/sphere_tree_impl.h"
#include "unit_kit.h"

static wkSphereTree* makeTree(size_t* byteCount)
{
    wkShape box = wkMakeBox(1.0, 1.0, 1.0);
    wkSphereTreeBody body = {&box, wkIdentityPose()};
    wkSphereTreeDef def = wkDefaultSphereTreeDef();
    def.bodies = &body;
    def.bodyCount = 1;
    def.innerCount = 70;
    def.outerCount = 8;
    wkSphereTree* tree = NULL;
    assert_int_equal(wkSphereTree_Create(&def, &tree), wk_ok);
    *byteCount = wkSphereTree_Info(tree).byteCount;
    return tree;
}

static void blocks_are_copied_and_mapped(void** state)
{
    (void)state;
    size_t byteCount;
    wkSphereTree* tree = makeTree(&byteCount);
    wkSphereTree* copy = NULL;
    assert_int_equal(wkSphereTree_FromBlock(wkSphereTree_Block(tree), byteCount, &copy), wk_ok);
    assert_memory_equal(copy, tree, byteCount);
    wkSphereTree_Destroy(copy);
    const wkSphereTree* mapped = NULL;
    assert_int_equal(wkSphereTree_MapBlock(wkSphereTree_Block(tree), byteCount, &mapped), wk_ok);
    assert_ptr_equal(mapped, tree);
    assert_int_equal(wkSphereTree_FromBlock(tree, byteCount - 64, &copy), wk_errorParse);
    assert_int_equal(wkSphereTree_FromBlock(tree, 8, &copy), wk_errorParse);
    assert_int_equal(wkSphereTree_FromBlock(NULL, 8, &copy), wk_errorArgument);
    const char* odd = (const char*)wkSphereTree_Block(tree) + 8;
    assert_int_equal(wkSphereTree_MapBlock(odd, byteCount, &mapped), wk_errorArgument);
    tree->version++;
    assert_int_equal(wkSphereTree_FromBlock(tree, byteCount, &copy), wk_errorUnsupported);
    tree->version--;
    wkSphereTree_Destroy(tree);
}

// Asks a tree whatever there is to ask.
static void ask(const wkSphereTree* tree)
{
    float points[6] = {0.6f, 0.0f, 0.1f, 0.0f, 0.0f, 0.0f};
    wkCloudView view = wkDefaultCloudDef().points;
    view.data = points;
    view.count = 2;
    wkPlacedSphereTree placed = {.tree = tree, .pose = wkIdentityPose()};
    wkSphereTreeResult found;
    uint8_t touched[70];
    double volume;
    wkPlacedSphereTree_PointDistances(&placed, 1, &view, wkIdentityPose(), NULL, &found);
    assert_true(found.lower >= 0.0 && (found.verdict != wk_sphereFree || found.lower > 0.0));
    wkPlacedSphereTree_PointVolumes(&placed, 1, &view, wkIdentityPose(), NULL, touched,
                                    sizeof touched, &volume);
    wkDistanceOfSphereTrees(&placed, &placed, NULL);
    wkPenetrationVolume(&placed, &placed);
}

// A changed byte is refused by the checksum. Where that was made to fit, it is refused if queries follow it; a tree
// that is accepted can be asked.
static void forged_blocks_are_refused_or_can_be_asked(void** state)
{
    (void)state;
    size_t byteCount;
    wkSphereTree* tree = makeTree(&byteCount);
    wkRng rng = wkMakeRng(UNIT_SEED);
    unsigned char* bytes = (unsigned char*)tree;
    uint64_t checksum = tree->checksum;
    for (int i = 0; i < WK_CASES(1000); i++) {
        size_t sets = offsetof(wkSphereTree, sets), header = sizeof *tree;
        size_t at =
            i % 2 == 0 ? wkRngNext(&rng) % byteCount : sets + wkRngNext(&rng) % (header - sets);
        unsigned char kept = bytes[at];
        bytes[at] = (unsigned char)(kept + 1 + wkRngNext(&rng) % 255);
        wkSphereTree* copy = NULL;
        assert_int_not_equal(wkSphereTree_FromBlock(tree, byteCount, &copy), wk_ok);
        assert_null(copy);
        if (at >= sets) {
            wkSealSphereTree(tree);
            bool isAccepted = wkSphereTree_FromBlock(tree, byteCount, &copy) == wk_ok;
            assert_true(!isAccepted || at >= sets + sizeof tree->sets);
            if (isAccepted) {
                ask(copy);
            }
            wkSphereTree_Destroy(copy);
        }
        tree->checksum = checksum;
        bytes[at] = kept;
    }
    wkSphereTree_Destroy(tree);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(blocks_are_copied_and_mapped),
        cmocka_unit_test(forged_blocks_are_refused_or_can_be_asked),
    };
    return cmocka_run_group_tests_name("unit.sphere_tree_block", tests, NULL, NULL);
}
