// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// Blocks of memory that mean the same wherever they lie: a head, numbers, and arrays at offsets from the head.
// What is computed once and read by many kernels has this form, so that one memcpy brings it to another
// address, to another process or to a device. Code reads a block through a view: a struct with the same
// numbers and with pointers to the arrays, which are set for the address of the block (wkBlock_Bind).
//
// The layout of a view is a table with a row for each of its pointers.

#include "whisker/base.h"

#include <stddef.h>

// An array of a block: the pointer of the view to it, and the number of the view that holds its length.
typedef struct wkBlockArray {
    size_t pointerAt; // offset of the pointer in the view
    size_t elementBytes;
    size_t countAt;   // offset of an int32_t among the numbers of the view
    uint32_t perItem; // elements for each of these
} wkBlockArray;

// The row of a pointer.
#define WK_BLOCK_ARRAY(viewType, pointer, count, perItem)                                          \
    {                                                                                              \
        offsetof(viewType, pointer), sizeof *((viewType*)NULL)->pointer,                           \
            offsetof(viewType, count), perItem                                                     \
    }

typedef struct wkBlockLayout {
    const char* name; // for messages
    uint32_t magic;   // at the start of every such block
    uint32_t version; // changes with every change of the numbers, the arrays or their elements
    size_t numbersAt; // the fields of the view that the block stores as they are
    size_t numberBytes;
    const wkBlockArray* arrays;
    size_t arrayCount;
} wkBlockLayout;

typedef struct wkBlockHead {
    uint32_t magic;
    uint32_t version;
    uint64_t byteCount; // of the whole block
    uint32_t arrayCount;
    uint32_t numberBytes;
} wkBlockHead;

// Blocks and their arrays begin at multiples of it.
#define WK_BLOCK_ALIGNMENT 64

// Allocates a block for the arrays of a view whose counts are set, and points the view to them. The elements are
// undefined.
// @param byteCount set to the size of the block
// @return NULL: no memory
wkBlockHead* wkBlock_Create(const wkBlockLayout* layout, void* view, size_t* byteCount);

// The same, and copies into the block what the view has pointed to so far; NULL: nothing. The caller frees that.
wkBlockHead* wkBlock_Pack(const wkBlockLayout* layout, void* view, size_t* byteCount);

// Stores the numbers of the view in its block, once they are known; pointers among them are stored as zeros.
void wkBlock_Seal(const wkBlockLayout* layout, wkBlockHead* block, const void* view);

// Sets the numbers and the pointers of a view from a block, which is not copied.
// @return wk_errorArgument: not such a block, or of another version, or not whole, or not aligned
wkResult wkBlock_Bind(const wkBlockLayout* layout, const void* block, size_t byteCount, void* view);
