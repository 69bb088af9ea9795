// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// Lettering of pictures: every printable character of ASCII has a glyph of its own, inside of its line.

#include "picture.h"
#include "unit_kit.h"

#define SIZE 64
#define BASELINE 44
#define HEIGHT 24.0
#define FIRST '!'
#define LETTERS ('~' - FIRST + 1)

static const wkLettering lettering = {HEIGHT, {1.0, 1.0, 1.0}, {0.0, 0.0, 0.0}, 0.0};

// Writes a text at the left of an empty picture and returns how much of it is inked, in pixels.
static double inkOf(const char* text, wkPicture* picture)
{
    double ink = 0.0;
    memset(picture->pixels, 0, SIZE * SIZE * sizeof *picture->pixels);
    wkPicture_Write(picture, 4.0, BASELINE, text, &lettering);
    for (int i = 0; i < SIZE * SIZE; i++) {
        ink += picture->pixels[i].r;
    }
    return ink;
}

static double differenceOf(const wkPicture* a, const wkPicture* b)
{
    double sum = 0.0;
    for (int i = 0; i < SIZE * SIZE; i++) {
        sum += fabs(a->pixels[i].r - b->pixels[i].r);
    }
    return sum;
}

static void printable_characters_have_glyphs_of_their_own(void** state)
{
    (void)state;
    wkPicture pictures[LETTERS];
    for (int n = 0; n < LETTERS; n++) {
        const char text[] = {(char)(FIRST + n), '\0'};
        wkPicture* picture = &pictures[n];
        assert_true(wkPicture_Create(picture, SIZE, SIZE));
        if (!(inkOf(text, picture) > 5.0)) {
            fail_msg("%s has no glyph", text);
        }
        for (int i = 0; i < SIZE; i++) {
            assert_true(picture->pixels[i].r == 0.0);
            assert_true(picture->pixels[SIZE * (SIZE - 1) + i].r == 0.0);
        }
        for (int other = 0; other < n; other++) {
            if (differenceOf(picture, &pictures[other]) < 8.0) {
                fail_msg("%s and %c look alike", text, FIRST + other);
            }
        }
    }
    for (int n = 0; n < LETTERS; n++) {
        wkPicture_Destroy(&pictures[n]);
    }
}

static void other_characters_are_boxes(void** state)
{
    (void)state;
    wkPicture picture;
    assert_true(wkPicture_Create(&picture, SIZE, SIZE));
    assert_true(inkOf(" ", &picture) == 0.0);
    assert_true(inkOf("\xc3\xa4", &picture) > 50.0);
    // one box for each character, whatever its number of bytes
    assert_true(wkMeasureText("\xc3\xa4", HEIGHT) == wkMeasureText("\xe2\x82\xac", HEIGHT));
    assert_true(inkOf("\x80", &picture) == 0.0);
    wkPicture_Destroy(&picture);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(printable_characters_have_glyphs_of_their_own),
        cmocka_unit_test(other_characters_are_boxes),
    };
    return cmocka_run_group_tests_name("picture_font", tests, NULL, NULL);
}
