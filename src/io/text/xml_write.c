// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// Writes parts of XML files.

#include "io/text/xml.h"

#include <string.h>

void wkXmlPut(wkIoSink* sink, const char* text)
{
    wkIoSink_Write(sink, text, strlen(text));
}

void wkXmlPutAttribute(wkIoSink* sink, const char* name, const char* value)
{
    static const struct {
        char character;
        const char* entity;
    } entities[] = {{'&', "&amp;"},  {'<', "&lt;"},   {'>', "&gt;"}, {'"', "&quot;"},
                    {'\n', "&#10;"}, {'\r', "&#13;"}, {'\t', "&#9;"}};
    wkXmlPut(sink, " ");
    wkXmlPut(sink, name);
    wkXmlPut(sink, "=\"");
    for (; *value != '\0'; value++) {
        const char* entity = NULL;
        for (size_t i = 0; i < sizeof entities / sizeof entities[0]; i++) {
            entity = *value == entities[i].character ? entities[i].entity : entity;
        }
        if (entity != NULL) {
            wkXmlPut(sink, entity);
        } else {
            wkIoSink_Write(sink, value, 1);
        }
    }
    wkXmlPut(sink, "\"");
}

void wkXmlPutNumbers(wkIoSink* sink, const char* name, const double* values, int32_t count)
{
    char text[WK_IO_NUMBER_CAPACITY];
    wkXmlPut(sink, " ");
    wkXmlPut(sink, name);
    wkXmlPut(sink, "=\"");
    for (int32_t i = 0; i < count; i++) {
        wkXmlPut(sink, i > 0 ? " " : "");
        wkXmlPut(sink, wkIoWriteNumber(values[i], text));
    }
    wkXmlPut(sink, "\"");
}
