// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// OctoMap's maps beside ours: the same observations give the same leaves with the same bits, in at
// most half of the memory, and either reads the files of the other. Maps of the data folder are left
// out where it is not there.

#define _POSIX_C_SOURCE 200809L // getpid

#include "data_files.h"
#include "kit.h"
#include "oracle_octomap.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

// Our map must hold all leaves of theirs; `differentCount` says how many it does not.
typedef struct beside {
    wkOctree* ours;
    int64_t differentCount;
} beside;

static bool isSameFloat(float a, float b)
{
    return memcmp(&a, &b, sizeof a) == 0;
}

static void compareLeaf(const wkTheirLeaf* leaf, void* context)
{
    beside* b = (beside*)context;
    wkCell cell = wkOctree_CellAt(b->ours, leaf->key);
    bool isSame = cell.depth == leaf->depth && isSameFloat(cell.logOdds, leaf->logOdds) &&
                  cell.key.x == leaf->key.x && cell.key.y == leaf->key.y &&
                  cell.key.z == leaf->key.z && cell.probability == leaf->probability &&
                  cell.size == leaf->size &&
                  cell.state == (leaf->isOccupied ? wk_cellOccupied : wk_cellFree);
    b->differentCount += isSame ? 0 : 1;
}

static void compareMaps(wkOctree* ours, const wkTheirMap* theirs, double memoryShare)
{
    beside b = {ours, 0};
    wkTheirMap_Visit(theirs, compareLeaf, &b);
    wkOctreeInfo stats = wkOctree_Info(ours);
    assert_int_equal(b.differentCount, 0);
    assert_int_equal(stats.leafCount, wkTheirMap_LeafCount(theirs));
    assert_int_equal(stats.leafCount + stats.innerCount, wkTheirMap_NodeCount(theirs));
    double share = (double)stats.byteCount / (double)wkTheirMap_ByteCount(theirs);
    if (share > memoryShare) {
        fail_msg("%g of OctoMap's memory for %lld leaves", share, (long long)stats.leafCount);
    }
}

static const double probabilities[][5] = {
    {0.7, 0.4, 0.1192, 0.971, 0.5},
    {0.9, 0.1, 0.01, 0.99, 0.6},
    {0.51, 0.49, 0.3, 0.8, 0.4},
    {0.85, 0.45, 0.12, 0.97, 0.7},
};
#define PROBABILITY_COUNT (int)(sizeof probabilities / sizeof probabilities[0])

static wkOctreeDef someDef(int index, double resolution)
{
    const double* p = probabilities[index % PROBABILITY_COUNT];
    wkOctreeDef def = wkDefaultOctreeDef();
    def.resolution = resolution;
    def.hitProbability = p[0];
    def.missProbability = p[1];
    def.lowestProbability = p[2];
    def.highestProbability = p[3];
    def.occupiedProbability = p[4];
    return def;
}

// Random observations about the origin, each group of cells with a mind of its own, so that whole
// cubes agree in the end.
static void observe(wkOctree* ours, wkTheirMap* theirs, wkRng* rng, int interval, int count)
{
    for (int i = 0; i < count; i++) {
        int keys[3];
        for (int axis = 0; axis < 3; axis++) {
            keys[axis] = 32768 - interval / 2 + wkRngBelow(rng, interval);
        }
        wkCellKey key = {(uint16_t)keys[0], (uint16_t)keys[1], (uint16_t)keys[2]};
        bool isDefault = (keys[0] / 8 + keys[1] / 8 + keys[2] / 8) % 2 == 0;
        bool isHit = wkRngChance(rng, 12) ? !isDefault : isDefault;
        float value = (float)wkRngRange(rng, -4.0, 4.0);
        int kind = wkRngBelow(rng, 100);
        if (kind == 0) {
            assert_int_equal(wkOctree_SetLogOdds(ours, key, 16, value), wk_ok);
            wkTheirMap_Set(theirs, key, value);
        } else if (kind == 1) {
            assert_int_equal(wkOctree_AddLogOdds(ours, key, value), wk_ok);
            wkTheirMap_Add(theirs, key, value);
        } else {
            assert_int_equal(wkOctree_Observe(ours, key, isHit), wk_ok);
            wkTheirMap_Observe(theirs, key, isHit);
        }
    }
}

