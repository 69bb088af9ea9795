// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// XML as a tree of elements with their attributes and lines. Text is kept where it is asked for, of
// elements without children; other text is skipped.

#include "io/file/arena.h"
#include "io/file/format.h"

typedef struct wkXmlAttribute {
    const char* name;
    const char* value; // UTF-8
} wkXmlAttribute;

typedef struct wkXmlElement wkXmlElement;

struct wkXmlElement {
    const char* name; // with its prefix, if it has one
    const wkXmlAttribute* attributes;
    int32_t attributeCount;
    int32_t line;     // of the file, the first being 1
    const char* text; // between its tags, when the file keeps texts; NULL: none, or not kept
    const wkXmlElement* parent;
    const wkXmlElement* firstChild;
    const wkXmlElement* next; // with the same parent
};

// Where the tree came from, for the words of failures.
typedef struct wkXmlFile {
    const char* name; // as in wkIoSource
    const wkXmlElement* root;
    bool keepsText; // set before parsing
} wkXmlFile;

// Reads a document. The tree lives in the arena; the name is borrowed.
// Refuses entities other than those of XML itself, and elements nested more than 100 deep.
wkResult wkXmlFile_Parse(wkXmlFile* file, const wkIoSource* source, wkIoArena* arena);

// The first child, or the next element beside `element`, with this name; NULL when there is none.
const wkXmlElement* wkXmlElement_Child(const wkXmlElement* element, const char* name);
const wkXmlElement* wkXmlElement_Next(const wkXmlElement* element, const char* name);

// Number of children with this name.
int32_t wkXmlElement_CountChildren(const wkXmlElement* element, const char* name);

// The next element of the tree in the order of the file; NULL behind the last.
const wkXmlElement* wkXmlElement_Walk(const wkXmlElement* element);

// Value of an attribute; NULL when it is not there.
const char* wkXmlElement_Value(const wkXmlElement* element, const char* attribute);

// Value of an attribute that must be there and not be empty.
wkResult wkXmlFile_NeedValue(const wkXmlFile* file, const wkXmlElement* element,
                             const char* attribute, const char** value);

// Exactly `count` finite numbers in an attribute. Without it, or without the element, the values stay
// as they are.
wkResult wkXmlFile_ReadNumbers(const wkXmlFile* file, const wkXmlElement* element,
                               const char* attribute, double* values, int32_t count);

// Exactly `count` finite numbers in the text of a child that must be there.
wkResult wkXmlFile_NeedTextNumbers(const wkXmlFile* file, const wkXmlElement* element,
                                   const char* child, double* values, int32_t count);

// Exactly `count` finite numbers in the text of an element.
wkResult wkXmlFile_TextNumbers(const wkXmlFile* file, const wkXmlElement* element, double* values,
                               int32_t count);

// One number that may be infinite, likewise.
wkResult wkXmlFile_ReadLimit(const wkXmlFile* file, const wkXmlElement* element,
                             const char* attribute, double* value);

// Exactly `count` finite numbers in an attribute that must be there.
wkResult wkXmlFile_NeedNumbers(const wkXmlFile* file, const wkXmlElement* element,
                               const char* attribute, double* values, int32_t count);

// Keeps "file:line: <limit> of joint "elbow": words", and gives `result` back.
wkResult wkXmlFile_Fail(const wkXmlFile* file, const wkXmlElement* element, wkResult result,
                        const char* format, ...) __attribute__((format(printf, 4, 5)));

// Keeps that there was no memory, and gives wk_errorMemory back.
wkResult wkXmlFile_FailMemory(const wkXmlFile* file);

// Pieces of a file to be: text as it is; ` name="value"` with the characters that XML has other uses
// for written as entities; ` name="1 2 3"`, in numbers that come back as they are.
void wkXmlPut(wkIoSink* sink, const char* text);
void wkXmlPutAttribute(wkIoSink* sink, const char* name, const char* value);
void wkXmlPutNumbers(wkIoSink* sink, const char* name, const double* values, int32_t count);
