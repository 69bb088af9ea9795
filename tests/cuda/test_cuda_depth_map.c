// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// Verdicts of depth maps on a GPU: those of the CPU for every set, for every lens, number type, size and mask, with spheres
// of all kinds in both memories; failures of the GPU at every call.

#include "../sense/depth_kit.h"
#include "cuda_runtime_api.h"
#include "failing_gpu.h"
#include "whisker/cuda.h"

#include <string.h>

#define MOST_SPHERES 8192
#define MOST_SETS 512
#define MASK_SPHERES 5

// An image, what the CPU makes of it, and sets of spheres.
typedef struct mapCase {
    wkTestImage room;
    wkDepthImage image; // the same pixels, in any layout
    void* bytes;
    size_t byteCount;
    wkDepthMapDef def;
    wkDepthMask mask;
    wkSphere3d own[MASK_SPHERES];
    wkDepthMap* map;
    wkCuda* cuda;
    wkCudaDepthMap* onGpu;
    _Alignas(16) float spheres[MOST_SPHERES][4];
    wkDepthVerdict ofSpheres[MOST_SPHERES];
} mapCase;

static const int32_t sizes[][2] = {{1, 1},   {2, 9},   {17, 3},  {64, 64},
                                   {65, 48}, {33, 90}, {97, 70}, {129, 65}};
#define SIZE_COUNT ((int)(sizeof sizes / sizeof sizes[0]))

static const struct lensCase {
    wkDistortion distortion;
    double coefficients[8];
} lenses[] = {
    {wk_distortionNone, {0.0}},
    {wk_distortionBrown, {0.12, -0.25, 0.001, -0.0005, 0.09}},
    {wk_distortionNone, {0.0}},
    {wk_distortionFisheye, {0.05, -0.01, 0.002, 0.0}},
};
#define LENS_COUNT ((int)(sizeof lenses / sizeof lenses[0]))

// Writes the pixels as integers or floats, with a gap between rows.
static void writePixels(mapCase* m, bool isFloat, int32_t gap)
{
    const wkCamera* c = &m->image.camera;
    int32_t pixelBytes = isFloat ? 4 : 2, rowBytes = (c->width + gap) * pixelBytes;
    m->byteCount = (size_t)rowBytes * (size_t)c->height;
    m->bytes = malloc(m->byteCount);
    assert_non_null(m->bytes);
    memset(m->bytes, 0x3c, m->byteCount);
    m->image.type = isFloat ? wk_depthFloat : wk_depthUint16;
    m->image.scale = isFloat ? 1.0 : 0.001;
    m->image.rowBytes = gap > 0 ? rowBytes : 0;
    m->image.pixels = m->bytes;
    for (int32_t i = 0; i < c->width * c->height; i++) {
        float depth = m->room.depths[i];
        uint16_t word = (uint16_t)(depth > 0.0f ? 1000.0f * depth : 0.0f);
        char* to = (char*)m->bytes + i / c->width * rowBytes + i % c->width * pixelBytes;
        memcpy(to, isFloat ? (const void*)&depth : (const void*)&word, (size_t)pixelBytes);
    }
}

static void drawMask(mapCase* m, wkRng* rng, int32_t count)
{
    m->mask = (wkDepthMask){.spheres = m->own, .count = count, .padding = 0.01};
    m->mask.rule = wkRngChance(rng, 2) ? wk_maskShadow : wk_maskRemove;
    for (int32_t i = 0; i < count; i++) {
        wkSphere3d sphere = wkTestSphere(rng, &m->image.camera);
        sphere.radius = wkRngRange(rng, 0.0, 0.6);
        m->own[i] = wkSphereInWorld(m->image.pose, sphere);
    }
}

static void openCuda(wkCuda** cuda)
{
    wkCudaDef def = wkDefaultCudaDef();
    assert_int_equal(wkCuda_Create(&def, cuda), wk_ok);
}

