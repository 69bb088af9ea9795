// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// Height fields from the inside: every triangle is in the hierarchy once and within its boxes, a
// point is in the solid when the heights say so, and bad definitions are refused with words.

#include "tree/height_field/height_field_impl.h"

#include "unit_kit.h"
#include "whisker/whisker.h"

static double* randomHeights(wkRng* rng, int32_t count)
{
    double* heights = malloc((size_t)count * sizeof *heights);
    assert_non_null(heights);
    for (int32_t i = 0; i < count; i++) {
        heights[i] = wkRngRange(rng, -0.5, 1.0);
    }
    return heights;
}

static wkHeightField* makeField(wkRng* rng, int32_t columns, int32_t rows, double sizeX,
                                double sizeY)
{
    double* heights = randomHeights(rng, columns * rows);
    wkHeightFieldDef def = wkDefaultHeightFieldDef();
    def.heights = heights;
    def.columns = columns;
    def.rows = rows;
    def.sizeX = sizeX;
    def.sizeY = sizeY;
    def.minHeight = -0.25;
    wkHeightField* field = NULL;
    assert_int_equal(wkHeightField_Create(&def, &field), wk_ok);
    free(heights);
    return field;
}

static const wkBoxNode* nodesOf(const wkHeightField* field)
{
    return (const wkBoxNode*)((const char*)field + field->nodeOffset);
}

static bool isInBox(const wkBoxNode* node, int slot, wkVec3d p)
{
    return (double)node->lower[0][slot] <= p.x && p.x <= (double)node->upper[0][slot] &&
           (double)node->lower[1][slot] <= p.y && p.y <= (double)node->upper[1][slot] &&
           (double)node->lower[2][slot] <= p.z && p.z <= (double)node->upper[2][slot];
}

static void checkLeaf(const wkHeightField* field, const wkBoxNode* node, int slot, int* visited)
{
    int32_t first = wkLeafFirst(node->links[slot]);
    for (int32_t item = first; item < first + wkLeafCount(node->links[slot]); item++) {
        assert_in_range(item, 0, field->triangleCount - 1);
        wkTriangle triangle = wkHeightField_Triangle(field, item);
        for (int k = 0; k < 3; k++) {
            assert_true(isInBox(node, slot, triangle.points[k]));
        }
        visited[item]++;
    }
}

static void checkBelow(const wkBoxNode* nodes, const wkBoxNode* node, int slot)
{
    const wkBoxNode* below = &nodes[node->links[slot]];
    assert_true(below > node);
    for (int i = 0; i < WK_TREE_WIDTH && below->links[i] != WK_LINK_EMPTY; i++) {
        for (int axis = 0; axis < 3; axis++) {
            assert_true(node->lower[axis][slot] <= below->lower[axis][i]);
            assert_true(node->upper[axis][slot] >= below->upper[axis][i]);
        }
    }
}

static void checkHierarchy(const wkHeightField* field)
{
    const wkBoxNode* nodes = nodesOf(field);
    int* visitedItems = calloc((size_t)field->triangleCount, sizeof *visitedItems);
    int* visitedNodes = calloc((size_t)field->nodeCount, sizeof *visitedNodes);
    assert_true(visitedItems != NULL && visitedNodes != NULL);
    visitedNodes[0] = 1;
    for (int32_t i = 0; i < field->nodeCount; i++) {
        bool isEmpty = false;
        for (int slot = 0; slot < WK_TREE_WIDTH; slot++) {
            wkLink link = nodes[i].links[slot];
            assert_true(!isEmpty || link == WK_LINK_EMPTY);
            isEmpty = link == WK_LINK_EMPTY;
            if (isEmpty) {
                assert_true(nodes[i].lower[0][slot] == WK_FAR_AWAY);
            } else if (wkIsLeaf(link)) {
                checkLeaf(field, &nodes[i], slot, visitedItems);
            } else {
                assert_in_range(link, 1, field->nodeCount - 1);
                checkBelow(nodes, &nodes[i], slot);
                visitedNodes[link]++;
            }
        }
    }
    for (int32_t i = 0; i < field->triangleCount; i++) {
        assert_int_equal(visitedItems[i], 1);
    }
    for (int32_t i = 0; i < field->nodeCount; i++) {
        assert_int_equal(visitedNodes[i], 1);
    }
    free(visitedItems);
    free(visitedNodes);
}

