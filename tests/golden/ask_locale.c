// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// Questions are read and answered the same in a program with a decimal comma.

#define _XOPEN_SOURCE 700 // mkdtemp, setenv

#include "ask.h"
#include "comma_locale.h"
#include "plain_number.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>

#include <cmocka.h>

static const char* const lines[] = {
    ("{\"id\":1.5,\"query\":\"distance\",\"a\":{\"type\":\"sphere\",\"radius\":0.125},"
     "\"b\":{\"type\":\"box\",\"size\":[0.1,0.2,0.3],\"xyz\":[1.5,0.25,1e-3]}}"),
    "{\"id\":2,\"query\":\"collide\",\"a\":{\"type\":\"sphere\",\"radius\":-0.5},\"b\":{}}",
    "{\"id\":3,\"query\":\"collide\",\"a\":{\"type\":\"box\",\"size\":[0,5,1,1]},\"b\":{}}",
};

static wkText answerAll(void)
{
    wkText answers = {0};
    for (size_t i = 0; i < sizeof lines / sizeof lines[0]; i++) {
        wkAskLine(lines[i], strlen(lines[i]), i + 1, NULL, &answers);
    }
    assert_false(answers.isOutOfMemory);
    return answers;
}

static void answers_are_the_same(void** state)
{
    (void)state;
    wkText plain = answerAll();
    if (!wkEnterCommaLocale()) {
        skip();
    }
    wkText comma = answerAll();
    wkLeaveCommaLocale();
    assert_int_equal(plain.length, comma.length);
    assert_memory_equal(plain.data, comma.data, plain.length);
    wkText_Free(&plain);
    wkText_Free(&comma);
}

static void numbers_are_the_same(void** state)
{
    (void)state;
    if (!wkEnterCommaLocale()) {
        skip();
    }
    double number = 0.0;
    char text[WK_NUMBER_CAPACITY];
    assert_true(wkReadNumber("-0.25", &number));
    assert_true(number == -0.25);
    assert_false(wkReadNumber("0,25", &number));
    wkWriteNumber(1.0 / 3.0, text);
    assert_string_equal(text, "0.3333333333333333");
    assert_true(wkHasComma()); // the program's locale is as it was
    wkLeaveCommaLocale();
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(answers_are_the_same),
        cmocka_unit_test(numbers_are_the_same),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
