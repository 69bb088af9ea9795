// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// Tables of numbers: what arrays and text say, how failures are named, and that no byte or failing
// allocation does harm.

#include "io_kit.h"

#include "../memory/failing.h"

#include <math.h>
#include <string.h>

static wkTableData* mustParse(const void* bytes, size_t count)
{
    wkTableData* table = NULL;
    wkResult result = wkTableData_Parse(bytes, count, &table);
    if (result != wk_ok) {
        fail_msg("%s", wkGetLastError());
    }
    return table;
}

// An array as NumPy writes it: rows of ascending numbers.
static wkBytes makeArray(const char* descr, bool isFortran, const char* shape)
{
    wkBytes bytes = {0};
    char words[128];
    int length =
        snprintf(words, sizeof words, "{'descr': '%s', 'fortran_order': %s, 'shape': %s, }\n",
                 descr, isFortran ? "True" : "False", shape);
    wkBytes_Add(&bytes, "\x93NUMPY\x01\x00", 8);
    wkBytes_AddNumber(&bytes, (uint64_t)length, 2, false);
    wkBytes_Add(&bytes, words, (size_t)length);
    return bytes;
}

static void arrays_of_all_orders_give_the_same_rows(void** state)
{
    (void)state;
    static const struct {
        const char* descr;
        bool isFortran;
        bool isDouble;
        bool isBig;
    } rows[] = {{"<f8", false, true, false},
                {"<f4", false, false, false},
                {">f8", false, true, true},
                {"<f8", true, true, false},
                {">f4", true, false, true}};
    for (size_t r = 0; r < sizeof rows / sizeof rows[0]; r++) {
        wkBytes bytes = makeArray(rows[r].descr, rows[r].isFortran, "(2, 3)");
        for (int i = 0; i < 6; i++) {
            // the i-th number in the file
            int value = rows[r].isFortran ? (i % 2) * 3 + i / 2 : i;
            if (rows[r].isDouble) {
                wkBytes_AddDouble(&bytes, value, rows[r].isBig);
            } else {
                wkBytes_AddFloat(&bytes, (float)value, rows[r].isBig);
            }
        }
        wkTableData* table = mustParse(bytes.data, bytes.count);
        assert_int_equal(table->rowCount, 2);
        assert_int_equal(table->columnCount, 3);
        assert_null(table->names);
        for (int i = 0; i < 6; i++) {
            assert_true(table->values[i] == i);
        }
        wkTableData_Destroy(table);
        wkBytes_Free(&bytes);
    }
}

// A table of ascending numbers, read whole and piece by piece, is the same.
static void checkPieces(const char* name, const void* bytes, size_t byteCount, int rowCount,
                        int columnCount)
{
    const char* path = wkTestPath(name);
    wkWriteFile(path, bytes, byteCount);
    wkTableMap* map = NULL;
    if (wkTableMap_Open(path, &map) != wk_ok) {
        fail_msg("%s", wkGetLastError());
    }
    assert_int_equal(wkTableMap_Info(map).rowCount, rowCount);
    assert_int_equal(wkTableMap_Info(map).columnCount, columnCount);
    double* row = test_malloc((size_t)columnCount * sizeof *row);
    for (int i = rowCount - 1; i >= 0; i--) {
        assert_int_equal(wkTableMap_Read(map, i, 1, row), wk_ok);
        for (int k = 0; k < columnCount; k++) {
            assert_true(row[k] == i * columnCount + k);
        }
    }
    assert_int_equal(wkTableMap_Read(map, 0, rowCount + 1, row), wk_errorRange);
    assert_int_equal(wkTableMap_Read(map, -1, 1, row), wk_errorRange);
    test_free(row);
    wkTableMap_Close(map);
    wkRemoveFiles();
}

// Columns are longer than a page, so that pages of a Fortran array are given back one by one.
static void maps_read_every_type_and_order(void** state)
{
    (void)state;
    enum {
        rowCount = 1500,
        columnCount = 3,
        count = rowCount * columnCount
    };
    static const struct {
        const char* descr;
        int byteCount; // of an integer; 0: floats
        bool isBig;
    } types[] = {{"<f8", 0, false}, {">f8", 0, true}, {"<f4", 0, false}, {">f4", 0, true},
                 {"<i4", 4, false}, {">i8", 8, true}, {"<u2", 2, false}, {">u4", 4, true}};
    for (size_t t = 0; t < 2 * sizeof types / sizeof types[0]; t++) {
        bool isFortran = t % 2 == 1;
        const char* descr = types[t / 2].descr;
        wkBytes bytes = makeArray(descr, isFortran, "(1500, 3)");
        for (int i = 0; i < count; i++) {
            int value = isFortran ? (i % rowCount) * columnCount + i / rowCount : i;
            if (types[t / 2].byteCount > 0) {
                wkBytes_AddNumber(&bytes, (uint64_t)value, types[t / 2].byteCount,
                                  types[t / 2].isBig);
            } else if (descr[2] == '8') {
                wkBytes_AddDouble(&bytes, value, types[t / 2].isBig);
            } else {
                wkBytes_AddFloat(&bytes, (float)value, types[t / 2].isBig);
            }
        }
        checkPieces("table.npy", bytes.data, bytes.count, rowCount, columnCount);
        wkBytes_Free(&bytes);
    }
}

