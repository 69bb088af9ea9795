// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// What the files of `whisker ask` that answer queries share: a question whose objects have been read, members
// of its answer, and one function for each query (rows in ask_query.c).

#include "ask.h"

typedef struct wkAskQuestion {
    const wkJson* json;
    wkAskObject a;
    wkAskObject b;
    wkText* answer;
    wkAskError* error;
} wkAskQuestion;

void wkAskAppendName(wkText* text, const char* name);
void wkAskAppendNumber(wkText* text, const char* name, double number);
void wkAskAppendVec3(wkText* text, const char* name, wkVec3d vector);
void wkAskAppendBool(wkText* text, const char* name, bool value);
void wkAskAppendNull(wkText* text, const char* name);

// Appends the index of a triangle of a mesh or height field, or the code of an octree cell, which a double
// holds exactly; nothing when there is none.
void wkAskAppendPart(wkText* text, const char* name, int64_t part);

// Appends how reliable the answer is. Returns false when it is not: numbers have overflowed, and JSON cannot
// hold the library's conservative answer.
bool wkAskAppendStatus(const wkAskQuestion* q, wkStatus status);

// Appends the bracket, the witnesses and the status of a cast.
bool wkAskAppendCast(const wkAskQuestion* q, const wkCastResult* r);

// Appends the status of a verdict, which stays exact where only a depth is not.
bool wkAskAppendVerdict(const wkAskQuestion* q, wkStatus status);

// Reads the member `to` of an object, the pose at the end of its motion. Without it the object does not move.
bool wkAskReadEnd(const wkAskQuestion* q, const char* name, wkPose* end, bool* isMoving);

// Each answers one query; false: refused, with the error set.
bool wkAnswerCollide(const wkAskQuestion* q);
bool wkAnswerContacts(const wkAskQuestion* q);
bool wkAnswerDistance(const wkAskQuestion* q);
bool wkAnswerSignedDistance(const wkAskQuestion* q);
bool wkAnswerSeparation(const wkAskQuestion* q);
bool wkAnswerBounds(const wkAskQuestion* q);
bool wkAnswerRayCast(const wkAskQuestion* q);
bool wkAnswerCast(const wkAskQuestion* q);
bool wkAnswerCastElements(const wkAskQuestion* q);
bool wkAnswerCost(const wkAskQuestion* q);
bool wkAnswerProbability(const wkAskQuestion* q);
