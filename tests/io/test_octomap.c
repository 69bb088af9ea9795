// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// Maps in files: what is saved is loaded again to the bit, files of others are written as they were,
// and broken ones are refused with the place where they break.

#define _XOPEN_SOURCE 700 // nftw

#include "io_kit.h"

#include <ftw.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

// A wall, free space before it, and cells of every depth.
static wkOctree* makeMap(void)
{
    wkOctree* octree = NULL;
    wkOctreeDef def = wkDefaultOctreeDef();
    def.resolution = 0.1;
    assert_int_equal(wkOctree_Create(&def, &octree), wk_ok);
    wkAabb wall = {{1.0, -2.0, 0.0}, {1.2, 2.0, 2.0}}, room = {{-3.0, -2.0, 0.0}, {1.0, 2.0, 2.0}};
    assert_int_equal(wkOctree_FillBox(octree, room, -0.4f), wk_ok);
    assert_int_equal(wkOctree_FillBox(octree, wall, 0.85f), wk_ok);
    for (int depth = 1; depth <= WK_OCTREE_DEPTH; depth++) {
        wkCellKey key = {(uint16_t)(70 * depth), (uint16_t)(9 * depth), 0};
        float logOdds = 0.1f * (float)depth - 1.0f;
        assert_int_equal(wkOctree_SetLogOdds(octree, key, depth, logOdds), wk_ok);
    }
    return octree;
}

static wkBytes saveBytes(const wkOctree* octree, const char* name)
{
    const char* path = wkTestPath(name);
    if (wkOctree_Save(path, octree) != wk_ok) {
        fail_msg("%s", wkGetLastError());
    }
    return wkReadFile(path);
}

static bool countChange(const wkCellChange* change, void* context)
{
    (void)change;
    ++*(int*)context;
    return true;
}

static void full_files_hold_every_bit(void** state)
{
    (void)state;
    wkOctree *octree = makeMap(), *loaded = NULL;
    wkBytes bytes = saveBytes(octree, "map.ot");
    assert_int_equal(wkOctree_Load(wkTestPath("map.ot"), &loaded), wk_ok);
    wkOctreeInfo before = wkOctree_Info(octree), after = wkOctree_Info(loaded);
    assert_int_equal(before.leafCount, after.leafCount);
    assert_true(wkOctree_Def(loaded).resolution == 0.1);
    wkCellIterator a = wkOctree_Cells(octree, NULL), b = wkOctree_Cells(loaded, NULL);
    for (wkCell left, right; wkCellIterator_Next(&a, &left);) {
        assert_true(wkCellIterator_Next(&b, &right));
        assert_true(wkCellId_Equals(left.id, right.id));
        assert_memory_equal(&left.logOdds, &right.logOdds, sizeof left.logOdds);
    }
    wkOctree_Destroy(loaded);
    wkOctree_Destroy(octree);
    wkBytes_Free(&bytes);
}

static void short_files_hold_every_state(void** state)
{
    (void)state;
    wkOctree *octree = makeMap(), *loaded = NULL;
    wkBytes bytes = saveBytes(octree, "map.bt");
    assert_int_equal(wkOctree_Parse(bytes.data, bytes.count, &loaded), wk_ok);
    int changeCount = 0;
    assert_int_equal(wkOctree_Compare(octree, loaded, countChange, &changeCount), wk_ok);
    assert_int_equal(changeCount, 0);
    wkBytes again = saveBytes(loaded, "again.bt");
    assert_int_equal(again.count, bytes.count);
    assert_memory_equal(again.data, bytes.data, bytes.count);
    wkBytes_Free(&again);
    wkBytes_Free(&bytes);
    wkOctree_Destroy(loaded);
    wkOctree_Destroy(octree);
}

static void maps_without_cells_and_full_ones_are_files_too(void** state)
{
    (void)state;
    static const char* const names[] = {"edge.bt", "edge.ot"};
    for (int isFull = 0; isFull < 2; isFull++) {
        for (int i = 0; i < 2; i++) {
            wkOctree *octree = NULL, *loaded = NULL;
            assert_int_equal(wkOctree_Create(NULL, &octree), wk_ok);
            wkCellKey key = {0, 0, 0};
            if (isFull) {
                assert_int_equal(wkOctree_SetLogOdds(octree, key, 0, 1.0f), wk_ok);
            }
            wkBytes bytes = saveBytes(octree, names[i]);
            if (wkOctree_Parse(bytes.data, bytes.count, &loaded) != wk_ok) {
                fail_msg("%s", wkGetLastError());
            }
            wkCellState expected = isFull ? wk_cellOccupied : wk_cellUnknown;
            assert_int_equal(wkOctree_CellAt(loaded, key).state, expected);
            assert_int_equal(wkOctree_CellAt(loaded, key).depth, 0);
            wkBytes_Free(&bytes);
            wkOctree_Destroy(loaded);
            wkOctree_Destroy(octree);
        }
    }
}

