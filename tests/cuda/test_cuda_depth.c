// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// Distances of depth images from sphere trees on a GPU: those of the points that the CPU makes of them, bit for bit, for
// every lens, number type, pixel stride and size, with and without the points on the robot itself; failures of the GPU at
// every call.

#include "cuda_runtime_api.h"
#include "gpu_trees.h"
#include "math/vec.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define MOST_PIXELS (64 * 48)
#define MOST_BYTES (64 * 1024)
#define OWN_SPHERES 70

// A frame, its bytes, and what the CPU answers.
typedef struct depthCase {
    wkDepthImage image;
    wkPixelRequest request;
    wkSphereTreeRequest spheres;
    _Alignas(8) char bytes[MOST_BYTES];
    size_t byteCount;
    wkResult result;
    wkSphereTreeResult expected[TREES];
    int32_t pointCount;
    wkSphere3d own[OWN_SPHERES];
    wkFilterStep self;
    bool hasSelf;
    int64_t ownCount; // of points that the filter of the CPU removes
} depthCase;

// The last one is for few trees: the emulated GPU takes long.
static const int32_t sizes[][2] = {{1, 1}, {17, 3}, {256, 1}, {257, 1}, {19, 14}, {64, 48}};
#define SIZE_COUNT ((int)(sizeof sizes / sizeof sizes[0]))
#define LARGEST (SIZE_COUNT - 1)

static const struct lensCase {
    wkDistortion distortion;
    double focal; // in widths of the image
    double coefficients[8];
} lenses[] = {
    {wk_distortionNone, 0.9, {0.0}},
    {wk_distortionBrown, 0.9, {0.12, -0.25, 0.001, -0.0005, 0.09}},
    {wk_distortionBrown, 0.5, {-0.4}}, // pixels near the edges have no ray
    {wk_distortionFisheye, 0.4, {0.05, -0.01, 0.002, 0.0}},
};
#define LENS_COUNT ((int)(sizeof lenses / sizeof lenses[0]))

static wkCamera cameraOf(int size, int lens)
{
    wkCamera camera = wkDefaultCamera();
    camera.width = sizes[size][0];
    camera.height = sizes[size][1];
    camera.fx = lenses[lens].focal * (camera.width + 1);
    camera.fy = 1.01 * camera.fx;
    camera.cx = 0.49 * camera.width;
    camera.cy = 0.52 * camera.height;
    camera.distortion = lenses[lens].distortion;
    memcpy(camera.coefficients, lenses[lens].coefficients, sizeof camera.coefficients);
    return camera;
}

// Pixels around the origin, 2 m away; some hold what is no depth.
static void drawPixels(depthCase* d, wkRng* rng, bool isFloat, int32_t gap)
{
    const float hostile[] = {NAN, INFINITY, -INFINITY, -1.0f, 0.0f, 1e-45f, 3e38f};
    const wkCamera* camera = &d->image.camera;
    int32_t pixelBytes = isFloat ? 4 : 2, rowBytes = (camera->width + gap) * pixelBytes;
    d->image.type = isFloat ? wk_depthFloat : wk_depthUint16;
    d->image.scale = isFloat ? 1.0 : 0.001;
    d->image.rowBytes = gap > 0 ? rowBytes : 0;
    d->image.pixels = d->bytes;
    d->byteCount = (size_t)rowBytes * (size_t)camera->height;
    assert_true(d->byteCount <= sizeof d->bytes);
    memset(d->bytes, 0x3c, sizeof d->bytes);
    for (int32_t i = 0; i < camera->width * camera->height; i++) {
        double metres = 1.0 + 1.5 * wkRngUnit(rng);
        bool isHostile = wkRngUnit(rng) < 0.1;
        float number = isHostile ? hostile[i % 7] : (float)metres;
        uint16_t word = (uint16_t)(isHostile ? 0 : 1000.0 * metres);
        char* to = d->bytes + i / camera->width * rowBytes + i % camera->width * pixelBytes;
        memcpy(to, isFloat ? (const void*)&number : (const void*)&word, (size_t)pixelBytes);
    }
}

