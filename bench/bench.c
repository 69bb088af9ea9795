// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// Selection and output of rows: a table for people and one JSON object per line.

#include "bench.h"

#include "whisker/base.h"

#include <fnmatch.h>
#include <stdlib.h>
#include <string.h>

// Blocks of a full run.
#define FULL_BLOCKS 31

bool wkBench_IsFull(const wkBench* bench)
{
    return bench->blockCount >= FULL_BLOCKS;
}

bool wkBench_IsSelected(const wkBench* bench, const char* name)
{
    for (int i = 0; i < bench->patternCount; i++) {
        if (fnmatch(bench->patterns[i], name, FNM_NOESCAPE) == 0) {
            return true;
        }
    }
    return bench->patternCount == 0;
}

bool wkBench_Wants(wkBench* bench, const char* name)
{
    bool isSelected = wkBench_IsSelected(bench, name);
    if (isSelected && bench->isListing) {
        printf("%s\n", name);
        return false;
    }
    return isSelected;
}

void wkBench_NameVectorRow(const wkBench* bench, const char* name,
                           char result[WK_ROW_NAME_CAPACITY])
{
    const char* isa = bench->isa != NULL ? bench->isa : "";
    snprintf(result, WK_ROW_NAME_CAPACITY, "%s%s%s", name, *isa != '\0' ? "/" : "", isa);
}

bool wkBench_HasWideLanes(void)
{
    return strcmp(wkGetIsaName(), "avx512") == 0;
}

static void printHeader(void)
{
    printf("%-44s %10s %-10s %-6s %10s %7s %6s %5s %6s  %s\n", "row", "ours", "unit", "peer",
           "theirs", "ratio", "spread", "wrong", "peer's", "note");
}

static void printRow(const wkBenchRow* row)
{
    printf("%-44s %10.4g %-10s ", row->name, row->ours, row->unit);
    if (row->peer != NULL) {
        printf("%-6s %10.4g %6.2fx ", row->peer, row->theirs, row->ratio);
    } else {
        printf("%-6s %10s %7s ", "-", "", "");
    }
    printf("%6.2f %5ld %6ld ", row->spread, row->wrong, row->peerWrong);
    if (row->variant != NULL) {
        printf(" %s", row->variant);
    }
    if (row->bar > 0.0) {
        printf(" bar %gx%s", row->bar, row->ratio < row->bar ? " MISSED" : "");
    }
    if (row->paper > 0.0) {
        printf(" elsewhere %.4g", row->paper);
    }
    if (row->most > 0.0) {
        printf(" at most %.4g%s", row->most, row->ours > row->most ? " MISSED" : "");
    }
    if (row->worstName != NULL) {
        printf(" least %.2fx at %s", row->worstRatio, row->worstName);
    }
    printf("\n");
    fflush(stdout);
}

static void writeJson(FILE* json, const wkBenchRow* row)
{
    fprintf(json, "{\"row\":\"%s\"", row->name);
    if (row->peer != NULL) {
        fprintf(json, ",\"peer\":\"%s\"", row->peer);
    }
    if (row->variant != NULL) {
        fprintf(json, ",\"variant\":\"%s\"", row->variant);
    }
    fprintf(json, ",\"ours\":%.6g", row->ours);
    if (row->peer != NULL) {
        fprintf(json, ",\"theirs\":%.6g", row->theirs);
    }
    fprintf(json, ",\"unit\":\"%s\"", row->unit);
    if (row->peer != NULL) {
        fprintf(json, ",\"ratio\":%.4g", row->ratio);
    }
    fprintf(json, ",\"spread\":%.3g,\"wrong\":%ld", row->spread, row->wrong);
    if (row->peer != NULL) {
        fprintf(json, ",\"peer_wrong\":%ld", row->peerWrong);
    }
    fprintf(json, ",\"n\":%ld", row->n);
    if (row->bar > 0.0) {
        fprintf(json, ",\"bar\":%g", row->bar);
    }
    if (row->paper > 0.0) {
        fprintf(json, ",\"paper\":%.6g", row->paper);
    }
    if (row->most > 0.0) {
        fprintf(json, ",\"most\":%.6g", row->most);
    }
    if (row->worstName != NULL) {
        fprintf(json, ",\"least\":%.4g,\"least_row\":\"%s\"", row->worstRatio, row->worstName);
    }
    fprintf(json, "}\n");
    fflush(json);
}

void wkBench_Emit(wkBench* bench, const wkBenchRow* row)
{
    if (bench->rowCount == 0) {
        printHeader();
    }
    bench->rowCount++;
    bench->wrongCount += row->wrong;
    printRow(row);
    if (bench->json != NULL) {
        writeJson(bench->json, row);
    }
}
