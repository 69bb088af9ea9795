// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// Costs of the nearest points of two clouds: points of a column on the floor of a room, and of the room, in several
// sizes. Clouds are made when the first search needs them.

#include "cuda/cost_line.h"
#include "cuda/cost_ways.h"
#include "cuda/cuda_cloud.h"

#include "base/random.h"
#include "whisker/detail/library.h"

#include <math.h>
#include <string.h>

// What a search may take longer with 16 times as many points.
#define SIZE_STEP 16.0

// Metres: a column that stands on the floor of a room, nearly, as a robot does. Both are rough, as sensors see them: many
// points are nearly as near as the nearest ones.
#define COLUMN_WIDTH 0.4
#define COLUMN_HEIGHT 1.2
#define ROOM_WIDTH 4.0
#define ROOM_HEIGHT 2.5
#define FLOOR (-0.003)
#define ROUGHNESS 0.003

typedef struct cloudSize {
    wkCloud *column, *room;
    wkCudaCloud *columnOnGpu, *roomOnGpu;
} cloudSize;

typedef struct centerCosts {
    wkCuda* cuda;
    const wkCudaCostsDef* def;
    wkCudaCosts* costs;
    cloudSize sizes[WK_CENTER_SIZES];
    const cloudSize *fewer, *more; // of the search that is timed
    wkCenterWay way;
    const wkCloud* copied;
} centerCosts;

// A point of a box around the vertical axis: of its bottom for a half of all, else of a side.
static wkVec3d drawOnBox(uint64_t* seed, double width, double bottom, double height)
{
    double u = width * (wkNextShare(seed) - 0.5), v = wkNextShare(seed);
    double rough = ROUGHNESS * (wkNextShare(seed) - 0.5);
    uint64_t side = wkNextBits(seed) >> 61; // 0 to 7
    if (side < 4) {
        return (wkVec3d){u, width * (v - 0.5), bottom + rough};
    }
    double wall = (side % 2 == 0 ? 0.5 : -0.5) * width + rough, z = bottom + height * v;
    return side < 6 ? (wkVec3d){u, wall, z} : (wkVec3d){wall, u, z};
}

static wkVec3d drawOnColumn(uint64_t* seed)
{
    return drawOnBox(seed, COLUMN_WIDTH, 0.0, COLUMN_HEIGHT);
}

static wkVec3d drawInRoom(uint64_t* seed)
{
    return drawOnBox(seed, ROOM_WIDTH, FLOOR, ROOM_HEIGHT);
}

typedef wkVec3d drawFcn(uint64_t* seed);

static wkResult makeCloud(drawFcn* draw, int32_t count, wkCloud** cloud)
{
    size_t byteCount = 3 * (size_t)count * sizeof(float);
    float* points = (float*)wkAllocate(byteCount);
    if (points == NULL) {
        return wkFailCuda(wk_errorMemory, "cuda costs: no memory");
    }
    uint64_t seed = (uint64_t)count;
    for (int32_t i = 0; i < count; ++i) {
        wkVec3d p = draw(&seed);
        points[3 * i] = (float)p.x;
        points[3 * i + 1] = (float)p.y;
        points[3 * i + 2] = (float)p.z;
    }
    wkCloudDef def = wkDefaultCloudDef();
    def.points = wkMakeCloudView(points, count);
    wkResult result = wkCloud_Create(&def, cloud);
    wkRelease(points, byteCount);
    return result;
}

static wkResult copyCloud(wkCuda* cuda, const wkCloud* cloud, wkCudaCloud** copy)
{
    wkCudaCloudDef def = wkDefaultCudaCloudDef();
    def.cuda = cuda;
    def.cloud = cloud;
    return wkCudaCloud_Create(&def, copy);
}

static wkResult openClouds(wkCuda* cuda, drawFcn* draw, int size, wkCloud** cloud,
                           wkCudaCloud** copy)
{
    if (*copy != NULL) {
        return wk_ok;
    }
    wkResult result = makeCloud(draw, wkCenterSizePoints(size), cloud);
    return result == wk_ok ? copyCloud(cuda, *cloud, copy) : result;
}

static void closeClouds(centerCosts* c)
{
    for (int i = 0; i < WK_CENTER_SIZES; ++i) {
        wkCudaCloud_Destroy(c->sizes[i].columnOnGpu);
        wkCudaCloud_Destroy(c->sizes[i].roomOnGpu);
        wkCloud_Destroy(c->sizes[i].column);
        wkCloud_Destroy(c->sizes[i].room);
    }
}

