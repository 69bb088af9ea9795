// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// PNG through libpng, which reports errors by longjmp: live state is in a struct on the stack of the caller
// of setjmp, and nothing is held in registers across it.

#include "io/image/png.h"

#include "whisker/detail/library.h"

#if !defined(WK_HAS_PNG)

wkResult wkIoReadPng(const wkIoSource* source, const wkCamera* camera, wkIoDepth* depth)
{
    (void)camera;
    (void)depth;
    return wkIoFail(source->name, wk_errorUnsupported, "this build has no libpng to read it with");
}

wkResult wkIoWritePng(const char* name, const wkDepthData* data, wkIoPngBytes* file)
{
    (void)data;
    (void)file;
    return wkIoFail(name, wk_errorUnsupported, "this build has no libpng to write it with");
}

#else

#include <png.h>
#include <stdio.h>
#include <string.h>

// Bytes in front of each block for libpng: its size, padded for alignment.
#define BLOCK_HEAD 64
// Maximum expansion of a byte by zlib.
#define MOST_BYTES_OF_ONE 1032
// Memory limit for chunks of text and profiles, which are not used.
#define MAX_CHUNK_BYTES 1000000

// Allocates for libpng; notes a failure in the caller's struct.
static void* allocateBlock(png_structp png, size_t byteCount)
{
    char* block = byteCount < SIZE_MAX - BLOCK_HEAD ? wkAllocate(byteCount + BLOCK_HEAD) : NULL;
    if (block == NULL) {
        *(bool*)png_get_mem_ptr(png) = true;
        return NULL;
    }
    memcpy(block, &byteCount, sizeof byteCount);
    return block + BLOCK_HEAD;
}

static void releaseBlock(png_structp png, void* memory)
{
    (void)png;
    size_t byteCount = 0;
    if (memory != NULL) {
        char* block = (char*)memory - BLOCK_HEAD;
        memcpy(&byteCount, block, sizeof byteCount);
        wkRelease(block, byteCount + BLOCK_HEAD);
    }
}

static void keepWords(png_structp png, const char* words)
{
    char* kept = (char*)png_get_error_ptr(png);
    snprintf(kept, WK_WARNING_CAPACITY, "%s", words);
    png_longjmp(png, 1);
}

static void ignoreWarning(png_structp png, const char* words)
{
    (void)png;
    (void)words;
}

// PNG stores the most significant byte first.
static bool isLittleEndian(void)
{
    const uint16_t one = 1;
    uint8_t first = 0;
    memcpy(&first, &one, 1);
    return first == 1;
}

// Reading.

typedef struct reading {
    const wkIoSource* source;
    const wkCamera* camera; // required size of the image; NULL: any size
    wkIoDepth* depth;
    size_t at; // bytes read so far
    png_structp png;
    png_infop info;
    wkResult result; // error found outside libpng
    bool isWithoutMemory;
    char words[WK_WARNING_CAPACITY];
} reading;

static void takeBytes(png_structp png, png_bytep bytes, size_t byteCount)
{
    reading* r = (reading*)png_get_io_ptr(png);
    if (byteCount > r->source->byteCount - r->at) {
        png_error(png, "the file ends before the image does");
    }
    memcpy(bytes, r->source->bytes + r->at, byteCount);
    r->at += byteCount;
}

static const char* colorName(int color)
{
    return color == PNG_COLOR_TYPE_GRAY         ? "grey"
           : color == PNG_COLOR_TYPE_GRAY_ALPHA ? "grey with alpha"
           : color == PNG_COLOR_TYPE_PALETTE    ? "a palette"
                                                : "colour";
}

// Checks that the bytes of the file can hold an image of the size in the header.
static wkResult checkHeader(const reading* r, size_t width, size_t height)
{
    int bits = png_get_bit_depth(r->png, r->info), color = png_get_color_type(r->png, r->info);
    const char* name = r->source->name;
    if (bits != 16 || color != PNG_COLOR_TYPE_GRAY) {
        return wkIoFail(name, wk_errorUnsupported,
                        "its pixels are %d-bit %s, depths must be 16-bit grey", bits,
                        colorName(color));
    }
    if (width > WK_IO_MAX_SIDE || height > WK_IO_MAX_SIDE) {
        return wkIoFail(name, wk_errorRange, "it has %zu x %zu pixels, at most %d x %d are read",
                        width, height, WK_IO_MAX_SIDE, WK_IO_MAX_SIDE);
    }
    bool hasSize = r->camera != NULL && (r->camera->width != 0 || r->camera->height != 0);
    if (hasSize && (width != (size_t)r->camera->width || height != (size_t)r->camera->height)) {
        return wkIoFail(name, wk_errorRange, "it has %zu x %zu pixels, its camera %d x %d", width,
                        height, (int)r->camera->width, (int)r->camera->height);
    }
    if (2 * width * height > MOST_BYTES_OF_ONE * r->source->byteCount) {
        return wkIoFail(name, wk_errorParse, "%zu x %zu pixels cannot be in %zu bytes", width,
                        height, r->source->byteCount);
    }
    return wk_ok;
}

static wkResult allocatePixels(const reading* r, size_t width, size_t height)
{
    wkIoDepth* depth = r->depth;
    depth->data.pixels = wkAllocate(width * height * sizeof *depth->data.pixels);
    if (depth->data.pixels == NULL) {
        return wkIoFail(r->source->name, wk_errorMemory, "no memory for %zu x %zu pixels", width,
                        height);
    }
    depth->pixelCount = width * height;
    depth->data.width = (int32_t)width;
    depth->data.height = (int32_t)height;
    memset(depth->data.pixels, 0, depth->pixelCount * sizeof *depth->data.pixels);
    return wk_ok;
}

