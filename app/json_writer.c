// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// Brackets, commas, line breaks and indents.

#include "json_writer.h"

#include "whisker/detail/library.h"
#include "whisker/io.h"

#include <stdio.h>
#include <string.h>

static void startLine(wkJsonWriter* writer)
{
    wkText_AppendString(&writer->text, "\n");
    for (int i = 0; i < writer->depth; i++) {
        wkText_AppendString(&writer->text, "  ");
    }
}

static void startMember(wkJsonWriter* writer, const char* name)
{
    if (writer->depth > 0) {
        wkText_AppendString(&writer->text, writer->hasMember ? "," : "");
        startLine(writer);
    }
    if (name != NULL) {
        wkText_AppendQuoted(&writer->text, name, strlen(name));
        wkText_AppendString(&writer->text, ": ");
    }
    writer->hasMember = true;
}

void wkJsonWriter_Open(wkJsonWriter* writer, const char* name, char bracket)
{
    startMember(writer, name);
    wkText_Append(&writer->text, &bracket, 1);
    writer->depth++;
    writer->hasMember = false;
}

void wkJsonWriter_Close(wkJsonWriter* writer, char bracket)
{
    writer->depth--;
    if (writer->hasMember) {
        startLine(writer);
    }
    wkText_Append(&writer->text, &bracket, 1);
    writer->hasMember = true;
}

void wkJsonWriter_String(wkJsonWriter* writer, const char* name, const char* value)
{
    startMember(writer, name);
    if (value != NULL) {
        wkText_AppendQuoted(&writer->text, value, strlen(value));
    } else {
        wkText_AppendString(&writer->text, "null");
    }
}

void wkJsonWriter_Number(wkJsonWriter* writer, const char* name, double value)
{
    startMember(writer, name);
    wkText_AppendNumber(&writer->text, value);
}

void wkJsonWriter_Integer(wkJsonWriter* writer, const char* name, int64_t value)
{
    char digits[32];
    snprintf(digits, sizeof digits, "%lld", (long long)value);
    startMember(writer, name);
    wkText_AppendString(&writer->text, digits);
}

void wkJsonWriter_Bool(wkJsonWriter* writer, const char* name, bool value)
{
    startMember(writer, name);
    wkText_AppendString(&writer->text, value ? "true" : "false");
}

wkResult wkJsonWriter_Save(wkJsonWriter* writer, const char* path)
{
    wkText* text = &writer->text;
    wkText_AppendString(text, "\n");
    wkResult result = text->isOutOfMemory || text->isNotFinite
                          ? wkSetLastError(wk_errorMemory, "out of memory for a small JSON file")
                          : wkSaveFile(path, text->data, text->length);
    wkText_Free(text);
    return result;
}
