// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// Collects the deepest contacts out of any number, in the caller's buffer: a heap with the shallowest on
// top while they are gathered, sorted in place at the end. Ties are broken by the parts, so that the
// result does not depend on the order of the walk.

#include "query/pair/body_question.h"

// Whether `a` comes before `b` in the final order.
static bool isBefore(const wkContact* a, const wkContact* b)
{
    if (a->depth != b->depth) {
        return a->depth > b->depth;
    }
    return a->partA != b->partA ? a->partA < b->partA : a->partB < b->partB;
}

// Inserts `contact` at `index` or below it, in heap order.
static void sink(wkContact* heap, int32_t count, int32_t index, wkContact contact)
{
    for (int32_t child = 2 * index + 1; child < count; child = 2 * index + 1) {
        if (child + 1 < count && isBefore(&heap[child], &heap[child + 1])) {
            ++child;
        }
        if (!isBefore(&contact, &heap[child])) {
            break;
        }
        heap[index] = heap[child];
        index = child;
    }
    heap[index] = contact;
}

int32_t wkAddContact(wkContact* contacts, int32_t count, int32_t capacity, const wkContact* added)
{
    if (count == capacity) {
        if (isBefore(added, &contacts[0])) {
            sink(contacts, count, 0, *added);
        }
        return count;
    }
    int32_t index = count;
    for (; index > 0 && isBefore(&contacts[(index - 1) / 2], added); index = (index - 1) / 2) {
        contacts[index] = contacts[(index - 1) / 2];
    }
    contacts[index] = *added;
    return count + 1;
}

void wkSortContacts(wkContact* contacts, int32_t count)
{
    while (count > 1) {
        wkContact last = contacts[--count];
        contacts[count] = contacts[0];
        sink(contacts, count, 0, last);
    }
}
