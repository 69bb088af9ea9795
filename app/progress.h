// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// Progress of a long run: rate and remaining time on one line of a terminal; silent if stderr is not a
// terminal.

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

// Shows how much is done, a few times a second at most.
void wkProgress_Update(wkProgress* progress, int64_t done);

// Shows the current activity when its progress is unknown.
void wkProgress_Say(wkProgress* progress);

// Clears the line.
void wkProgress_End(wkProgress* progress);