// Draws a frame of all kinds and updates the map of the CPU.
static void drawFrame(mapCase* m, wkRng* rng, int size, int lens)
{
    m->room = wkMakeTestImage(rng, sizes[size][0], sizes[size][1]);
    m->image = m->room.image;
    m->image.camera.distortion = lenses[lens].distortion;
    memcpy(m->image.camera.coefficients, lenses[lens].coefficients,
           sizeof lenses[lens].coefficients);
    writePixels(m, wkRngChance(rng, 2), wkRngBelow(rng, 3));
    m->def = wkTestTrust(rng);
    drawMask(m, rng, wkRngChance(rng, 2) ? 0 : MASK_SPHERES);
    assert_int_equal(wkDepthMap_Create(sizes[size][0], sizes[size][1], &m->map), wk_ok);
    assert_int_equal(wkDepthMap_Update(m->map, &m->image, &m->def, &m->mask), wk_ok);
}

static void dropFrame(mapCase* m)
{
    wkDepthMap_Destroy(m->map);
    free(m->room.depths);
    free(m->bytes);
}

static wkCudaDepthMapDef mapDefOf(const mapCase* m)
{
    wkCudaDepthMapDef def = wkDefaultCudaDepthMapDef();
    def.cuda = m->cuda;
    def.camera = m->image.camera;
    def.maskCapacity = MASK_SPHERES;
    def.sphereBytes = (size_t)1 << 20;
    return def;
}

// Draws spheres of all kinds, with the verdicts of the CPU. Some hold what is no sphere.
static void drawSpheres(mapCase* m, wkRng* rng, int32_t count, bool isTame)
{
    const float hostile[] = {NAN, INFINITY, -INFINITY, -1.0f, 1e31f, -3e38f, 1e-45f};
    wkCamera camera = wkDepthMap_Info(m->map).camera;
    assert_true(count <= MOST_SPHERES);
    for (int32_t i = 0; i < count; i++) {
        wkSphere3d sphere = wkTestSphere(rng, &camera);
        sphere.radius *= isTame ? 0.1 : 1.0;
        sphere = wkSphereInWorld(m->image.pose, sphere);
        float* s = m->spheres[i];
        s[0] = (float)sphere.center.x;
        s[1] = (float)sphere.center.y;
        s[2] = (float)sphere.center.z;
        s[3] = (float)sphere.radius;
        if (!isTame && wkRngChance(rng, 40)) {
            s[wkRngBelow(rng, 4)] = hostile[wkRngBelow(rng, 7)];
        }
        const wkDepthMap* maps[1] = {m->map};
        wkSphere3d exact = {{(double)s[0], (double)s[1], (double)s[2]}, (double)s[3]};
        wkDepthMap_CheckSpheres(maps, 1, &exact, 1, wk_depthByPyramid, &m->ofSpheres[i]);
    }
}

// The verdict of a set by its definition.
static wkDepthVerdict verdictOf(const mapCase* m, int32_t first, int32_t count,
                                wkDepthVerdict stopAt)
{
    wkDepthVerdict worst = wk_depthFree;
    for (int32_t i = first; i < first + count && worst < stopAt; i++) {
        worst = m->ofSpheres[i] > worst ? m->ofSpheres[i] : worst;
    }
    return worst;
}

static void compareVerdicts(const mapCase* m, int32_t sphereCount, int32_t setCount,
                            wkDepthVerdict stopAt, const uint8_t* verdicts)
{
    for (int32_t i = 0; i < setCount; i++) {
        assert_int_equal(verdicts[i], verdictOf(m, i * sphereCount, sphereCount, stopAt));
    }
}

// Checks the same spheres in both memories.
static void compareSets(mapCase* m, int32_t sphereCount, int32_t setCount)
{
    uint8_t verdicts[MOST_SETS];
    size_t bytes = (size_t)sphereCount * (size_t)setCount * sizeof m->spheres[0];
    void* there = NULL;
    assert_int_equal(cudaMalloc(&there, bytes), cudaSuccess);
    assert_int_equal(cudaMemcpyAsync(there, m->spheres, bytes, cudaMemcpyHostToDevice, 0),
                     cudaSuccess);
    assert_int_equal(cudaStreamSynchronize(0), cudaSuccess);
    for (int stopAt = wk_depthUnobserved; stopAt <= wk_depthHit; stopAt++) {
        memset(verdicts, 0x55, sizeof verdicts);
        assert_int_equal(wkCudaDepthMap_CheckSets(m->onGpu, m->spheres[0], wk_memoryHost,
                                                  sphereCount, setCount, (wkDepthVerdict)stopAt,
                                                  verdicts),
                         wk_ok);
        compareVerdicts(m, sphereCount, setCount, (wkDepthVerdict)stopAt, verdicts);
        memset(verdicts, 0x55, sizeof verdicts);
        assert_int_equal(wkCudaDepthMap_CheckSets(m->onGpu, (const float*)there, wk_memoryDevice,
                                                  sphereCount, setCount, (wkDepthVerdict)stopAt,
                                                  verdicts),
                         wk_ok);
        compareVerdicts(m, sphereCount, setCount, (wkDepthVerdict)stopAt, verdicts);
    }
    cudaFree(there);
}

