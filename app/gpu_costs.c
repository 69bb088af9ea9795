// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

#include "gpu_costs.h"

#include <math.h>

#define COUNT(array) ((int)(sizeof(array) / sizeof(array)[0]))
#define TIME_CAPACITY 16

// A time with its unit, three digits of it.
static const char* timeText(double seconds, char text[TIME_CAPACITY])
{
    static const struct {
        double least;
        const char* name;
    } units[] = {{1.0, "s"}, {1e-3, "ms"}, {1e-6, "us"}, {1e-9, "ns"}};
    int unit = 0;
    while (unit < COUNT(units) - 1 && seconds < 0.9995 * units[unit].least) {
        unit++;
    }
    double value = seconds / units[unit].least;
    int digits = value < 9.995 ? 2 : value < 99.95 ? 1 : 0;
    if (isfinite(seconds) && seconds < 1e6) {
        snprintf(text, TIME_CAPACITY, "%.*f %s", digits, value, units[unit].name);
    } else {
        snprintf(text, TIME_CAPACITY, "not known");
    }
    return text;
}

static void printCrossing(FILE* stream, double crossing, const char* items)
{
    if (crossing < 1e15) {
        fprintf(stream, "  the GPU pays from %.0f %s on\n", crossing, items);
    } else {
        fprintf(stream, "  the GPU does not pay for any number of %s\n", items);
    }
}

// Times of calls with 10 items, 100 and so on.
static void printCalls(FILE* stream, const wkGpuLibrary* library, const wkCpuGpuCost* cost,
                       const char* items)
{
    char cpu[TIME_CAPACITY], gpu[TIME_CAPACITY];
    fprintf(stream, "  %-16s %12s %12s\n", items, "CPU", "GPU");
    for (int count = 10; count <= 1000000; count *= 10) {
        fprintf(stream, "  %-16d %12s %12s\n", count,
                timeText(library->seconds(&cost->cpu, count), cpu),
                timeText(library->seconds(&cost->gpu, count), gpu));
    }
    printCrossing(stream, library->crossing(cost), items);
}

static void printCenters(FILE* stream, const wkGpuLibrary* library, const wkCudaCosts* costs)
{
    // the last one is the larger set of Kaldestad, Hovland and Anisi (2012)
    static const int32_t sizes[][2] = {{100, 100},     {1000, 1000},     {1000, 100000},
                                       {10000, 10000}, {10000, 1000000}, {19221, 958021}};
    static const int32_t crossings[] = {100, 1000, 10000, 100000};
    char text[TIME_CAPACITY];
    fprintf(stream, "  %-16s", "points");
    for (int way = 0; way < WK_CENTER_WAYS; way++) {
        fprintf(stream, " %14s", library->wayName((wkCenterWay)way));
    }
    fprintf(stream, "   the fastest\n");
    for (int i = 0; i < COUNT(sizes); i++) {
        wkCenterWork work = {sizes[i][0], sizes[i][1], true, true, 1};
        wkCenterChoice choice = library->chooseCenters(costs, &work);
        char points[32];
        snprintf(points, sizeof points, "%d x %d", (int)sizes[i][0], (int)sizes[i][1]);
        fprintf(stream, "  %-16s", points);
        for (int way = 0; way < WK_CENTER_WAYS; way++) {
            fprintf(stream, " %14s", timeText(choice.seconds[way], text));
        }
        fprintf(stream, "   %s\n", library->wayName(choice.way));
    }
    for (int i = 0; i < COUNT(crossings); i++) {
        int32_t crossing = library->centerCrossing(costs, crossings[i]);
        fprintf(stream, "  against %d points, ", (int)crossings[i]);
        if (crossing >= 0) {
            fprintf(stream, "the GPU pays from %d points on\n", (int)crossing);
        } else {
            fprintf(stream, "the GPU does not pay\n");
        }
    }
    fprintf(stream, "  a copy of 100000 points to the GPU takes %s\n",
            timeText(library->seconds(&costs->copy, 1e5), text));
}

void wkPrintGpuCosts(FILE* stream, const wkGpuLibrary* library, const wkCudaCosts* costs,
                     const wkCudaRobotCosts* robot)
{
    fprintf(stream, "\nMedians of calls on one thread of the CPU and on the GPU, transfers from "
                    "pinned memory included.\n");
    fprintf(stream, "\nConfigurations of the built-in robot, %d spheres, among %d boxes\n",
            (int)robot->sphereCount, (int)robot->boxCount);
    printCalls(stream, library, &robot->states, "configurations");
    fprintf(stream, "\nPoints against %d spheres in and around %d links\n", (int)robot->treeSpheres,
            (int)robot->treeCount);
    printCalls(stream, library, &robot->points, "points");
    fprintf(stream, "\nNearest points of two clouds, which are on the GPU\n");
    printCenters(stream, library, costs);
}
