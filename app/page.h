// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// Self-contained HTML pages for reports.

#include "picture.h"

#include <stdio.h>

// A page that is built in memory until it is complete.
typedef struct wkPage {
    FILE* file; // stream for its content
    char* text;
    size_t byteCount;
} wkPage;

// Starts a page, up to its first text. Returns false when out of memory.
bool wkPage_Start(wkPage* page, const char* title);

// Writes text with special characters of HTML as entities.
void wkPage_WriteText(FILE* file, const char* text);

// Writes a picture with its title and caption, which are HTML. Returns false when out of memory.
bool wkPage_WriteFigure(FILE* file, wkPicture* picture, const char* title, const char* words);

// Ends the page, saves it if it is complete, and frees its memory. Returns false when it was not saved:
// wkGetLastError() has the reason.
bool wkPage_End(wkPage* page, bool isComplete, const char* path);
