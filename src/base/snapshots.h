// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// Snapshots of an object with one writer and many readers; no thread waits.
//
// A snapshot is a copy with a count of its readers. The writer makes the slots for snapshots, and they stay
// until the end, so a reader may change the count of any slot at any time. The writer fills a slot that is
// not published and has no readers, then publishes it.
//
// A reader increments the count first and then checks that the snapshot is still the published one. If it is,
// the writer will read the count before it reuses the slot. If not, the reader has touched nothing but the
// count, and goes on to the newer snapshot.

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>

typedef struct wkSnapshot {
    atomic_int readerCount;
    void* content; // NULL: memory was freed
    struct wkSnapshot* next;
} wkSnapshot;

typedef struct wkSnapshots {
    wkSnapshot* slots;              // all slots; used by the writer only
    _Atomic(wkSnapshot*) published; // the snapshot to read
} wkSnapshots;

typedef void wkDestroySnapshotFcn(void* content);
typedef void wkIdleSnapshotFcn(void* content);

void wkSnapshots_Init(wkSnapshots* snapshots);

// Returns a slot to fill, with old content or none; NULL: no memory.
wkSnapshot* wkSnapshots_Take(wkSnapshots* snapshots);

// Publishes a filled slot, and frees the memory of spare slots that many readers at once had required.
void wkSnapshots_Publish(wkSnapshots* snapshots, wkSnapshot* slot, wkDestroySnapshotFcn* destroy);

// Calls a function with the content of each slot that is neither published nor has readers, so that it gives
// back what it shares with the writer before its slot is filled again.
void wkSnapshots_VisitIdle(wkSnapshots* snapshots, wkIdleSnapshotFcn* fcn);

// Adds a reader to the published slot and returns its content; NULL when there is none.
void* wkSnapshots_Acquire(const wkSnapshots* snapshots);

// Removes a reader. A count of zero stays at zero: below it, a later reader would go unnoticed.
// @return false when the count was zero
bool wkSnapshot_Leave(wkSnapshot* slot);

void wkSnapshots_Free(wkSnapshots* snapshots, wkDestroySnapshotFcn* destroy);
