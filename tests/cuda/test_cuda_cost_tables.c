// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// What whisker gpu --costs prints: times with their units, and crossing points.

#include "gpu_costs.h"
#include "kit.h"

#include <math.h>
#include <string.h>

#define TEXT_CAPACITY 8192

static void print(const wkCudaCosts* costs, const wkCudaRobotCosts* robot, char* text)
{
    wkGpuLibrary library = {.seconds = wkWorkCost_Seconds,
                            .crossing = wkCpuGpuCost_Crossing,
                            .wayName = wkCenterWayName,
                            .chooseCenters = wkCudaCosts_ChooseCenters,
                            .centerCrossing = wkCudaCosts_CenterCrossing};
    FILE* stream = tmpfile();
    assert_non_null(stream);
    wkPrintGpuCosts(stream, &library, costs, robot);
    rewind(stream);
    size_t length = fread(text, 1, TEXT_CAPACITY - 1, stream);
    text[length] = '\0';
    fclose(stream);
}

// Costs that are those of the CPU, times a factor and with a fixed time on the GPU.
static wkCudaCosts makeCosts(double fixed, double factor)
{
    wkCudaCosts costs = {.copy = {1e-4, 1e-9}};
    for (int i = 0; i < WK_CENTER_SIZES; i++) {
        for (int k = 0; k < WK_CENTER_SIZES; k++) {
            double pairs = (double)wkCenterSizePoints(i) * wkCenterSizePoints(k);
            costs.centers[wk_wayCpuExhaustive][i][k] = 1e-10 * pairs;
            costs.centers[wk_wayCpuHierarchy][i][k] = 1e-7 * sqrt(pairs);
            costs.centers[wk_wayGpuExhaustive][i][k] = fixed + factor * 1e-10 * pairs;
            costs.centers[wk_wayGpuHierarchy][i][k] = fixed + factor * 1e-7 * sqrt(pairs);
        }
    }
    return costs;
}

static void tables_have_times_and_crossings(void** state)
{
    (void)state;
    wkCudaCosts costs = makeCosts(2e-5, 0.01);
    wkCudaRobotCosts robot = {.states = {{1e-6, 2e-7}, {2e-5, 1e-9}},
                              .points = {{0.0, 3e-9}, {3e-5, 3e-10}},
                              .sphereCount = 63,
                              .boxCount = 100,
                              .treeCount = 14,
                              .treeSpheres = 1448};
    char text[TEXT_CAPACITY];
    print(&costs, &robot, text);
    const char* const words[] = {
        "63 spheres, among 100 boxes\n",
        "1448 spheres in and around 14 links\n",
        "  10                    3.00 us      20.0 us\n",
        "  1000000                200 ms      1.02 ms\n",
        "  the GPU pays from 96 configurations on\n",
        "  the GPU pays from 11112 points on\n",
        "  100 x 100               1.00 us",
        "   cpu exhaustive\n",
        "   gpu hierarchy\n",
        "  against 1000 points, the GPU pays from ",
        "  a copy of 100000 points to the GPU takes 200 us\n",
    };
    for (size_t i = 0; i < sizeof words / sizeof words[0]; i++) {
        if (strstr(text, words[i]) == NULL) {
            fail_msg("no \"%s\" in\n%s", words[i], text);
        }
    }
}

static void a_slow_gpu_does_not_pay(void** state)
{
    (void)state;
    wkCudaCosts costs = makeCosts(1.0, 2.0);
    wkCudaRobotCosts robot = {.states = {{1e-6, 2e-7}, {2e-5, 1e-6}},
                              .points = {{0.0, (double)NAN}, {3e-5, 3e-10}}};
    char text[TEXT_CAPACITY];
    print(&costs, &robot, text);
    assert_non_null(strstr(text, "the GPU does not pay for any number of configurations\n"));
    assert_non_null(strstr(text, "the GPU does not pay for any number of points\n"));
    assert_non_null(strstr(text, "not known"));
    assert_non_null(strstr(text, "against 100000 points, the GPU does not pay\n"));
    assert_null(strstr(text, "the GPU pays"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(tables_have_times_and_crossings),
        cmocka_unit_test(a_slow_gpu_does_not_pay),
    };
    return cmocka_run_group_tests_name("cuda_cost_tables", tests, NULL, NULL);
}
