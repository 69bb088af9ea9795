// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// PNG files of 8-bit RGB, through libpng.

#include "picture.h"

#include "threads.h"
#include "whisker/detail/library.h"
#include "whisker/io.h"

#include <math.h>
#include <stdlib.h>

#if defined(WK_HAS_PNG)

#include <png.h>

#define CHANNELS 3

static unsigned char* packPixels(const wkPicture* picture)
{
    size_t count = (size_t)picture->width * (size_t)picture->height;
    unsigned char* bytes = malloc(count * CHANNELS);
    for (size_t i = 0; i < count && bytes != NULL; i++) {
        const wkColor* pixel = &picture->pixels[i];
        const double values[CHANNELS] = {pixel->r, pixel->g, pixel->b};
        for (size_t c = 0; c < CHANNELS; c++) {
            bytes[CHANNELS * i + c] =
                (unsigned char)(255.0 * fmin(fmax(values[c], 0.0), 1.0) + 0.5);
        }
    }
    return bytes;
}

bool wkPicture_EncodePng(wkPicture* picture)
{
    if (picture->png != NULL) {
        return true;
    }
    png_image image = {.version = PNG_IMAGE_VERSION,
                       .width = (png_uint_32)picture->width,
                       .height = (png_uint_32)picture->height,
                       .format = PNG_FORMAT_RGB};
    png_alloc_size_t count = PNG_IMAGE_PNG_SIZE_MAX(image);
    unsigned char* pixels = packPixels(picture);
    unsigned char* bytes = malloc(count);
    bool isEncoded = pixels != NULL && bytes != NULL &&
                     png_image_write_to_memory(&image, bytes, &count, 0, pixels, 0, NULL) != 0;
    if (isEncoded) {
        picture->png = bytes;
        picture->pngByteCount = count;
    } else {
        wkSetLastError(wk_errorMemory, "no memory for the picture");
        free(bytes);
    }
    free(pixels);
    return isEncoded;
}

#else

bool wkPicture_EncodePng(wkPicture* picture)
{
    (void)picture;
    wkSetLastError(wk_errorUnsupported, "this build has no libpng to write pictures with");
    return false;
}

#endif

static void encodeOne(void* context, int index)
{
    wkPicture* const* pictures = context;
    if (pictures[index] != NULL) {
        wkPicture_EncodePng(pictures[index]);
    }
}

bool wkEncodePictures(wkPicture* const* pictures, int count)
{
    wkRunOnThreads(encodeOne, (void*)pictures, count);
    bool areEncoded = true;
    for (int i = 0; i < count; i++) {
        // one that failed is tried again here, so that this thread has the error
        areEncoded = areEncoded && (pictures[i] == NULL || wkPicture_EncodePng(pictures[i]));
    }
    return areEncoded;
}

bool wkPicture_WritePng(wkPicture* picture, const char* path)
{
    return wkPicture_EncodePng(picture) &&
           wkSaveFile(path, picture->png, picture->pngByteCount) == wk_ok;
}
