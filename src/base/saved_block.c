// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// Loads untrusted blocks: the head first, then the content by the check of its kind.

#include "base/saved_block.h"

#include "base/error.h"
#include "base/memory.h"

#include <string.h>

#define ALIGNMENT 64

static wkSavedHead headOf(const void* block)
{
    wkSavedHead head;
    memcpy(&head, block, sizeof head);
    return head;
}

// Checks that a block is one of this kind and version, and complete.
static wkResult checkHead(const wkSavedKind* kind, const void* block, size_t byteCount)
{
    if (byteCount < kind->headerBytes) {
        return wkFail(wk_errorParse, "%s block: shorter than its header", kind->name);
    }
    wkSavedHead head = headOf(block);
    if (head.magic == __builtin_bswap64(kind->magic)) {
        return wkFail(wk_errorUnsupported, "%s block: from a machine with another byte order",
                      kind->name);
    }
    if (head.magic != kind->magic) {
        return wkFail(wk_errorParse, "%s block: not %s %s", kind->name, kind->article, kind->name);
    }
    if (head.version != kind->version) {
        return wkFail(wk_errorUnsupported, "%s block: version %u, this library has %u", kind->name,
                      (unsigned)head.version, (unsigned)kind->version);
    }
    if (head.headerBytes != kind->headerBytes) {
        return wkFail(wk_errorUnsupported,
                      "%s block: header of %u bytes, this library has %zu: another layout",
                      kind->name, (unsigned)head.headerBytes, kind->headerBytes);
    }
    if (head.byteCount < kind->headerBytes || head.byteCount > byteCount) {
        return wkFail(wk_errorParse, "%s block: %llu bytes, but %llu are given", kind->name,
                      (unsigned long long)head.byteCount, (unsigned long long)byteCount);
    }
    return wk_ok;
}

static wkResult checkAll(const wkSavedKind* kind, const void* block, size_t byteCount)
{
    wkResult result = checkHead(kind, block, byteCount);
    return result == wk_ok ? kind->check(block) : result;
}

wkResult wkCopySavedBlock(const wkSavedKind* kind, const void* block, size_t byteCount,
                          void** object)
{
    *object = NULL;
    if (block == NULL) {
        return wkFail(wk_errorArgument, "%s block: is NULL", kind->name);
    }
    // bytes after the block itself are ignored; shorter ones are refused
    if (byteCount >= kind->headerBytes) {
        uint64_t own = headOf(block).byteCount;
        byteCount = own < byteCount ? (size_t)own : byteCount;
    }
    if (byteCount < kind->headerBytes) {
        return wkFail(wk_errorParse, "%s block: shorter than its header", kind->name);
    }
    void* copy = wkAlloc(byteCount);
    if (copy == NULL) {
        return wkFail(wk_errorMemory, "%s block: no memory for %zu bytes", kind->name, byteCount);
    }
    memcpy(copy, block, byteCount);
    wkResult result = checkAll(kind, copy, byteCount);
    if (result != wk_ok) {
        wkFree(copy, byteCount);
        return result;
    }
    *object = copy;
    return wk_ok;
}

wkResult wkCheckMappedBlock(const wkSavedKind* kind, const void* block, size_t byteCount)
{
    if (block == NULL || (uintptr_t)block % ALIGNMENT != 0) {
        return wkFail(wk_errorArgument, "%s block: %s", kind->name,
                      block == NULL ? "is NULL" : "is not aligned to 64 bytes");
    }
    return checkAll(kind, block, byteCount);
}

bool wkIsSavedArray(const wkSavedKind* kind, const void* block, uint64_t offset, uint64_t count,
                    uint64_t elementBytes)
{
    uint64_t byteCount = headOf(block).byteCount;
    return offset % ALIGNMENT == 0 && offset >= kind->headerBytes && offset <= byteCount &&
           count * elementBytes <= byteCount - offset;
}