// Around the borders of warps and of tiles of sets.
static const int32_t sphereCounts[] = {1, 2, 5, 31, 32, 33, 70};
#define COUNT_COUNT ((int)(sizeof sphereCounts / sizeof sphereCounts[0]))

static void compareFrame(mapCase* m, wkRng* rng, int size, int lens)
{
    drawFrame(m, rng, size, lens);
    wkCudaDepthMapDef def = mapDefOf(m);
    assert_int_equal(wkCudaDepthMap_Create(&def, &m->onGpu), wk_ok);
    wkDepthImage image = m->image;
    void* there = NULL;
    bool isThere = wkRngChance(rng, 2);
    if (isThere) {
        assert_int_equal(cudaMalloc(&there, m->byteCount), cudaSuccess);
        cudaMemcpyAsync(there, m->bytes, m->byteCount, cudaMemcpyHostToDevice, 0);
        assert_int_equal(cudaStreamSynchronize(0), cudaSuccess);
        image.pixels = there;
    }
    assert_int_equal(wkCudaDepthMap_Update(m->onGpu, &image,
                                           isThere ? wk_memoryDevice : wk_memoryHost, &m->def,
                                           &m->mask),
                     wk_ok);
    cudaFree(there);
    int32_t sphereCount = sphereCounts[wkRngBelow(rng, COUNT_COUNT)];
    int32_t setCount = 1 + wkRngBelow(rng, sphereCount < 5 ? 100 : 20);
    drawSpheres(m, rng, sphereCount * setCount, sphereCount > 5 && wkRngChance(rng, 2));
    compareSets(m, sphereCount, setCount);
    wkCudaDepthMap_Destroy(m->onGpu);
    dropFrame(m);
}

static void verdicts_are_those_of_the_cpu(void** state)
{
    (void)state;
    static mapCase m;
    wkRng rng = wkMakeRng(wkKitSeed());
    openCuda(&m.cuda);
    for (int i = 0; i < wkKitCasesOfKinds(4, 1) * SIZE_COUNT * LENS_COUNT; i++) {
        compareFrame(&m, &rng, i % SIZE_COUNT, i / SIZE_COUNT % LENS_COUNT);
    }
    wkCuda_Destroy(m.cuda);
    assert_int_equal(emulatedByteCount(), 0);
}

// A map without noise in front of a wall, whose spheres are free.
static void openWall(mapCase* m, wkRng* rng)
{
    drawFrame(m, rng, 3, 0);
    for (int32_t i = 0; i < 64 * 64; i++) {
        m->room.depths[i] = 2.0f;
    }
    free(m->bytes);
    writePixels(m, true, 0);
    m->def = wkDefaultDepthMapDef();
    m->mask.count = 0;
    m->image.pose = wkIdentityPose();
    openCuda(&m->cuda);
    wkCudaDepthMapDef def = mapDefOf(m);
    assert_int_equal(wkCudaDepthMap_Create(&def, &m->onGpu), wk_ok);
    assert_int_equal(wkDepthMap_Update(m->map, &m->image, &m->def, NULL), wk_ok);
    assert_int_equal(wkCudaDepthMap_Update(m->onGpu, &m->image, wk_memoryHost, NULL, NULL), wk_ok);
}

static void closeWall(mapCase* m)
{
    wkCudaDepthMap_Destroy(m->onGpu);
    wkCuda_Destroy(m->cuda);
    dropFrame(m);
    assert_int_equal(emulatedByteCount(), 0);
}

