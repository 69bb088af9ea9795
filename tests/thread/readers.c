// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

#define _POSIX_C_SOURCE 200809L // nanosleep

#include "readers.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <time.h>

#include <cmocka.h>

static void* readUntilOver(void* argument)
{
    wkReader* reader = (wkReader*)argument;
    while (!atomic_load(&reader->all->isOver)) {
        reader->brokenCount += reader->all->read(reader->all->context, reader->number);
        ++reader->readCount;
    }
    return NULL;
}

void wkReaders_Start(wkReaders* readers, wkReadFcn* read, void* context)
{
    readers->read = read;
    readers->context = context;
    atomic_init(&readers->isOver, false);
    for (int i = 0; i < WK_READER_COUNT; ++i) {
        wkReader* reader = &readers->readers[i];
        *reader = (wkReader){.all = readers, .number = i};
        assert_int_equal(pthread_create(&reader->thread, NULL, readUntilOver, reader), 0);
    }
}

void wkReaders_Stop(wkReaders* readers)
{
    atomic_store(&readers->isOver, true);
    for (int i = 0; i < WK_READER_COUNT; ++i) {
        pthread_join(readers->readers[i].thread, NULL);
    }
    for (int i = 0; i < WK_READER_COUNT; ++i) {
        assert_true(readers->readers[i].readCount > 0);
        assert_int_equal(readers->readers[i].brokenCount, 0);
    }
}

void wkPause(double seconds)
{
    struct timespec pause = {0, (long)(1e9 * seconds)};
    nanosleep(&pause, NULL);
}
