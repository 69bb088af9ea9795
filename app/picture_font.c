// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// A small alphabet of strokes of even width. Each glyph is a list of strokes: '-' a straight one,
// '~' a curve through its points (Catmull-Rom), '@' a closed curve. A point is two characters: x
// counted from '0', y counted from 'e' on the baseline ('m' is the top of an x, 'q' of a capital,
// 'a' the lowest point of a p).

#include "picture.h"

#include <math.h>
#include <stddef.h>

#define CAPITAL_UNITS 12.0 // height of a capital in the units of the table
#define HIGHEST_UNITS 13.0 // of a bracket
#define LOWEST_UNITS 4.0   // below the baseline, of a p
#define SPACE_UNITS 6.0    // advance of a blank
#define GAP_UNITS 3.6      // between two glyphs
#define STROKE_UNITS 0.85  // half the width of a stroke
#define HALO_UNITS 3.0     // how far the glow reaches
#define CURVE_STEPS 8      // straight pieces per stretch of a curve
#define MAX_STROKE_POINTS 12
#define MAX_PIECES 160

// All printable characters of ASCII.
// clang-format off
static const char* const glyphs[128] = {
    ['a'] = "@8i4m0i4e-8m8e",               ['b'] = "@8i4m0i4e-0q0e",
    ['c'] = "~7l4m0i4e7f",                  ['d'] = "@8i4m0i4e-8q8e",
    ['e'] = "-0i8i~8i7l4m0i4e7f",           ['f'] = "~6q4p3m-3m3e-0m6m",
    ['g'] = "@8i4m0i4e-8m8d~8d7b4a1b",      ['h'] = "-0q0e~0i2l4m6l7i-7i7e",
    ['i'] = "-0m0e-0q0q",                   ['j'] = "-3m3c~3c2a0a-3q3q",
    ['k'] = "-0q0e-6m0h-2j6e",              ['l'] = "-0q0e",
    ['m'] = "-0m0e~0i1l3m5l5i-5i5e~5i6l8m:l:i-:i:e",
    ['n'] = "-0m0e~0i2l4m6l7i-7i7e",        ['o'] = "@8i4m0i4e",
    ['p'] = "@8i4m0i4e-0m0a",               ['q'] = "@8i4m0i4e-8m8a",
    ['r'] = "-0m0e~0i1l3m5m",               ['s'] = "~6l3m0k3i6g3e0f",
    ['t'] = "-3p3g~3g4e6e-0m6m",            ['u'] = "-0m0h~0h1f3e5f7h-7m7e",
    ['v'] = "-0m4e-4e8m",                   ['w'] = "-0m3e-3e6m-6m9e-9e<m",
    ['x'] = "-0m7e-7m0e",                   ['y'] = "-0m4e-8m2a",
    ['z'] = "-0m7m-7m0e-0e7e",
    ['A'] = "-0e4q-4q8e-1i7i",              ['B'] = "-0q0e~0q5q7n5k0k~0k6k8h6e0e",
    ['C'] = "~8p5q1o0k1g5e8f",              ['D'] = "-0q0e~0q3q7o8k7g3e0e",
    ['E'] = "-0q0e-0q7q-0k6k-0e7e",         ['F'] = "-0q0e-0q7q-0k6k",
    ['G'] = "~8p5q1o0k1g5e8g-8g8j-8j5j",    ['H'] = "-0q0e-8q8e-0k8k",
    ['I'] = "-2q2e-0q4q-0e4e",              ['J'] = "-5q5h~5h4f2e0g",
    ['K'] = "-0q0e-7q0i-2k8e",              ['L'] = "-0q0e-0e7e",
    ['M'] = "-0e0q-0q5h-5h:q-:q:e",         ['N'] = "-0e0q-0q8e-8e8q",
    ['O'] = "@:k5q0k5e",                    ['P'] = "-0q0e~0q5q8n5j0j",
    ['Q'] = "@:k5q0k5e-6h:d",               ['R'] = "-0q0e~0q5q8n5j0j-4j8e",
    ['S'] = "~7p4q0n4k8h4e0f",              ['T'] = "-4q4e-0q8q",
    ['U'] = "-0q0i~0i1f4e7f8i-8i8q",        ['V'] = "-0q4e-4e8q",
    ['W'] = "-0q3e-3e6q-6q9e-9e<q",         ['X'] = "-0q8e-8q0e",
    ['Y'] = "-0q4k-8q4k-4k4e",              ['Z'] = "-0q8q-8q0e-0e8e",
    ['0'] = "@8k4q0k4e",                    ['1'] = "-1o4q-4q4e",
    ['2'] = "~0n1p4q7p8n6j-6j0e-0e8e",      ['3'] = "~0p4q7n4k~4k8h4e0f",
    ['4'] = "-6e6q-6q0h-0h8h",              ['5'] = "-7q1q-1q0k~0k4l8i4e0f",
    ['6'] = "@8i4m0i4e~0i1n5q",             ['7'] = "-0q8q-8q3e",
    ['8'] = "@7n4q1n4k@8h4k0h4e",           ['9'] = "@8m4q0m4i~8m7h3e",
    ['.'] = "-0e0e",                        [','] = "-1e0b",
    [':'] = "-0f0f-0k0k",                   [';'] = "-1k1k-1e0b",
    ['!'] = "-0q0i-0e0e",                   ['?'] = "~0n1p4q7n3j-3j3h-3e3e",
    ['\''] = "-0q0n",                       ['"'] = "-0q0n-3q3n",
    ['`'] = "-0q2o",                        ['^'] = "-0n3q-3q6n",
    ['-'] = "-0i5i",                        ['_'] = "-0c7c",
    ['='] = "-0g7g-0k7k",                   ['+'] = "-4g4o-0k8k",
    ['/'] = "-0d6r",                        ['\\'] = "-0r6d",
    ['|'] = "-0r0c",                        ['~'] = "~0j2l6i8k",
    ['<'] = "-7o0k-0k7g",                   ['>'] = "-0o7k-7k0g",
    ['('] = "~3r1o0k1g3d",                  [')'] = "~0r2o3k2g0d",
    ['['] = "-3r0r-0r0c-0c3c",              [']'] = "-0r3r-3r3c-3c0c",
    ['{'] = "~4r2p2m0k~0k2i2e4c",           ['}'] = "~0r2p2m4k~4k2i2e0c",
    ['*'] = "-3q3k-0p6l-6p0l",              ['#'] = "-1e3q-5e7q-0i7i-1m8m",
    ['%'] = "@4n2q0n2k@:h8k6h8e-9q1e",      ['$'] = "~7p4q0n4k8h4e0f-4r4d",
    ['&'] = "~8e3k2n4q6n4k0h3e6f8i",        ['@'] = "@8k6n4k6h~8k9h<i<l:p6r1p0k1f6d:e",
};