// More sets than the memory of the GPU takes at once, of spheres and of verdicts.
static void sets_of_any_number_are_checked(void** state)
{
    (void)state;
    static mapCase m;
    wkRng rng = wkMakeRng(wkKitSeed());
    openWall(&m, &rng);
    int64_t count = ((int64_t)1 << 20) + 77;
    float(*spheres)[4] = malloc((size_t)count * sizeof *spheres);
    uint8_t* verdicts = malloc((size_t)count);
    assert_true(spheres != NULL && verdicts != NULL);
    for (int64_t i = 0; i < count; i++) {
        float depth = i % 65537 == 0 ? 2.0f : 1.0f;
        memcpy(spheres[i], (float[4]){0.0f, 0.0f, depth, 0.01f}, sizeof *spheres);
    }
    assert_int_equal(wkCudaDepthMap_CheckSets(m.onGpu, spheres[0], wk_memoryHost, 1, count,
                                              wk_depthHit, verdicts),
                     wk_ok);
    for (int64_t i = 0; i < count; i++) {
        assert_int_equal(verdicts[i], i % 65537 == 0 ? wk_depthHit : wk_depthFree);
    }
    // sets that fill a slot each
    int32_t large = (1 << 20) / 4 / 16;
    spheres[5 * large - 1][2] = -1.0f;
    assert_int_equal(wkCudaDepthMap_CheckSets(m.onGpu, spheres[0], wk_memoryHost, large, 6,
                                              wk_depthUnobserved, verdicts),
                     wk_ok);
    for (int64_t i = 0; i < 6; i++) {
        // spheres at a multiple of 65537 hit
        wkDepthVerdict expected = i % 4 == 0 && i < 5 ? wk_depthHit : wk_depthFree;
        assert_int_equal(verdicts[i], expected);
    }
    free(spheres);
    free(verdicts);
    closeWall(&m);
}

static void no_image_and_no_sphere_are_never_free(void** state)
{
    (void)state;
    static mapCase m;
    wkRng rng = wkMakeRng(wkKitSeed());
    openWall(&m, &rng);
    uint8_t verdicts[3] = {1, 1, 1};
    const float sphere[4] = {0.0f, 0.0f, 1.0f, 0.01f};
    assert_int_equal(
        wkCudaDepthMap_CheckSets(m.onGpu, NULL, wk_memoryHost, 0, 3, wk_depthHit, verdicts), wk_ok);
    assert_true(verdicts[0] == 0 && verdicts[1] == 0 && verdicts[2] == 0);
    assert_int_equal(
        wkCudaDepthMap_CheckSets(m.onGpu, NULL, wk_memoryHost, 5, 0, wk_depthHit, NULL), wk_ok);
    assert_int_equal(
        wkCudaDepthMap_CheckSets(m.onGpu, sphere, wk_memoryHost, 1, 1, wk_depthHit, verdicts),
        wk_ok);
    assert_int_equal(verdicts[0], wk_depthFree);

    // a map that has taken in no image
    wkCudaDepthMapDef def = mapDefOf(&m);
    wkCudaDepthMap* empty = NULL;
    assert_int_equal(wkCudaDepthMap_Create(&def, &empty), wk_ok);
    assert_int_equal(
        wkCudaDepthMap_CheckSets(empty, sphere, wk_memoryHost, 1, 1, wk_depthHit, verdicts), wk_ok);
    assert_int_equal(verdicts[0], wk_depthUnobserved);
    wkCudaDepthMap_Destroy(empty);

    // an image that is refused changes nothing; one without a depth does
    m.image.camera.fx += 1.0;
    assert_int_equal(wkCudaDepthMap_Update(m.onGpu, &m.image, wk_memoryHost, NULL, NULL),
                     wk_errorArgument);
    m.image.camera.fx -= 1.0;
    assert_int_equal(
        wkCudaDepthMap_CheckSets(m.onGpu, sphere, wk_memoryHost, 1, 1, wk_depthHit, verdicts),
        wk_ok);
    assert_int_equal(verdicts[0], wk_depthFree);
    memset(m.bytes, 0, m.byteCount);
    assert_int_equal(wkCudaDepthMap_Update(m.onGpu, &m.image, wk_memoryHost, NULL, NULL), wk_ok);
    assert_int_equal(
        wkCudaDepthMap_CheckSets(m.onGpu, sphere, wk_memoryHost, 1, 1, wk_depthHit, verdicts),
        wk_ok);
    assert_int_equal(verdicts[0], wk_depthUnobserved);
    closeWall(&m);
}