static void drawFrame(depthCase* d, wkRng* rng, int size, int lens, bool isFloat, int32_t gap)
{
    d->image = wkDefaultDepthImage();
    d->image.camera = cameraOf(size, lens);
    d->image.pose = wkMulPose(randomPose(rng, 0.0), wkMakePose(0.02, -0.03, -1.7));
    d->request = wkDefaultPixelRequest();
    d->spheres = wkDefaultSphereTreeRequest();
    d->hasSelf = false;
    drawPixels(d, rng, isFloat, gap);
}

// Spheres of the robot among the points of a frame: most about a point, some of these with the point exactly on the surface or
// just beyond it, as far as doubles can tell; others anywhere.
static void drawSelf(depthCase* d, wkRng* rng, int32_t count)
{
    static float points[3 * MOST_PIXELS];
    int32_t pointCount = wkDepthImage_Points(&d->image, &d->request, points, NULL, MOST_PIXELS);
    double padding = wkRngUnit(rng) < 0.5 ? 0.0 : 0.03;
    for (int32_t i = 0; i < count; i++) {
        int32_t k = (int32_t)(wkRngUnit(rng) * pointCount);
        wkVec3d near = randomPose(rng, 0.3).position;
        if (pointCount > 0 && i % 8 != 7) {
            near =
                wkVec((double)points[3 * k], (double)points[3 * k + 1], (double)points[3 * k + 2]);
        }
        bool isFar = !(wkMaxAbs(near) < 100.0);
        near = isFar ? wkVec(0.0, 0.0, 1.0) : near;
        // exact where the image is not rotated
        wkVec3d off = i % 3 == 0 ? wkVec(0.0, 0.125, 0.0) : randomPose(rng, 0.2).position;
        wkSphere3d own = {wkTransformPoint(d->image.pose, wkAdd(near, off)),
                          0.01 + 0.1 * wkRngUnit(rng)};
        if (i % 4 != 0) {
            own.radius = wkMaxD(wkLength(off) - padding, 0.0); // give or take a rounding
        }
        if (i % 4 == 2) {
            own.radius = nextafter(own.radius, 0.0);
        }
        d->own[i] = own;
    }
    wkFilterRobot robot = {.spheres = d->own, .sphereCount = count};
    d->self = wkMakeSelfFilter(robot, padding);
    d->hasSelf = true;
}

// Leaves out what the filter of the CPU removes.
static int32_t filterPoints(depthCase* d, float* points, int32_t* pixels, int32_t count)
{
    wkCloudFilter* filter = NULL;
    wkFilterRequest request = wkDefaultFilterRequest();
    wkFilterResult result;
    request.points = wkMakeCloudView(points, count);
    request.pose = d->image.pose;
    request.steps = &d->self;
    request.stepCount = 1;
    assert_int_equal(wkCloudFilter_Create(&filter), wk_ok);
    assert_int_equal(wkCloudFilter_Run(filter, &request, &result), wk_ok);
    for (int32_t i = 0; i < result.keptCount; i++) {
        memmove(&points[3 * i], &points[3 * result.kept[i]], sizeof(float[3]));
        pixels[i] = pixels[result.kept[i]];
    }
    count = result.keptCount;
    d->ownCount = result.steps[0].removedCount;
    wkCloudFilter_Destroy(filter);
    return count;
}

// What the CPU answers, with pixels instead of points.
static void askCpu(const pointsCase* c, depthCase* d)
{
    static float points[3 * MOST_PIXELS];
    static int32_t pixels[MOST_PIXELS];
    d->pointCount = wkDepthImage_Points(&d->image, &d->request, points, pixels, MOST_PIXELS);
    d->ownCount = 0;
    if (d->hasSelf) {
        d->pointCount = filterPoints(d, points, pixels, d->pointCount);
    }
    wkCloudView view = wkMakeCloudView(points, d->pointCount);
    d->result = wkPlacedSphereTree_PointDistances(c->trees, TREES, &view, d->image.pose,
                                                  &d->spheres, d->expected);
    for (int i = 0; i < TREES; i++) {
        wkSphereTreeResult* r = &d->expected[i];
        r->point = r->point >= 0 ? pixels[r->point] : -1;
        r->outerPoint = r->outerPoint >= 0 ? pixels[r->outerPoint] : -1;
    }
}