static void the_same_observations_give_the_same_bits(void** state)
{
    (void)state;
    const struct {
        int interval, count;
        double memoryShare; // a map of few cells is mostly the rest of its pages
    } rows[] = {{4, 3000, 10.0},
                {16, 100000, 1.0},
                {32, 60000, 0.5},
                {48, 400000, 0.5},
                {1000, 2000, 0.75}};
    wkRng rng = wkMakeRng(wkKitSeed());
    for (int i = 0; i < (int)(sizeof rows / sizeof rows[0]); i++) {
        wkOctreeDef def = someDef(i, 0.05 * (i + 1));
        wkOctree* ours = NULL;
        assert_int_equal(wkOctree_Create(&def, &ours), wk_ok);
        wkTheirMap* theirs = wkTheirMap_Create(&def);
        observe(ours, theirs, &rng, rows[i].interval, rows[i].count);
        compareMaps(ours, theirs, rows[i].memoryShare);
        wkTheirMap_Threshold(theirs);
        assert_int_equal(wkOctree_ToMaximumLikelihood(ours), wk_ok);
        compareMaps(ours, theirs, INFINITY);
        wkTheirMap_Destroy(theirs);
        wkOctree_Destroy(ours);
    }
    assert_int_equal(wkGetByteCount(), 0);
}

// One observation of a new cell leaves the number itself, many the limit.
static void probabilities_become_the_same_numbers(void** state)
{
    (void)state;
    const wkCellKey a = {1, 2, 3}, b = {4, 5, 6};
    for (int i = 0; i < PROBABILITY_COUNT; i++) {
        wkOctreeDef def = someDef(i, 0.1);
        wkTheirMap* theirs = wkTheirMap_Create(&def);
        wkTheirNumbers n = wkTheirMap_Numbers(theirs);
        wkOctree* ours = NULL;
        assert_int_equal(wkOctree_Create(&def, &ours), wk_ok);
        assert_int_equal(wkOctree_Observe(ours, a, true), wk_ok);
        assert_int_equal(wkOctree_Observe(ours, b, false), wk_ok);
        assert_true(isSameFloat(wkOctree_CellAt(ours, a).logOdds, n.hit));
        assert_true(isSameFloat(wkOctree_CellAt(ours, b).logOdds, n.miss));
        assert_int_equal(wkOctree_SetLogOdds(ours, a, 16, INFINITY), wk_ok);
        assert_int_equal(wkOctree_SetLogOdds(ours, b, 16, -INFINITY), wk_ok);
        assert_true(isSameFloat(wkOctree_CellAt(ours, a).logOdds, n.highest));
        assert_true(isSameFloat(wkOctree_CellAt(ours, b).logOdds, n.lowest));
        assert_int_equal(wkOctree_SetLogOdds(ours, a, 16, n.occupied), wk_ok);
        assert_int_equal(wkOctree_CellAt(ours, a).state, wk_cellOccupied);
        float below = nextafterf(n.occupied, -INFINITY);
        assert_int_equal(wkOctree_SetLogOdds(ours, a, 16, below), wk_ok);
        assert_int_equal(wkOctree_CellAt(ours, a).state, wk_cellFree);
        wkTheirMap_Destroy(theirs);
        wkOctree_Destroy(ours);
    }
}

static double someCoordinate(wkRng* rng, double resolution)
{
    double cell = wkRngRange(rng, -34000.0, 34000.0);
    double coordinate = resolution * (wkRngChance(rng, 2) ? round(cell) : cell);
    return wkRngChance(rng, 3) ? nextafter(coordinate, 0.0) : coordinate;
}

static void points_lie_in_the_same_cells(void** state)
{
    (void)state;
    const double resolutions[] = {0.05, 0.1, 0.3, 1e-3, 7.0};
    wkRng rng = wkMakeRng(wkKitSeed());
    for (int i = 0; i < 5; i++) {
        wkOctreeDef def = someDef(i, resolutions[i]);
        wkOctree* ours = NULL;
        assert_int_equal(wkOctree_Create(&def, &ours), wk_ok);
        wkTheirMap* theirs = wkTheirMap_Create(&def);
        int differentCount = 0, insideCount = 0;
        for (int k = 0; k < 10000; k++) {
            wkVec3d p = {someCoordinate(&rng, resolutions[i]), someCoordinate(&rng, resolutions[i]),
                         someCoordinate(&rng, resolutions[i])};
            wkCellKey a, b;
            bool isInside = wkOctree_KeyAt(ours, p, &a);
            bool isSame = isInside == wkTheirMap_KeyAt(theirs, p, &b);
            isSame = isSame && (!isInside || (a.x == b.x && a.y == b.y && a.z == b.z));
            differentCount += isSame ? 0 : 1;
            insideCount += isInside ? 1 : 0;
        }
        assert_int_equal(differentCount, 0);
        assert_in_range(insideCount, 5000, 9999);
        wkTheirMap_Destroy(theirs);
        wkOctree_Destroy(ours);
    }
}

