// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// Reports: pages of HTML that need no other file.

#include "picture.h"

#include <stdio.h>

// Everything up to the first words.
void wkPage_Start(FILE* file, const char* title);

// Text of others, with the characters that HTML has other uses for written as entities.
void wkPage_WriteText(FILE* file, const char* text);

// A picture with its title and words, which are HTML. False without memory.
bool wkPage_WriteFigure(FILE* file, const wkPicture* picture, const char* title, const char* words);

// The end of the page; closes the file. False when anything could not be written.
bool wkPage_End(FILE* file);
