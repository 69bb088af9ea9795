// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// The handler only records the signal.

#include "interrupt.h"

#include <signal.h>
#include <string.h>

static volatile sig_atomic_t hasCome;

static void noteSignal(int number)
{
    (void)number;
    hasCome = 1;
}

void wkInterrupt_Watch(void)
{
    static const int signals[] = {SIGINT, SIGTERM, SIGHUP};
    struct sigaction action;
    memset(&action, 0, sizeof action);
    action.sa_handler = noteSignal;
    action.sa_flags = SA_RESTART | (int)SA_RESETHAND;
    for (size_t i = 0; i < sizeof signals / sizeof signals[0]; i++) {
        struct sigaction before;
        // a signal that the caller ignores, as nohup does, stays ignored
        if (sigaction(signals[i], NULL, &before) == 0 && before.sa_handler != SIG_IGN) {
            sigaction(signals[i], &action, NULL);
        }
    }
}

bool wkInterrupt_HasCome(void)
{
    return hasCome != 0;
}
