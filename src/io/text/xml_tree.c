// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// Traversal of elements, numbers in their attributes, and errors with their location.

#define _POSIX_C_SOURCE 200809L // newlocale

#include "base/plain_text.h"
#include "io/text/text_reader.h"
#include "io/text/xml.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

static const wkXmlElement* findName(const wkXmlElement* element, const char* name)
{
    while (element != NULL && strcmp(element->name, name) != 0) {
        element = element->next;
    }
    return element;
}

const wkXmlElement* wkXmlElement_Child(const wkXmlElement* element, const char* name)
{
    return element != NULL ? findName(element->firstChild, name) : NULL;
}

const wkXmlElement* wkXmlElement_Next(const wkXmlElement* element, const char* name)
{
    return findName(element->next, name);
}

int32_t wkXmlElement_CountChildren(const wkXmlElement* element, const char* name)
{
    int32_t count = 0;
    for (const wkXmlElement* child = wkXmlElement_Child(element, name); child != NULL;
         child = wkXmlElement_Next(child, name)) {
        count++;
    }
    return count;
}

const wkXmlElement* wkXmlElement_Walk(const wkXmlElement* element)
{
    if (element->firstChild != NULL) {
        return element->firstChild;
    }
    while (element != NULL && element->next == NULL) {
        element = element->parent;
    }
    return element != NULL ? element->next : NULL;
}

const char* wkXmlElement_Value(const wkXmlElement* element, const char* attribute)
{
    for (int32_t i = 0; element != NULL && i < element->attributeCount; i++) {
        if (strcmp(element->attributes[i].name, attribute) == 0) {
            return element->attributes[i].value;
        }
    }
    return NULL;
}

wkResult wkXmlFile_NeedValue(const wkXmlFile* file, const wkXmlElement* element,
                             const char* attribute, const char** value)
{
    *value = wkXmlElement_Value(element, attribute);
    if (*value == NULL || **value == '\0') {
        return wkXmlFile_Fail(file, element, wk_errorParse, "attribute %s is %s", attribute,
                              *value == NULL ? "missing" : "empty");
    }
    return wk_ok;
}

static wkResult failNumber(const wkXmlFile* file, const wkXmlElement* element,
                           const char* attribute, const char* word, const char* what)
{
    int length = (int)(wkIoSkipWord(word, word + strlen(word)) - word);
    return wkXmlFile_Fail(file, element, wk_errorParse, "%s: \"%.*s\" is not a %snumber", attribute,
                          length < 40 ? length : 40, word, what);
}

static wkResult parseNumbers(const wkXmlFile* file, const wkXmlElement* element,
                             const char* attribute, const char* text, bool mayBeInfinite,
                             double* values, int32_t count)
{
    const char* end = text + strlen(text);
    int32_t found = 0;
    for (const char* at = wkIoSkipSpaces(text, end); at < end; at = wkIoSkipSpaces(at, end)) {
        double value = 0.0;
        const char* stop = wkIoParseNumber(at, end, &value);
        if (stop == NULL || !wkIoIsWordEnd(stop, end)) {
            return failNumber(file, element, attribute, at, "");
        }
        if (!isfinite(value) && !(mayBeInfinite && isinf(value))) {
            return failNumber(file, element, attribute, at, "finite ");
        }
        if (found < count) {
            values[found] = value;
        }
        found++;
        at = stop;
    }
    if (found != count) {
        return wkXmlFile_Fail(file, element, wk_errorParse, "%s: %d numbers instead of %d",
                              attribute, (int)found, (int)count);
    }
    return wk_ok;
}

wkResult wkXmlFile_TextNumbers(const wkXmlFile* file, const wkXmlElement* element, double* values,
                               int32_t count)
{
    return parseNumbers(file, element, "text", element->text != NULL ? element->text : "", false,
                        values, count);
}

wkResult wkXmlFile_NeedTextNumbers(const wkXmlFile* file, const wkXmlElement* element,
                                   const char* child, double* values, int32_t count)
{
    const wkXmlElement* found = wkXmlElement_Child(element, child);
    return found != NULL ? wkXmlFile_TextNumbers(file, found, values, count)
                         : wkXmlFile_Fail(file, element, wk_errorParse, "<%s> is missing", child);
}

wkResult wkXmlFile_ReadNumbers(const wkXmlFile* file, const wkXmlElement* element,
                               const char* attribute, double* values, int32_t count)
{
    const char* text = wkXmlElement_Value(element, attribute);
    return text != NULL ? parseNumbers(file, element, attribute, text, false, values, count)
                        : wk_ok;
}

wkResult wkXmlFile_ReadLimit(const wkXmlFile* file, const wkXmlElement* element,
                             const char* attribute, double* value)
{
    const char* text = wkXmlElement_Value(element, attribute);
    return text != NULL ? parseNumbers(file, element, attribute, text, true, value, 1) : wk_ok;
}

wkResult wkXmlFile_NeedNumbers(const wkXmlFile* file, const wkXmlElement* element,
                               const char* attribute, double* values, int32_t count)
{
    const char* text = NULL;
    wkResult result = wkXmlFile_NeedValue(file, element, attribute, &text);
    return result == wk_ok ? parseNumbers(file, element, attribute, text, false, values, count)
                           : result;
}

// Returns the child of the root that contains an element: usually the one with a name.
static const wkXmlElement* ownerOf(const wkXmlElement* element)
{
    while (element->parent != NULL && element->parent->parent != NULL) {
        element = element->parent;
    }
    return element;
}

wkResult wkXmlFile_Fail(const wkXmlFile* file, const wkXmlElement* element, wkResult result,
                        const char* format, ...)
{
    char words[300], inside[64] = "";
    va_list arguments;
    va_start(arguments, format);
    wkPrintPlain(words, sizeof words, format, arguments);
    va_end(arguments);
    const wkXmlElement* owner = ownerOf(element);
    const char* name = wkXmlElement_Value(owner, "name");
    if (owner != element) {
        snprintf(inside, sizeof inside, "<%.40s> of ", element->name);
    }
    return wkIoFailNumberedLine(file->name, (size_t)element->line, result, "%s%.40s \"%.80s\": %s",
                                inside, owner->name, name != NULL ? name : "", words);
}

wkResult wkXmlFile_FailMemory(const wkXmlFile* file)
{
    return wkIoFail(file->name, wk_errorMemory, "no memory for what it describes");
}