static void every_triangle_is_in_its_boxes_once(void** state)
{
    (void)state;
    static const double sides[][2] = {{1.0, 1.0}, {1e-3, 1e6}, {1e9, 1e-9}, {1e15, 1e-150}};
    static const int32_t grids[][2] = {{300, 200}, {2, 5000}, {4099, 3}, {65, 65}, {514, 513}};
    wkRng rng = wkMakeRng(3);
    for (int k = 0; k < 4; k++) {
        for (int32_t columns = 2; columns < 14; columns++) {
            for (int32_t rows = 2; rows < 14; rows++) {
                wkHeightField* field = makeField(&rng, columns, rows, sides[k][0], sides[k][1]);
                checkHierarchy(field);
                wkHeightField_Destroy(field);
            }
        }
        for (int i = 0; i < 5; i++) {
            wkHeightField* field =
                makeField(&rng, grids[i][0], grids[i][1], sides[k][0], sides[k][1]);
            checkHierarchy(field);
            assert_true(wkHeightField_Info(field).byteCount <
                        64 * (size_t)wkHeightField_Info(field).triangleCount);
            wkHeightField_Destroy(field);
        }
    }
}

// Height of a triangle above a place, or NaN when it is not above it.
static double heightAbove(wkTriangle t, double x, double y)
{
    const wkVec3d *a = &t.points[0], *b = &t.points[1], *c = &t.points[2];
    double area = (b->x - a->x) * (c->y - a->y) - (b->y - a->y) * (c->x - a->x);
    double v = ((x - a->x) * (c->y - a->y) - (y - a->y) * (c->x - a->x)) / area;
    double w = ((b->x - a->x) * (y - a->y) - (b->y - a->y) * (x - a->x)) / area;
    bool isAbove = v >= 0.0 && w >= 0.0 && v + w <= 1.0;
    return isAbove ? a->z + v * (b->z - a->z) + w * (c->z - a->z) : NAN;
}

static void a_point_is_inside_when_the_heights_say_so(void** state)
{
    (void)state;
    wkRng rng = wkMakeRng(11);
    int inside = 0;
    for (int i = 0; i < 3000; i++) {
        int32_t columns = 2 + wkRngBelow(&rng, 8), rows = 2 + wkRngBelow(&rng, 8);
        wkHeightField* field = makeField(&rng, columns, rows, 3.0, 2.0);
        wkVec3d p = {wkRngRange(&rng, -1.7, 1.7), wkRngRange(&rng, -1.2, 1.2),
                     wkRngRange(&rng, -0.5, 1.0)};
        double surface = NAN;
        for (int32_t k = 0; k < field->cellTriangles && isnan(surface); k++) {
            surface = heightAbove(wkHeightField_Triangle(field, k), p.x, p.y);
        }
        bool expected = !isnan(surface) && p.z >= -0.25 && p.z <= surface;
        if (!(fabs(p.z - surface) < 1e-12)) {
            assert_int_equal(wkFieldContains(field, p), expected);
        }
        inside += expected;

        // places of the grid are inside at their height and at the bottom, and not above or below
        int32_t column = wkRngBelow(&rng, columns), row = wkRngBelow(&rng, rows);
        wkVec3d vertex = {wkFieldX(field)[column], wkFieldY(field)[row],
                          wkHeightField_Height(field, column, row)};
        assert_true(wkFieldContains(field, vertex));
        assert_false(wkFieldContains(field, wkVec(vertex.x, vertex.y, vertex.z + 1e-9)));
        assert_true(wkFieldContains(field, wkVec(vertex.x, vertex.y, -0.25)));
        assert_false(wkFieldContains(field, wkVec(vertex.x, vertex.y, -0.25 - 1e-9)));
        wkHeightField_Destroy(field);
    }
    assert_in_range(inside, 500, 2500);
    wkHeightField* field = makeField(&rng, 3, 3, 1.0, 1.0);
    assert_false(wkFieldContains(field, wkVec(NAN, 0.0, 0.0)));
    assert_false(wkFieldContains(field, wkVec(0.0, NAN, 0.0)));
    assert_false(wkFieldContains(field, wkVec(0.0, 0.0, NAN)));
    assert_false(wkFieldContains(field, wkVec(0.0, INFINITY, 0.0)));
    wkHeightField_Destroy(field);
}

static double goodHeights[12];
static double badHeights[12];

static wkHeightFieldDef goodDef(void)
{
    wkHeightFieldDef def = wkDefaultHeightFieldDef();
    def.heights = goodHeights;
    def.columns = 4;
    def.rows = 3;
    def.sizeX = 2.0;
    def.sizeY = 1.0;
    return def;
}

static void refuses(wkHeightFieldDef def, wkResult result, const char* words)
{
    wkHeightField* field = (wkHeightField*)goodHeights;
    assert_int_equal(wkHeightField_Create(&def, &field), result);
    assert_null(field);
    if (strstr(wkGetLastError(), words) == NULL) {
        fail_msg("'%s' does not say '%s'", wkGetLastError(), words);
    }
    assert_int_equal(wkGetByteCount(), 0);
}