// Maps of one GPU do not share anything that changes.
static void maps_are_independent(void** state)
{
    (void)state;
    static mapCase m;
    wkRng rng = wkMakeRng(wkKitSeed());
    openWall(&m, &rng);
    wkCudaDepthMapDef def = mapDefOf(&m);
    wkCudaDepthMap* other = NULL;
    assert_int_equal(wkCudaDepthMap_Create(&def, &other), wk_ok);
    for (int32_t i = 0; i < 64 * 64; i++) {
        memcpy((char*)m.bytes + 4 * i, &(float){1.0f}, sizeof(float));
    }
    assert_int_equal(wkCudaDepthMap_Update(other, &m.image, wk_memoryHost, NULL, NULL), wk_ok);
    const float sphere[4] = {0.0f, 0.0f, 1.0f, 0.01f};
    for (int i = 0; i < 2; i++) {
        uint8_t verdict = 0;
        assert_int_equal(
            wkCudaDepthMap_CheckSets(m.onGpu, sphere, wk_memoryHost, 1, 1, wk_depthHit, &verdict),
            wk_ok);
        assert_int_equal(verdict, wk_depthFree);
        assert_int_equal(
            wkCudaDepthMap_CheckSets(other, sphere, wk_memoryHost, 1, 1, wk_depthHit, &verdict),
            wk_ok);
        assert_int_equal(verdict, wk_depthHit);
    }
    wkCudaDepthMap_Destroy(other);
    closeWall(&m);
}

static void expectSetsRefused(wkCudaDepthMap* map, const float* spheres, wkCudaMemory memory,
                              int32_t sphereCount, wkDepthVerdict stopAt, wkResult expected,
                              const char* words)
{
    uint8_t verdicts[2] = {1, 1};
    assert_int_equal(
        wkCudaDepthMap_CheckSets(map, spheres, memory, sphereCount, 2, stopAt, verdicts), expected);
    assert_non_null(strstr(wkGetLastError(), words));
    assert_true(verdicts[0] == wk_depthUnchecked && verdicts[1] == wk_depthUnchecked);
}

static void bad_sets_are_refused(void** state)
{
    (void)state;
    static mapCase m;
    wkRng rng = wkMakeRng(wkKitSeed());
    openWall(&m, &rng);
    const float* s = m.spheres[0];
    const wkDepthVerdict hit = wk_depthHit;
    expectSetsRefused(NULL, s, wk_memoryHost, 1, hit, wk_errorArgument, "map is NULL");
    expectSetsRefused(m.onGpu, NULL, wk_memoryHost, 1, hit, wk_errorArgument, "spheres are NULL");
    expectSetsRefused(m.onGpu, s, (wkCudaMemory)2, 1, hit, wk_errorArgument, "memory is 2");
    expectSetsRefused(m.onGpu, s, wk_memoryHost, -1, hit, wk_errorRange, "sphereCount");
    expectSetsRefused(m.onGpu, s, wk_memoryHost, (1 << 20) + 1, hit, wk_errorRange, "sphereCount");
    expectSetsRefused(m.onGpu, s, wk_memoryHost, 16385, hit, wk_errorRange, "sphereBytes");
    expectSetsRefused(m.onGpu, s, wk_memoryHost, 1, wk_depthFree, wk_errorArgument, "stopAt is 1");
    expectSetsRefused(m.onGpu, s, wk_memoryHost, 1, (wkDepthVerdict)5, wk_errorArgument,
                      "stopAt is 5");
    expectSetsRefused(m.onGpu, s + 1, wk_memoryDevice, 1, hit, wk_errorArgument, "aligned");
    assert_int_equal(wkCudaDepthMap_CheckSets(m.onGpu, s, wk_memoryHost, 1, 1, hit, NULL),
                     wk_errorArgument);
    assert_non_null(strstr(wkGetLastError(), "verdicts are NULL"));
    uint8_t verdict = 7;
    assert_int_equal(wkCudaDepthMap_CheckSets(m.onGpu, s, wk_memoryHost, 1, -1, hit, &verdict),
                     wk_errorRange);
    assert_int_equal(verdict, 7);
    closeWall(&m);
}