static wkCudaCameraDef cameraDefOf(const gpuTrees* gpu, const depthCase* d)
{
    wkCudaCameraDef def = wkDefaultCudaCameraDef();
    def.cuda = gpu->cuda;
    def.camera = d->image.camera;
    def.pixels = d->request;
    return def;
}

// Asks the GPU about a frame.
static void compareImage(const pointsCase* c, const gpuTrees* gpu, wkCudaCamera* camera,
                         const depthCase* d, const wkDepthImage* image, wkCudaMemory memory)
{
    wkSphereTreeResult found[TREES];
    int64_t ownCount = -1;
    if (d->hasSelf) {
        assert_int_equal(wkCudaCamera_FilteredDistances(camera, gpu->trees, c->trees, TREES, image,
                                                        memory, &d->self.self, &d->spheres, found,
                                                        &ownCount),
                         d->result);
        assert_int_equal(ownCount, d->result == wk_ok ? d->ownCount : 0);
    } else {
        assert_int_equal(wkCudaCamera_DepthDistances(camera, gpu->trees, c->trees, TREES, image,
                                                     memory, &d->spheres, found),
                         d->result);
    }
    compareTreeResults(found, d->expected);
}

// Asks CPU and GPU, with pixels in both memories, and compares.
static void compareWithCpu(const pointsCase* c, const gpuTrees* gpu, depthCase* d)
{
    wkCudaCameraDef def = cameraDefOf(gpu, d);
    wkCudaCamera* camera = NULL;
    askCpu(c, d);
    assert_int_equal(wkCudaCamera_Create(&def, &camera), wk_ok);
    compareImage(c, gpu, camera, d, &d->image, wk_memoryHost);
    wkDepthImage there = d->image;
    void* memory = copyToGpu(d->bytes, d->byteCount);
    there.pixels = memory;
    compareImage(c, gpu, camera, d, &there, wk_memoryDevice);
    cudaFree(memory);
    wkCudaCamera_Destroy(camera);
}

// Draws options of all kinds, and compares.
static void compareFrame(pointsCase* c, const gpuTrees* gpu, wkRng* rng, int size, int lens)
{
    static depthCase d;
    for (int k = 0; k < TREES; k++) {
        c->trees[k].pose = randomPose(rng, 0.4);
    }
    int kind = (int)(wkRngUnit(rng) * 60.0);
    drawFrame(&d, rng, size, lens, kind % 5 < 3, kind % 3);
    d.request.step = kind % 4 == 1 ? 1 + kind % 7 : 1;
    d.request.minDepth = kind % 5 == 1 ? 1.3 : 0.0;
    d.request.maxDepth = kind % 5 == 2 ? 2.1 : (double)INFINITY;
    d.request.maxJump = kind % 3 == 2 ? 0.2 : (double)INFINITY;
    d.spheres.radius = kind % 4 == 0 ? 0.02 : 0.0;
    d.spheres.maxDistance = kind % 6 == 5 ? 0.2 : (double)INFINITY;
    d.spheres.allowsEmpty = kind % 2 == 0;
    if (kind % 5 == 4) {
        d.image.pose = wkIdentityPose();
    }
    if (kind % 3 != 0) {
        drawSelf(&d, rng, (int32_t)(wkRngUnit(rng) * (OWN_SPHERES + 1)));
    }
    compareWithCpu(c, gpu, &d);
}