static void takeLeaf(const wkTheirLeaf* leaf, void* context)
{
    beside* b = (beside*)context;
    wkResult result = wkOctree_SetLogOdds(b->ours, leaf->key, leaf->depth, leaf->logOdds);
    b->differentCount += result == wk_ok ? 0 : 1;
}

// The limits of the file are not known: wide ones leave all its numbers alone.
static void compareFile(const char* path)
{
    wkTheirMap* theirs = wkTheirMap_Read(path);
    assert_non_null(theirs);
    wkOctreeDef def = wkDefaultOctreeDef();
    def.resolution = wkTheirMap_Resolution(theirs);
    def.lowestProbability = 1e-6;
    def.highestProbability = 1.0 - 1e-6;
    beside b = {NULL, 0};
    assert_int_equal(wkOctree_Create(&def, &b.ours), wk_ok);
    wkTheirMap_Visit(theirs, takeLeaf, &b);
    assert_int_equal(b.differentCount, 0);
    compareMaps(b.ours, theirs, 0.5);
    wkOctree* loaded = NULL;
    assert_int_equal(wkOctree_Load(path, &loaded), wk_ok);
    compareMaps(loaded, theirs, 0.5);
    wkOctree_Destroy(loaded);
    wkOctreeInfo stats = wkOctree_Info(b.ours);
    print_message("%s: %lld leaves, %.2f of OctoMap's memory\n", path, (long long)stats.leafCount,
                  (double)stats.byteCount / (double)wkTheirMap_ByteCount(theirs));
    wkTheirMap_Destroy(theirs);
    wkOctree_Destroy(b.ours);
}

static void maps_from_files_are_the_same_in_half_of_the_memory(void** state)
{
    (void)state;
    static const char* const names[] = {
        "octomap/geb079.bt",
        "octomap/derived/office1_5cm.bt",
        "octomap/derived/office1_5cm.ot",
        "octomap/derived/milk_table_2cm.ot",
        "octomap/derived/room_scan1_5cm.ot",
        "octomap/derived/apc_shelf_15views_1cm.ot",
    };
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        char path[WK_DATA_PATH_CAPACITY];
        if (wkFindData(names[i], path)) {
            compareFile(path);
        }
    }
}

// The bytes of a small file.
static char* readFile(const char* path, long* byteCount)
{
    FILE* file = fopen(path, "rb");
    assert_non_null(file);
    assert_int_equal(fseek(file, 0, SEEK_END), 0);
    *byteCount = ftell(file);
    rewind(file);
    char* bytes = malloc((size_t)*byteCount + 1);
    assert_non_null(bytes);
    assert_int_equal(fread(bytes, 1, (size_t)*byteCount, file), *byteCount);
    fclose(file);
    return bytes;
}

static void assertSameFiles(const char* pathA, const char* pathB)
{
    long countA = 0, countB = 0;
    char *a = readFile(pathA, &countA), *b = readFile(pathB, &countB);
    assert_int_equal(countA, countB);
    assert_memory_equal(a, b, (size_t)countA);
    free(a);
    free(b);
}

static const char* const extensions[] = {"ot", "bt"};

static void nameFile(char path[128], const char* who, int form)
{
    const char* folder = getenv("TMPDIR");
    snprintf(path, 128, "%.60s/whisker_oracle_%ld_%s.%s", folder != NULL ? folder : "/tmp",
             (long)getpid(), who, extensions[form]);
}

// They write, we read and write, they read: the same map and the same bytes all the way.
static void passFileAround(wkTheirMap* theirs, int form)
{
    char theirPath[128], ourPath[128];
    nameFile(theirPath, "theirs", form);
    nameFile(ourPath, "ours", form);
    wkOctree* ours = NULL;
    assert_true(wkTheirMap_Write(theirs, theirPath));
    assert_int_equal(wkOctree_Load(theirPath, &ours), wk_ok);
    compareMaps(ours, theirs, INFINITY);
    assert_int_equal(wkOctree_Save(ourPath, ours), wk_ok);
    assertSameFiles(theirPath, ourPath);
    wkTheirMap* back = wkTheirMap_Read(ourPath);
    assert_non_null(back);
    compareMaps(ours, back, INFINITY);
    wkTheirMap_Destroy(back);
    wkOctree_Destroy(ours);
    remove(theirPath);
    remove(ourPath);
}

