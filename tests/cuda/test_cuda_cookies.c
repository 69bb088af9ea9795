// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// Every struct of cuda.h that starts from a wkDefault function is refused by its name when it did not.

#include "kit.h"
#include "whisker/cuda.h"
#include "whisker/detail/library.h"

#include <string.h>

typedef bool tryFcn(uint32_t bits);

static bool tryCuda(uint32_t bits)
{
    wkCudaDef def = wkDefaultCudaDef();
    def.cookie ^= bits;
    wkCuda* cuda = NULL;
    wkResult result = wkCuda_Create(&def, &cuda);
    wkCuda_Destroy(cuda);
    return result == wk_errorArgument;
}

static bool tryTrees(uint32_t bits)
{
    wkCudaTreesDef def = wkDefaultCudaTreesDef();
    def.cookie ^= bits;
    wkCudaTrees* trees = NULL;
    return wkCudaTrees_Create(&def, &trees) == wk_errorArgument;
}

static bool tryCloud(uint32_t bits)
{
    wkCudaCloudDef def = wkDefaultCudaCloudDef();
    def.cookie ^= bits;
    wkCudaCloud* cloud = NULL;
    return wkCudaCloud_Create(&def, &cloud) == wk_errorArgument;
}

static bool tryCamera(uint32_t bits)
{
    wkCudaCameraDef def = wkDefaultCudaCameraDef();
    def.cookie ^= bits;
    wkCudaCamera* camera = NULL;
    return wkCudaCamera_Create(&def, &camera) == wk_errorArgument;
}

static bool tryDepthMap(uint32_t bits)
{
    wkCudaDepthMapDef def = wkDefaultCudaDepthMapDef();
    def.cookie ^= bits;
    wkCudaDepthMap* map = NULL;
    return wkCudaDepthMap_Create(&def, &map) == wk_errorArgument;
}

static bool tryField(uint32_t bits)
{
    wkCudaFieldDef def = wkDefaultCudaFieldDef();
    def.cookie ^= bits;
    wkCudaField* field = NULL;
    return wkCudaField_Create(&def, &field) == wk_errorArgument;
}

static bool tryFieldRequest(uint32_t bits)
{
    wkCudaDef cudaDef = wkDefaultCudaDef();
    wkCudaFieldDef def = wkDefaultCudaFieldDef();
    wkCudaField* field = NULL;
    def.cellSize = 0.2;
    wkCuda_Create(&cudaDef, &def.cuda);
    wkCudaField_Create(&def, &field);
    wkCudaFieldRequest request = wkDefaultCudaFieldRequest();
    request.cookie ^= bits;
    float point[3] = {0.0f, 0.0f, 0.0f};
    wkCloudView view = wkMakeCloudView(point, 1);
    wkResult result = wkCudaField_Update(field, &view, wk_memoryHost, wkIdentityPose(), &request);
    wkCudaField_Destroy(field);
    wkCuda_Destroy(def.cuda);
    return result == wk_errorArgument;
}

static bool tryFilter(uint32_t bits)
{
    wkCudaFilterDef def = wkDefaultCudaFilterDef();
    def.cookie ^= bits;
    wkCudaFilter* filter = NULL;
    return wkCudaFilter_Create(&def, &filter) == wk_errorArgument;
}

static bool tryFilterRequest(uint32_t bits)
{
    wkCudaFilterRequest request = wkDefaultCudaFilterRequest();
    request.cookie ^= bits;
    wkCudaFilterResult result;
    return wkCudaFilter_Run(NULL, &request, &result) == wk_errorArgument;
}

static bool tryScan(uint32_t bits)
{
    wkCudaScanDef def = wkDefaultCudaScanDef();
    def.cookie ^= bits;
    wkCudaScan* scan = NULL;
    return wkCudaScan_Create(&def, &scan) == wk_errorArgument;
}

