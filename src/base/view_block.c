// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// Blocks: the head, a piece for each array, the numbers, and the arrays, each on cache lines of its own.

#include "base/view_block.h"

#include "base/block.h"
#include "base/error.h"
#include "base/memory.h"

#include <string.h>

// Where an array is in its block.
typedef struct blockPiece {
    uint64_t offset;
    uint64_t count; // elements
} blockPiece;

static blockPiece* piecesOf(const wkBlockHead* block)
{
    return (blockPiece*)((uintptr_t)block + WK_BLOCK_ALIGNMENT);
}

static uint64_t numbersAt(const wkBlockLayout* layout)
{
    uint64_t used = WK_BLOCK_ALIGNMENT;
    wkReserve(&used, layout->arrayCount * sizeof(blockPiece));
    return wkReserve(&used, layout->numberBytes);
}

// Returns the number of elements of an array, from the numbers of the view.
static uint64_t countOf(const wkBlockArray* array, const void* view)
{
    int32_t count;
    memcpy(&count, (const char*)view + array->countAt, sizeof count);
    return (uint64_t)count * array->perItem;
}

// Lays the arrays out behind the numbers.
// @param pieces NULL: only the size is wanted
static uint64_t layOut(const wkBlockLayout* layout, const void* view, blockPiece* pieces)
{
    uint64_t used = numbersAt(layout) + layout->numberBytes;
    for (size_t i = 0; i < layout->arrayCount; ++i) {
        uint64_t count = countOf(&layout->arrays[i], view);
        uint64_t offset = wkReserve(&used, count * layout->arrays[i].elementBytes);
        if (pieces != NULL) {
            pieces[i].offset = offset;
            pieces[i].count = count;
        }
    }
    return used;
}

static void setPointers(const wkBlockLayout* layout, const wkBlockHead* block, void* view)
{
    const blockPiece* pieces = piecesOf(block);
    for (size_t i = 0; i < layout->arrayCount; ++i) {
        void* array = (void*)((uintptr_t)block + pieces[i].offset);
        memcpy((char*)view + layout->arrays[i].pointerAt, &array, sizeof array);
    }
}

// Allocates a block and writes its head and pieces.
static wkBlockHead* makeBlock(const wkBlockLayout* layout, const void* view, size_t byteCount)
{
    wkBlockHead* block = (wkBlockHead*)wkAlloc(byteCount);
    if (block == NULL) {
        return NULL;
    }
    memset(block, 0, (size_t)(numbersAt(layout) + layout->numberBytes));
    wkBlockHead head = {layout->magic, layout->version, byteCount, (uint32_t)layout->arrayCount,
                        (uint32_t)layout->numberBytes};
    *block = head;
    layOut(layout, view, piecesOf(block));
    return block;
}

wkBlockHead* wkBlock_Create(const wkBlockLayout* layout, void* view, size_t* byteCount)
{
    *byteCount = (size_t)layOut(layout, view, NULL);
    wkBlockHead* block = makeBlock(layout, view, *byteCount);
    if (block != NULL) {
        setPointers(layout, block, view);
    }
    return block;
}

static void* pointerOf(const wkBlockArray* array, const void* view)
{
    void* pointer;
    memcpy(&pointer, (const char*)view + array->pointerAt, sizeof pointer);
    return pointer;
}

wkBlockHead* wkBlock_Pack(const wkBlockLayout* layout, void* view, size_t* byteCount)
{
    *byteCount = (size_t)layOut(layout, view, NULL);
    wkBlockHead* block = makeBlock(layout, view, *byteCount);
    const blockPiece* pieces = block != NULL ? piecesOf(block) : NULL;
    for (size_t i = 0; i < layout->arrayCount && block != NULL; ++i) {
        const void* from = pointerOf(&layout->arrays[i], view);
        if (from != NULL) {
            memcpy((char*)block + pieces[i].offset, from,
                   pieces[i].count * layout->arrays[i].elementBytes);
        }
    }
    if (block != NULL) {
        setPointers(layout, block, view);
    }
    return block;
}

void wkBlock_Seal(const wkBlockLayout* layout, wkBlockHead* block, const void* view)
{
    char* numbers = (char*)block + numbersAt(layout);
    memcpy(numbers, (const char*)view + layout->numbersAt, layout->numberBytes);
    for (size_t i = 0; i < layout->arrayCount; ++i) {
        size_t at = layout->arrays[i].pointerAt;
        if (at >= layout->numbersAt && at < layout->numbersAt + layout->numberBytes) {
            const void* none = NULL;
            memcpy(numbers + (at - layout->numbersAt), &none, sizeof none);
        }
    }
}

// Whether the arrays are within the block.
static bool areWithin(const wkBlockLayout* layout, const wkBlockHead* block)
{
    const blockPiece* pieces = piecesOf(block);
    bool areWithin = true;
    for (size_t i = 0; i < layout->arrayCount && areWithin; ++i) {
        areWithin = pieces[i].offset % WK_BLOCK_ALIGNMENT == 0 &&
                    pieces[i].offset <= block->byteCount &&
                    pieces[i].count <=
                        (block->byteCount - pieces[i].offset) / layout->arrays[i].elementBytes;
    }
    return areWithin;
}

wkResult wkBlock_Bind(const wkBlockLayout* layout, const void* block, size_t byteCount, void* view)
{
    const wkBlockHead* head = (const wkBlockHead*)block;
    if (head == NULL || (uintptr_t)head % WK_BLOCK_ALIGNMENT != 0) {
        return wkFail(wk_errorArgument, "%s block: expected at a multiple of %d bytes",
                      layout->name, WK_BLOCK_ALIGNMENT);
    }
    if (byteCount < sizeof *head || head->magic != layout->magic) {
        return wkFail(wk_errorArgument, "%s block: not a block of this kind", layout->name);
    }
    if (head->version != layout->version) {
        return wkFail(wk_errorArgument, "%s block: version %u, expected %u", layout->name,
                      (unsigned)head->version, (unsigned)layout->version);
    }
    if (head->arrayCount != layout->arrayCount || head->numberBytes != layout->numberBytes) {
        return wkFail(wk_errorArgument,
                      "%s block: %u arrays and %u bytes of numbers, expected %u and %u: another "
                      "layout",
                      layout->name, (unsigned)head->arrayCount, (unsigned)head->numberBytes,
                      (unsigned)layout->arrayCount, (unsigned)layout->numberBytes);
    }
    uint64_t least = numbersAt(layout) + layout->numberBytes;
    if (head->byteCount != byteCount || byteCount < least || !areWithin(layout, head)) {
        return wkFail(wk_errorArgument, "%s block: %zu bytes, which is not the whole block",
                      layout->name, byteCount);
    }
    memcpy((char*)view + layout->numbersAt, (const char*)block + numbersAt(layout),
           layout->numberBytes);
    setPointers(layout, head, view);
    return wk_ok;
}
