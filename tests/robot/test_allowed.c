// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// Rules about pairs of names: against a plain table, in every order, and without memory.

#include "memory/failing.h"
#include "unit/unit_kit.h"
#include "whisker/allowed.h"
#include "whisker/detail/counts.h"

#define NAME_COUNT 24

// Names of which some begin like others, and some are not letters.
static const char* const names[NAME_COUNT] = {
    "a",    "aa",   "aaa",    "ab",     "b",
    "B",    "arm",  "arm_1",  "arm_10", "arm_2",
    "hand", "mug",  "mug 2",  "table",  "\xc3\xa9tag\xc3\xa8re",
    "z",    "~",    "-",      "0",      "00",
    "link", "Link", "LINK_7", "_"};

// What the rules should be, as a table.
typedef struct model {
    int pairRule[NAME_COUNT][NAME_COUNT]; // -1: none
    int defaultRule[NAME_COUNT];          // -1: none
    int contextOf[NAME_COUNT][NAME_COUNT];
    int defaultContext[NAME_COUNT];
} model;

static int contexts[64];

static bool yes(const char* nameA, const char* nameB, const wkContact* contact, void* context)
{
    (void)nameA, (void)nameB, (void)contact, (void)context;
    return true;
}

static void clearModel(model* m)
{
    memset(m, -1, sizeof *m);
}

static void expectRule(const wkAllowed* allowed, int a, int b, int rule, int context)
{
    wkAllowedFcn* fcn = NULL;
    void* given = NULL;
    assert_int_equal(wkAllowed_Get(allowed, names[a], names[b], &fcn, &given), rule);
    bool isAsked = rule == wk_ruleAsked;
    assert_true(fcn == (isAsked ? yes : NULL));
    assert_ptr_equal(given, isAsked ? &contexts[context] : NULL);
    assert_int_equal(wkAllowed_Get(allowed, names[a], names[b], NULL, NULL), rule);
}

// The rule of a pair by the words of allowed.h.
static void expectPair(const wkAllowed* allowed, const model* m, int a, int b)
{
    if (m->pairRule[a][b] >= 0) {
        expectRule(allowed, a, b, m->pairRule[a][b], m->contextOf[a][b]);
        return;
    }
    static const int strict[3] = {2, 0, 1}; // checked, allowed, asked
    int first = strcmp(names[a], names[b]) <= 0 ? a : b, last = first == a ? b : a;
    int defaultFirst = m->defaultRule[first], defaultLast = m->defaultRule[last];
    if (defaultFirst < 0 && defaultLast < 0) {
        expectRule(allowed, a, b, wk_ruleChecked, 0);
        return;
    }
    bool takesFirst =
        defaultLast < 0 || (defaultFirst >= 0 && strict[defaultFirst] >= strict[defaultLast]);
    int from = takesFirst ? first : last;
    expectRule(allowed, a, b, m->defaultRule[from], m->defaultContext[from]);
}

static void expectModel(const wkAllowed* allowed, const model* m)
{
    int count = 0;
    for (int a = 0; a < NAME_COUNT; ++a) {
        for (int b = 0; b < NAME_COUNT; ++b) {
            expectPair(allowed, m, a, b);
            count += a <= b && m->pairRule[a][b] >= 0;
        }
    }
    assert_int_equal(wkAllowed_Count(allowed), count);
    // all of them, in order
    const char *lastA = "", *lastB = "", *nameA = NULL, *nameB = NULL;
    wkAllowedRule rule = WK_ALLOWED_RULE_COUNT;
    for (int i = 0; i < count; ++i) {
        assert_true(wkAllowed_Pair(allowed, i, &nameA, &nameB, &rule));
        assert_true(strcmp(nameA, nameB) <= 0);
        int order = strcmp(lastA, nameA);
        assert_true(order < 0 || (order == 0 && strcmp(lastB, nameB) < 0));
        assert_int_equal(wkAllowed_Get(allowed, nameB, nameA, NULL, NULL), rule);
        lastA = nameA;
        lastB = nameB;
    }
    assert_false(wkAllowed_Pair(allowed, count, &nameA, &nameB, &rule));
    assert_false(wkAllowed_Pair(allowed, -1, &nameA, &nameB, &rule));
}