static void distances_are_those_of_the_cpu(void** state)
{
    (void)state;
    pointsCase* c = sharedCase();
    wkRng rng = wkMakeRng(wkKitSeed());
    gpuTrees gpu;
    drawCase(c, &rng, 0.4, 0.0);
    for (int k = 5; k < TREES - 1; k++) {
        c->trees[k].tree = NULL;
    }
    openGpuTrees(c, &gpu);
    for (int i = 0; i < wkKitCasesOfKinds(2, 1) * LARGEST * LENS_COUNT; i++) {
        compareFrame(c, &gpu, &rng, i % LARGEST, i / LARGEST % LENS_COUNT);
    }
    closeGpuTrees(&gpu);
    for (int k = 2; k < TREES; k++) {
        c->trees[k].tree = NULL;
    }
    openGpuTrees(c, &gpu);
    for (int lens = 0; lens < LENS_COUNT; lens++) {
        compareFrame(c, &gpu, &rng, LARGEST, lens);
    }
    closeGpuTrees(&gpu);
}

// The ray of a pixel is the same whichever pixels were read before it.
static void points_do_not_depend_on_other_pixels(void** state)
{
    (void)state;
    static depthCase d;
    static float points[3 * MOST_PIXELS], again[3 * MOST_PIXELS];
    static int32_t pixels[MOST_PIXELS];
    wkRng rng = wkMakeRng(wkKitSeed());
    for (int lens = 0; lens < LENS_COUNT; lens++) {
        drawFrame(&d, &rng, LARGEST, lens, false, 0);
        uint16_t all[MOST_PIXELS];
        memcpy(all, d.bytes, sizeof all);
        int32_t count = wkDepthImage_Points(&d.image, NULL, points, pixels, MOST_PIXELS);
        assert_true(count > MOST_PIXELS / 8);
        for (int32_t i = 0; i < count; i += 7) {
            memset(d.bytes, 0, sizeof all);
            memcpy(d.bytes + 2 * pixels[i], &all[pixels[i]], sizeof all[0]);
            assert_int_equal(wkDepthImage_Points(&d.image, NULL, again, NULL, MOST_PIXELS), 1);
            assert_memory_equal(again, points + 3 * i, sizeof(float[3]));
        }
    }
}

// Images without a depth, and trees that are not there.
static void nothing_is_refused_unless_allowed(void** state)
{
    (void)state;
    static depthCase d;
    pointsCase* c = sharedCase();
    wkRng rng = wkMakeRng(wkKitSeed());
    gpuTrees gpu;
    drawCase(c, &rng, 0.4, 0.0);
    c->trees[3].tree = c->trees[10].tree = NULL;
    openGpuTrees(c, &gpu);
    for (int i = 0; i < 4; i++) {
        drawFrame(&d, &rng, i, i, i % 2 == 0, 0);
        for (size_t k = 0; k + 4 <= d.byteCount && i % 2 == 0; k += 4) {
            memcpy(d.bytes + k, &(float){k % 8 == 0 ? NAN : -INFINITY}, sizeof(float));
        }
        if (i % 2 != 0) {
            memset(d.bytes, 0, d.byteCount);
        }
        d.spheres.allowsEmpty = false;
        compareWithCpu(c, &gpu, &d);
        assert_int_equal(d.result, wk_errorArgument);
        assert_non_null(strstr(wkGetLastError(), "allowsEmpty"));
        d.spheres.allowsEmpty = true;
        compareWithCpu(c, &gpu, &d);
        assert_int_equal(d.result, wk_ok);
        assert_int_equal(d.pointCount, 0);
    }
    closeGpuTrees(&gpu);
}

