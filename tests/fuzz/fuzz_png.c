// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// Depth images: refused with words, or with all pixels in place; and nothing is left behind.

#include "whisker/io.h"

#include <stdio.h>
#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size);

static void fuzzFail(const char* what)
{
    fprintf(stderr, "%s; last words: %s\n", what, wkGetLastError());
    abort();
}

int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size)
{
    wkDepthData* depth = NULL;
    wkResult result = wkDepthData_Parse(data, size, &depth);
    if ((result == wk_ok) != (depth != NULL)) {
        fuzzFail("result and image disagree");
    }
    if (result == wk_ok) {
        if (depth->width < 1 || depth->height < 1) {
            fuzzFail("an image without pixels");
        }
        uint32_t sum = 0;
        for (size_t i = 0; i < (size_t)depth->width * (size_t)depth->height; i++) {
            sum += depth->pixels[i];
        }
        if (sum == 0xffffffffu) {
            fuzzFail("that would be a strange image");
        }
    } else if (wkGetLastError()[0] == '\0') {
        fuzzFail("refused without words");
    }
    wkDepthData_Destroy(depth);
    if (wkGetByteCount() != 0) {
        fuzzFail("memory was left behind");
    }
    return 0;
}
