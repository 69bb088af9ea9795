// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// The test kit, on top of cmocka: laws that must hold for every pair of shapes, checked on
// generated cases; a failure is made smaller before it is printed.
//
// The environment turns the knobs: WHISKER_SEED=n gives a seed back, WHISKER_CASES=x
// multiplies the number of cases, WHISKER_LONG=1 is the long tier (x = 100),
// WHISKER_PAIR=box-cone keeps to one pair, WHISKER_KIND="huge and tiny" to one kind of scene.

#include "cases.h"
#include "scenes/nasty.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include <cmocka.h>

#define WK_MESSAGE_CAPACITY 512

// Why a law does not hold.
typedef struct wkMessage {
    char text[WK_MESSAGE_CAPACITY];
} wkMessage;

// Writes the reason and returns false, so that laws end in `return wkBroken(message, ...)`.
bool wkBroken(wkMessage* message, const char* format, ...) __attribute__((format(printf, 2, 3)));

// True when the law holds for the pair. `seed` is for whatever else the law draws at random.
typedef bool wkLawFcn(const wkScenePair* pair, uint64_t seed, wkMessage* message);

// Seed of this run, printed once.
uint64_t wkKitSeed(void);

// Number of cases in this tier, for `count` in the short one; sanitizers check a fifth of them.
int wkKitCases(int count);

// The same where the index of a case chooses one of some kinds: at least one case of each of them.
int wkKitCasesOfKinds(int count, int kindCount);

// The hulls that cases borrow; created at the first call.
const wkShapeBank* wkKitBank(void);

// Gives the bank back; for the end of main.
void wkKitEnd(void);

// Checks a law for every ordered pair of types and every kind of scene, `count` cases each, and
// fails the running test after printing the first broken cases.
void wkCheckLaw(const char* name, wkLawFcn* law, int count);

// True when both cores are polytopes, which must be exact to rounding.
bool wkArePolytopes(const wkScenePair* pair);

// What the answer of a pair may be off by: rounding for polytopes, 1e-9 of the size for
// closed forms, 1e-6 for the rest.
double wkPairTolerance(const wkScenePair* pair);

// What rounding alone may do to a point or a distance of the pair, far from the origin too.
double wkPairRounding(const wkScenePair* pair);
