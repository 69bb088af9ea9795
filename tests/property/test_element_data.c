// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// Element casts against verdicts that others have found with rational arithmetic: no contact is missed, and at most
// one row in a hundred is a false alarm.

#include "data_files.h"
#include "kit.h"
#include "whisker/whisker.h"

#include <string.h>

#define LINE_CAPACITY 8192
#define FALSE_ALARM_SHARE 0.01

typedef struct dataRow {
    wkElementKind kind;
    wkVec3d start[4];
    wkVec3d end[4];
    bool hits;
} dataRow;

typedef struct dataCounts {
    int rows;
    int hits;
    int misses;
    int falseAlarms;
    int unfinished;
} dataCounts;

static const char* const scenes[] = {"cube-cliff-edges", "sliding-spike", "spike-crack", "spikes",
                                     "wedges"};

// Reads the twelve numbers of a member.
static void readPoints(const char* line, const char* member, wkVec3d points[4])
{
    const char* at = strstr(line, member);
    assert_non_null(at);
    at += strlen(member);
    double numbers[12];
    for (int i = 0; i < 12; ++i) {
        char* end = NULL;
        at += strspn(at, ":[], ");
        numbers[i] = strtod(at, &end);
        assert_true(end > at);
        at = end;
    }
    for (int i = 0; i < 4; ++i) {
        points[i].x = numbers[3 * i];
        points[i].y = numbers[3 * i + 1];
        points[i].z = numbers[3 * i + 2];
    }
}

static dataRow readRow(const char* line)
{
    dataRow row = {.hits = strstr(line, "\"hits\":true") != NULL};
    row.kind = strstr(line, "edge-edge") != NULL ? wk_elementEdgeEdge : wk_elementVertexFace;
    readPoints(line, "\"t0\"", row.start);
    readPoints(line, "\"t1\"", row.end);
    return row;
}

static void castRow(const char* line, double tolerance, dataCounts* counts)
{
    dataRow row = readRow(line);
    wkElementCastRequest request = wkDefaultElementCastRequest();
    request.tolerance = tolerance;
    wkElementCastResult r = wkCastElements(row.kind, row.start, row.end, &request);
    counts->rows++;
    counts->hits += row.hits;
    counts->falseAlarms += r.isTouching && !row.hits;
    counts->unfinished += r.status != wk_statusExact;
    if (row.hits && !r.isTouching) {
        print_message("missed: %s", line);
        counts->misses++;
    }
    if (!row.hits && r.touchingBy <= 1.0) {
        fail_msg("proven to touch by %.17g: %s", r.touchingBy, line);
    }
}

static bool castScene(const char* scene, const char* kind, double tolerance, dataCounts* counts)
{
    char name[100], path[WK_DATA_PATH_CAPACITY], line[LINE_CAPACITY];
    snprintf(name, sizeof name, "ccd/erleben-%s.%s.jsonl", scene, kind);
    if (!wkFindData(name, path)) {
        return false;
    }
    FILE* file = fopen(path, "r");
    assert_non_null(file);
    while (fgets(line, sizeof line, file) != NULL) {
        castRow(line, tolerance, counts);
    }
    fclose(file);
    return true;
}

static void rational_verdicts_are_met(void** state)
{
    (void)state;
    static const double tolerances[] = {1e-6, 1e-9, 0.0};
    for (int k = 0; k < 3; ++k) {
        dataCounts counts = {0};
        for (size_t i = 0; i < sizeof scenes / sizeof scenes[0]; ++i) {
            if (!castScene(scenes[i], "vertex-face", tolerances[k], &counts) ||
                !castScene(scenes[i], "edge-edge", tolerances[k], &counts)) {
                skip();
            }
        }
        print_message("tolerance %g: %d rows, %d hits, %d missed, %d false alarms\n", tolerances[k],
                      counts.rows, counts.hits, counts.misses, counts.falseAlarms);
        assert_int_equal(counts.misses, 0);
        assert_int_equal(counts.unfinished, 0);
        assert_true(counts.falseAlarms <= FALSE_ALARM_SHARE * (counts.rows - counts.hits));
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(rational_verdicts_are_met),
    };
    return cmocka_run_group_tests_name("element_data", tests, NULL, NULL);
}