static bool tryBatch(uint32_t bits)
{
    wkCudaBatchDef def = wkDefaultCudaBatchDef();
    def.cookie ^= bits;
    wkCudaBatch* batch = NULL;
    return wkCudaBatch_Create(&def, &batch) == wk_errorArgument;
}

static bool tryStates(uint32_t bits)
{
    wkCudaStatesRequest request = wkDefaultCudaStatesRequest();
    request.cookie ^= bits;
    double row = 0.0;
    uint8_t verdict = 0;
    return wkCudaBatch_CheckStates(NULL, &row, 1, &request, &verdict) == wk_errorArgument;
}

static bool tryFrame(uint32_t bits)
{
    wkCudaFrame frame = wkDefaultCudaFrame();
    frame.cookie ^= bits;
    double row = 0.0;
    uint8_t verdict = 0;
    return wkCudaBatch_CheckFrame(NULL, &frame, &row, 1, NULL, &verdict) == wk_errorArgument;
}

static bool tryMotions(uint32_t bits)
{
    wkCudaMotionsRequest request = wkDefaultCudaMotionsRequest();
    request.cookie ^= bits;
    double row = 0.0;
    wkBatchMotionResult found;
    return wkCudaBatch_CheckMotions(NULL, &row, &row, 1, &request, &found) == wk_errorArgument;
}

static bool tryClearances(uint32_t bits)
{
    wkCudaClearancesRequest request = wkDefaultCudaClearancesRequest();
    request.cookie ^= bits;
    double row = 0.0;
    float clearance = 0.0f;
    return wkCudaBatch_Clearances(NULL, &row, 1, &request, 1.0, &clearance) == wk_errorArgument;
}

static bool tryCosts(uint32_t bits)
{
    wkCudaDef cudaDef = wkDefaultCudaDef();
    wkCudaCostsDef def = wkDefaultCudaCostsDef();
    wkCuda* cuda = NULL;
    wkCudaCosts costs;
    def.cookie ^= bits;
    def.runSeconds = 1e-6;
    wkCuda_Create(&cudaDef, &cuda);
    wkResult result = wkCuda_MeasureCosts(cuda, &def, &costs);
    wkCuda_Destroy(cuda);
    return result == wk_errorArgument;
}

// clang-format off
static const struct cookieCase {
    const char* type;
    tryFcn* isRefused;
} cases[] = {
    {"wkCudaCloudDef", tryCloud},
    {"wkCudaCostsDef", tryCosts},
    {"wkCudaDef", tryCuda},
    {"wkCudaTreesDef", tryTrees},
    {"wkCudaCameraDef", tryCamera},
    {"wkCudaDepthMapDef", tryDepthMap},
    {"wkCudaFieldDef", tryField},
    {"wkCudaFieldRequest", tryFieldRequest},
    {"wkCudaFilterDef", tryFilter},
    {"wkCudaFilterRequest", tryFilterRequest},
    {"wkCudaScanDef", tryScan},
    {"wkCudaBatchDef", tryBatch},
    {"wkCudaStatesRequest", tryStates},
    {"wkCudaFrame", tryFrame},
    {"wkCudaMotionsRequest", tryMotions},
    {"wkCudaClearancesRequest", tryClearances},
};
// clang-format on

// A bit of the mark makes a cookie a number that no wkDefault function sets.
#define MARK_BIT 0x01000000u

static void structs_without_their_cookie_are_refused_by_name(void** state)
{
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        assert_true(cases[i].isRefused(MARK_BIT));
        assert_memory_equal(wkGetLastError(), cases[i].type, strlen(cases[i].type));
        assert_non_null(strstr(wkGetLastError(), "not initialised by wkDefault"));
        wkSetLastError(wk_ok, "");
        cases[i].isRefused(0);
        assert_null(strstr(wkGetLastError(), "initialised"));
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(structs_without_their_cookie_are_refused_by_name),
    };
    return cmocka_run_group_tests_name("cuda_cookies", tests, NULL, NULL);
}
