// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// Geometric means over rows. See mean.h.

#include "mean.h"

#include <math.h>
#include <string.h>

static wkMean* findMean(wkMeanTable* table, const char* name)
{
    for (int i = 0; i < table->count; i++) {
        const char* peer = table->means[i].peer;
        if (peer == name || (peer != NULL && name != NULL && strcmp(peer, name) == 0)) {
            return &table->means[i];
        }
    }
    wkMean* mean = &table->means[table->count++];
    memset(mean, 0, sizeof *mean);
    mean->peer = name;
    mean->least = INFINITY;
    return mean;
}

void wkAddToMean(wkMeanTable* table, const wkBenchRow* row)
{
    wkMean* mean = findMean(table, row->peer);
    mean->logOurs += log(row->ours);
    mean->count++;
    mean->wrong += row->wrong;
    mean->n += row->n;
    if (row->peer == NULL) {
        return;
    }
    mean->logTheirs += log(row->theirs);
    mean->logRatio += log(row->ratio);
    mean->peerWrong += row->peerWrong;
    if (row->ratio < mean->least) {
        mean->least = row->ratio;
        memcpy(mean->leastName, row->name, sizeof mean->leastName);
    }
}

void wkEmitMeans(wkBench* bench, const char* name, const wkMeanTable* table, double bar)
{
    for (int i = 0; i < table->count; i++) {
        const wkMean* mean = &table->means[i];
        wkBenchRow row;
        memset(&row, 0, sizeof row);
        memcpy(row.name, name, sizeof row.name);
        row.unit = "ns";
        row.ours = exp(mean->logOurs / mean->count);
        row.wrong = mean->wrong;
        row.n = mean->n;
        if (mean->peer != NULL) {
            row.peer = mean->peer;
            row.theirs = exp(mean->logTheirs / mean->count);
            row.ratio = exp(mean->logRatio / mean->count);
            row.peerWrong = mean->peerWrong;
            bool isAsked = strcmp(mean->peer, "fcl") == 0 || strcmp(mean->peer, "fastest") == 0;
            row.bar = isAsked ? bar : 0.0;
            row.worstRatio = mean->least;
            row.worstName = mean->leastName;
        }
        // the answers were counted in their own rows
        long wrongCount = bench->wrongCount;
        wkBench_Emit(bench, &row);
        bench->wrongCount = wrongCount;
    }
}
