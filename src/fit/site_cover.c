// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// Greedy set cover: the site with the largest uncovered weight comes next. Samples that few sites cover weigh
// more: they determine which sites are needed, and these cover common samples as well.

#include "fit/site_cover.h"

#include "base/memory.h"

#include <string.h>

#define WORD_BITS 64
#define PLANE_COUNT 4 // bits of a weight

bool wkSiteCover_Create(const wkFitPoints* samples, const wkFitPoints* sites, wkSiteCover* work)
{
    *work = (wkSiteCover){.samples = samples, .sites = sites};
    size_t words = (size_t)wkWordsOf(samples->capacity);
    size_t rowCount = (size_t)sites->count + 2 + PLANE_COUNT;
    work->byteCount = words * rowCount * sizeof(uint64_t) +
                      (size_t)samples->capacity * sizeof(int32_t) +
                      (size_t)sites->count * sizeof(int64_t);
    work->memory = wkAlloc(work->byteCount);
    if (work->memory == NULL) {
        return false;
    }
    work->gains = work->memory;
    work->rows = (uint64_t*)(work->gains + sites->count);
    work->open = work->rows + words * (size_t)sites->count;
    work->scratch = work->open + words;
    work->planes = work->scratch + words;
    work->hits = (int32_t*)(work->planes + words * PLANE_COUNT);
    return true;
}

void wkSiteCover_Destroy(wkSiteCover* work)
{
    wkFree(work->memory, work->byteCount);
    memset(work, 0, sizeof *work);
}

static uint64_t* rowOf(const wkSiteCover* work, int32_t site)
{
    return work->rows + (size_t)work->wordCount * (size_t)site;
}

static void fillRows(wkSiteCover* work, double protrusion)
{
    const wkFitLanes* lanes = wkFitLanesOfMachine();
    wkPointLanes samples = wkFitPoints_Lanes(work->samples);
    work->wordCount = wkWordsOf(samples.count);
    memset(work->hits, 0, (size_t)samples.count * sizeof *work->hits);
    for (int32_t site = 0; site < work->sites->count; ++site) {
        uint64_t* row = rowOf(work, site);
        double radius = protrusion - work->sites->length[site];
        double square = radius >= 0.0 ? radius * radius : -1.0;
        lanes->within(&samples, wkFitPoints_At(work->sites, site), square, row);
        for (int32_t w = 0; w < work->wordCount; ++w) {
            for (uint64_t bits = row[w]; bits != 0; bits &= bits - 1) {
                work->hits[w * WORD_BITS + __builtin_ctzll(bits)]++;
            }
        }
    }
}

// Sets weights that fall with the number of sites that cover a sample. Returns false when one has no site.
static bool weighSamples(wkSiteCover* work)
{
    int32_t fewest = INT32_MAX;
    for (int32_t i = 0; i < work->samples->count; ++i) {
        fewest = work->hits[i] < fewest ? work->hits[i] : fewest;
    }
    if (fewest == 0) {
        return false;
    }
    size_t words = (size_t)work->wordCount;
    memset(work->planes, 0, PLANE_COUNT * words * sizeof *work->planes);
    memset(work->open, 0, words * sizeof *work->open);
    int heaviest = (1 << PLANE_COUNT) - 1;
    for (int32_t i = 0; i < work->samples->count; ++i) {
        uint64_t bit = (uint64_t)1 << (i % WORD_BITS);
        int weight = (int)((int64_t)heaviest * fewest / work->hits[i]);
        weight = weight < 1 ? 1 : weight;
        for (int digit = 0; digit < PLANE_COUNT; ++digit) {
            if (weight >> digit & 1) {
                work->planes[words * (size_t)digit + (size_t)(i / WORD_BITS)] |= bit;
            }
        }
        work->open[i / WORD_BITS] |= bit;
    }
    return true;
}

// Returns the weight of all uncovered samples in the sphere of a site.
static int64_t gainOf(const wkSiteCover* work, int32_t site)
{
    const uint64_t* row = rowOf(work, site);
    int64_t gain = 0;
    for (int32_t w = 0; w < work->wordCount; ++w) {
        uint64_t bits = row[w] & work->open[w];
        for (int digit = 0; bits != 0 && digit < PLANE_COUNT; ++digit) {
            uint64_t plane = work->planes[(size_t)work->wordCount * (size_t)digit + (size_t)w];
            gain += (int64_t)__builtin_popcountll(bits & plane) << digit;
        }
    }
    return gain;
}

static bool isAnyOpen(const wkSiteCover* work)
{
    uint64_t any = 0;
    for (int32_t w = 0; w < work->wordCount; ++w) {
        any |= work->open[w];
    }
    return any != 0;
}

// Removes sites whose samples the others cover, earliest first: those were chosen before the later ones were
// known.
static int32_t dropNeedless(wkSiteCover* work, int32_t* chosen, int32_t count)
{
    for (int32_t i = 0; i < count;) {
        memcpy(work->scratch, rowOf(work, chosen[i]), (size_t)work->wordCount * sizeof(uint64_t));
        uint64_t left = 0;
        for (int32_t w = 0; w < work->wordCount; ++w) {
            for (int32_t k = 0; k < count; ++k) {
                work->scratch[w] &= k != i ? ~rowOf(work, chosen[k])[w] : ~(uint64_t)0;
            }
            left |= work->scratch[w];
        }
        if (left != 0) {
            ++i;
            continue;
        }
        count--;
        memmove(chosen + i, chosen + i + 1, (size_t)(count - i) * sizeof *chosen);
    }
    return count;
}

// Returns the site with the largest gain. Gains never grow, so most sites need no evaluation: their last gain
// is too small. Sites are evaluated in descending order of their last gains.
static int32_t bestSite(wkSiteCover* work)
{
    int32_t best = 0;
    for (int32_t site = 1; site < work->sites->count; ++site) {
        best = work->gains[site] > work->gains[best] ? site : best;
    }
    work->gains[best] = gainOf(work, best);
    for (int32_t site = 0; site < work->sites->count; ++site) {
        if (work->gains[site] > work->gains[best]) {
            work->gains[site] = gainOf(work, site);
            best = work->gains[site] > work->gains[best] ? site : best;
        }
    }
    return best;
}

int32_t wkChooseSites(wkSiteCover* work, double protrusion, int32_t* chosen, int32_t capacity)
{
    fillRows(work, protrusion);
    if (!weighSamples(work)) {
        return capacity + 1;
    }
    for (int32_t site = 0; site < work->sites->count; ++site) {
        work->gains[site] = INT64_MAX;
    }
    int32_t count = 0;
    while (isAnyOpen(work)) {
        if (count == capacity) {
            return capacity + 1;
        }
        int32_t best = bestSite(work);
        chosen[count++] = best;
        for (int32_t w = 0; w < work->wordCount; ++w) {
            work->open[w] &= ~rowOf(work, best)[w];
        }
    }
    return dropNeedless(work, chosen, count);
}
