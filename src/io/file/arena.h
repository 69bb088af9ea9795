// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// Memory for the time of loading: taken piece by piece, given back all at once.

#include "whisker/base.h"

typedef struct wkIoChunk wkIoChunk;

// All zero is an empty one.
typedef struct wkIoArena {
    wkIoChunk* chunks; // the newest first
    size_t used;       // bytes of the newest
} wkIoArena;

// Zeroed memory that fits any type, or NULL. Lives as long as the arena.
void* wkIoArena_Alloc(wkIoArena* arena, size_t byteCount);

// Room for `count` items; NULL also when their bytes are too many to be counted.
void* wkIoArena_AllocArray(wkIoArena* arena, size_t count, size_t itemBytes);

// A copy of `length` bytes with a zero behind them.
char* wkIoArena_CopyText(wkIoArena* arena, const char* text, size_t length);

// Gives everything back; the arena is empty and usable afterwards.
void wkIoArena_Free(wkIoArena* arena);