// A robot around all points: its image is as empty as that of a covered lens.
static void images_of_the_robot_alone_are_refused(void** state)
{
    (void)state;
    static depthCase d;
    wkRng rng = wkMakeRng(wkKitSeed());
    gpuTrees gpu;
    pointsCase* c = drawOnGpu(&rng, 0.4, 0.0, &gpu);
    drawFrame(&d, &rng, 1, 1, false, 0);
    drawSelf(&d, &rng, 1);
    d.own[0].radius = 1000.0;
    compareWithCpu(c, &gpu, &d);
    assert_int_equal(d.result, wk_errorArgument);
    assert_int_equal(d.pointCount, 0);
    d.spheres.allowsEmpty = true;
    compareWithCpu(c, &gpu, &d);
    assert_int_equal(d.result, wk_ok);
    assert_true(d.ownCount > 0);
    d.own[0].center.z = NAN; // refused before anything is sent
    wkCudaCameraDef def = cameraDefOf(&gpu, &d);
    wkCudaCamera* camera = NULL;
    wkSphereTreeResult found[TREES];
    assert_int_equal(wkCudaCamera_Create(&def, &camera), wk_ok);
    assert_int_equal(wkCudaCamera_FilteredDistances(camera, gpu.trees, c->trees, TREES, &d.image,
                                                    wk_memoryHost, &d.self.self, NULL, found, NULL),
                     wk_errorNotFinite);
    d.own[0].center.z = 0.0;
    d.spheres.allowsEmpty = false;
    assert_int_equal(wkCudaCamera_FilteredDistances(camera, gpu.trees, c->trees, TREES, &d.image,
                                                    wk_memoryHost, &d.self.self, NULL, found, NULL),
                     wk_errorArgument);
    assert_non_null(strstr(wkGetLastError(), "on the robot itself"));
    wkCudaCamera_Destroy(camera);
    closeGpuTrees(&gpu);
}

// Results of a call that was refused say nothing.
static void checkForgotten(const wkSphereTreeResult* found, int32_t count)
{
    for (int i = 0; i < count; i++) {
        assert_int_equal(found[i].verdict, wk_sphereUndecided);
        assert_true(found[i].lower == 0.0 && found[i].point == -1);
    }
}

static void expectNoSelf(const pointsCase* c, const gpuTrees* gpu, wkCudaCamera* camera,
                         const depthCase* d, const wkSelfFilter* self, wkResult expected,
                         const char* words)
{
    wkSphereTreeResult found[TREES];
    int64_t ownCount = -1;
    memset(found, 0x55, sizeof found);
    assert_int_equal(wkCudaCamera_FilteredDistances(camera, gpu->trees, c->trees, TREES, &d->image,
                                                    wk_memoryHost, self, NULL, found, &ownCount),
                     expected);
    assert_non_null(strstr(wkGetLastError(), words));
    assert_int_equal(ownCount, 0);
    checkForgotten(found, TREES);
}

static void bad_robots_are_refused(void** state)
{
    (void)state;
    static depthCase d;
    wkRng rng = wkMakeRng(wkKitSeed());
    gpuTrees gpu;
    pointsCase* c = drawOnGpu(&rng, 0.1, 0.3, &gpu);
    drawFrame(&d, &rng, 1, 1, false, 0);
    drawSelf(&d, &rng, 5);
    wkCudaCameraDef def = cameraDefOf(&gpu, &d);
    wkCudaCamera* camera = NULL;
    def.ownCapacity = 4;
    assert_int_equal(wkCudaCamera_Create(&def, &camera), wk_ok);
    wkSelfFilter self = d.self.self;
    expectNoSelf(c, &gpu, camera, &d, &self, wk_errorRange, "ownCapacity is 4");
    self.robot.sphereCount = -1;
    expectNoSelf(c, &gpu, camera, &d, &self, wk_errorArgument, "sphereCount");
    self.robot.sphereCount = 4;
    self.padding = -0.01;
    expectNoSelf(c, &gpu, camera, &d, &self, wk_errorRange, "padding");
    self.padding = NAN;
    expectNoSelf(c, &gpu, camera, &d, &self, wk_errorNotFinite, "padding");
    self.padding = 0.0;
    self.ownRule = wk_selfMark;
    expectNoSelf(c, &gpu, camera, &d, &self, wk_errorUnsupported, "ownRule");
    self.ownRule = wk_selfRemove;
    self.shadowRule = wk_selfRemove;
    expectNoSelf(c, &gpu, camera, &d, &self, wk_errorUnsupported, "shadowRule");
    self.shadowRule = wk_selfKeep;
    wkShape shape = wkMakeSphere(0.1);
    wkFilterBody body = {&shape, wkIdentityPose()};
    self.robot.bodies = &body;
    self.robot.bodyCount = 1;
    expectNoSelf(c, &gpu, camera, &d, &self, wk_errorUnsupported, "bodies");
    wkCudaCamera_Destroy(camera);
    def.ownCapacity = -1;
    assert_int_equal(wkCudaCamera_Create(&def, &camera), wk_errorRange);
    assert_non_null(strstr(wkGetLastError(), "ownCapacity"));
    closeGpuTrees(&gpu);
}

