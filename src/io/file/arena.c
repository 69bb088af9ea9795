// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// Chunks of memory that are filled from the front. An allocation larger than a chunk gets its own chunk.

#include "io/file/arena.h"

#include "whisker/detail/library.h"

#include <stdalign.h>
#include <string.h>

#define CHUNK_BYTES ((size_t)1 << 16)
#define ALIGNMENT alignof(max_align_t)

struct wkIoChunk {
    wkIoChunk* next;
    size_t byteCount; // including this header
};

// Bytes of the header, rounded up so that the memory after it is aligned.
#define HEADER_BYTES ((sizeof(wkIoChunk) + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT)

static bool addChunk(wkIoArena* arena, size_t byteCount)
{
    wkIoChunk* chunk = wkAllocate(byteCount);
    if (chunk == NULL) {
        return false;
    }
    chunk->next = arena->chunks;
    chunk->byteCount = byteCount;
    arena->chunks = chunk;
    arena->used = HEADER_BYTES;
    return true;
}

void* wkIoArena_Alloc(wkIoArena* arena, size_t byteCount)
{
    if (byteCount > SIZE_MAX / 2) {
        return NULL;
    }
    size_t rounded = (byteCount + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
    if (arena->chunks == NULL || arena->chunks->byteCount - arena->used < rounded) {
        size_t wanted = HEADER_BYTES + rounded;
        if (!addChunk(arena, wanted > CHUNK_BYTES ? wanted : CHUNK_BYTES)) {
            return NULL;
        }
    }
    void* piece = (char*)arena->chunks + arena->used;
    arena->used += rounded;
    memset(piece, 0, byteCount);
    return piece;
}

void* wkIoArena_AllocArray(wkIoArena* arena, size_t count, size_t itemBytes)
{
    return count <= SIZE_MAX / 2 / itemBytes ? wkIoArena_Alloc(arena, count * itemBytes) : NULL;
}

char* wkIoArena_CopyText(wkIoArena* arena, const char* text, size_t length)
{
    char* copy = wkIoArena_Alloc(arena, length + 1);
    if (copy != NULL && length > 0) {
        memcpy(copy, text, length);
    }
    return copy;
}

void wkIoArena_Free(wkIoArena* arena)
{
    while (arena->chunks != NULL) {
        wkIoChunk* chunk = arena->chunks;
        arena->chunks = chunk->next;
        wkRelease(chunk, chunk->byteCount);
    }
    arena->used = 0;
}
