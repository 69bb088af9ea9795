// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// Many threads that go over the same questions at once, each in its own order.

#include <stdbool.h>

// Asks a question again. False when the answer is not the one that was expected.
typedef bool wkCrowdFcn(const void* questions, int index);

// Lets eight threads ask all of `count` questions.
// @param count a prime, so that each thread's step visits all of them
// @return how many answers were not the expected ones; -1 when a thread could not be started
int wkAskInCrowd(wkCrowdFcn* isSame, const void* questions, int count);