static void no_file_that_is_cut_short_is_read(void** state)
{
    (void)state;
    static const char* const names[] = {"cut.bt", "cut.ot"};
    wkOctree* octree = makeMap();
    for (int i = 0; i < 2; i++) {
        wkBytes bytes = saveBytes(octree, names[i]);
        for (size_t count = 0; count < bytes.count; count += 1 + count / 64) {
            wkOctree* loaded = octree;
            assert_int_not_equal(wkOctree_Parse(bytes.data, count, &loaded), wk_ok);
            assert_null(loaded);
        }
        wkBytes_Add(&bytes, "", 1);
        wkOctree* loaded = octree;
        assert_int_equal(wkOctree_Parse(bytes.data, bytes.count, &loaded), wk_errorParse);
        assert_non_null(strstr(wkGetLastError(), "goes on"));
        wkBytes_Free(&bytes);
    }
    wkOctree_Destroy(octree);
}

#define BT "# Octomap OcTree binary file\n"
#define OT "# Octomap OcTree file\n"

// Text headers, each followed by zeros.
static const struct {
    const char* text;
    int zeroCount;
    wkResult result;
    const char* word; // of what was said
} brokenHeaders[] = {
    {"", 0, wk_errorParse, "line 1"},
    {"# Octomap OcTree fil", 0, wk_errorParse, "line 1"},
    {BT, 0, wk_errorParse, "\"data\""},
    {BT "id OcTree\nsize 1\nres 0.1\n", 0, wk_errorParse, "\"data\""},
    {BT "size 1\nres 0.1\ndata\n", 2, wk_errorParse, "\"id\""},
    {BT "id OcTree\nres 0.1\ndata\n", 2, wk_errorParse, "\"size\""},
    {BT "id OcTree\nsize 1\ndata\n", 2, wk_errorParse, "\"res\""},
    {OT "id ColorOcTree\nsize 1\nres 0.1\ndata\n", 5, wk_errorUnsupported, "ColorOcTree"},
    {BT "id OcTree\nsize -3\nres 0.1\ndata\n", 2, wk_errorParse, ":3: size"},
    {BT "id OcTree\nsize many\nres 0.1\ndata\n", 2, wk_errorParse, ":3: size"},
    {BT "id OcTree\nsize 1\nres 0\ndata\n", 2, wk_errorParse, ":4: res"},
    {BT "id OcTree\nsize 1\nres nan\ndata\n", 2, wk_errorParse, ":4: res"},
    {BT "id OcTree\nsize 1\nres -1\ndata\n", 2, wk_errorParse, ":4: res"},
    {BT "id OcTree\nsize 1\nres 1e300\ndata\n", 2, wk_errorRange, "resolution"},
    {BT "id OcTree\nsize 1\nres inf\ndata\n", 2, wk_errorNotFinite, "resolution"},
    {BT "id OcTree\nsize 4000000000\nres 0.1\ndata\n", 2, wk_errorParse, "at most"},
    {OT "id OcTree\nsize 99999999999999999999\nres 0.1\ndata\n", 5, wk_errorParse, "at most"},
    {BT "id OcTree\nsize 2\nres 0.1\ndata\n", 2, wk_errorParse, "there are 1"},
    {OT "id OcTree\nsize 2\nres 0.1\ndata\n", 10, wk_errorParse, "there are 1"},
};

static void broken_headers_are_named(void** state)
{
    (void)state;
    static const uint8_t zeros[16];
    for (size_t i = 0; i < sizeof brokenHeaders / sizeof brokenHeaders[0]; i++) {
        wkBytes bytes = {NULL, 0, 0};
        wkBytes_Print(&bytes, "%s", brokenHeaders[i].text);
        wkBytes_Add(&bytes, zeros, (size_t)brokenHeaders[i].zeroCount);
        wkOctree* octree = NULL;
        wkResult result = wkOctree_Parse(bytes.data, bytes.count, &octree);
        const char* words = wkGetLastError();
        if (result != brokenHeaders[i].result || strstr(words, brokenHeaders[i].word) == NULL) {
            fail_msg("header %zu: %s, \"%s\"", i, wkResultName(result), words);
        }
        assert_null(octree);
        wkBytes_Free(&bytes);
    }
}

