// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// A few meshes, the last used first. A file is known by its name, and by its size and time of
// change, so that one that was written anew is read anew.

#include "ask_cache.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#define MAX_ENTRIES 16

// The oldest meshes go when all together take more than this.
#define MAX_BYTES ((size_t)1 << 30)

// A question has two objects: their meshes are never taken away from it.
#define MIN_ENTRIES 2

typedef struct entry {
    char* path;
    struct stat about;
    bool isSolid;
    wkVolumeKind volume;
    wkMesh* mesh;
} entry;

struct wkAskCache {
    entry entries[MAX_ENTRIES]; // the last used first
    int count;
};

wkAskCache* wkAskCache_Create(void)
{
    return calloc(1, sizeof(wkAskCache));
}

static void dropLast(wkAskCache* cache)
{
    entry* last = &cache->entries[--cache->count];
    wkMesh_Destroy(last->mesh);
    free(last->path);
}

void wkAskCache_Destroy(wkAskCache* cache)
{
    while (cache != NULL && cache->count > 0) {
        dropLast(cache);
    }
    free(cache);
}

static bool isSameFile(const struct stat* a, const struct stat* b)
{
    return a->st_dev == b->st_dev && a->st_ino == b->st_ino && a->st_size == b->st_size &&
           a->st_mtim.tv_sec == b->st_mtim.tv_sec && a->st_mtim.tv_nsec == b->st_mtim.tv_nsec;
}

static bool isMatch(const entry* e, const char* path, const struct stat* about,
                    const wkLoadOptions* options)
{
    return e->isSolid == options->isSolid && e->volume == options->volume &&
           isSameFile(&e->about, about) && strcmp(e->path, path) == 0;
}

static void moveToFront(wkAskCache* cache, int index)
{
    entry moved = cache->entries[index];
    memmove(&cache->entries[1], &cache->entries[0], (size_t)index * sizeof moved);
    cache->entries[0] = moved;
}

static size_t bytesOf(const wkAskCache* cache)
{
    size_t sum = 0;
    for (int i = 0; i < cache->count; i++) {
        sum += wkMesh_Info(cache->entries[i].mesh).byteCount;
    }
    return sum;
}

// @return false when there is no memory for the name: the mesh is not kept
static bool keep(wkAskCache* cache, const char* path, const struct stat* about,
                 const wkLoadOptions* options, wkMesh* mesh)
{
    char* name = strdup(path);
    if (name == NULL) {
        return false;
    }
    if (cache->count == MAX_ENTRIES) {
        dropLast(cache);
    }
    cache->entries[cache->count++] = (entry){name, *about, options->isSolid, options->volume, mesh};
    moveToFront(cache, cache->count - 1);
    while (cache->count > MIN_ENTRIES && bytesOf(cache) > MAX_BYTES) {
        dropLast(cache);
    }
    return true;
}

wkResult wkAskCache_Load(wkAskCache* cache, const char* path, const wkLoadOptions* options,
                         const wkMesh** mesh, bool* isOwned)
{
    struct stat about;
    *mesh = NULL;
    *isOwned = false;

    // others than ordinary files might let us wait for ever
    bool isThere = stat(path, &about) == 0;
    if (isThere && !S_ISREG(about.st_mode)) {
        char words[200];
        snprintf(words, sizeof words, "%.150s: is not an ordinary file", path);
        return wkSetLastError(wk_errorFile, words);
    }
    for (int i = 0; isThere && cache != NULL && i < cache->count; i++) {
        if (isMatch(&cache->entries[i], path, &about, options)) {
            moveToFront(cache, i);
            *mesh = cache->entries[0].mesh;
            return wk_ok;
        }
    }
    wkMesh* loaded = NULL;
    wkResult result = wkMesh_Load(path, options, &loaded);
    if (result == wk_ok) {
        *mesh = loaded;
        *isOwned = cache == NULL || !isThere || !keep(cache, path, &about, options, loaded);
    }
    return result;
}