static void maps_read_text_with_and_without_names(void** state)
{
    (void)state;
    static const char bare[] = "0 1 2\n3,4,5\n# comment\n6;7;8\n";
    checkPieces("table.csv", bare, sizeof bare - 1, 3, 3);
    static const char named[] = "elbow,wrist\n0,1\n2,3\n";
    checkPieces("table.csv", named, sizeof named - 1, 2, 2);
    const char* path = wkTestPath("named.csv");
    wkWriteFile(path, named, sizeof named - 1);
    wkTableMap* map = NULL;
    assert_int_equal(wkTableMap_Open(path, &map), wk_ok);
    assert_string_equal(wkTableMap_Info(map).names[1], "wrist");
    wkTableMap_Close(map);
    wkRemoveFiles();
    assert_null(wkTableMap_Info(NULL).names);
}

static void maps_refuse_what_is_no_table(void** state)
{
    (void)state;
    static const struct {
        const char* text;
        wkResult result;
    } rows[] = {{"1 2\n3\n", wk_errorParse}, {"1 2\nx y\n", wk_errorParse}};
    for (size_t r = 0; r < sizeof rows / sizeof rows[0]; r++) {
        const char* path = wkTestPath("wrong.csv");
        wkWriteFile(path, rows[r].text, strlen(rows[r].text));
        wkTableMap* map = (wkTableMap*)1;
        assert_int_equal(wkTableMap_Open(path, &map), rows[r].result);
        assert_null(map);
        assert_non_null(strstr(wkGetLastError(), "wrong.csv:2"));
        wkRemoveFiles();
    }
    wkTableMap* map = NULL;
    assert_int_equal(wkTableMap_Open("/nowhere/at.all", &map), wk_errorFile);
}

static void one_dimension_is_one_row(void** state)
{
    (void)state;
    wkBytes bytes = makeArray("<f8", false, "(4,)");
    for (int i = 0; i < 4; i++) {
        wkBytes_AddDouble(&bytes, i, false);
    }
    wkTableData* table = mustParse(bytes.data, bytes.count);
    assert_int_equal(table->rowCount, 1);
    assert_int_equal(table->columnCount, 4);
    wkTableData_Destroy(table);
    wkBytes_Free(&bytes);
}

static void text_has_names_comments_and_any_separators(void** state)
{
    (void)state;
    const char text[] = "# joints\n \"left\", right ;third\r\n1,2;3\n\n-1.5e1\t nan inf\n";
    wkTableData* table = mustParse(text, sizeof text - 1);
    assert_int_equal(table->rowCount, 2);
    assert_int_equal(table->columnCount, 3);
    assert_string_equal(table->names[0], "left");
    assert_string_equal(table->names[1], "right");
    assert_string_equal(table->names[2], "third");
    assert_true(table->values[2] == 3.0);
    assert_true(table->values[3] == -15.0);
    assert_true(isnan(table->values[4]));
    assert_true(isinf(table->values[5]));
    wkTableData_Destroy(table);
}

// Comments are skipped, but the words of the last one before the first row may be names of columns.
static void comments_may_name_the_columns(void** state)
{
    (void)state;
    static const struct {
        const char* text;
        const char* second; // comment name; NULL: none
    } rows[] = {
        {"# a b\n1 2\n", "b"},      {"# x y\n## c,\"d\"\n\n1 2\n", "d"},
        {"# a b c\n1 2\n", NULL},   {"# a b\nc d\n1 2\n", NULL},
        {"# 1 2\n3 4\n", NULL},     {"1 2\n# a b\n3 4\n", NULL},
        {"# a b\n# x\n1 2\n", "b"}, {"#\n1 2\n", NULL},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        wkTableData* table = mustParse(rows[i].text, strlen(rows[i].text));
        assert_int_equal(table->columnCount, 2);
        assert_true((table->commentNames != NULL) == (rows[i].second != NULL));
        assert_true(table->names == NULL || table->commentNames == NULL);
        if (rows[i].second != NULL) {
            assert_string_equal(table->commentNames[1], rows[i].second);
        }
        wkTableData_Destroy(table);
    }
    assert_null(wkTableMap_Info(NULL).commentNames);
    assert_int_equal(wkGetByteCount(), 0);
}

