// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// octree/load/<form>/<map>: a map from a file of OctoMap until it can be asked, beside OctoMap itself.
// Leaves that differ are wrong. Files come from the data folder; rows without theirs are left out.

#include "bench.h"
#include "measure.h"
#include "peers/map_peer.h"

#include "whisker/io.h"

#include <stdlib.h>
#include <string.h>

#define BAR 5.0

static const struct {
    const char* name;
    const char* path;
} files[] = {
    {"octree/load/bt/geb079", "geb079.bt"},
    {"octree/load/bt/office1_5cm", "derived/office1_5cm.bt"},
    {"octree/load/ot/room_scan1_5cm", "derived/room_scan1_5cm.ot"},
    {"octree/load/ot/office1_5cm", "derived/office1_5cm.ot"},
};

static void findFile(const char* name, char path[1024])
{
    const char* folder = getenv("WHISKER_DATA");
    snprintf(path, 1024, "%s/octomap/%s", folder != NULL ? folder : WK_DATA_FOLDER, name);
}

// Nanoseconds until the map is there; without one `octree` is NULL.
static double timeOurs(const char* path, wkOctree** octree)
{
    double start = wkBenchNow();
    wkOctree_Load(path, octree);
    return wkBenchNow() - start;
}

static double timePeer(const wkMapPeer* peer, const char* path, void** handle)
{
    double start = wkBenchNow();
    *handle = peer->read(path);
    return wkBenchNow() - start;
}

// Leaves that are not as the peer has them.
static long countWrong(const wkMapPeer* peer, const char* path, const wkOctree* octree)
{
    void* handle = peer->read(path);
    long wrong = handle != NULL ? peer->countWrong(handle, octree) : 1;
    peer->close(handle);
    return wrong;
}

// Both in turn, so that a slow moment of the machine meets them alike.
static void race(wkBenchRow* row, const wkMapPeer* peer, const char* path, int runCount)
{
    double ours[WK_MAX_BLOCKS], theirs[WK_MAX_BLOCKS], ratios[WK_MAX_BLOCKS];
    bool hasPeer = peer->name != NULL;
    for (int run = 0; run < runCount; run++) {
        wkOctree* octree = NULL;
        void* handle = NULL;
        ours[run] = timeOurs(path, &octree);
        wkOctree_Destroy(octree);
        theirs[run] = hasPeer ? timePeer(peer, path, &handle) : 0.0;
        ratios[run] = theirs[run] / ours[run];
        if (hasPeer) {
            peer->close(handle);
        }
    }
    row->ours = 1e-6 * wkMedian(ours, runCount);
    if (hasPeer) {
        row->peer = peer->name;
        row->theirs = 1e-6 * wkMedian(theirs, runCount);
        row->ratio = wkMedian(ratios, runCount);
        row->spread = (ratios[runCount * 3 / 4] - ratios[runCount / 4]) / row->ratio;
        row->bar = BAR;
    }
}

static void runFile(wkBench* bench, const char* name, const char* path)
{
    wkOctree* octree = NULL;
    timeOurs(path, &octree);
    if (octree == NULL) {
        fprintf(stderr, "%s: left out: %s\n", name, wkGetLastError());
        return;
    }
    wkBenchRow row;
    memset(&row, 0, sizeof row);
    snprintf(row.name, sizeof row.name, "%s", name);
    row.unit = "ms";
    row.n = (long)wkOctree_Info(octree).leafCount;
    row.wrong = wkMapPeers->name != NULL ? countWrong(wkMapPeers, path, octree) : 0;
    wkOctree_Destroy(octree);
    race(&row, wkMapPeers, path, bench->blockCount);
    wkBench_Emit(bench, &row);
}

void wkRunOctreeLoadRows(wkBench* bench)
{
    for (size_t i = 0; i < sizeof files / sizeof files[0]; i++) {
        if (wkBench_Wants(bench, files[i].name)) {
            char path[1024];
            findFile(files[i].path, path);
            runFile(bench, files[i].name, path);
        }
    }
}
