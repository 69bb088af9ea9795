// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// Blocks of geometry that are saved, loaded and mapped: meshes, point clouds, sphere trees. Each starts with the
// same head. What is checked before the content is read, and how a block becomes an object, is the same for all.

#include "whisker/base.h"

#include <stddef.h>

typedef struct wkSavedHead {
    uint64_t magic;
    uint32_t version;
    uint32_t headerBytes;
    uint64_t byteCount; // of the whole block
    uint64_t checksum;
} wkSavedHead;

typedef struct wkSavedKind {
    const char* name;    // for messages: "mesh"
    const char* article; // "a"
    uint64_t magic;
    uint32_t version;
    size_t headerBytes;
    // Checks all that follows the head, of a block that is as long as its head says.
    wkResult (*check)(const void* block);
} wkSavedKind;

// Makes an object from a copy of an untrusted block. Bytes behind the block are ignored.
// @param object set to NULL on failure
wkResult wkCopySavedBlock(const wkSavedKind* kind, const void* block, size_t byteCount,
                          void** object);

// Checks an untrusted block that is used where it is: aligned to 64 bytes.
wkResult wkCheckMappedBlock(const wkSavedKind* kind, const void* block, size_t byteCount);

// Returns whether an array of a block is behind its header, aligned, and before its end.
bool wkIsSavedArray(const wkSavedKind* kind, const void* block, uint64_t offset, uint64_t count,
                    uint64_t elementBytes);