static void nothing_is_an_empty_table(void** state)
{
    (void)state;
    wkTableData* table = mustParse("# nothing\n", 10);
    assert_int_equal(table->rowCount, 0);
    assert_int_equal(table->columnCount, 0);
    wkTableData_Destroy(table);
}

static void failures_say_where(void** state)
{
    (void)state;
    static const struct {
        const char* text;
        wkResult result;
        const char* words;
    } rows[] = {
        {"1 2\n3\n", wk_errorParse, "table:2: 1 numbers, expected 2 as in the first line"},
        {"1 2\n3 x4\n", wk_errorParse, "table:2: column 2: \"x4\" is no number"},
        {"a b\n1 2 3\n", wk_errorParse, "table:2: 3 numbers, expected 2 as in the first line"},
        {"\x93NUMPY\x09", wk_errorParse, "table: does not start as an array of NumPy"},
    };
    for (size_t r = 0; r < sizeof rows / sizeof rows[0]; r++) {
        wkTableData* table = (wkTableData*)1;
        wkResult result = wkTableData_Parse(rows[r].text, strlen(rows[r].text), &table);
        assert_int_equal(result, rows[r].result);
        assert_null(table);
        assert_string_equal(wkGetLastError(), rows[r].words);
    }
    wkTableData* table = NULL;
    assert_int_equal(wkTableData_Load("/nowhere/at.all", &table), wk_errorFile);
    assert_int_equal(wkTableData_Load(NULL, &table), wk_errorArgument);
    assert_int_equal(wkTableData_Parse(NULL, 1, &table), wk_errorArgument);
}

static void arrays_promise_no_more_than_they_hold(void** state)
{
    (void)state;
    static const char* const shapes[] = {"(3, 3)",          "(2147483647, 2147483647)",
                                         "(2147483647, 1)", "(1, 2147483647)",
                                         "(2, 2, 2)",       "()"};
    for (size_t i = 0; i < sizeof shapes / sizeof shapes[0]; i++) {
        wkBytes bytes = makeArray("<f8", false, shapes[i]);
        for (int j = 0; j < 8; j++) {
            wkBytes_AddDouble(&bytes, j, false);
        }
        wkTableData* table = NULL;
        assert_int_not_equal(wkTableData_Parse(bytes.data, bytes.count, &table), wk_ok);
        assert_null(table);
        wkBytes_Free(&bytes);
    }
}

static void surviveFailures(const char* text)
{
    wkResult result = wk_errorMemory;
    for (long failAt = 0; result != wk_ok; failAt++) {
        failing f = {0, failAt, 0};
        wkAllocator allocator = {allocateOrFail, releaseCounted, &f};
        wkTableData* table = NULL;
        wkSetAllocator(&allocator);
        result = wkTableData_Parse(text, strlen(text), &table);
        wkTableData_Destroy(table);
        wkSetAllocator(NULL);
        assert_true(result == wk_ok || result == wk_errorMemory);
        assert_int_equal(f.allocatedBytes, 0);
        assert_true(failAt < 100);
    }
}

static void every_failing_allocation_is_survived(void** state)
{
    (void)state;
    static const char* const headers[] = {"one two three\n", "# one two three\n"};
    for (int i = 0; i < 2; i++) {
        char text[4096];
        strcpy(text, headers[i]);
        for (int row = 0; row < 100; row++) {
            strcat(text, "1 2 3\n");
        }
        surviveFailures(text);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(arrays_of_all_orders_give_the_same_rows),
        cmocka_unit_test(maps_read_every_type_and_order),
        cmocka_unit_test(maps_read_text_with_and_without_names),
        cmocka_unit_test(maps_refuse_what_is_no_table),
        cmocka_unit_test(one_dimension_is_one_row),
        cmocka_unit_test(text_has_names_comments_and_any_separators),
        cmocka_unit_test(comments_may_name_the_columns),
        cmocka_unit_test(nothing_is_an_empty_table),
        cmocka_unit_test(failures_say_where),
        cmocka_unit_test(arrays_promise_no_more_than_they_hold),
        cmocka_unit_test(every_failing_allocation_is_survived),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