static void files_hold_the_same_map_for_both(void** state)
{
    (void)state;
    static const double resolutions[6] = {0.05, 0.1, 0.25, 0.02, 0.125, 1.5};
    wkRng rng = wkMakeRng(wkKitSeed());
    for (int i = 0; i < 6; i++) {
        wkOctreeDef def = wkDefaultOctreeDef();
        def.resolution = resolutions[i];
        wkOctree* ours = NULL;
        assert_int_equal(wkOctree_Create(&def, &ours), wk_ok);
        wkTheirMap* theirs = wkTheirMap_Create(&def);
        observe(ours, theirs, &rng, i == 5 ? 1000 : 4 << i, i == 0 ? 1 : 1000 << i);
        for (int form = 0; form < 2; form++) {
            char path[128];
            nameFile(path, "first", form);
            assert_int_equal(wkOctree_Save(path, ours), wk_ok);
            wkTheirMap* read = wkTheirMap_Read(path);
            assert_non_null(read);
            passFileAround(read, form);
            wkTheirMap_Destroy(read);
            remove(path);
        }
        passFileAround(theirs, 0);
        passFileAround(theirs, 1);
        wkTheirMap_Destroy(theirs);
        wkOctree_Destroy(ours);
    }
    assert_int_equal(wkGetByteCount(), 0);
}

// OctoMap itself writes six digits.
static void resolutions_of_many_digits_arrive(void** state)
{
    (void)state;
    for (int form = 0; form < 2; form++) {
        wkOctreeDef def = wkDefaultOctreeDef();
        def.resolution = 1.0 / 3.0;
        char path[128];
        nameFile(path, "digits", form);
        wkOctree* ours = NULL;
        assert_int_equal(wkOctree_Create(&def, &ours), wk_ok);
        assert_int_equal(wkOctree_Observe(ours, (wkCellKey){1, 2, 3}, true), wk_ok);
        assert_int_equal(wkOctree_Save(path, ours), wk_ok);
        wkTheirMap* theirs = wkTheirMap_Read(path);
        assert_non_null(theirs);
        assert_true(wkTheirMap_Resolution(theirs) == def.resolution);
        wkTheirMap_Destroy(theirs);
        wkOctree_Destroy(ours);
        remove(path);
    }
}

static void files_that_are_not_pruned_are_read_as_if_they_were(void** state)
{
    (void)state;
    wkRng rng = wkMakeRng(wkKitSeed());
    wkOctreeDef def = wkDefaultOctreeDef();
    wkOctree *ours = NULL, *loaded = NULL;
    assert_int_equal(wkOctree_Create(&def, &ours), wk_ok);
    wkTheirMap* theirs = wkTheirMap_Create(&def);
    observe(ours, theirs, &rng, 16, 100000);
    int64_t nodeCount = wkTheirMap_NodeCount(theirs);
    wkTheirMap_Expand(theirs);
    assert_true(wkTheirMap_NodeCount(theirs) > nodeCount);
    char path[128];
    nameFile(path, "expanded", 0);
    assert_true(wkTheirMap_Write(theirs, path));
    wkTheirMap* pruned = wkTheirMap_Read(path);
    assert_int_equal(wkOctree_Load(path, &loaded), wk_ok);
    compareMaps(loaded, pruned, INFINITY);
    assert_int_equal(wkTheirMap_NodeCount(pruned), nodeCount);
    remove(path);
    wkTheirMap_Destroy(pruned);
    wkTheirMap_Destroy(theirs);
    wkOctree_Destroy(loaded);
    wkOctree_Destroy(ours);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(probabilities_become_the_same_numbers),
        cmocka_unit_test(points_lie_in_the_same_cells),
        cmocka_unit_test(the_same_observations_give_the_same_bits),
        cmocka_unit_test(files_hold_the_same_map_for_both),
        cmocka_unit_test(resolutions_of_many_digits_arrive),
        cmocka_unit_test(files_that_are_not_pruned_are_read_as_if_they_were),
        cmocka_unit_test(maps_from_files_are_the_same_in_half_of_the_memory),
    };
    return cmocka_run_group_tests_name("OctoMap", tests, NULL, NULL);
}