static void readRows(const reading* r)
{
    const wkDepthData* data = &r->depth->data;
    int passCount = png_set_interlace_handling(r->png);
    if (isLittleEndian()) {
        png_set_swap(r->png);
    }
    png_read_update_info(r->png, r->info);
    for (int pass = 0; pass < passCount; ++pass) {
        for (int32_t v = 0; v < data->height; ++v) {
            png_read_row(r->png, (png_bytep)&data->pixels[(size_t)v * (size_t)data->width], NULL);
        }
    }
    png_read_end(r->png, NULL);
}

static void readImage(reading* r)
{
    png_set_read_fn(r->png, r, takeBytes);
    png_set_user_limits(r->png, 0x7fffffff, 0x7fffffff);
    png_set_chunk_malloc_max(r->png, MAX_CHUNK_BYTES);
    png_read_info(r->png, r->info);
    size_t width = png_get_image_width(r->png, r->info);
    size_t height = png_get_image_height(r->png, r->info);
    r->result = checkHeader(r, width, height);
    if (r->result == wk_ok) {
        r->result = allocatePixels(r, width, height);
    }
    if (r->result == wk_ok) {
        readRows(r);
    }
}

wkResult wkIoReadPng(const wkIoSource* source, const wkCamera* camera, wkIoDepth* depth)
{
    reading r = {.source = source, .camera = camera, .depth = depth};
    if (source->byteCount < 8 || png_sig_cmp(source->bytes, 0, 8) != 0) {
        return wkIoFail(source->name, wk_errorParse, "is no PNG file");
    }
    r.png = png_create_read_struct_2(PNG_LIBPNG_VER_STRING, r.words, keepWords, ignoreWarning,
                                     &r.isWithoutMemory, allocateBlock, releaseBlock);
    r.info = r.png != NULL ? png_create_info_struct(r.png) : NULL;
    if (r.info == NULL) {
        r.result = wkIoFail(source->name, wk_errorMemory, "no memory to read it");
    } else if (setjmp(png_jmpbuf(r.png)) == 0) {
        readImage(&r);
    } else {
        r.result = wkIoFail(source->name, r.isWithoutMemory ? wk_errorMemory : wk_errorParse,
                            "byte %zu: %s", r.at, r.words);
    }
    png_destroy_read_struct(&r.png, &r.info, NULL);
    return r.result;
}

// Writing.

typedef struct writing {
    const wkDepthData* data;
    wkIoPngBytes* file;
    png_structp png;
    png_infop info;
    wkResult result;
    bool isWithoutMemory;
    char words[WK_WARNING_CAPACITY];
} writing;

static bool growFile(wkIoPngBytes* file, size_t capacity)
{
    uint8_t* bytes = wkAllocate(capacity);
    if (bytes == NULL) {
        return false;
    }
    if (file->count > 0) {
        memcpy(bytes, file->bytes, file->count);
    }
    wkRelease(file->bytes, file->capacity);
    file->bytes = bytes;
    file->capacity = capacity;
    return true;
}

static void keepBytes(png_structp png, png_bytep bytes, size_t byteCount)
{
    wkIoPngBytes* file = (wkIoPngBytes*)png_get_io_ptr(png);
    size_t count = file->count + byteCount;
    if (count > file->capacity && !growFile(file, 2 * count + 4096)) {
        png_error(png, "out of memory");
    }
    memcpy(file->bytes + file->count, bytes, byteCount);
    file->count = count;
}

static void flushNothing(png_structp png)
{
    (void)png;
}

static void writeImage(const writing* w)
{
    const wkDepthData* data = w->data;
    png_set_write_fn(w->png, w->file, keepBytes, flushNothing);
    png_set_IHDR(w->png, w->info, (png_uint_32)data->width, (png_uint_32)data->height, 16,
                 PNG_COLOR_TYPE_GRAY, PNG_INTERLACE_NONE, PNG_COMPRESSION_TYPE_DEFAULT,
                 PNG_FILTER_TYPE_DEFAULT);
    png_write_info(w->png, w->info);
    if (isLittleEndian()) {
        png_set_swap(w->png);
    }
    for (int32_t v = 0; v < data->height; ++v) {
        png_write_row(w->png, (png_const_bytep)&data->pixels[(size_t)v * (size_t)data->width]);
    }
    png_write_end(w->png, w->info);
}

wkResult wkIoWritePng(const char* name, const wkDepthData* data, wkIoPngBytes* file)
{
    writing w = {.data = data, .file = file};
    w.png = png_create_write_struct_2(PNG_LIBPNG_VER_STRING, w.words, keepWords, ignoreWarning,
                                      &w.isWithoutMemory, allocateBlock, releaseBlock);
    w.info = w.png != NULL ? png_create_info_struct(w.png) : NULL;
    if (w.info == NULL) {
        w.result = wkIoFail(name, wk_errorMemory, "no memory to write it");
    } else if (setjmp(png_jmpbuf(w.png)) == 0) {
        writeImage(&w);
    } else {
        w.result = wkIoFail(name, wk_errorMemory, "%s", w.words);
    }
    png_destroy_write_struct(&w.png, &w.info);
    return w.result;
}

#endif

void wkIoFreePng(wkIoPngBytes* file)
{
    wkRelease(file->bytes, file->capacity);
}
