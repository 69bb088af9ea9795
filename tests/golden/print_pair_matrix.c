// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// Prints docs/pair_matrix.md from the pair table, as a program outside the library sees it.

#include "whisker/detail/counts.h"
#include "whisker/query.h"

#include <stdio.h>
#include <string.h>

#define MAX_METHODS 12

// The distinct methods, in the order in which the table names them.
typedef struct methodList {
    const char* names[MAX_METHODS];
    int pairCounts[MAX_METHODS];
    int count;
} methodList;

static int findMethod(const methodList* list, const char* name)
{
    int index = 0;
    while (index < list->count && strcmp(list->names[index], name) != 0) {
        index++;
    }
    return index;
}

static methodList collectMethods(void)
{
    methodList list = {.count = 0};
    for (int b = 1; b < WK_SHAPE_TYPE_COUNT; b++) {
        for (int a = 1; a <= b; a++) {
            const char* name = wkPairMethodName((wkShapeType)a, (wkShapeType)b);
            int index = findMethod(&list, name);
            if (index == MAX_METHODS) {
                continue;
            }
            list.names[index] = name;
            list.pairCounts[index]++;
            list.count = index < list.count ? list.count : index + 1;
        }
    }
    return list;
}

static void printMatrix(const methodList* list)
{
    printf("|  |");
    for (int b = 1; b < WK_SHAPE_TYPE_COUNT; b++) {
        printf(" %s |", wkShapeTypeName((wkShapeType)b));
    }
    printf("\n| --- |");
    for (int b = 1; b < WK_SHAPE_TYPE_COUNT; b++) {
        printf(" :-: |");
    }
    printf("\n");
    for (int a = 1; a < WK_SHAPE_TYPE_COUNT; a++) {
        printf("| **%s** |", wkShapeTypeName((wkShapeType)a));
        for (int b = 1; b < WK_SHAPE_TYPE_COUNT; b++) {
            const char* name = wkPairMethodName((wkShapeType)a, (wkShapeType)b);
            printf(" %c |", 'A' + findMethod(list, name));
        }
        printf("\n");
    }
}

static const char introduction[] =
    "# How each pair is answered\n\n"
    "<!-- Printed from src/query/pair/pair_table.c by "
    "tests/golden/print_pair_matrix.c; "
    "the test\n"
    "golden.pair_matrix compares. To renew it:\n"
    "build/release/tests/golden/print_pair_matrix > docs/pair_matrix.md -->\n\n"
    "Every pair of shapes answers every query. The letter says by which method; the order of the\n"
    "arguments does not matter.\n\n"
    "| letter | method | pairs |\n"
    "| :-: | --- | ---: |\n";

static const char explanation[] =
    "- *Closed form*: a formula, or for ellipses and ellipsoids a root that is found to rounding.\n"
    "  `iterations` in the result is 0, unless rounding left no answer and GJK gave one.\n"
    "- *Separating axes, GJK*: normals of faces and cross products of edges decide whether two\n"
    "  boxes or triangles touch, and how deep. Apart, points projected back and forth between\n"
    "  boxes, or the closest features of triangles, give the distance; GJK has the rest.\n"
    "- *Planes, GJK*: a sphere's centre inside a hull leaves through the nearest of its planes;\n"
    "  outside, the face below the highest plane has the closest point, else GJK finds it.\n"
    "- *GJK, EPA*: the general method, with faster ones before it. Curved shapes that are apart\n"
    "  are mostly answered by Newton's method on their closest points, others by GJK. Most depths\n"
    "  come from a list of all candidates, or from a cover of all directions by bounds; the\n"
    "  expanding polytope algorithm has the rest, with Newton's method on the contact normal.\n"
    "  [precision.md](precision.md#how-depths-are-found) says which pairs have which.\n"
    "- *Walk over a hierarchy*: meshes and height fields are trees of bounding volumes. The walk\n"
    "  finds the triangles that may matter, and each is evaluated as the pair of the shape and a\n"
    "  triangle above. `iterations` counts these triangles.\n"
    "- *Walk over two hierarchies*: the same for pairs of triangles, see [walk.md](walk.md).\n"
    "- *Walk over a map*: the cells of an occupancy map that may matter are found in its octree,\n"
    "  and each is evaluated as the pair of the shape and a box above. `iterations` counts the "
    "cells\n"
    "  that were evaluated, see [map_queries.md](map_queries.md).\n"
    "- *Walk over a map and a hierarchy*: each of these boxes is evaluated as above against the\n"
    "  hierarchy.\n"
    "- *Walk over two maps*: pairs of cells, each evaluated as two boxes.\n\n"
    "[precision.md](precision.md) says how exact each of them is.\n";

int main(void)
{
    methodList list = collectMethods();
    printf("%s", introduction);
    for (int i = 0; i < list.count; i++) {
        printf("| %c | %s | %d |\n", 'A' + i, list.names[i], list.pairCounts[i]);
    }
    printf("\n");
    printMatrix(&list);
    printf("\n%s", explanation);
    return 0;
}