typedef struct frameCall {
    wkCudaCamera* camera;
    wkCudaTrees* trees;
    int32_t placedCount;
    const wkDepthImage* image;
    wkCudaMemory memory;
} frameCall;

static void expectRefused(const pointsCase* c, frameCall call, wkResult expected, const char* words)
{
    wkSphereTreeResult found[TREES];
    memset(found, 0x55, sizeof found);
    assert_int_equal(wkCudaCamera_DepthDistances(call.camera, call.trees, c->trees,
                                                 call.placedCount, call.image, call.memory, NULL,
                                                 found),
                     expected);
    assert_non_null(strstr(wkGetLastError(), words));
    checkForgotten(found, call.placedCount);
}

static void bad_input_is_refused(void** state)
{
    (void)state;
    static depthCase d;
    wkRng rng = wkMakeRng(wkKitSeed());
    gpuTrees gpu;
    pointsCase* c = drawOnGpu(&rng, 0.1, 0.3, &gpu);
    drawFrame(&d, &rng, 1, 1, false, 0);
    wkCudaCameraDef def = cameraDefOf(&gpu, &d);
    wkCudaCamera* camera = NULL;
    assert_int_equal(wkCudaCamera_Create(&def, &camera), wk_ok);
    const frameCall good = {camera, gpu.trees, TREES, &d.image, wk_memoryHost};

    frameCall call = good;
    call.camera = NULL;
    expectRefused(c, call, wk_errorArgument, "NULL");
    call = good;
    call.trees = NULL;
    expectRefused(c, call, wk_errorArgument, "NULL");
    call = good;
    call.image = NULL;
    expectRefused(c, call, wk_errorArgument, "NULL");
    call = good;
    call.memory = (wkCudaMemory)5;
    expectRefused(c, call, wk_errorArgument, "memory is 5");
    call = good;
    call.placedCount = TREES - 1;
    expectRefused(c, call, wk_errorArgument, "placedCount is 10");

    // another camera, an image that is not valid
    wkDepthImage image = d.image;
    call = good;
    call.image = &image;
    image.camera.height += 1;
    expectRefused(c, call, wk_errorArgument, "height of the image");
    image = d.image;
    image.camera.coefficients[3] = 0.25;
    expectRefused(c, call, wk_errorArgument, "coefficients of the image");
    image = d.image;
    image.pixels = NULL;
    expectRefused(c, call, wk_errorArgument, "pixels are NULL");
    image = d.image;
    image.pose.position.y = NAN;
    expectRefused(c, call, wk_errorNotFinite, "pose");
    image = d.image;
    image.pose.position.y = 1e20;
    expectRefused(c, call, wk_errorNotFinite, "pose of the points");

    // bodies decide on the CPU, which has no points
    c->trees[2].bodies = &c->bodies[0];
    c->trees[2].bodyCount = 1;
    expectRefused(c, good, wk_errorUnsupported, "bodies");
    c->trees[2].bodies = NULL;
    c->trees[2].bodyCount = 0;
    wkCudaCamera_Destroy(camera);
    closeGpuTrees(&gpu);
}

static void expectNoCamera(const wkCudaCameraDef* def, wkResult expected, const char* words)
{
    wkCudaCamera* camera = (wkCudaCamera*)&camera;
    assert_int_equal(wkCudaCamera_Create(def, &camera), expected);
    assert_non_null(strstr(wkGetLastError(), words));
    assert_null(camera);
}

