// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// cloud/noise/<body>: bounds of the probability that a frame of a depth camera, 307,200 points with a deviation that
// grows with the square of the distance, touches a body, over poses from free to touching. No peer has such a query that
// works. The spheres are checked with the probabilities of all points, one by one; for other bodies the bounds of two
// tolerances must overlap. cloud/noise/classifier: the surface that separates the frame from a cloud of 1,000 points.

#include "bench.h"
#include "measure.h"

#include "../tests/scenes/mesh_models.h"

#include "whisker/cloud_classifier.h"
#include "whisker/cloud_noise.h"

#include <math.h>
#include <stdlib.h>

#define COLUMNS 640
#define ROWS 480
#define POSES 16
#define SPHERE_RADIUS 0.1

typedef struct framePoint {
    float x, y, z, deviation;
} framePoint;

typedef struct noiseCase {
    const wkCloud* cloud;
    wkShape body;
    double tolerance;
    wkNoiseResult found[POSES];
} noiseCase;

// A table with two boxes before a wall: what a camera at the origin sees along z.
static double depthAt(int column, int row)
{
    double x = (column - 0.5 * COLUMNS) / 525.0, y = (row - 0.5 * ROWS) / 525.0;
    double depth = y > 0.0 ? fmin(2.5, 0.6 / (y + 1e-9)) : 2.5;
    bool isBox = fabs(x) < 0.25 && y > -0.1 && y < 0.25;
    return isBox ? fmin(depth, x < 0.0 ? 1.2 : 1.5) : depth;
}

static wkCloud* makeFrame(void)
{
    framePoint* points = malloc(sizeof *points * COLUMNS * ROWS);
    for (int i = 0; points != NULL && i < COLUMNS * ROWS; i++) {
        int column = i % COLUMNS, row = i / COLUMNS;
        double z = depthAt(column, row);
        points[i] = (framePoint){(float)(z * (column - 0.5 * COLUMNS) / 525.0),
                                 (float)(z * (row - 0.5 * ROWS) / 525.0), (float)z,
                                 (float)(0.0015 * z * z)};
    }
    wkCloudDef def = wkDefaultCloudDef();
    def.points.data = points;
    def.points.count = points != NULL ? COLUMNS * ROWS : 0;
    def.points.stride = sizeof(framePoint);
    def.points.deviationOffset = (int32_t)offsetof(framePoint, deviation);
    wkCloud* cloud = NULL;
    if (points == NULL || wkCloud_Create(&def, &cloud) != wk_ok) {
        cloud = NULL;
    }
    free(points);
    return cloud;
}

// From well before the nearer box until the body touches it.
static wkPose poseOf(int index)
{
    return wkMakePose(-0.1 + 0.01 * index, 0.05, 0.85 + 0.02 * index);
}

static void passPoses(void* context)
{
    noiseCase* c = (noiseCase*)context;
    wkShape cloud = wkMakeCloud(c->cloud);
    wkNoiseRequest request = wkDefaultNoiseRequest();
    request.tolerance = c->tolerance;
    request.deviationB = c->body.type == wk_shapeCloud ? 0.002 : 0.0;
    for (int i = 0; i < POSES; i++) {
        c->found[i] =
            wkCollisionProbability(&cloud, wkIdentityPose(), &c->body, poseOf(i), &request);
    }
}

// Probability that a point with deviation 1 is in a sphere, with its centre at that distance.
static double inSphere(double distance, double radius)
{
    double inner = distance - radius, outer = distance + radius;
    double tails = 0.5 * (erfc(inner * sqrt(0.5)) - erfc(outer * sqrt(0.5)));
    double densities = exp(-0.5 * outer * outer) - exp(-0.5 * inner * inner);
    return fmax(0.0, tails + densities / (distance * sqrt(2.0 * acos(-1.0))));
}

static bool isSphereWrong(const noiseCase* c, int index)
{
    const wkNoiseResult* r = &c->found[index];
    wkVec3d center = poseOf(index).position;
    double most = 0.0, sum = 0.0;
    for (int i = 0; i < COLUMNS * ROWS; i++) {
        wkCloudPoint p = wkCloud_Point(c->cloud, i);
        double distance =
            hypot(hypot(p.position.x - center.x, p.position.y - center.y), p.position.z - center.z);
        double probability = inSphere(distance / p.deviation, SPHERE_RADIUS / p.deviation);
        most = fmax(most, probability);
        sum += probability;
    }
    return r->lower > most + 1e-9 || r->upper < fmin(1.0, sum) - 1e-9 ||
           (r->upper < 1.0 && r->upper > sum + 2.0 * c->tolerance);
}

static long countWrong(const noiseCase* c, bool isSphere)
{
    noiseCase other = *c;
    other.tolerance = 1e-9;
    passPoses(&other);
    long wrong = 0;
    for (int i = 0; i < POSES; i++) {
        const wkNoiseResult *a = &c->found[i], *b = &other.found[i];
        bool isWrong = a->status != wk_noiseBounded || a->lower > b->upper || b->lower > a->upper;
        wrong += isWrong || (isSphere && i % 5 == 0 && isSphereWrong(c, i));
    }
    return wrong;
}

