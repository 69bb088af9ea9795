// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// Threads that read what the calling thread writes meanwhile.

#include <pthread.h>
#include <stdatomic.h>

#define WK_READER_COUNT 3

// Reads once.
// @param reader 0 to WK_READER_COUNT - 1
// @return how much was not as it must be
typedef long wkReadFcn(void* context, int reader);

typedef struct wkReaders wkReaders;

typedef struct wkReader {
    wkReaders* all;
    int number;
    pthread_t thread;
    long readCount;
    long brokenCount;
} wkReader;

struct wkReaders {
    wkReadFcn* read;
    void* context;
    atomic_bool isOver;
    wkReader readers[WK_READER_COUNT];
};

// Starts threads that read again and again.
void wkReaders_Start(wkReaders* readers, wkReadFcn* read, void* context);

// Ends them; the running test fails unless each has read, and found everything as it must be.
void wkReaders_Stop(wkReaders* readers);

// Lets the readers read for a while.
void wkPause(double seconds);
