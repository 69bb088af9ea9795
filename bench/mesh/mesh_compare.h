// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// A mesh job, answered by us and by the best way of every peer that can.

#include "compare.h"
#include "peers/mesh_peer.h"

// Is the answer to a question wrong? Of a peer, by more than it could have known.
typedef bool wkWrongFcn(const void* context, int index, wkAnswer answer, bool isOurs);

// Measures a job. Each way of a library does two passes; only the fastest is measured beside ours.
// @param peerVariant only this way of the peers; NULL: the best one
// @return false when memory is short or we cannot answer
bool wkCompareMeshes(const wkBench* bench, const char* name, const wkMeshJob* job,
                     const char* peerVariant, wkWrongFcn* isWrong, const void* context,
                     wkComparison* out);