static void expectUpdateRefused(wkCudaDepthMap* map, const wkDepthImage* image,
                                const wkDepthMapDef* def, const wkDepthMask* mask,
                                wkResult expected, const char* words)
{
    assert_int_equal(wkCudaDepthMap_Update(map, image, wk_memoryHost, def, mask), expected);
    assert_non_null(strstr(wkGetLastError(), words));
}

static void bad_images_are_refused(void** state)
{
    (void)state;
    static mapCase m;
    wkRng rng = wkMakeRng(wkKitSeed());
    openWall(&m, &rng);
    expectUpdateRefused(NULL, &m.image, NULL, NULL, wk_errorArgument, "map is NULL");
    expectUpdateRefused(m.onGpu, NULL, NULL, NULL, wk_errorArgument, "NULL");
    wkDepthImage image = m.image;
    image.camera.width -= 1;
    expectUpdateRefused(m.onGpu, &image, NULL, NULL, wk_errorArgument, "width of the image");
    image = m.image;
    image.pose.position.x = NAN;
    expectUpdateRefused(m.onGpu, &image, NULL, NULL, wk_errorNotFinite, "pose");
    wkDepthMapDef def = wkDefaultDepthMapDef();
    def.noise = -1.0;
    expectUpdateRefused(m.onGpu, &m.image, &def, NULL, wk_errorRange, "noise");
    def.cookie = 0;
    expectUpdateRefused(m.onGpu, &m.image, &def, NULL, wk_errorArgument, "wkDepthMapDef");
    wkDepthMask mask = {.spheres = m.own, .count = MASK_SPHERES + 1};
    expectUpdateRefused(m.onGpu, &m.image, NULL, &mask, wk_errorRange, "maskCapacity is 5");
    mask = (wkDepthMask){.spheres = NULL, .count = 1};
    expectUpdateRefused(m.onGpu, &m.image, NULL, &mask, wk_errorArgument, "depth mask");
    assert_int_equal(wkCudaDepthMap_Update(m.onGpu, &m.image, (wkCudaMemory)3, NULL, NULL),
                     wk_errorArgument);
    assert_non_null(strstr(wkGetLastError(), "memory is 3"));
    closeWall(&m);
}

static void expectNoMap(const wkCudaDepthMapDef* def, wkResult expected, const char* words)
{
    wkCudaDepthMap* map = (wkCudaDepthMap*)&map;
    assert_int_equal(wkCudaDepthMap_Create(def, &map), expected);
    assert_non_null(strstr(wkGetLastError(), words));
    assert_null(map);
}

static void bad_definitions_are_refused(void** state)
{
    (void)state;
    wkCudaDepthMapDef good = wkDefaultCudaDepthMapDef(), def = good;
    expectNoMap(NULL, wk_errorArgument, "wkCudaDepthMapDef");
    expectNoMap(&def, wk_errorArgument, "cuda is NULL");
    openCuda(&good.cuda);
    assert_int_equal(wkCudaDepthMap_Create(&good, NULL), wk_errorArgument);
    def = good;
    def.maskCapacity = -1;
    expectNoMap(&def, wk_errorRange, "maskCapacity is -1");
    def = good;
    def.sphereBytes = 1000;
    expectNoMap(&def, wk_errorRange, "sphereBytes is 1000");
    def = good;
    def.camera.fy = 0.0;
    expectNoMap(&def, wk_errorRange, "fy");
    def = good;
    def.camera.cookie = 0;
    expectNoMap(&def, wk_errorArgument, "wkCamera");
    if (emulatedIsUsed()) {
        emulatedSetMemory((size_t)1 << 20);
        expectNoMap(&good, wk_errorMemory, "bytes on the GPU");
        emulatedSetMemory((size_t)1 << 30);
    }
    wkCudaDepthMap_Destroy(NULL);
    wkCuda_Destroy(good.cuda);
    assert_int_equal(emulatedByteCount(), 0);
}

