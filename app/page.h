// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// Reports: pages of HTML that need no other file.

#include "picture.h"

#include <stdio.h>

// A page in the making: it is in memory until it is whole.
typedef struct wkPage {
    FILE* file; // to be written to
    char* text;
    size_t byteCount;
} wkPage;

// Everything up to the first words. False without memory.
bool wkPage_Start(wkPage* page, const char* title);

// Text of others, with the characters that HTML has other uses for written as entities.
void wkPage_WriteText(FILE* file, const char* text);

// A picture with its title and words, which are HTML. False without memory.
bool wkPage_WriteFigure(FILE* file, wkPicture* picture, const char* title, const char* words);

// The end of the page, which is saved unless something is missing; releases its memory. False when it was
// not saved: wkGetLastError() says why.
bool wkPage_End(wkPage* page, bool isComplete, const char* path);
