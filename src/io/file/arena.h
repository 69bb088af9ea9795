// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// Arena for the time of loading: allocated piece by piece, freed at once.

#include "whisker/base.h"

typedef struct wkIoChunk wkIoChunk;

// All zeros is an empty arena.
typedef struct wkIoArena {
    wkIoChunk* chunks; // newest first
    size_t used;       // bytes of the newest chunk
} wkIoArena;

// Returns zeroed memory aligned for any type, or NULL. It lives as long as the arena.
void* wkIoArena_Alloc(wkIoArena* arena, size_t byteCount);

// Allocates `count` items; NULL also when the byte count overflows.
void* wkIoArena_AllocArray(wkIoArena* arena, size_t count, size_t itemBytes);

// Copies `length` bytes and appends a zero.
char* wkIoArena_CopyText(wkIoArena* arena, const char* text, size_t length);

// Frees everything; the arena is empty and usable afterwards.
void wkIoArena_Free(wkIoArena* arena);
