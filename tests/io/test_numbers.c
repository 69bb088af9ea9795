// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// Numbers in text have the bits that a correct strtod gives them, under every locale.

#include "io/text/text_reader.h"
#include "io_kit.h"

#include <locale.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

static uint64_t state = 88172645463325252u;

static uint64_t nextRandom(void)
{
    state ^= state << 13;
    state ^= state >> 7;
    state ^= state << 17;
    return state;
}

static void checkNumber(const char* text)
{
    double ours = 0.0, theirs = strtod(text, NULL);
    size_t length = strlen(text);
    const char* end = wkIoParseNumber(text, text + length, &ours);
    if (end != text + length || memcmp(&ours, &theirs, sizeof ours) != 0) {
        fail_msg("\"%s\": %.17g instead of %.17g", text, ours, theirs);
    }
}

static void numbers_have_the_bits_of_strtod(void** unused)
{
    (void)unused;
    char text[64];
    for (int i = 0; i < 300000; i++) {
        double value;
        uint64_t bits = nextRandom();
        memcpy(&value, &bits, sizeof value);
        if (isfinite(value)) {
            snprintf(text, sizeof text, "%.*e", (int)(nextRandom() % 25), value);
            checkNumber(text);
        }
        double ordinary = ((double)(int64_t)nextRandom()) * pow(10.0, -(double)(nextRandom() % 40));
        snprintf(text, sizeof text, "%.*g", (int)(1 + nextRandom() % 24), ordinary);
        checkNumber(text);
    }
}

// Just at, below and above the middle between two doubles.
static void halves_are_rounded_to_even(void** unused)
{
    (void)unused;
    for (int i = 0; i < 20000; i++) {
        char text[1200];
        double low =
            ldexp((double)(nextRandom() >> 11 | 1ull << 52), (int)(nextRandom() % 60) - 90);
        double high = nextafter(low, INFINITY);
        long double middle = ((long double)low + (long double)high) / 2.0L;
        int length = snprintf(text, sizeof text, "%.150Lf", middle);
        checkNumber(text);
        snprintf(text + length, sizeof text - (size_t)length, "00001");
        checkNumber(text);
        for (int k = 0; k < 900; k++) {
            text[length + k] = k < 899 ? '0' : '1';
        }
        text[length + 900] = '\0';
        checkNumber(text);
    }
}

static void odd_forms_are_read(void** unused)
{
    (void)unused;
    static const char* const texts[] = {
        "0",
        "-0",
        "+1.5",
        ".5",
        "5.",
        "-.25e+3",
        "1e22",
        "1e23",
        "1e-22",
        "1e-23",
        "1e-400",
        "1e400",
        "0e999",
        "5e-324",
        "2.4e-324",
        "4.9e-324",
        "1e99999",
        "inf",
        "-inf",
        "Infinity",
        "0.0000000000000000000000000000001",
        "1.7976931348623157e308",
        "1.7976931348623159e308",
        "2.2250738585072011e-308",
        "9007199254740993",
        "9007199254740992.99999999999999999999999",
        "18446744073709551615",
        "18446744073709551616",
        "123456789012345678901234567890e-20",
    };
    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++) {
        checkNumber(texts[i]);
    }
    double value;
    const char* nan = "-nan(ind)";
    assert_ptr_equal(wkIoParseNumber(nan, nan + 9, &value), nan + 9);
    assert_true(isnan(value));
}

static void words_are_no_numbers(void** unused)
{
    (void)unused;
    static const char* const texts[] = {"", "-", "+", ".", "e5", "x", "-.", "infant", "#", "0x10"};
    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++) {
        double value = 0.0;
        const char* end = texts[i] + strlen(texts[i]);
        const char* stop = wkIoParseNumber(texts[i], end, &value);
        assert_true(stop == NULL || stop < end);
    }
}

static void integers_saturate(void** unused)
{
    (void)unused;
    static const struct {
        const char* text;
        int64_t value;
    } rows[] = {{"12", 12},
                {"-7", -7},
                {"+3", 3},
                {"9223372036854775799", 9223372036854775799},
                {"99999999999999999999999", INT64_MAX},
                {"-99999999999999999999999", -INT64_MAX}};
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        int64_t value = 0;
        const char* end = rows[i].text + strlen(rows[i].text);
        assert_ptr_equal(wkIoParseInteger(rows[i].text, end, &value), end);
        assert_true(value == rows[i].value);
    }
}

static void no_locale_changes_a_number(void** unused)
{
    (void)unused;
    static const char* const names[] = {"de_DE.UTF-8", "fr_FR.UTF-8", "de_DE.utf8", "fr_FR.utf8"};
    bool isSet = false;
    for (size_t i = 0; i < sizeof names / sizeof names[0] && !isSet; i++) {
        isSet = setlocale(LC_NUMERIC, names[i]) != NULL;
    }
    static const char text[] = "1.2246467991473532e-36";
    double value = 0.0;
    wkIoParseNumber(text, text + sizeof text - 1, &value);
    setlocale(LC_NUMERIC, "C");
    assert_true(value == 1.2246467991473532e-36);
    if (!isSet) {
        printf("no locale with a decimal comma here\n");
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(numbers_have_the_bits_of_strtod),
        cmocka_unit_test(halves_are_rounded_to_even),
        cmocka_unit_test(odd_forms_are_read),
        cmocka_unit_test(words_are_no_numbers),
        cmocka_unit_test(integers_saturate),
        cmocka_unit_test(no_locale_changes_a_number),
    };
    return cmocka_run_group_tests_name("io.numbers", tests, NULL, NULL);
}
