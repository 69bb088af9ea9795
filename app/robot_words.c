// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// Pairs, verdicts and counts as text and as JSON.

#include "robot_words.h"

#include "whisker/detail/counts.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

void wkText_AppendInteger(wkText* text, int64_t number)
{
    char digits[32];
    snprintf(digits, sizeof digits, "%" PRId64, number);
    wkText_AppendString(text, digits);
}

static void appendQuoted(wkText* text, const char* string)
{
    wkText_AppendQuoted(text, string, strlen(string));
}

static bool hasContact(const wkRobotContact* contact)
{
    return contact->a.kind != wk_sideNone;
}

void wkSayContact(wkText* text, const wkRobot* robot, const wkRobotCheckResult* result)
{
    if (result->verdict == wk_verdictLimits) {
        wkText_AppendString(text, ": ");
        wkText_AppendString(text, wkRobot_Variable(robot, result->variable).name);
    } else if (hasContact(&result->first)) {
        wkText_AppendString(text, ": ");
        wkText_AppendString(text, result->first.a.name);
        wkText_AppendString(text, " and ");
        wkText_AppendString(text, result->first.b.name);
    }
}

void wkReportContact(wkText* text, const char* name, const wkRobotContact* contact)
{
    wkText_AppendString(text, name);
    wkText_AppendString(text, "{\"a\":");
    appendQuoted(text, contact->a.name);
    wkText_AppendString(text, ",\"b\":");
    appendQuoted(text, contact->b.name);
    const wkVec3d* n = &contact->contact.normal;
    if (n->x != 0.0 || n->y != 0.0 || n->z != 0.0) {
        wkText_AppendString(text, ",\"point\":");
        wkText_AppendVec3(text, contact->contact.point);
        wkText_AppendString(text, ",\"normal\":");
        wkText_AppendVec3(text, contact->contact.normal);
        wkText_AppendString(text, ",\"depth\":");
        wkText_AppendNumber(text, contact->contact.depth);
    }
    wkText_AppendString(text, ",\"status\":");
    appendQuoted(text, wkStatusName(contact->status));
    wkText_AppendString(text, "}");
}

void wkReportVerdict(wkText* text, const wkRobot* robot, const wkRobotCheckResult* result)
{
    wkText_AppendString(text, ",\"verdict\":");
    appendQuoted(text, wkVerdictName(result->verdict));
    if (result->verdict == wk_verdictLimits) {
        wkText_AppendString(text, ",\"variable\":");
        appendQuoted(text, wkRobot_Variable(robot, result->variable).name);
    } else if (hasContact(&result->first)) {
        wkReportContact(text, ",\"first\":", &result->first);
    }
}

void wkSayCounts(wkText* text, const char* what, const int64_t counts[WK_VERDICT_COUNT])
{
    int64_t total = 0;
    for (int i = 0; i < WK_VERDICT_COUNT; i++) {
        total += counts[i];
    }
    wkText_AppendInteger(text, total);
    wkText_AppendString(text, " ");
    wkText_AppendString(text, what);
    const char* separator = ": ";
    for (int i = 0; i < WK_VERDICT_COUNT; i++) {
        if (counts[i] > 0) {
            wkText_AppendString(text, separator);
            wkText_AppendInteger(text, counts[i]);
            wkText_AppendString(text, " ");
            wkText_AppendString(text, wkVerdictName((wkVerdict)i));
            separator = ", ";
        }
    }
}