static void setInModel(model* m, int a, int b, int rule, int context)
{
    m->pairRule[a][b] = m->pairRule[b][a] = rule;
    m->contextOf[a][b] = m->contextOf[b][a] = context;
}

static void forgetName(model* m, int name)
{
    m->defaultRule[name] = -1;
    for (int i = 0; i < NAME_COUNT; ++i) {
        setInModel(m, name, i, -1, -1);
    }
}

// Anything that can be done to rules, to both.
static wkResult changeBoth(wkRng* rng, wkAllowed* allowed, model* m)
{
    int a = wkRngBelow(rng, NAME_COUNT), b = wkRngBelow(rng, NAME_COUNT);
    int context = wkRngBelow(rng, 64), rule = wkRngBelow(rng, WK_ALLOWED_RULE_COUNT);
    wkResult result = wk_ok;
    switch (wkRngBelow(rng, 8)) {
    case 0:
        wkAllowed_Clear(allowed, names[a], names[b]);
        setInModel(m, a, b, -1, -1);
        break;
    case 1:
        wkAllowed_Clear(allowed, names[a], NULL);
        forgetName(m, a);
        break;
    case 2:
        result =
            wkAllowed_SetDefault(allowed, names[a], (wkAllowedRule)rule, yes, &contexts[context]);
        if (result == wk_ok) {
            m->defaultRule[a] = rule;
            m->defaultContext[a] = context;
        }
        break;
    default:
        result = rule == wk_ruleAsked
                     ? wkAllowed_SetFcn(allowed, names[a], names[b], yes, &contexts[context])
                     : wkAllowed_Set(allowed, names[a], names[b], (wkAllowedRule)rule);
        if (result == wk_ok) {
            setInModel(m, a, b, rule, context);
        }
    }
    return result;
}

static void rules_are_those_of_a_table(void** unused)
{
    (void)unused;
    wkRng rng = wkMakeRng(UNIT_SEED);
    wkAllowed* allowed = NULL;
    assert_int_equal(wkAllowed_Create(&allowed), wk_ok);
    model m;
    clearModel(&m);
    expectModel(allowed, &m);
    for (int i = 0; i < 600; ++i) {
        assert_int_equal(changeBoth(&rng, allowed, &m), wk_ok);
        expectModel(allowed, &m);
    }
    // a copy has the same rules, and goes its own way
    wkAllowed* copy = NULL;
    assert_int_equal(wkAllowed_Copy(allowed, &copy), wk_ok);
    model ofCopy = m;
    for (int i = 0; i < 100; ++i) {
        assert_int_equal(changeBoth(&rng, copy, &ofCopy), wk_ok);
        expectModel(copy, &ofCopy);
    }
    expectModel(allowed, &m);
    for (int i = 0; i < NAME_COUNT; ++i) {
        wkAllowed_Clear(copy, names[i], NULL);
    }
    assert_int_equal(wkAllowed_Count(copy), 0);
    wkAllowed_Destroy(copy);
    wkAllowed_Destroy(allowed);
    assert_int_equal(wkGetByteCount(), 0);
}

// Which of three rules counts: that of the pair, of one name, of the other. -1: none.
static void the_pair_comes_before_names_and_strict_names_before_others(void** unused)
{
    (void)unused;
    enum {
        no = -1,
        checked = wk_ruleChecked,
        may = wk_ruleAllowed,
        asked = wk_ruleAsked
    };
    static const struct {
        int pair, nameA, nameB, expected;
    } rows[] = {
        {no, no, no, checked},      {may, no, no, may},           {asked, no, no, asked},
        {no, may, no, may},         {no, no, may, may},           {no, asked, no, asked},
        {no, may, may, may},        {no, may, checked, checked},  {no, checked, may, checked},
        {no, may, asked, asked},    {no, asked, may, asked},      {no, checked, asked, checked},
        {may, checked, asked, may}, {checked, may, may, checked}, {asked, checked, may, asked},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; ++i) {
        wkAllowed* allowed = NULL;
        assert_int_equal(wkAllowed_Create(&allowed), wk_ok);
        if (rows[i].pair == asked) {
            wkAllowed_SetFcn(allowed, "x", "y", yes, NULL);
        } else if (rows[i].pair != no) {
            wkAllowed_Set(allowed, "y", "x", (wkAllowedRule)rows[i].pair);
        }
        if (rows[i].nameA != no) {
            wkAllowed_SetDefault(allowed, "x", (wkAllowedRule)rows[i].nameA, yes, NULL);
        }
        if (rows[i].nameB != no) {
            wkAllowed_SetDefault(allowed, "y", (wkAllowedRule)rows[i].nameB, yes, NULL);
        }
        assert_int_equal(wkAllowed_Get(allowed, "x", "y", NULL, NULL), rows[i].expected);
        assert_int_equal(wkAllowed_Get(allowed, "y", "x", NULL, NULL), rows[i].expected);
        wkAllowed_Destroy(allowed);
    }
}

