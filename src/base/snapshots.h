// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// Snapshots of something that one thread writes: many readers, nobody waits.
//
// A snapshot is a copy with a count of its readers. Places for snapshots are made by the writer and stay
// until the end, so a reader may touch the count of any of them at any time. The writer fills one that
// is not published and has no readers, then publishes it.
//
// A reader announces itself first and then looks whether the snapshot is still the published one. If
// so, the writer will see the announcement before it takes the place again; if not, the reader has
// looked at nothing but the count, and goes on to the newer one.

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>

typedef struct wkSnapshot {
    atomic_int readerCount;
    void* content; // NULL: memory was given back
    struct wkSnapshot* next;
} wkSnapshot;

typedef struct wkSnapshots {
    wkSnapshot* places;             // all of them; the writer's
    _Atomic(wkSnapshot*) published; // the one to read
} wkSnapshots;

typedef void wkDestroySnapshotFcn(void* content);

void wkSnapshots_Init(wkSnapshots* snapshots);

// A place to fill, with content of before or without; NULL: no memory.
wkSnapshot* wkSnapshots_Take(wkSnapshots* snapshots);

// Makes a filled place the one to read, and gives back what a rush of readers has left behind.
void wkSnapshots_Publish(wkSnapshots* snapshots, wkSnapshot* slot, wkDestroySnapshotFcn* destroy);

// Content of the published place, for one reader more; NULL when there is none.
void* wkSnapshots_Acquire(wkSnapshots* snapshots);

// One reader less. The count stays at zero when there was none: below it, a later reader would go
// unnoticed. @return false then
bool wkSnapshot_Leave(wkSnapshot* slot);

void wkSnapshots_Free(wkSnapshots* snapshots, wkDestroySnapshotFcn* destroy);
