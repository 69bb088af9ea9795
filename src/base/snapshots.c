// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// Slots of snapshots: which one the writer fills, which one readers use, and when memory is freed.

#include "base/snapshots.h"

#include "base/memory.h"

// Slots beyond these free their memory while they have no readers.
#define KEPT_COUNT 3

void wkSnapshots_Init(wkSnapshots* snapshots)
{
    snapshots->slots = NULL;
    atomic_init(&snapshots->published, NULL);
}

static bool isIdle(wkSnapshots* snapshots, wkSnapshot* slot)
{
    return slot != atomic_load(&snapshots->published) && atomic_load(&slot->readerCount) == 0;
}

static wkSnapshot* addSlot(wkSnapshots* snapshots)
{
    wkSnapshot* slot = (wkSnapshot*)wkAlloc(sizeof *slot);
    if (slot != NULL) {
        atomic_init(&slot->readerCount, 0);
        slot->content = NULL;
        slot->next = snapshots->slots;
        snapshots->slots = slot;
    }
    return slot;
}

wkSnapshot* wkSnapshots_Take(wkSnapshots* snapshots)
{
    wkSnapshot* idle = NULL;
    for (wkSnapshot* s = snapshots->slots; s != NULL; s = s->next) {
        // prefer a slot that has memory already
        bool isBetter = idle == NULL || (idle->content == NULL && s->content != NULL);
        idle = isBetter && isIdle(snapshots, s) ? s : idle;
    }
    return idle != NULL ? idle : addSlot(snapshots);
}

void wkSnapshots_Publish(wkSnapshots* snapshots, wkSnapshot* slot, wkDestroySnapshotFcn* destroy)
{
    atomic_store(&snapshots->published, slot);
    int filledCount = 0;
    for (wkSnapshot* s = snapshots->slots; s != NULL; s = s->next) {
        filledCount += s->content != NULL ? 1 : 0;
        if (filledCount > KEPT_COUNT && s->content != NULL && isIdle(snapshots, s)) {
            destroy(s->content);
            s->content = NULL;
            --filledCount;
        }
    }
}

void wkSnapshots_VisitIdle(wkSnapshots* snapshots, wkIdleSnapshotFcn* fcn)
{
    for (wkSnapshot* s = snapshots->slots; s != NULL; s = s->next) {
        if (s->content != NULL && isIdle(snapshots, s)) {
            fcn(s->content);
        }
    }
}

bool wkSnapshot_Leave(wkSnapshot* slot)
{
    int count = atomic_load(&slot->readerCount);
    while (count > 0 && !atomic_compare_exchange_weak(&slot->readerCount, &count, count - 1)) {
    }
    return count > 0;
}

void* wkSnapshots_Acquire(const wkSnapshots* snapshots)
{
    for (;;) {
        wkSnapshot* slot = atomic_load(&snapshots->published);
        if (slot == NULL) {
            return NULL;
        }
        atomic_fetch_add(&slot->readerCount, 1);
        if (atomic_load(&snapshots->published) == slot) {
            return slot->content;
        }
        wkSnapshot_Leave(slot);
    }
}

void wkSnapshots_Free(wkSnapshots* snapshots, wkDestroySnapshotFcn* destroy)
{
    while (snapshots->slots != NULL) {
        wkSnapshot* slot = snapshots->slots;
        snapshots->slots = slot->next;
        if (slot->content != NULL) {
            destroy(slot->content);
        }
        wkFree(slot, sizeof *slot);
    }
}
