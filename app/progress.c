// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// The line starts with a carriage return, so that it overwrites itself.

#include "progress.h"

#include "demo_samples.h"

#include <stdio.h>
#include <unistd.h>

#define FIRST_AFTER 0.5 // seconds: short runs print nothing
#define EVERY 0.2

wkProgress wkProgress_Start(const char* what, int64_t total)
{
    double now = wkNow();
    wkProgress progress = {what, total, now, now, isatty(STDERR_FILENO) == 1};
    return progress;
}

void wkProgress_Update(wkProgress* progress, int64_t done)
{
    double now = wkNow(), elapsed = now - progress->start;
    if (!progress->isShown || elapsed < FIRST_AFTER || now - progress->shown < EVERY || done <= 0) {
        return;
    }
    double rate = (double)done / elapsed;
    char left[32];
    wkSayTime((double)(progress->total - done) / rate, left, sizeof left);
    fprintf(stderr, "\r%lld of %lld %s, %.0f a second, %s left   ", (long long)done,
            (long long)progress->total, progress->what, rate, left);
    progress->shown = now;
}

void wkProgress_Say(wkProgress* progress)
{
    if (progress->isShown) {
        fprintf(stderr, "\r%s ...", progress->what);
        progress->shown = progress->start + EVERY;
    }
}

void wkProgress_End(wkProgress* progress)
{
    if (progress->isShown && progress->shown > progress->start) {
        fprintf(stderr, "\r%70s\r", "");
    }
}
