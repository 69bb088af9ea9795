// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// How far a long run has come: rate and remaining time on a line of its own, where somebody looks at
// a terminal; nothing elsewhere.

#include <stdbool.h>
#include <stdint.h>

typedef struct wkProgress {
    const char* what; // such as "configurations"
    int64_t total;
    double start;
    double shown; // when the line was last written
    bool isShown; // stderr is a terminal
} wkProgress;

wkProgress wkProgress_Start(const char* what, int64_t total);

// Says how much is done, at most some times a second.
void wkProgress_Update(wkProgress* progress, int64_t done);

// Says what is being done, where it is not known how far it has come.
void wkProgress_Say(wkProgress* progress);

// Wipes the line.
void wkProgress_End(wkProgress* progress);
