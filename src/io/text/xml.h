// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// XML as a tree of elements with their attributes and lines. On request, the text of elements without
// children is kept; other text is skipped.

#include "io/file/arena.h"
#include "io/file/format.h"

typedef struct wkXmlAttribute {
    const char* name;
    const char* value; // UTF-8
} wkXmlAttribute;

typedef struct wkXmlElement wkXmlElement;

struct wkXmlElement {
    const char* name; // with its namespace prefix, if any
    const wkXmlAttribute* attributes;
    int32_t attributeCount;
    int32_t line;     // of the file, starting at 1
    const char* text; // between its tags, if the file keeps texts; NULL: none, or not kept
    const wkXmlElement* parent;
    const wkXmlElement* firstChild;
    const wkXmlElement* next; // with the same parent
};

// An XML file with its name for error messages.
typedef struct wkXmlFile {
    const char* name; // as in wkIoSource
    const wkXmlElement* root;
    bool keepsText; // set before parsing
} wkXmlFile;

// Reads a document. The tree lives in the arena; the name is borrowed.
// Refuses entities other than those of XML itself, and elements nested more than 100 deep.
wkResult wkXmlFile_Parse(wkXmlFile* file, const wkIoSource* source, wkIoArena* arena);

// Return the first child, or the next sibling of `element`, with this name; NULL when there is none.
const wkXmlElement* wkXmlElement_Child(const wkXmlElement* element, const char* name);
const wkXmlElement* wkXmlElement_Next(const wkXmlElement* element, const char* name);

// Number of children with this name.
int32_t wkXmlElement_CountChildren(const wkXmlElement* element, const char* name);

// Returns the next element of the tree in file order; NULL after the last.
const wkXmlElement* wkXmlElement_Walk(const wkXmlElement* element);

// Returns the value of an attribute; NULL when it is missing.
const char* wkXmlElement_Value(const wkXmlElement* element, const char* attribute);

// Returns the value of a required attribute that must not be empty.
wkResult wkXmlFile_NeedValue(const wkXmlFile* file, const wkXmlElement* element,
                             const char* attribute, const char** value);

// Reads exactly `count` finite numbers from an attribute. If the attribute or the element is missing, the
// values are unchanged.
wkResult wkXmlFile_ReadNumbers(const wkXmlFile* file, const wkXmlElement* element,
                               const char* attribute, double* values, int32_t count);

// Reads exactly `count` finite numbers from the text of a required child.
wkResult wkXmlFile_NeedTextNumbers(const wkXmlFile* file, const wkXmlElement* element,
                                   const char* child, double* values, int32_t count);

// Reads exactly `count` finite numbers from the text of an element.
wkResult wkXmlFile_TextNumbers(const wkXmlFile* file, const wkXmlElement* element, double* values,
                               int32_t count);

// Reads one number that may be infinite; if it is missing, the value is unchanged.
wkResult wkXmlFile_ReadLimit(const wkXmlFile* file, const wkXmlElement* element,
                             const char* attribute, double* value);

// Reads exactly `count` finite numbers from a required attribute.
wkResult wkXmlFile_NeedNumbers(const wkXmlFile* file, const wkXmlElement* element,
                               const char* attribute, double* values, int32_t count);

// Sets the last error to "file:line: <limit> of joint "elbow": message", and returns `result`.
wkResult wkXmlFile_Fail(const wkXmlFile* file, const wkXmlElement* element, wkResult result,
                        const char* format, ...) __attribute__((format(printf, 4, 5)));

// Sets the last error to out of memory, and returns wk_errorMemory.
wkResult wkXmlFile_FailMemory(const wkXmlFile* file);

// Write parts of a file: text as it is; ` name="value"` with special characters as entities; ` name="1 2 3"`
// with numbers that read back exactly.
void wkXmlPut(wkIoSink* sink, const char* text);
void wkXmlPutAttribute(wkIoSink* sink, const char* name, const char* value);
void wkXmlPutNumbers(wkIoSink* sink, const char* name, const double* values, int32_t count);
