// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// Taking a GPU into use: which one, and what is said where there is none, where it is too old, or where it fails.

#include "emulated_calls.h"
#include "kit.h"
#include "whisker/cuda.h"

#include <string.h>

static int resetDevices(void** state)
{
    (void)state;
    emulatedFailCall(-1, 0, 0);
    emulatedSetDevices(1, 13000);
    emulatedSetMemory((size_t)1 << 30);
    return 0;
}

static void expectRefusal(wkResult expected, const char* words)
{
    wkCudaDef def = wkDefaultCudaDef();
    wkCuda* cuda = NULL;
    assert_int_equal(wkCuda_Create(&def, &cuda), expected);
    assert_null(cuda);
    assert_non_null(strstr(wkGetLastError(), words));
    assert_int_equal(emulatedByteCount(), 0);
}

static void what_is_missing_is_said(void** state)
{
    (void)state;
    if (!emulatedIsUsed()) {
        skip();
    }
    emulatedSetDevices(0, 13000);
    expectRefusal(wk_errorDevice, "there is no NVIDIA GPU");
    emulatedSetDevices(1, 0);
    expectRefusal(wk_errorDevice, "no NVIDIA driver is installed");
    emulatedSetDevices(1, 12040);
    emulatedFailCall(0, 35, 0);
    expectRefusal(wk_errorDevice, "the driver knows CUDA 12.4, this library needs 13.0");
}

static void a_gpu_has_properties(void** state)
{
    (void)state;
    if (!emulatedIsUsed()) {
        skip();
    }
    wkCudaDef def = wkDefaultCudaDef();
    wkCuda* cuda = NULL;
    assert_int_equal(wkCuda_Create(&def, &cuda), wk_ok);
    wkCudaInfo info = wkCuda_Info(cuda);
    assert_string_equal(info.name, "emulated");
    assert_int_equal(info.device, 0);
    assert_int_equal(info.major, 9);
    assert_int_equal(info.totalBytes, (size_t)1 << 30);
    assert_int_equal(info.freeBytes, (size_t)1 << 30);
    void* pinned = NULL;
    assert_int_equal(wkCuda_AllocatePinned(cuda, 100, &pinned), wk_ok);
    assert_int_equal(emulatedByteCount(), 100);
    wkCuda_ReleasePinned(cuda, pinned);
    assert_int_equal(wkCuda_AllocatePinned(cuda, 0, &pinned), wk_errorArgument);
    wkCuda_Destroy(cuda);
    wkCuda_Destroy(NULL);
    assert_int_equal(wkCuda_Info(NULL).major, 0);
    assert_int_equal(emulatedByteCount(), 0);
    assert_int_equal(wkGetByteCount(), 0);
}

static void bad_definitions_are_refused(void** state)
{
    (void)state;
    wkCuda* cuda = NULL;
    wkCudaDef def = {0};
    assert_int_equal(wkCuda_Create(&def, &cuda), wk_errorArgument);
    assert_int_equal(wkCuda_Create(NULL, &cuda), wk_errorArgument);
    def = wkDefaultCudaDef();
    assert_int_equal(wkCuda_Create(&def, NULL), wk_errorArgument);
    const int32_t devices[] = {-2, -1, 0, 1000};
    for (int i = 0; i < 4; i++) {
        def.device = devices[i];
        bool isThere = devices[i] == -1 || devices[i] == 0;
        assert_int_equal(wkCuda_Create(&def, &cuda), isThere ? wk_ok : wk_errorRange);
        wkCuda_Destroy(cuda);
    }
    assert_string_equal(wkCudaMemoryName(wk_memoryHost), "host");
    assert_string_equal(wkCudaMemoryName(wk_memoryDevice), "device");
    assert_string_equal(wkCudaMemoryName((wkCudaMemory)2), "none");
}

// Every call of CUDA fails once, and the GPU is lost at every one.
static void any_call_may_fail(void** state)
{
    (void)state;
    if (!emulatedIsUsed()) {
        skip();
    }
    wkCudaDef def = wkDefaultCudaDef();
    for (int isLost = 0; isLost < 2; isLost++) {
        wkResult result = wk_errorDevice;
        for (int call = 0; result != wk_ok; call++) {
            assert_true(call < 100);
            wkCuda* cuda = NULL;
            emulatedFailCall(call, 700, isLost);
            result = wkCuda_Create(&def, &cuda);
            bool isMade = result == wk_ok;
            assert_true(isMade == (cuda != NULL));
            assert_true(isMade || result == wk_errorDevice);
            assert_true(isMade || strstr(wkGetLastError(), "illegal memory access") != NULL);
            wkCuda_Destroy(cuda);
            assert_int_equal(emulatedByteCount(), 0);
            assert_int_equal(wkGetByteCount(), 0);
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup(what_is_missing_is_said, resetDevices),
        cmocka_unit_test_setup(a_gpu_has_properties, resetDevices),
        cmocka_unit_test_setup(bad_definitions_are_refused, resetDevices),
        cmocka_unit_test_setup(any_call_may_fail, resetDevices),
    };
    return cmocka_run_group_tests_name("cuda_device", tests, NULL, NULL);
}
