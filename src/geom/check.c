// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// Error messages for invalid shape parameters.

#include "geom/check.h"

#include "base/error.h"

#include <stdio.h>

wkResult wkCheckSize(const char* shape, const char* field, double size)
{
    if (!isfinite(size)) {
        return wkFail(wk_errorNotFinite, "%s: %s is %g, must be finite", shape, field, size);
    }
    if (!wkIsValidSize(size)) {
        return wkFail(wk_errorRange, "%s: %s is %g, must be 0 to %g", shape, field, size,
                      WK_MAX_LENGTH);
    }
    return wk_ok;
}

wkResult wkCheckCoordinate(const char* shape, const char* field, double coordinate)
{
    if (!isfinite(coordinate)) {
        return wkFail(wk_errorNotFinite, "%s: %s is %g, must be finite", shape, field, coordinate);
    }
    if (!wkIsValidCoordinate(coordinate)) {
        return wkFail(wk_errorRange, "%s: %s is %g, must be %g to %g", shape, field, coordinate,
                      -WK_MAX_LENGTH, WK_MAX_LENGTH);
    }
    return wk_ok;
}

wkResult wkCheckPoint(const char* shape, const char* field, wkVec3d point)
{
    const double coordinates[3] = {point.x, point.y, point.z};
    for (int i = 0; i < 3; ++i) {
        char name[64];
        snprintf(name, sizeof name, "%s.%c", field, "xyz"[i]);
        wkResult result = wkCheckCoordinate(shape, name, coordinates[i]);
        if (result != wk_ok) {
            return result;
        }
    }
    return wk_ok;
}

wkResult wkCheckNormal(const char* shape, wkVec3d normal)
{
    wkResult result = wkCheckPoint(shape, "normal", normal);
    if (result == wk_ok && !wkIsValidNormal(normal)) {
        result = wkFail(wk_errorRange, "%s: normal (%g %g %g) has length %.17g, must be 1", shape,
                        normal.x, normal.y, normal.z, wkLength(normal));
    }
    return result;
}

wkResult wkCheckMargins(const char* name, const wkShape* shape)
{
    wkResult result = wkCheckSize(name, "rounding", shape->rounding);
    return result == wk_ok ? wkCheckCoordinate(name, "padding", shape->padding) : result;
}