// Stands for a character beyond ASCII.
static const char unknownGlyph[] = "-0e0q-0q6q-6q6e-6e0e";
// clang-format on

typedef struct point {
    double x;
    double y;
} point;

typedef struct glyphPieces {
    point from[MAX_PIECES];
    point to[MAX_PIECES];
    int count;
    double width;
} glyphPieces;

// Returns the strokes of a letter; none for a blank, and for all bytes but the first of a character in UTF-8.
static const char* glyphOf(char letter)
{
    unsigned char index = (unsigned char)letter;
    const char* glyph = index < 128 ? glyphs[index] : (index & 0xc0) == 0x80 ? NULL : unknownGlyph;
    return glyph != NULL ? glyph : "";
}

static bool isStrokeMark(char c)
{
    return c == '-' || c == '~' || c == '@';
}

static void addPiece(glyphPieces* pieces, point from, point to)
{
    if (pieces->count < MAX_PIECES) {
        pieces->from[pieces->count] = from;
        pieces->to[pieces->count] = to;
        pieces->count++;
    }
}

static double catmullRom(double a, double b, double c, double d, double t)
{
    return b +
           0.5 * t * (c - a + t * (2.0 * a - 5.0 * b + 4.0 * c - d + t * (3.0 * (b - c) + d - a)));
}

static void addCurve(glyphPieces* pieces, const point* points, int count, bool isClosed)
{
    int stretchCount = isClosed ? count : count - 1;
    for (int i = 0; i < stretchCount; i++) {
        point b = points[i];
        point c = points[(i + 1) % count];
        point a = isClosed ? points[(i + count - 1) % count] : points[i > 0 ? i - 1 : 0];
        point d = isClosed ? points[(i + 2) % count] : points[i + 2 < count ? i + 2 : count - 1];
        point last = b;
        for (int k = 1; k <= CURVE_STEPS; k++) {
            double t = (double)k / CURVE_STEPS;
            point next = {catmullRom(a.x, b.x, c.x, d.x, t), catmullRom(a.y, b.y, c.y, d.y, t)};
            addPiece(pieces, last, next);
            last = next;
        }
    }
}

