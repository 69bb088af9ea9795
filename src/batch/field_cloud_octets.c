// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// The hierarchy of boxes around the points of a cloud in a field, level by level.

#include "batch/field_cloud_kernel.h"
#include "tree/cloud/cloud_impl.h"

#include "whisker/detail/library.h"

// Mean edge of the boxes of entries, in cells, and how many of them are measured.
#define ENTRY_CELLS 5.0
#define ENTRY_SAMPLES 256

// Octets that a task places.
#define PLACED_OCTETS 256

// Counts the octets of all levels, up to one that is alone in its level.
void wkFieldCloud_PlanOctets(wkFieldCloud* cloud)
{
    int32_t count = WK_GROUP_COUNT(cloud->cloud->pointCount), first = 0;
    do {
        count = WK_GROUP_COUNT(count);
        cloud->firsts[cloud->levelCount++] = first;
        first += count;
    } while (count > 1);
    cloud->firsts[cloud->levelCount] = cloud->octetCount = first;
}

static void placeOctets(void* context, int32_t task)
{
    wkFieldCloud* cloud = (wkFieldCloud*)context;
    int32_t end = (task + 1) * PLACED_OCTETS;
    end = end < cloud->firsts[1] ? end : cloud->firsts[1];
    for (int32_t i = task * PLACED_OCTETS; i < end; ++i) {
        cloud->lanes->placeOctet(cloud, i, &cloud->octets[i], &cloud->points[i]);
    }
}

// Sets a box around the boxes of an octet, with one of their points.
static void setAround(const wkFieldCloud* cloud, int32_t below, int32_t octet, int slot)
{
    const wkCloudOctet* boxes = &cloud->octets[below];
    const wkOctetPoints* points = &cloud->points[below];
    int count = 1;
    while (count < WK_OCTET && points->at[0][count] < 0.5f * WK_FAR_AWAY) {
        ++count;
    }
    for (int axis = 0; axis < 3; ++axis) {
        float lower = boxes->lower[axis][0], upper = boxes->upper[axis][0];
        for (int i = 1; i < count; ++i) {
            lower = boxes->lower[axis][i] < lower ? boxes->lower[axis][i] : lower;
            upper = boxes->upper[axis][i] > upper ? boxes->upper[axis][i] : upper;
        }
        cloud->octets[octet].lower[axis][slot] = lower;
        cloud->octets[octet].upper[axis][slot] = upper;
        cloud->points[octet].at[axis][slot] = points->at[axis][count / 2];
    }
}

static void setFarAway(const wkFieldCloud* cloud, int32_t octet, int slot)
{
    for (int axis = 0; axis < 3; ++axis) {
        cloud->octets[octet].lower[axis][slot] = cloud->octets[octet].upper[axis][slot] =
            cloud->points[octet].at[axis][slot] = WK_FAR_AWAY;
    }
}

static void placeLevels(wkFieldCloud* cloud)
{
    for (int level = 1; level < cloud->levelCount; ++level) {
        int32_t first = cloud->firsts[level], end = cloud->firsts[level + 1];
        for (int32_t i = 0; i < (end - first) * WK_OCTET; ++i) {
            int32_t below = cloud->firsts[level - 1] + i, octet = first + i / WK_OCTET;
            if (below < first) {
                setAround(cloud, below, octet, i % WK_OCTET);
            } else {
                setFarAway(cloud, octet, i % WK_OCTET);
            }
        }
    }
}

// Chooses the level of entries: a few boxes that are about as large as a sphere of a robot, to descend from.
static void chooseEntryLevel(wkFieldCloud* cloud)
{
    double enough = ENTRY_CELLS * (double)cloud->grid.size, mean = 0.0;
    for (int level = 0; level < cloud->levelCount && mean < enough; ++level) {
        int32_t count = 0;
        double sum = 0.0;
        int32_t step = 1 + (cloud->firsts[level + 1] - cloud->firsts[level]) / ENTRY_SAMPLES;
        for (int32_t i = cloud->firsts[level]; i < cloud->firsts[level + 1]; i += step, ++count) {
            const wkCloudOctet* octet = &cloud->octets[i];
            double edge = 0.0;
            for (int axis = 0; axis < 3; ++axis) {
                edge = wkMaxD(edge, (double)(octet->upper[axis][0] - octet->lower[axis][0]));
            }
            sum += edge;
        }
        mean = sum / count;
        cloud->entryLevel = level;
    }
}

void wkFieldCloud_PlaceOctets(wkFieldCloud* cloud, const wkParallel* parallel)
{
    int32_t count = cloud->firsts[1];
    wkRunTasks(parallel, placeOctets, cloud, (count + PLACED_OCTETS - 1) / PLACED_OCTETS);
    placeLevels(cloud);
    chooseEntryLevel(cloud);
}