#define STORY_SETS 7
#define STORY_SPHERES 3

// Creates a map, updates it and checks spheres; every failure leaves all verdicts unchecked.
static wkResult runStory(void* context)
{
    mapCase* m = (mapCase*)context;
    wkCudaDef cudaDef = wkDefaultCudaDef();
    uint8_t verdicts[STORY_SETS];
    memset(verdicts, wk_depthFree, sizeof verdicts);
    m->cuda = NULL;
    m->onGpu = NULL;
    wkResult result = wkCuda_Create(&cudaDef, &m->cuda);
    if (result == wk_ok) {
        wkCudaDepthMapDef def = mapDefOf(m);
        result = wkCudaDepthMap_Create(&def, &m->onGpu);
    }
    if (result == wk_ok) {
        result = wkCudaDepthMap_Update(m->onGpu, &m->image, wk_memoryHost, &m->def, &m->mask);
    }
    if (result == wk_ok) {
        result = wkCudaDepthMap_CheckSets(m->onGpu, m->spheres[0], wk_memoryHost, STORY_SPHERES,
                                          STORY_SETS, wk_depthHit, verdicts);
        if (result == wk_ok) {
            compareVerdicts(m, STORY_SPHERES, STORY_SETS, wk_depthHit, verdicts);
        }
        for (int i = 0; i < STORY_SETS && result != wk_ok; i++) {
            assert_int_equal(verdicts[i], wk_depthUnchecked);
        }
    }
    wkCudaDepthMap_Destroy(m->onGpu);
    wkCuda_Destroy(m->cuda);
    return result;
}

static void any_call_may_fail(void** state)
{
    (void)state;
    static mapCase m;
    wkRng rng = wkMakeRng(wkKitSeed());
    for (int lens = 0; lens < 2; lens++) {
        drawFrame(&m, &rng, 2, lens);
        drawMask(&m, &rng, MASK_SPHERES);
        assert_int_equal(wkDepthMap_Update(m.map, &m.image, &m.def, &m.mask), wk_ok);
        drawSpheres(&m, &rng, STORY_SETS * STORY_SPHERES, true);
        failEverywhere(runStory, &m);
        dropFrame(&m);
    }
}

// A GPU that fails during an update leaves space unobserved, until the next image.
static void a_failed_update_leaves_space_unobserved(void** state)
{
    (void)state;
    static mapCase m;
    wkRng rng = wkMakeRng(wkKitSeed());
    openWall(&m, &rng);
    const float sphere[4] = {0.0f, 0.0f, 1.0f, 0.01f};
    for (int call = 0; call < 6 && emulatedIsUsed(); call++) {
        uint8_t verdict = 0;
        emulatedFailCall(call, 700, 0);
        wkResult result = wkCudaDepthMap_Update(m.onGpu, &m.image, wk_memoryHost, NULL, NULL);
        emulatedFailCall(-1, 0, 0);
        assert_int_equal(result, wk_errorDevice);
        assert_int_equal(
            wkCudaDepthMap_CheckSets(m.onGpu, sphere, wk_memoryHost, 1, 1, wk_depthHit, &verdict),
            wk_ok);
        // the first call selects the GPU: the map is as it was
        assert_int_equal(verdict, call == 0 ? wk_depthFree : wk_depthUnobserved);
        assert_int_equal(wkCudaDepthMap_Update(m.onGpu, &m.image, wk_memoryHost, NULL, NULL),
                         wk_ok);
    }
    closeWall(&m);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(verdicts_are_those_of_the_cpu),
        cmocka_unit_test(sets_of_any_number_are_checked),
        cmocka_unit_test(no_image_and_no_sphere_are_never_free),
        cmocka_unit_test(maps_are_independent),
        cmocka_unit_test(bad_sets_are_refused),
        cmocka_unit_test(bad_images_are_refused),
        cmocka_unit_test(bad_definitions_are_refused),
        cmocka_unit_test(any_call_may_fail),
        cmocka_unit_test(a_failed_update_leaves_space_unobserved),
    };
    return cmocka_run_group_tests_name("cuda_depth_map", tests, NULL, NULL);
}