static void bad_counts_are_refused(void** state)
{
    (void)state;
    static const int32_t counts[] = {1, 0, -1, INT32_MIN, INT32_MAX, 1 << 28};
    for (int i = 0; i < 6; i++) {
        wkHeightFieldDef def = goodDef();
        def.columns = counts[i];
        refuses(def, wk_errorRange, "columns");
        def = goodDef();
        def.rows = counts[i];
        refuses(def, wk_errorRange, "rows");
        def.columns = counts[5 - i];
        refuses(def, wk_errorRange, "rows");
    }
}

static void bad_sizes_are_refused(void** state)
{
    (void)state;
    static const double sizes[] = {0.0,   -0.0, -1.0,     1e-200,   1.1e15,
                                   1e300, NAN,  INFINITY, -INFINITY};
    for (int i = 0; i < 9; i++) {
        wkResult result = isfinite(sizes[i]) ? wk_errorRange : wk_errorNotFinite;
        wkHeightFieldDef def = goodDef();
        def.sizeX = sizes[i];
        refuses(def, result, "sizeX");
        def = goodDef();
        def.sizeY = sizes[i];
        refuses(def, result, "sizeY");
        if (!(fabs(sizes[i]) <= 1e15)) {
            def = goodDef();
            def.minHeight = sizes[i];
            refuses(def, result, "minHeight");
        }
    }
}

static void bad_heights_are_named_by_row_and_column(void** state)
{
    (void)state;
    static const double values[] = {NAN, INFINITY, -INFINITY, 1.1e15, -1e300};
    for (int i = 0; i < 12; i++) {
        for (int k = 0; k < 5; k++) {
            memset(badHeights, 0, sizeof badHeights);
            badHeights[i] = values[k];
            char words[64];
            snprintf(words, sizeof words, "row %d, column %d ", i / 4, i % 4);
            wkHeightFieldDef def = goodDef();
            def.heights = badHeights;
            refuses(def, isfinite(values[k]) ? wk_errorRange : wk_errorNotFinite, words);
        }
    }
}

static void missing_things_are_refused(void** state)
{
    (void)state;
    wkHeightFieldDef def = goodDef();
    def.heights = NULL;
    refuses(def, wk_errorArgument, "heights are NULL");
    def = goodDef();
    def.cookie = 0;
    refuses(def, wk_errorArgument, "wkDefaultHeightFieldDef");
    wkHeightField* field = (wkHeightField*)goodHeights;
    assert_int_equal(wkHeightField_Create(NULL, &field), wk_errorArgument);
    assert_null(field);
    wkHeightField_Destroy(NULL);
    assert_int_equal(wkMakeHeightField(NULL).type, wk_shapeNone);
}

// Fields at the edge of what is allowed answer like any other.
static void extreme_fields_answer(void** state)
{
    (void)state;
    static const double sides[] = {1e-150, 1e-3, 1.0, 1e15};
    static const double heights[] = {-1e15, 0.0, 1e-200, 1e15};
    wkShape sphere = wkMakeSphere(0.5);
    for (int i = 0; i < 4; i++) {
        for (int k = 0; k < 4; k++) {
            wkHeightFieldDef def = goodDef();
            def.sizeX = sides[i];
            def.sizeY = sides[3 - i];
            def.minHeight = k == 0 ? -1e15 : 0.0; // k == 1: no volume at all
            for (int n = 0; n < 12; n++) {
                badHeights[n] = heights[k];
            }
            def.heights = badHeights;
            wkHeightField* field = NULL;
            assert_int_equal(wkHeightField_Create(&def, &field), wk_ok);
            wkShape shape = wkMakeHeightField(field);
            wkPose above = wkMakePose(0.0, 0.0, heights[k] + 2.5);
            wkDistanceResult r = wkDistance(&shape, wkIdentityPose(), &sphere, above, NULL);
            double rounding = 1e-13 * (10.0 + fabs(heights[k]) + sides[i] + sides[3 - i]);
            assert_true(r.distance <= 2.0 + rounding && r.distance >= 2.0 - rounding);
            assert_true(
                wkCollide(&shape, wkIdentityPose(), &sphere, wkMakePose(0.0, 0.0, heights[k]), NULL)
                    .isTouching);
            wkHeightField_Destroy(field);
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_triangle_is_in_its_boxes_once),
        cmocka_unit_test(a_point_is_inside_when_the_heights_say_so),
        cmocka_unit_test(bad_counts_are_refused),
        cmocka_unit_test(bad_sizes_are_refused),
        cmocka_unit_test(bad_heights_are_named_by_row_and_column),
        cmocka_unit_test(missing_things_are_refused),
        cmocka_unit_test(extreme_fields_answer),
    };
    return cmocka_run_group_tests_name("height_field", tests, NULL, NULL);
}
