// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// Digests of shapes: of their content, not of their storage.

#include "query/pair/shape_class.h"

void wkDigestBuilder_AddShape(wkDigestBuilder* builder, const wkShape* shape)
{
    bool isValid = wkShape_Check(shape) == wk_ok;
    wkShapeType type = isValid ? shape->type : wk_shapeNone;
    wkDigestBuilder_AddText(builder, wkShapeTypeName(type));
    if (!isValid) {
        return;
    }
    const double around[2] = {shape->rounding, shape->padding};
    wkDigestBuilder_AddNumbers(builder, around, 2);
    const wkShapeFacts* facts = wkShapeFactsOf(shape);
    if (facts->digest != NULL) {
        facts->digest(builder, shape);
    } else {
        // the members of the union all start at its beginning
        wkDigestBuilder_AddNumbers(builder, &shape->sphere.radius,
                                   facts->byteCount / sizeof(double));
    }
}
