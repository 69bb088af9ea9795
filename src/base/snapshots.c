// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// Places of snapshots: who fills which, who reads which, and when memory goes.

#include "base/snapshots.h"

#include "base/memory.h"

// Places beyond these give their memory back while nobody reads them.
#define KEPT_COUNT 3

void wkSnapshots_Init(wkSnapshots* snapshots)
{
    snapshots->places = NULL;
    atomic_init(&snapshots->published, NULL);
}

static bool isIdle(wkSnapshots* snapshots, wkSnapshot* place)
{
    return place != atomic_load(&snapshots->published) && atomic_load(&place->readerCount) == 0;
}

static wkSnapshot* addPlace(wkSnapshots* snapshots)
{
    wkSnapshot* place = (wkSnapshot*)wkAlloc(sizeof *place);
    if (place != NULL) {
        atomic_init(&place->readerCount, 0);
        place->content = NULL;
        place->next = snapshots->places;
        snapshots->places = place;
    }
    return place;
}

wkSnapshot* wkSnapshots_Take(wkSnapshots* snapshots)
{
    wkSnapshot* idle = NULL;
    for (wkSnapshot* s = snapshots->places; s != NULL; s = s->next) {
        // one that has its memory already
        bool isBetter = idle == NULL || (idle->content == NULL && s->content != NULL);
        idle = isBetter && isIdle(snapshots, s) ? s : idle;
    }
    return idle != NULL ? idle : addPlace(snapshots);
}

void wkSnapshots_Publish(wkSnapshots* snapshots, wkSnapshot* place, wkDestroySnapshotFcn* destroy)
{
    atomic_store(&snapshots->published, place);
    int filledCount = 0;
    for (wkSnapshot* s = snapshots->places; s != NULL; s = s->next) {
        filledCount += s->content != NULL ? 1 : 0;
        if (filledCount > KEPT_COUNT && s->content != NULL && isIdle(snapshots, s)) {
            destroy(s->content);
            s->content = NULL;
            --filledCount;
        }
    }
}

bool wkSnapshot_Leave(wkSnapshot* place)
{
    int count = atomic_load(&place->readerCount);
    while (count > 0 && !atomic_compare_exchange_weak(&place->readerCount, &count, count - 1)) {
    }
    return count > 0;
}

void* wkSnapshots_Acquire(wkSnapshots* snapshots)
{
    for (;;) {
        wkSnapshot* place = atomic_load(&snapshots->published);
        if (place == NULL) {
            return NULL;
        }
        atomic_fetch_add(&place->readerCount, 1);
        if (atomic_load(&snapshots->published) == place) {
            return place->content;
        }
        wkSnapshot_Leave(place);
    }
}

void wkSnapshots_Free(wkSnapshots* snapshots, wkDestroySnapshotFcn* destroy)
{
    while (snapshots->places != NULL) {
        wkSnapshot* place = snapshots->places;
        snapshots->places = place->next;
        if (place->content != NULL) {
            destroy(place->content);
        }
        wkFree(place, sizeof *place);
    }
}
