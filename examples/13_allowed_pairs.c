// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// Allowed collision matrix: finds the pairs of links that need no check, and adds rules of the program.

#include "whisker/whisker.h"

#include <stdio.h>
#include <stdlib.h>

// A finger may press on a button, but not deeper than the button goes.
static bool mayPress(const char* nameA, const char* nameB, const wkContact* contact, void* context)
{
    (void)nameA, (void)nameB;
    return contact->depth <= *(const double*)context;
}

// Counts pairs by reason, and allows all that have one.
static wkResult allowFound(const wkRobot* robot, const wkAllowedReason* reasons, wkAllowed* allowed,
                           int* counts)
{
    int32_t linkCount = wkRobot_Info(robot).linkCount;
    for (int32_t i = 0; i < linkCount; i++) {
        for (int32_t j = i + 1; j < linkCount; j++) {
            wkLinkInfo a = wkRobot_Link(robot, i), b = wkRobot_Link(robot, j);
            wkAllowedReason reason = reasons[i * linkCount + j];
            if (a.bodyCount == 0 || b.bodyCount == 0) {
                continue;
            }
            counts[reason]++;
            wkResult result = reason != wk_reasonNone
                                  ? wkAllowed_Set(allowed, a.name, b.name, wk_ruleAllowed)
                                  : wk_ok;
            if (result != wk_ok) {
                return result;
            }
        }
    }
    return wk_ok;
}

static void printRule(const wkAllowed* allowed, const char* nameA, const char* nameB)
{
    wkAllowedRule rule = wkAllowed_Get(allowed, nameA, nameB, NULL, NULL);
    printf("%-18s %-18s %s\n", nameA, nameB, wkAllowedRuleName(rule));
}

int main(void)
{
    wkRobot* robot = NULL;
    wkAllowed* allowed = NULL;
    wkAllowedReason* reasons = NULL;
    int counts[wk_reasonProven + 1] = {0};
    double deepest = 0.002;
    int status = 1;
    if (wkRobot_CreateBuiltIn(&robot) != wk_ok || wkAllowed_Create(&allowed) != wk_ok) {
        goto cleanup;
    }
    size_t linkCount = (size_t)wkRobot_Info(robot).linkCount;
    reasons = (wkAllowedReason*)malloc(linkCount * linkCount * sizeof *reasons);
    wkAllowedRequest sampling = wkDefaultAllowedRequest();
    if (reasons == NULL || wkRobot_SampleAllowed(robot, &sampling, reasons, NULL) != wk_ok ||
        allowFound(robot, reasons, allowed, counts) != wk_ok) {
        goto cleanup;
    }
    for (int reason = 1; reason <= wk_reasonProven; reason++) {
        printf("%-9s%-8s %2d pairs\n", wkAllowedReasonName((wkAllowedReason)reason),
               wkAllowedReasonEvidence((wkAllowedReason)reason), counts[reason]);
    }
    printf("to check          %2d pairs\n", counts[wk_reasonNone]);

    // The floor is everywhere, except for the fingers; the button may be pressed.
    wkAllowed_SetDefault(allowed, "floor", wk_ruleAllowed, NULL, NULL);
    wkAllowed_Set(allowed, "floor", "left_finger_link", wk_ruleChecked);
    wkAllowed_SetFcn(allowed, "button", "left_finger_link", mayPress, &deepest);
    printRule(allowed, "torso_link", "head_pan_link");
    printRule(allowed, "base_link", "gripper_link");
    printRule(allowed, "base_link", "floor");
    printRule(allowed, "left_finger_link", "floor");
    printRule(allowed, "left_finger_link", "button");
    status = 0;

cleanup:
    if (status != 0) {
        fprintf(stderr, "%s\n", wkGetLastError());
    }
    free(reasons);
    wkAllowed_Destroy(allowed);
    wkRobot_Destroy(robot);
    return status;
}