// Headers that OctoMap 1.9 reads, for a file of one cube: the root, whose children are unknown.
static const struct {
    const char* text;
    int zeroCount;
} validHeaders[] = {
    {BT "id OcTree\nsize 1\nres 0.1\ndata\n", 2},
    {OT "id OcTree\nsize 1\nres 0.1\ndata\n", 5},
    {"# Octomap OcTree binary file, with words\nid OcTree\nsize 1\nres 0.1\ndata\n", 2},
    {"# Octomap OcTree files\nid OcTree\nsize 1\nres 0.1\ndata\n", 5},
    {BT "id 1\nsize 1\nres 0.1\ndata\n", 2},
    {OT "id 1\nsize 1\nres 0.1\ndata\n", 5},
    {BT "id ColorOcTree\nsize 1\nres 0.1\ndata\n", 2},
    {BT "id OcTree size 1 res 0.1 data\n", 2},
    {BT "id\nOcTree\nsize\n1\nres\n0.1\ndata\n", 2},
    {BT "id OcTree # which\nsize 1 # how many\nres 0.1\ndata behind\n", 2},
    {OT "\n  id OcTree\n\tsize 1\n res 0.1\n data\n", 5},
    {BT "id OcTree\r\nsize 1\r\nres 0.1\r\ndata\r\n", 2},
    {BT "ID no\nSize 7\nid OcTree\nsize 1\nRES 0.3\nres 0.1\nDATA\nwhat res 3\ndata\n", 2},
};

static void headers_are_read_as_octomap_reads_them(void** state)
{
    (void)state;
    static const uint8_t zeros[16];
    for (size_t i = 0; i < sizeof validHeaders / sizeof validHeaders[0]; i++) {
        wkBytes bytes = {NULL, 0, 0};
        wkBytes_Print(&bytes, "%s", validHeaders[i].text);
        wkBytes_Add(&bytes, zeros, (size_t)validHeaders[i].zeroCount);
        wkOctree* octree = NULL;
        if (wkOctree_Parse(bytes.data, bytes.count, &octree) != wk_ok) {
            fail_msg("header %zu: %s", i, wkGetLastError());
        }
        assert_true(wkOctree_Def(octree).resolution == 0.1);
        wkOctree_Destroy(octree);
        wkBytes_Free(&bytes);
    }
}

// A .bt file as it was before there were lines of text: the number 3, the resolution, the size.
static wkBytes oldFile(uint32_t tree, double resolution, uint32_t size, const wkBytes* cells)
{
    wkBytes bytes = {NULL, 0, 0};
    wkBytes_Add(&bytes, &tree, sizeof tree);
    wkBytes_Add(&bytes, &resolution, sizeof resolution);
    wkBytes_Add(&bytes, &size, sizeof size);
    wkBytes_Add(&bytes, cells->data, cells->count);
    return bytes;
}