// Cuts a glyph into straight pieces, in the units of the table.
static glyphPieces cutGlyph(const char* glyph)
{
    glyphPieces pieces = {.count = 0, .width = 0.0};
    while (*glyph != '\0') {
        char mark = *glyph++;
        point points[MAX_STROKE_POINTS];
        int count = 0;
        while (*glyph != '\0' && !isStrokeMark(*glyph) && count < MAX_STROKE_POINTS) {
            points[count] = (point){glyph[0] - '0', glyph[1] - 'e'};
            pieces.width = fmax(pieces.width, points[count].x);
            count++;
            glyph += 2;
        }
        if (mark == '-') {
            addPiece(&pieces, points[0], points[count - 1]);
        } else {
            addCurve(&pieces, points, count, mark == '@');
        }
    }
    return pieces;
}

static double distanceToPiece(point p, point from, point to)
{
    double dx = to.x - from.x;
    double dy = to.y - from.y;
    double square = dx * dx + dy * dy;
    double t = square > 0.0 ? ((p.x - from.x) * dx + (p.y - from.y) * dy) / square : 0.0;
    t = fmin(fmax(t, 0.0), 1.0);
    return hypot(p.x - from.x - t * dx, p.y - from.y - t * dy);
}

static double distanceToGlyph(const glyphPieces* pieces, point p)
{
    double nearest = INFINITY;
    for (int i = 0; i < pieces->count; i++) {
        nearest = fmin(nearest, distanceToPiece(p, pieces->from[i], pieces->to[i]));
    }
    return nearest;
}

// Draws a glyph with its left baseline point at (x, y): the glow first, then the strokes on it.
static void drawGlyph(wkPicture* picture, const glyphPieces* pieces, double x, double y,
                      const wkLettering* lettering, bool isHalo)
{
    double unit = lettering->height / CAPITAL_UNITS;
    double reach = isHalo ? HALO_UNITS : STROKE_UNITS + 1.0 / unit;
    int left = (int)floor(x - reach * unit);
    int right = (int)ceil(x + (pieces->width + reach) * unit);
    int top = (int)floor(y - (HIGHEST_UNITS + reach) * unit);
    int bottom = (int)ceil(y + (LOWEST_UNITS + reach) * unit);
    for (int row = top; row <= bottom; row++) {
        for (int column = left; column <= right; column++) {
            point p = {(column + 0.5 - x) / unit, (y - row - 0.5) / unit};
            double gap = distanceToGlyph(pieces, p);
            if (isHalo) {
                double glow = 1.0 - gap / HALO_UNITS;
                wkPicture_Blend(picture, column, row, lettering->halo,
                                lettering->haloOpacity * fmax(glow, 0.0));
            } else {
                wkPicture_Blend(picture, column, row, lettering->color,
                                (STROKE_UNITS - gap) * unit + 0.5);
            }
        }
    }
}

static double advanceOf(char letter, const glyphPieces* pieces)
{
    return letter == ' ' ? SPACE_UNITS : pieces->count > 0 ? pieces->width + GAP_UNITS : 0.0;
}

double wkMeasureText(const char* text, double height)
{
    double width = 0.0;
    for (const char* letter = text; *letter != '\0'; letter++) {
        glyphPieces pieces = cutGlyph(glyphOf(*letter));
        width += advanceOf(*letter, &pieces);
    }
    return (width - GAP_UNITS) * height / CAPITAL_UNITS;
}

void wkPicture_Write(wkPicture* picture, double x, double y, const char* text,
                     const wkLettering* lettering)
{
    for (int pass = 0; pass < 2; pass++) {
        double pen = x;
        for (const char* letter = text; *letter != '\0'; letter++) {
            glyphPieces pieces = cutGlyph(glyphOf(*letter));
            drawGlyph(picture, &pieces, pen, y, lettering, pass == 0);
            pen += advanceOf(*letter, &pieces) * lettering->height / CAPITAL_UNITS;
        }
    }
}
