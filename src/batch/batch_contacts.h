// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// Finds spheres of a robot that can touch each other while all variables are within their limits. Links that
// are close to each other have few such pairs, if any: with two or three joints between them, it is proven
// once for all configurations which spheres stay apart. The proof includes the rounding of the SIMD kernels:
// skipping these pairs changes no verdict about a configuration.

#include "batch/contacts_view.h"
#include "batch/program.h"

// @param contacts set to NULL on failure
// @return wk_errorMemory
wkResult wkContacts_Create(const wkProgram* program, double margin, wkContacts** contacts);

void wkContacts_Destroy(wkContacts* contacts);

// Sets a view of a block that was copied from other contacts. The view has nothing to free.
// @return wk_errorArgument, see wkBlock_Bind
wkResult wkContacts_Bind(const void* block, size_t byteCount, wkContacts* contacts);
