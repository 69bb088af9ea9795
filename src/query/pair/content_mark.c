// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// Finds shapes that borrow geometry that can change, and the counter that changes with it.

#include "query/pair/content_mark.h"

#include "query/pair/shape_class.h"

wkContentMark wkMarkContent(const wkShape* shape)
{
    wkContentMark mark = {NULL, 0};
    const wkShapeFacts* facts = wkShapeFactsOf(shape);
    if (facts->changes != NULL) {
        mark.now = facts->changes(shape);
        mark.then = mark.now != NULL ? *mark.now : 0;
    }
    return mark;
}

static const uint64_t outOfDate = 1;

wkContentMark wkOutOfDateMark(void)
{
    wkContentMark mark = {&outOfDate, 0};
    return mark;
}

bool wkIsOutOfDateMark(const wkContentMark* mark)
{
    return mark->now == &outOfDate;
}