static wkResult runSearch(void* context, int64_t count)
{
    const centerCosts* c = (const centerCosts*)context;
    (void)count;
    const wkCenterWayRow* row = wkRowOfWay(c->way);
    wkCenterRequest request = wkDefaultCenterRequest();
    request.method = row->method;
    request.parallel = c->def->parallel;
    wkResult result = wk_ok;
    if (row->isOnGpu) {
        wkFindCudaCenters(c->fewer->columnOnGpu, wkIdentityPose(), c->more->roomOnGpu,
                          wkIdentityPose(), &request, &result);
    } else {
        wkCenterDistance(c->fewer->column, wkIdentityPose(), c->more->room, wkIdentityPose(),
                         &request);
    }
    return result;
}

// What a search is expected to take: much longer than the next smaller ones. The exhaustive search on the CPU takes
// longer for a pair where one cloud has few points, so the least counts.
static double expectedSeconds(const centerCosts* c, int fewer, int more)
{
    double(*times)[WK_CENTER_SIZES] = c->costs->centers[c->way];
    double least = more > fewer ? times[fewer][more - 1] : (double)INFINITY;
    if (fewer > 0 && times[fewer - 1][more] < least) {
        least = times[fewer - 1][more];
    }
    return more > 0 ? SIZE_STEP * least : 0.0;
}

static wkResult measureSearch(centerCosts* c, int fewer, int more)
{
    double seconds = expectedSeconds(c, fewer, more);
    wkResult result = wk_ok;
    if (seconds <= c->def->runSeconds) {
        c->fewer = &c->sizes[fewer];
        c->more = &c->sizes[more];
        result = openClouds(c->cuda, drawOnColumn, fewer, &c->sizes[fewer].column,
                            &c->sizes[fewer].columnOnGpu);
        if (result == wk_ok) {
            result = openClouds(c->cuda, drawInRoom, more, &c->sizes[more].room,
                                &c->sizes[more].roomOnGpu);
        }
        result =
            result == wk_ok ? wkTimeRuns(runSearch, c, 1, c->def->runSeconds, &seconds) : result;
    }
    c->costs->centers[c->way][fewer][more] = c->costs->centers[c->way][more][fewer] = seconds;
    return result;
}

static wkResult measureSearches(centerCosts* c)
{
    wkResult result = wk_ok;
    for (int more = 0; more < WK_CENTER_SIZES; ++more) {
        for (int fewer = 0; fewer <= more; ++fewer) {
            for (int way = 0; way < WK_CENTER_WAYS && result == wk_ok; ++way) {
                c->way = (wkCenterWay)way;
                result = measureSearch(c, fewer, more);
            }
        }
    }
    return result;
}

static wkResult runCopy(void* context, int64_t count)
{
    const centerCosts* c = (const centerCosts*)context;
    (void)count;
    wkCudaCloud* copy = NULL;
    wkResult result = copyCloud(c->cuda, c->copied, &copy);
    wkCudaCloud_Destroy(copy);
    return result;
}

// The line through copies of the smallest and the largest cloud of a room, of 1024 points at least.
static wkResult measureCopies(centerCosts* c)
{
    int largest = 1;
    for (int i = 2; i < WK_CENTER_SIZES; ++i) {
        largest = c->sizes[i].room != NULL ? i : largest;
    }
    cloudSize* size = &c->sizes[largest];
    wkResult result = openClouds(c->cuda, drawInRoom, largest, &size->room, &size->roomOnGpu);
    double shortest = 0.0, longest = 0.0;
    c->copied = c->sizes[0].room;
    result = result == wk_ok ? wkTimeRuns(runCopy, c, 1, c->def->runSeconds, &shortest) : result;
    c->copied = size->room;
    result = result == wk_ok ? wkTimeRuns(runCopy, c, 1, c->def->runSeconds, &longest) : result;
    c->costs->copy =
        wkLineThrough(wkCenterSizePoints(0), shortest, wkCenterSizePoints(largest), longest);
    return result;
}

wkResult wkCuda_MeasureCosts(wkCuda* cuda, const wkCudaCostsDef* def, wkCudaCosts* costs)
{
    if (costs == NULL) {
        return wkFailCuda(wk_errorArgument, "cuda costs: costs is NULL");
    }
    memset(costs, 0, sizeof *costs);
    if (cuda == NULL) {
        return wkFailCuda(wk_errorArgument, "cuda costs: cuda is NULL");
    }
    wkCudaCostsDef defaults;
    wkResult result = wkTakeCostsDef(&def, &defaults);
    if (result != wk_ok) {
        return result;
    }
    centerCosts c = {.cuda = cuda, .def = def, .costs = costs};
    result = measureSearches(&c);
    result = result == wk_ok ? measureCopies(&c) : result;
    closeClouds(&c);
    if (result != wk_ok) {
        memset(costs, 0, sizeof *costs);
    }
    return result;
}
