// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// Hooks, errors, byte count and instruction sets.

#define _DEFAULT_SOURCE // madvise

#include "base/assert.h"
#include "base/cpu.h"
#include "base/error.h"
#include "base/memory.h"

#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include <cmocka.h>

static void result_names_are_stable(void** state)
{
    (void)state;
    assert_string_equal(wkResultName(wk_ok), "ok");
    assert_string_equal(wkResultName(wk_errorMemory), "out_of_memory");
    assert_string_equal(wkResultName(wk_errorNotFinite), "not_finite");
    assert_string_equal(wkResultName(wk_errorRange), "out_of_range");
    assert_string_equal(wkResultName(wk_errorArgument), "bad_argument");
    assert_string_equal(wkResultName(wk_errorUnsupported), "unsupported");
    assert_string_equal(wkResultName((wkResult)99), "unknown");
    assert_string_equal(wkResultName((wkResult)-1), "unknown");
}

static void version_is_the_one_of_the_headers(void** state)
{
    (void)state;
    wkVersion version = wkGetVersion();
    assert_int_equal(version.major, WK_VERSION_MAJOR);
    assert_int_equal(version.minor, WK_VERSION_MINOR);
    assert_int_equal(version.patch, WK_VERSION_PATCH);
}

static void failures_leave_their_words(void** state)
{
    (void)state;
    assert_int_equal(wkFail(wk_errorRange, "size is %d", 7), wk_errorRange);
    assert_string_equal(wkGetLastError(), "size is 7");

    // a message of any length is cut, not overrun
    char longWords[2000];
    memset(longWords, 'x', sizeof longWords - 1);
    longWords[sizeof longWords - 1] = '\0';
    wkFail(wk_errorArgument, "%s", longWords);
    assert_in_range(strlen(wkGetLastError()), 100, sizeof longWords - 2);
}

static void memory_is_aligned_and_counted(void** state)
{
    (void)state;
    size_t before = wkGetByteCount();
    const size_t sizes[] = {1, 63, 64, 65, 1000};
    void* blocks[5];
    size_t sum = 0;
    for (int i = 0; i < 5; ++i) {
        blocks[i] = wkAlloc(sizes[i]);
        assert_non_null(blocks[i]);
        assert_int_equal((uintptr_t)blocks[i] % 64, 0);
        memset(blocks[i], 0xa5, sizes[i]);
        sum += sizes[i];
    }
    assert_int_equal(wkGetByteCount(), before + sum);
    for (int i = 0; i < 5; ++i) {
        wkFree(blocks[i], sizes[i]);
    }
    wkFree(NULL, 12);
    assert_int_equal(wkGetByteCount(), before);
}

static void sizes_beyond_memory_are_refused(void** state)
{
    (void)state;
    size_t before = wkGetByteCount();
    assert_null(wkAlloc(SIZE_MAX));
    assert_null(wkAlloc(SIZE_MAX - 30));
    assert_int_equal(wkGetByteCount(), before);
}

static int adviceCount;

// Replaces the function of the system: one without large pages.
int madvise(void* memory, size_t byteCount, int advice)
{
    (void)memory;
    (void)byteCount;
    (void)advice;
    ++adviceCount;
    errno = EINVAL;
    return -1;
}

static void large_blocks_leave_errno_alone(void** state)
{
    (void)state;
    const size_t byteCount = (size_t)8 << 20;
    errno = ERANGE;
    void* block = wkAlloc(byteCount);
    int after = errno;
    assert_non_null(block);
    wkFree(block, byteCount);
    assert_int_equal(after, ERANGE);
#ifdef MADV_HUGEPAGE
    assert_true(adviceCount > 0);
#endif
}

typedef struct counter {
    int taken, given;
    size_t bytes;
} counter;

static void* countingAllocate(size_t byteCount, void* context)
{
    counter* count = context;
    ++count->taken;
    count->bytes += byteCount;
    return aligned_alloc(64, (byteCount + 63) / 64 * 64);
}

static void countingRelease(void* memory, size_t byteCount, void* context)
{
    counter* count = context;
    ++count->given;
    count->bytes -= byteCount;
    free(memory);
}

static void allocator_can_be_replaced(void** state)
{
    (void)state;
    counter count = {0, 0, 0};
    wkAllocator allocator = {countingAllocate, countingRelease, &count};
    wkSetAllocator(&allocator);
    void* block = wkAlloc(100);
    assert_int_equal(count.taken, 1);
    assert_int_equal(count.bytes, 100);
    wkFree(block, 100);
    wkFree(NULL, 100);
    assert_int_equal(count.given, 1);
    assert_int_equal(count.bytes, 0);
    wkSetAllocator(NULL);
    block = wkAlloc(100);
    wkFree(block, 100);
    assert_int_equal(count.taken, 1);
}

static int assertCount;

static bool countAssert(const char* condition, const char* file, int line)
{
    assert_string_equal(condition, "1 > 2");
    assert_non_null(file);
    assert_int_equal(line, 42);
    ++assertCount;
    return false;
}

static void assert_handler_may_go_on(void** state)
{
    (void)state;
    wkSetAssertFcn(countAssert);
    wkAssertFailed("1 > 2", "here.c", 42);
    assert_int_equal(assertCount, 1);
    wkSetAssertFcn(NULL);
}

static void instruction_set_is_present(void** state)
{
    (void)state;
    assert_true(wkHasIsa(wkGetIsa()));
    assert_false(wkHasIsa(wk_isaCount));
    const char* name = wkGetIsaName();
    bool isKnown = false;
    const char* const names[] = {"scalar", "sse2", "avx2", "avx512", "neon"};
    for (int i = 0; i < 5; ++i) {
        isKnown = isKnown || strcmp(name, names[i]) == 0;
    }
    assert_true(isKnown);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(result_names_are_stable),
        cmocka_unit_test(version_is_the_one_of_the_headers),
        cmocka_unit_test(failures_leave_their_words),
        cmocka_unit_test(memory_is_aligned_and_counted),
        cmocka_unit_test(sizes_beyond_memory_are_refused),
        cmocka_unit_test(large_blocks_leave_errno_alone),
        cmocka_unit_test(allocator_can_be_replaced),
        cmocka_unit_test(assert_handler_may_go_on),
        cmocka_unit_test(instruction_set_is_present),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
