// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// A few meshes, maps and clouds, most recently used first. A file is identified by its name, size and time of change,
// so that one that was rewritten is read again.

#include "ask_cache.h"

#include "outputs.h"

#include "whisker/detail/library.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#define MAX_ENTRIES 16

// The oldest entries are evicted when all together take more than this.
#define MAX_BYTES ((size_t)1 << 30)

// A question has two objects, whose entries must not be evicted while it is answered.
#define MIN_ENTRIES 2

// What an entry was read as.
typedef enum entryKind {
    entryMesh,
    entryMap,
    entryCloud,
    entrySpheres, // a cloud, too
} entryKind;

typedef struct entry {
    char* path;
    struct stat about;
    entryKind kind;
    wkLoadDef options; // without pointers that belong to the caller; zeros where they do not matter
    size_t byteCount;
    wkMesh* mesh;
    wkOctree* octree;
    wkCloud* cloud;
    wkVec3d origin; // of the cloud
} entry;

struct wkAskCache {
    entry entries[MAX_ENTRIES]; // most recently used first
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
    wkOctree_Destroy(last->octree);
    wkCloud_Destroy(last->cloud);
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

static bool areSameOptions(const wkLoadDef* a, const wkLoadDef* b)
{
    return a->isSolid == b->isSolid && a->volume == b->volume && a->allowsEmpty == b->allowsEmpty &&
           a->scale.x == b->scale.x && a->scale.y == b->scale.y && a->scale.z == b->scale.z &&
           a->cloud.radius == b->cloud.radius && a->cloud.spacing == b->cloud.spacing;
}

static bool isMatch(const entry* e, const entry* wanted)
{
    return e->kind == wanted->kind && areSameOptions(&e->options, &wanted->options) &&
           isSameFile(&e->about, &wanted->about) && strcmp(e->path, wanted->path) == 0;
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
        sum += cache->entries[i].byteCount;
    }
    return sum;
}

// @return false when out of memory for the name: nothing is kept
static bool keep(wkAskCache* cache, const entry* loaded)
{
    char* name = strdup(loaded->path);
    if (name == NULL) {
        return false;
    }
    while (cache->count == MAX_ENTRIES ||
           (cache->count >= MIN_ENTRIES && bytesOf(cache) + loaded->byteCount > MAX_BYTES)) {
        dropLast(cache);
    }
    cache->entries[cache->count] = *loaded;
    cache->entries[cache->count++].path = name;
    moveToFront(cache, cache->count - 1);
    return true;
}

static wkResult loadMesh(entry* wanted, wkLoadInfo* info)
{
    wkResult result = wkMesh_Load(wanted->path, &wanted->options, info, &wanted->mesh);
    wanted->byteCount = result == wk_ok ? wkMesh_Info(wanted->mesh).byteCount : 0;
    return result;
}

static wkResult loadMap(entry* wanted, wkLoadInfo* info)
{
    (void)info;
    wkResult result = wkOctree_Load(wanted->path, &wanted->octree);
    wanted->byteCount = result == wk_ok ? wkOctree_Info(wanted->octree).byteCount : 0;
    return result;
}

static wkResult loadCloud(entry* wanted, wkLoadInfo* info)
{
    wkResult result = wkCloud_Load(wanted->path, &wanted->options, info, &wanted->cloud);
    wanted->origin = result == wk_ok ? info->origin : wanted->origin;
    wanted->byteCount = result == wk_ok ? wkCloud_Info(wanted->cloud).byteCount : 0;
    return result;
}

static wkResult loadSpheres(entry* wanted, wkLoadInfo* info)
{
    (void)info;
    wkResult result = wkLoadSpheres(wanted->path, wanted->options.allowsEmpty, &wanted->cloud);
    wanted->byteCount = result == wk_ok ? wkCloud_Info(wanted->cloud).byteCount : 0;
    return result;
}

static wkResult (*const loaders[])(entry* wanted, wkLoadInfo* info) = {
    [entryMesh] = loadMesh,
    [entryMap] = loadMap,
    [entryCloud] = loadCloud,
    [entrySpheres] = loadSpheres,
};

// Fills in the wanted entry, whose path and options are set.
static wkResult findOrLoad(wkAskCache* cache, entry* wanted, wkLoadInfo* info, bool* isOwned)
{
    *isOwned = false;

    // reading anything but a regular file might block for ever
    bool isThere = stat(wanted->path, &wanted->about) == 0;
    if (isThere && !S_ISREG(wanted->about.st_mode)) {
        char words[200];
        snprintf(words, sizeof words, "%.150s: is not an ordinary file", wanted->path);
        return wkSetLastError(wk_errorFile, words);
    }
    for (int i = 0; isThere && cache != NULL && i < cache->count; i++) {
        if (isMatch(&cache->entries[i], wanted)) {
            moveToFront(cache, i);
            *wanted = cache->entries[0];
            return wk_ok;
        }
    }
    wkOutputs_NoteRead(wanted->path);
    wkResult result = loaders[wanted->kind](wanted, info);
    if (result == wk_ok) {
        *isOwned = cache == NULL || !isThere || !keep(cache, wanted);
    }
    return result;
}

wkResult wkAskCache_Load(wkAskCache* cache, const char* path, const wkLoadDef* options,
                         wkLoadInfo* info, const wkMesh** mesh, bool* isOwned)
{
    entry wanted = {.path = (char*)path, .kind = entryMesh, .options = *options};
    wkResult result = findOrLoad(cache, &wanted, info, isOwned);
    *mesh = wanted.mesh;
    return result;
}

wkResult wkAskCache_LoadMap(wkAskCache* cache, const char* path, const wkOctree** octree,
                            bool* isOwned)
{
    entry wanted = {.path = (char*)path, .kind = entryMap};
    wkResult result = findOrLoad(cache, &wanted, NULL, isOwned);
    *octree = wanted.octree;
    return result;
}

wkResult wkAskCache_LoadCloud(wkAskCache* cache, const char* path, const wkLoadDef* options,
                              wkLoadInfo* info, const wkCloud** cloud, bool* isOwned)
{
    entry wanted = {.path = (char*)path, .kind = entryCloud, .options = *options};
    wkResult result = findOrLoad(cache, &wanted, info, isOwned);
    *cloud = wanted.cloud;
    info->origin = wanted.origin;
    return result;
}

wkResult wkAskCache_LoadSpheres(wkAskCache* cache, const char* path, const wkLoadDef* options,
                                wkLoadInfo* info, const wkCloud** cloud, bool* isOwned)
{
    entry wanted = {.path = (char*)path, .kind = entrySpheres, .options = *options};
    wkResult result = findOrLoad(cache, &wanted, info, isOwned);
    *cloud = wanted.cloud;
    return result;
}