static void bad_definitions_are_refused(void** state)
{
    (void)state;
    wkCudaDef cudaDef = wkDefaultCudaDef();
    wkCuda* cuda = NULL;
    assert_int_equal(wkCuda_Create(&cudaDef, &cuda), wk_ok);
    wkCudaCameraDef good = wkDefaultCudaCameraDef(), def = good;
    good.cuda = cuda;
    assert_int_equal(wkCudaCamera_Create(&good, NULL), wk_errorArgument);
    expectNoCamera(NULL, wk_errorArgument, "wkCudaCameraDef");
    expectNoCamera(&def, wk_errorArgument, "cuda is NULL");
    def = good;
    def.camera.fx = 0.0;
    expectNoCamera(&def, wk_errorRange, "fx");
    def = good;
    def.camera.cookie = 0;
    expectNoCamera(&def, wk_errorArgument, "wkCamera");
    def = good;
    def.pixels.step = 0;
    expectNoCamera(&def, wk_errorRange, "step");
    def = good;
    def.pixels.minDepth = NAN;
    expectNoCamera(&def, wk_errorRange, "depths");
    def = good;
    def.pixels.cookie = 0;
    expectNoCamera(&def, wk_errorArgument, "wkPixelRequest");
    if (emulatedIsUsed()) {
        def = good;
        emulatedSetMemory((size_t)1 << 20);
        expectNoCamera(&def, wk_errorMemory, "bytes on the GPU");
        emulatedSetMemory((size_t)1 << 30);
    }
    wkCudaCamera_Destroy(NULL);
    wkCuda_Destroy(cuda);
    assert_int_equal(emulatedByteCount(), 0);
}

// Creates trees and a camera and asks them; every failure leaves everything undecided.
static wkResult runStory(void* context)
{
    const pointsCase* c = sharedCase();
    const depthCase* d = (const depthCase*)context;
    wkSphereTreeResult found[TREES];
    wkCudaCamera* camera = NULL;
    gpuTrees gpu;
    wkResult result = tryGpuTrees(c, &gpu);
    if (result == wk_ok) {
        wkCudaCameraDef def = cameraDefOf(&gpu, d);
        result = wkCudaCamera_Create(&def, &camera);
    }
    if (result == wk_ok) {
        result = wkCudaCamera_FilteredDistances(camera, gpu.trees, c->trees, TREES, &d->image,
                                                wk_memoryHost, d->hasSelf ? &d->self.self : NULL,
                                                &d->spheres, found, NULL);
        if (result == wk_ok) {
            compareTreeResults(found, d->expected);
        }
        for (int i = 0; i < TREES && result != wk_ok; i++) {
            assert_int_equal(found[i].verdict, wk_sphereUndecided);
        }
    }
    wkCudaCamera_Destroy(camera);
    closeGpuTrees(&gpu);
    return result;
}

static void any_call_may_fail(void** state)
{
    (void)state;
    static depthCase d;
    pointsCase* c = sharedCase();
    wkRng rng = wkMakeRng(wkKitSeed());
    drawCase(c, &rng, 0.2, 0.3);
    for (int32_t gap = 0; gap < 2; gap++) {
        drawFrame(&d, &rng, 1, 1, true, gap);
        if (gap > 0) {
            drawSelf(&d, &rng, 3);
        }
        askCpu(c, &d);
        assert_int_equal(d.result, wk_ok);
        failEverywhere(runStory, &d);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(distances_are_those_of_the_cpu),
        cmocka_unit_test(points_do_not_depend_on_other_pixels),
        cmocka_unit_test(nothing_is_refused_unless_allowed),
        cmocka_unit_test(images_of_the_robot_alone_are_refused),
        cmocka_unit_test(bad_robots_are_refused),
        cmocka_unit_test(bad_input_is_refused),
        cmocka_unit_test(bad_definitions_are_refused),
        cmocka_unit_test(any_call_may_fail),
    };
    return cmocka_run_group_tests_name("cuda_depth", tests, openCase, closeCase);
}
