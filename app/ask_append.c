// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// Members of answers, as JSON.

#include "ask_question.h"

void wkAskAppendName(wkText* text, const char* name)
{
    wkText_AppendString(text, ",\"");
    wkText_AppendString(text, name);
    wkText_AppendString(text, "\":");
}

void wkAskAppendNumber(wkText* text, const char* name, double number)
{
    wkAskAppendName(text, name);
    wkText_AppendNumber(text, number);
}

void wkAskAppendVec3(wkText* text, const char* name, wkVec3d vector)
{
    wkAskAppendName(text, name);
    wkText_AppendVec3(text, vector);
}

void wkAskAppendPart(wkText* text, const char* name, int64_t part)
{
    if (part >= 0) {
        wkAskAppendNumber(text, name, (double)part);
    }
}

void wkAskAppendBool(wkText* text, const char* name, bool value)
{
    wkAskAppendName(text, name);
    wkText_AppendString(text, value ? "true" : "false");
}

void wkAskAppendNull(wkText* text, const char* name)
{
    wkAskAppendName(text, name);
    wkText_AppendString(text, "null");
}

bool wkAskAppendStatus(const wkAskQuestion* q, wkStatus status)
{
    if (status == wk_statusInvalid) {
        return wkAskFail(q->error, "out_of_range", "the numbers are too large to be answered");
    }
    if (status == wk_statusBound || status == wk_statusLocal) {
        wkAskAppendBool(q->answer, "exact", false);
    }
    if (status == wk_statusLocal) {
        wkAskAppendBool(q->answer, "local", true);
    }
    if (status == wk_statusNotWatertight) {
        wkAskAppendBool(q->answer, "notWatertight", true);
    }
    if (status == wk_statusUnknown) {
        wkAskAppendBool(q->answer, "unknown", true);
    }
    if (status == wk_statusUnbounded) {
        wkAskAppendBool(q->answer, "unbounded", true);
    }
    return true;
}

bool wkAskAppendVerdict(const wkAskQuestion* q, wkStatus status)
{
    return wkAskAppendStatus(q, status == wk_statusLocal ? wk_statusExact : status);
}