// Names as wkAllowed_Pair gives them live in the rules that they are then taken out of.
static void names_may_be_its_own(void** unused)
{
    (void)unused;
    wkRng rng = wkMakeRng(UNIT_SEED);
    for (int round = 0; round < 50; ++round) {
        wkAllowed* allowed = NULL;
        assert_int_equal(wkAllowed_Create(&allowed), wk_ok);
        model m;
        clearModel(&m);
        for (int i = 0; i < 30; ++i) {
            assert_int_equal(changeBoth(&rng, allowed, &m), wk_ok);
        }
        while (wkAllowed_Count(allowed) > 0) {
            const char *nameA = NULL, *nameB = NULL;
            wkAllowedRule rule = WK_ALLOWED_RULE_COUNT;
            int32_t count = wkAllowed_Count(allowed);
            assert_true(wkAllowed_Pair(allowed, wkRngBelow(&rng, count), &nameA, &nameB, &rule));
            assert_int_equal(wkAllowed_Set(allowed, nameB, nameA, wk_ruleAllowed), wk_ok);
            switch (wkRngBelow(&rng, 3)) {
            case 0:
                wkAllowed_Clear(allowed, nameA, NULL);
                break;
            case 1:
                wkAllowed_Clear(allowed, nameB, NULL);
                break;
            default:
                wkAllowed_Clear(allowed, nameB, nameA);
            }
            assert_true(wkAllowed_Count(allowed) < count);
        }
        wkAllowed_Destroy(allowed);
    }
    assert_int_equal(wkGetByteCount(), 0);
}

static void many_names_are_quick(void** unused)
{
    (void)unused;
    enum {
        count = 400
    };
    wkAllowed* allowed = NULL;
    assert_int_equal(wkAllowed_Create(&allowed), wk_ok);
    char nameA[16], nameB[16];
    for (int a = 0; a < count; ++a) {
        for (int b = 0; b < a; ++b) {
            snprintf(nameA, sizeof nameA, "n%d", (a * 7919) % count);
            snprintf(nameB, sizeof nameB, "n%d", (b * 7919) % count);
            assert_int_equal(wkAllowed_Set(allowed, nameA, nameB, wk_ruleAllowed), wk_ok);
        }
    }
    assert_int_equal(wkAllowed_Count(allowed), count * (count - 1) / 2);
    for (int a = 0; a < count; ++a) {
        snprintf(nameA, sizeof nameA, "n%d", a);
        assert_int_equal(wkAllowed_Get(allowed, nameA, "n399", NULL, NULL), a < 399 ? 1 : 0);
        wkAllowed_Clear(allowed, nameA, NULL);
    }
    assert_int_equal(wkAllowed_Count(allowed), 0);
    wkAllowed_Destroy(allowed);
    assert_int_equal(wkGetByteCount(), 0);
}