static void runBody(wkBench* bench, const char* name, const wkCloud* cloud, wkShape body)
{
    noiseCase c = {.cloud = cloud, .body = body, .tolerance = 1e-4};
    wkBenchSide side = {.pass = passPoses, .context = &c};
    int blockCount = bench->blockCount < 5 ? bench->blockCount : 5;
    wkMeasure(&side, 1, POSES, blockCount);
    wkBenchRow row = {.ours = side.median / 1e3, .unit = "us", .n = POSES};
    snprintf(row.name, sizeof row.name, "%s", name);
    row.spread = wkBlockSpread(&side, blockCount);
    row.wrong = countWrong(&c, body.type == wk_shapeSphere);
    wkBench_Emit(bench, &row);
}

typedef struct classifierCase {
    const wkCloud* frame;
    const wkCloud* grid;
    wkCloudClassifierInfo found;
} classifierCase;

static void passClassifier(void* context)
{
    classifierCase* c = (classifierCase*)context;
    wkCloudClassifierDef def = wkDefaultCloudClassifierDef();
    def.a = c->frame;
    def.b = c->grid;
    def.poseB = wkMakePose(-0.1, 0.05, 1.1);
    def.deviationB = 0.002;
    wkCloudClassifier* classifier = NULL;
    c->found.isConverged = false;
    if (wkCloudClassifier_Create(&def, &classifier) == wk_ok) {
        c->found = wkCloudClassifier_Info(classifier);
    }
    wkCloudClassifier_Destroy(classifier);
}

// Wrong are a solver that did not converge, and a surface that does not separate two clouds that are apart.
static void runClassifier(wkBench* bench, const char* name, const wkCloud* frame,
                          const wkCloud* grid)
{
    classifierCase c = {.frame = frame, .grid = grid};
    wkBenchSide side = {.pass = passClassifier, .context = &c};
    int blockCount = bench->blockCount < 5 ? bench->blockCount : 5;
    wkMeasure(&side, 1, 1, blockCount);
    wkBenchRow row = {.ours = side.median / 1e3, .unit = "us", .n = 1};
    snprintf(row.name, sizeof row.name, "%s", name);
    row.spread = wkBlockSpread(&side, blockCount);
    row.wrong = !c.found.isConverged || c.found.wrongCount != 0;
    wkBench_Emit(bench, &row);
}

static wkMesh* makeKnot(void)
{
    wkModel model = {0};
    wkMesh* mesh = NULL;
    if (wkModel_AddKnot(&model, 0.04, 0.02, 200, 24)) {
        wkMeshDef def = wkModel_MeshDef(&model);
        mesh = wkMesh_Create(&def, &mesh) == wk_ok ? mesh : NULL;
    }
    wkModel_Free(&model);
    return mesh;
}

// Points of a grid in a cube of 12 cm, as a noisy cloud that the hand holds.
static wkCloud* makeGrid(void)
{
    static float points[1000][3];
    for (int i = 0; i < 1000; i++) {
        points[i][0] = 0.012f * (float)(i % 10) - 0.06f;
        points[i][1] = 0.012f * (float)(i / 10 % 10) - 0.06f;
        points[i][2] = 0.012f * (float)(i / 100) - 0.06f;
    }
    wkCloudDef def = wkDefaultCloudDef();
    def.points.data = points;
    def.points.count = 1000;
    def.radius = 0.005;
    wkCloud* cloud = NULL;
    return wkCloud_Create(&def, &cloud) == wk_ok ? cloud : NULL;
}

void wkRunNoiseRows(wkBench* bench)
{
    static const char* const names[] = {"cloud/noise/sphere",  "cloud/noise/box",
                                        "cloud/noise/capsule", "cloud/noise/mesh",
                                        "cloud/noise/cloud",   "cloud/noise/classifier"};
    bool isWanted[6], isAnyWanted = false;
    for (int i = 0; i < 6; i++) {
        isWanted[i] = wkBench_Wants(bench, names[i]);
        isAnyWanted = isAnyWanted || isWanted[i];
    }
    if (!isAnyWanted || bench->isListing) {
        return;
    }
    wkCloud *frame = makeFrame(), *grid = makeGrid();
    wkMesh* knot = makeKnot();
    if (frame != NULL && grid != NULL && knot != NULL) {
        const wkShape bodies[] = {wkMakeSphere(SPHERE_RADIUS), wkMakeBox(0.15, 0.1, 0.2),
                                  wkMakeCapsule(0.05, 0.1), wkMakeMesh(knot), wkMakeCloud(grid)};
        for (int i = 0; i < 5; i++) {
            if (isWanted[i]) {
                runBody(bench, names[i], frame, bodies[i]);
            }
        }
        if (isWanted[5]) {
            runClassifier(bench, names[5], frame, grid);
        }
    }
    wkMesh_Destroy(knot);
    wkCloud_Destroy(grid);
    wkCloud_Destroy(frame);
}