static void the_oldest_files_are_read(void** state)
{
    (void)state;
    wkOctree *octree = makeMap(), *loaded = NULL;
    assert_int_equal(wkOctree_ToMaximumLikelihood(octree), wk_ok);
    wkOctreeCodeInfo info = wkOctree_Encode(octree, wk_octreeCodeShort, NULL);
    wkBytes cells = {malloc(info.byteCount), info.byteCount, info.byteCount};
    wkOctree_Encode(octree, wk_octreeCodeShort, cells.data);
    const struct {
        uint32_t tree;
        double resolution;
        uint32_t more;
        wkResult result;
        const char* word;
    } cases[] = {
        {3, 0.1, 0, wk_ok, ""},
        {4, 0.1, 0, wk_errorParse, "line 1"},
        {3, 0.0, 0, wk_errorParse, "byte 4: the resolution"},
        {3, NAN, 0, wk_errorParse, "byte 4: the resolution"},
        {3, 0.1, 1, wk_errorParse, "there are"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        uint32_t size = (uint32_t)info.cubeCount + cases[i].more;
        wkBytes bytes = oldFile(cases[i].tree, cases[i].resolution, size, &cells);
        assert_int_equal(wkOctree_Parse(bytes.data, bytes.count, &loaded), cases[i].result);
        int changeCount = 0;
        if (loaded != NULL) {
            assert_int_equal(wkOctree_Compare(octree, loaded, countChange, &changeCount), wk_ok);
            assert_int_equal(changeCount, 0);
        } else {
            assert_non_null(strstr(wkGetLastError(), cases[i].word));
        }
        wkOctree_Destroy(loaded);
        wkBytes_Free(&bytes);
    }
    wkBytes_Free(&cells);
    wkOctree_Destroy(octree);
}

// Every cube has one child, which has children again, and so on below single cells.
static void nothing_is_below_single_cells(void** state)
{
    (void)state;
    static const uint8_t shortCube[] = {3, 0}, fullCube[] = {0, 0, 0, 0, 1};
    wkBytes bt = {NULL, 0, 0}, ot = {NULL, 0, 0};
    wkBytes_Print(&bt, BT "id OcTree\nsize 100\nres 0.1\ndata\n");
    wkBytes_Print(&ot, OT "id OcTree\nsize 100\nres 0.1\ndata\n");
    for (int i = 0; i < 100; i++) {
        wkBytes_Add(&bt, shortCube, sizeof shortCube);
        wkBytes_Add(&ot, fullCube, sizeof fullCube);
    }
    wkOctree* octree = NULL;
    assert_int_equal(wkOctree_Parse(bt.data, bt.count, &octree), wk_errorParse);
    assert_non_null(strstr(wkGetLastError(), "below single cells"));
    assert_int_equal(wkOctree_Parse(ot.data, ot.count, &octree), wk_errorParse);
    assert_non_null(strstr(wkGetLastError(), "below single cells"));
    wkBytes_Free(&bt);
    wkBytes_Free(&ot);
    assert_int_equal(wkGetByteCount(), 0);
}

static void log_odds_that_are_no_numbers_are_refused(void** state)
{
    (void)state;
    wkBytes bytes = {NULL, 0, 0};
    wkBytes_Print(&bytes, OT "id OcTree\nsize 1\nres 0.1\ndata\n");
    char words[40]; // bytes are counted from the beginning of the file
    snprintf(words, sizeof words, "byte %zu: log-odds", bytes.count);
    wkBytes_AddFloat(&bytes, NAN, false);
    wkBytes_Add(&bytes, "", 1);
    wkOctree* octree = NULL;
    assert_int_equal(wkOctree_Parse(bytes.data, bytes.count, &octree), wk_errorNotFinite);
    assert_non_null(strstr(wkGetLastError(), words));
    wkBytes_Free(&bytes);
}

static void extensions_and_paths_are_checked(void** state)
{
    (void)state;
    wkOctree *octree = makeMap(), *loaded = octree;
    assert_int_equal(wkOctree_Save(wkTestPath("map.stl"), octree), wk_errorUnsupported);
    assert_int_equal(wkOctree_Save("/no/such/folder/map.bt", octree), wk_errorFile);
    assert_int_equal(wkOctree_Load("/no/such/folder/map.bt", &loaded), wk_errorFile);
    assert_null(loaded);
    assert_int_equal(wkOctree_Load(NULL, &loaded), wk_errorArgument);
    assert_int_equal(wkOctree_Save(NULL, octree), wk_errorArgument);
    wkOctree_Destroy(octree);
}

static int fileCount;

// Reads a file, writes it, and compares.
static int compareFile(const char* path, const struct stat* about, int kind, struct FTW* walk)
{
    (void)about;
    (void)walk;
    const char* dot = strrchr(path, '.');
    if (kind != FTW_F || dot == NULL || (strcmp(dot, ".bt") != 0 && strcmp(dot, ".ot") != 0)) {
        return 0;
    }
    char name[16];
    snprintf(name, sizeof name, "copy%s", dot);
    wkOctree* octree = NULL;
    if (wkOctree_Load(path, &octree) != wk_ok) {
        fail_msg("%s", wkGetLastError());
    }
    wkBytes ours = saveBytes(octree, name), theirs = wkReadFile(path);
    if (ours.count != theirs.count || memcmp(ours.data, theirs.data, ours.count) != 0) {
        fail_msg("%s: written differently", path);
    }
    wkBytes_Free(&ours);
    wkBytes_Free(&theirs);
    wkOctree_Destroy(octree);
    ++fileCount;
    return 0;
}

static void real_maps_are_written_as_they_were(void** state)
{
    (void)state;
    char folder[WK_DATA_PATH_CAPACITY];
    if (!wkFindData("octomap", folder)) {
        skip();
    }
    fileCount = 0;
    assert_int_equal(nftw(folder, compareFile, 8, FTW_PHYS), 0);
    assert_true(fileCount > 0);
}

static int removeFiles(void** state)
{
    (void)state;
    wkRemoveFiles();
    return 0;
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(full_files_hold_every_bit),
        cmocka_unit_test(short_files_hold_every_state),
        cmocka_unit_test(maps_without_cells_and_full_ones_are_files_too),
        cmocka_unit_test(no_file_that_is_cut_short_is_read),
        cmocka_unit_test(broken_headers_are_named),
        cmocka_unit_test(headers_are_read_as_octomap_reads_them),
        cmocka_unit_test(the_oldest_files_are_read),
        cmocka_unit_test(nothing_is_below_single_cells),
        cmocka_unit_test(log_odds_that_are_no_numbers_are_refused),
        cmocka_unit_test(extensions_and_paths_are_checked),
        cmocka_unit_test(real_maps_are_written_as_they_were),
    };
    return cmocka_run_group_tests(tests, NULL, removeFiles);
}