static void what_is_wrong_is_refused(void** unused)
{
    (void)unused;
    wkAllowed* allowed = NULL;
    assert_int_equal(wkAllowed_Create(&allowed), wk_ok);
    assert_int_equal(wkAllowed_Set(allowed, NULL, "a", wk_ruleAllowed), wk_errorArgument);
    assert_int_equal(wkAllowed_Set(allowed, "a", "", wk_ruleAllowed), wk_errorArgument);
    assert_int_equal(wkAllowed_Set(NULL, "a", "b", wk_ruleAllowed), wk_errorArgument);
    assert_int_equal(wkAllowed_Set(allowed, "a", "b", WK_ALLOWED_RULE_COUNT), wk_errorArgument);
    assert_int_equal(wkAllowed_Set(allowed, "a", "b", (wkAllowedRule)-1), wk_errorArgument);
    assert_int_equal(wkAllowed_Set(allowed, "a", "b", wk_ruleAsked), wk_errorArgument);
    assert_int_equal(wkAllowed_SetFcn(allowed, "a", "b", NULL, NULL), wk_errorArgument);
    assert_int_equal(wkAllowed_SetDefault(allowed, "a", wk_ruleAsked, NULL, NULL),
                     wk_errorArgument);
    assert_int_equal(wkAllowed_SetDefault(allowed, "", wk_ruleAllowed, NULL, NULL),
                     wk_errorArgument);
    assert_int_equal(wkAllowed_AddRobot(allowed, NULL), wk_errorArgument);
    assert_int_equal(wkAllowed_Count(allowed), 0);
    wkAllowed_Clear(allowed, "a", NULL);
    wkAllowed_Clear(allowed, "a", "b");
    wkAllowed_Clear(allowed, NULL, "b");
    wkAllowed_Clear(NULL, "a", "b");
    assert_int_equal(wkAllowed_Get(NULL, "a", "b", NULL, NULL), wk_ruleChecked);
    assert_int_equal(wkAllowed_Get(allowed, NULL, "b", NULL, NULL), wk_ruleChecked);
    assert_int_equal(wkAllowed_Count(NULL), 0);
    wkAllowed* copy = allowed;
    assert_int_equal(wkAllowed_Copy(NULL, &copy), wk_errorArgument);
    assert_null(copy);
    wkAllowed_Destroy(allowed);
    wkAllowed_Destroy(NULL);
    assert_string_equal(wkAllowedRuleName(wk_ruleAsked), "asked");
    assert_string_equal(wkAllowedRuleName(WK_ALLOWED_RULE_COUNT), "");
    assert_string_equal(wkAllowedReasonName(wk_reasonAlways), "Always");
    assert_string_equal(wkAllowedReasonName(wk_reasonNone), "");
    assert_string_equal(wkAllowedReasonName(wk_reasonProven), "Never");
    assert_string_equal(wkAllowedReasonEvidence(wk_reasonAlways), "");
    assert_string_equal(wkAllowedReasonName(WK_ALLOWED_REASON_COUNT), "");
}

static failing memory = {0, -1, 0};

static void failAt(long call)
{
    memory.callCount = 0;
    memory.failAt = call;
}

// Each change fails at its first, second, ... allocation and changes nothing, until it succeeds.
static void without_memory_nothing_changes(void** unused)
{
    (void)unused;
    wkAllocator allocator = {allocateOrFail, releaseCounted, &memory};
    wkSetAllocator(&allocator);
    wkRng rng = wkMakeRng(UNIT_SEED);
    wkAllowed* allowed = NULL;
    model m;
    clearModel(&m);
    failAt(0);
    assert_int_equal(wkAllowed_Create(&allowed), wk_errorMemory);
    assert_null(allowed);
    failAt(-1);
    assert_int_equal(wkAllowed_Create(&allowed), wk_ok);
    for (int i = 0; i < 150; ++i) {
        wkRng start = rng;
        wkResult result = wk_errorMemory;
        for (long call = 0; result != wk_ok; ++call) {
            rng = start;
            failAt(call);
            result = changeBoth(&rng, allowed, &m);
            assert_true(result == wk_ok || result == wk_errorMemory);
            failAt(-1);
            expectModel(allowed, &m);
        }
    }
    wkAllowed* copy = NULL;
    wkResult result = wk_errorMemory;
    for (long call = 0; result != wk_ok; ++call) {
        long attached = memory.allocatedBytes;
        failAt(call);
        result = wkAllowed_Copy(allowed, &copy);
        failAt(-1);
        assert_true(result == wk_ok || (copy == NULL && memory.allocatedBytes == attached));
    }
    expectModel(copy, &m);
    wkAllowed_Destroy(copy);
    wkAllowed_Destroy(allowed);
    assert_int_equal(memory.allocatedBytes, 0);
    wkSetAllocator(NULL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(rules_are_those_of_a_table),
        cmocka_unit_test(the_pair_comes_before_names_and_strict_names_before_others),
        cmocka_unit_test(names_may_be_its_own),
        cmocka_unit_test(many_names_are_quick),
        cmocka_unit_test(what_is_wrong_is_refused),
        cmocka_unit_test(without_memory_nothing_changes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
