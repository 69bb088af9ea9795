// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// Translations that separate bodies which are not convex: known answers, laws over all pairs of kinds of bodies, and
// many directions tried in small steps.

#include "noise_kit.h"

#include "whisker/separation.h"

// The search finds translations of at most this multiple of the shortest of many directions: of bodies whose gaps are
// few, and of clouds, which may have gaps between all points.
#define STATED_FACTOR 1.15
#define CLOUD_FACTOR 2.0
#define DIRECTIONS WK_CASES(300)
#define STEPS 200

// Rotating both bodies changes rounding, and with it which of two ways is tried first: both are within the factor.
#define LAW_TOLERANCE (STATED_FACTOR - 1.0)

// Solids made of boxes that share no faces: each overlaps its neighbours.
typedef struct boxPart {
    wkVec3d center, half;
} boxPart;

static wkMesh* makeMesh(const wkModel* model)
{
    wkMeshDef def = wkModel_MeshDef(model);
    def.isSolid = true;
    wkMesh* mesh = NULL;
    assert_int_equal(wkMesh_Create(&def, &mesh), wk_ok);
    return mesh;
}

static wkMesh* boxesMesh(const boxPart* parts, int count)
{
    wkModel model = {0};
    for (int i = 0; i < count; i++) {
        wkPose pose = {parts[i].center, {0.0, 0.0, 0.0, 1.0}};
        assert_true(wkModel_AddBox(&model, pose, parts[i].half, 1));
    }
    wkMesh* mesh = makeMesh(&model);
    wkModel_Free(&model);
    return mesh;
}

// The letter U in the x-z plane, open above: 0.3 wide, walls and floor 0.1 thick.
static wkMesh* letterU(void)
{
    const boxPart parts[] = {
        {{-0.1, 0.0, 0.2}, {0.05, 0.05, 0.2}},
        {{0.1, 0.0, 0.2}, {0.05, 0.05, 0.2}},
        {{0.0, 0.0, 0.05}, {0.15, 0.05, 0.05}},
    };
    return boxesMesh(parts, 3);
}

static wkMesh* letterL(void)
{
    const boxPart parts[] = {
        {{0.0, 0.0, 0.5}, {0.1, 0.1, 0.5}},
        {{0.4, 0.0, 0.1}, {0.5, 0.1, 0.1}},
    };
    return boxesMesh(parts, 2);
}

// A square ring about z: 1 m outside, 0.6 m inside, 0.2 m high.
static wkMesh* squareRing(void)
{
    const boxPart parts[] = {
        {{-0.4, 0.0, 0.0}, {0.1, 0.5, 0.1}},
        {{0.4, 0.0, 0.0}, {0.1, 0.5, 0.1}},
        {{0.0, -0.4, 0.0}, {0.5, 0.1, 0.1}},
        {{0.0, 0.4, 0.0}, {0.5, 0.1, 0.1}},
    };
    return boxesMesh(parts, 4);
}

static bool isFreeAt(const wkShape* a, wkPose poseA, const wkShape* b, wkPose poseB,
                     wkVec3d translation, double margin)
{
    wkCollideRequest request = wkDefaultCollideRequest();
    request.margin = margin;
    poseB.position = wkAdd(poseB.position, translation);
    return !wkCollide(a, poseA, b, poseB, &request).isTouching;
}

// What holds for every answer about bounded bodies.
static void checkAnswer(const wkShape* a, wkPose poseA, const wkShape* b, wkPose poseB,
                        double margin, const wkSeparationResult* r)
{
    UNIT_CHECK(r->status == wk_statusExact || r->status == wk_statusBound, a, "status %s",
               wkStatusName(r->status));
    UNIT_CHECK(isFreeAt(a, poseA, b, poseB, r->translation, margin), a,
               "touching after %.17g %.17g %.17g", r->translation.x, r->translation.y,
               r->translation.z);
    UNIT_CHECK(r->lower <= r->depth, a, "bound %.17g above %.17g", r->lower, r->depth);
    UNIT_CHECK(fabs(wkLength(r->translation) - r->depth) <= 1e-12 * (1.0 + r->depth), a,
               "length %.17g, not %.17g", wkLength(r->translation), r->depth);
}

// The shortest of many directions, each followed in small steps to the first gap.
static double shortestOfMany(uint64_t seed, const wkShape* a, wkPose poseA, const wkShape* b,
                             wkPose poseB, double most)
{
    double best = INFINITY;
    wkRng rng = wkMakeRng(seed);
    for (int i = 0; i < DIRECTIONS; i++) {
        wkVec3d direction = wkRngDirection(&rng);
        for (int k = 1; k <= STEPS; k++) {
            double length = most * k / STEPS;
            if (length >= best) {
                break;
            }
            if (isFreeAt(a, poseA, b, poseB, wkScale(length, direction), 0.0)) {
                best = length;
            }
        }
    }
    return best;
}

typedef struct knownCase {
    const char* name;
    wkMesh* (*makeA)(void);
    wkMesh* (*makeB)(void);
    wkVec3d position;
    double depth;
} knownCase;

static wkMesh* bigCube(void)
{
    return boxesMesh(&(boxPart){{0.0, 0.0, 0.0}, {1.0, 1.0, 1.0}}, 1);
}

static wkMesh* smallCube(void)
{
    return boxesMesh(&(boxPart){{0.0, 0.0, 0.0}, {0.25, 0.25, 0.25}}, 1);
}

// A bar along z, thinner than the opening of the ring.
static wkMesh* bar(void)
{
    const boxPart parts[] = {{{0.0, 0.0, 0.0}, {0.1, 0.1, 1.0}},
                             {{0.0, 0.0, 0.9}, {0.12, 0.1, 0.1}}};
    return boxesMesh(parts, 2);
}

static const knownCase knownCases[] = {
    {"a cube in a cube", bigCube, smallCube, {0.5, 0.0, 0.0}, 0.75},
    {"a bar through a ring that it touches on one side", squareRing, bar, {0.25, 0.0, 0.0}, 0.05},
    {"a bar through the wall of a ring", squareRing, bar, {0.35, 0.0, 0.0}, 0.15},
    {"an L in an L", letterL, letterL, {0.05, 0.0, 0.0}, 0.2},
    {"one U lowered into another, out by the open side", letterU, letterU, {0.1, 0.0, 0.3}, 0.1},
    {"a U in itself", letterU, letterU, {0.0, 0.0, 0.0}, 0.1},
};

static void known_depths_are_found(void** state)
{
    (void)state;
    wkPose identity = wkIdentityPose();
    for (size_t i = 0; i < sizeof knownCases / sizeof knownCases[0]; i++) {
        const knownCase* known = &knownCases[i];
        wkMesh *meshA = known->makeA(), *meshB = known->makeB();
        wkShape a = wkMakeMesh(meshA), b = wkMakeMesh(meshB);
        wkPose pose = {known->position, {0.0, 0.0, 0.0, 1.0}};
        wkSeparationResult r = wkSeparation(&a, identity, &b, pose, NULL);
        double local = -wkDistance(&a, identity, &b, pose, NULL).distance;
        print_message("%s: %g, at least %g, local %g, %d queries\n", known->name, r.depth, r.lower,
                      local, r.queryCount);
        checkAnswer(&a, identity, &b, pose, 0.0, &r);
        assertNear(r.depth, known->depth, 2e-5);
        assert_true(r.lower <= known->depth && r.lower >= 0.99 * known->depth);
        wkMesh_Destroy(meshA);
        wkMesh_Destroy(meshB);
    }
}

// Bodies in turn: the convex types, then surfaces, solids, fields, maps and clouds.
#define BODY_COUNT (WK_SCENE_TYPE_COUNT + kindCount)

static wkPose randomPose(wkRng* rng)
{
    return (wkPose){wkScale(wkRngRange(rng, 0.0, 0.3), wkRngDirection(rng)), wkRngRotation(rng)};
}

static bool isBounded(const wkShape* shape)
{
    wkAabb box = wkShape_Bounds(shape, wkIdentityPose());
    return wkMaxAbs(box.lower) < INFINITY && wkMaxAbs(box.upper) < INFINITY;
}

// Two bodies of which at least one is not convex; the convex ones are drawn again for every pair.
typedef struct bodyPair {
    wkShape a, b;
    wkPose poseA, poseB;
    bool hasCloud;
} bodyPair;

static bool nextPair(const noiseBodies* bodies, wkRng* rng, int* n, bodyPair* pair)
{
    for (; *n < BODY_COUNT * BODY_COUNT; ++*n) {
        int first = *n / BODY_COUNT, second = *n % BODY_COUNT;
        if (first < WK_SCENE_TYPE_COUNT && second < WK_SCENE_TYPE_COUNT) {
            continue;
        }
        *pair = (bodyPair){
            .a = noiseBody(bodies, rng, first),
            .b = noiseBody(bodies, rng, second),
            .poseA = randomPose(rng),
            .poseB = randomPose(rng),
        };
        pair->hasCloud = pair->a.type == wk_shapeCloud || pair->b.type == wk_shapeCloud;
        if (isBounded(&pair->a) && isBounded(&pair->b)) {
            ++*n;
            return true;
        }
    }
    return false;
}

static wkSeparationResult separatePair(const bodyPair* p, const wkSeparationRequest* request)
{
    return wkSeparation(&p->a, p->poseA, &p->b, p->poseB, request);
}

static void translations_separate_and_are_short(void** state)
{
    (void)state;
    noiseBodies bodies;
    noiseBodies_Create(&bodies);
    wkRng rng = wkMakeRng(UNIT_SEED);
    double longer[2] = {0.0, 0.0}, queries = 0.0;
    int cases = 0;
    bodyPair p;
    for (int n = 0; nextPair(&bodies, &rng, &n, &p);) {
        wkSeparationResult r = separatePair(&p, NULL);
        checkAnswer(&p.a, p.poseA, &p.b, p.poseB, 0.0, &r);
        if (r.depth == 0.0) {
            continue;
        }
        double best = shortestOfMany((uint64_t)n, &p.a, p.poseA, &p.b, p.poseB, 1.2 * r.depth);
        UNIT_CHECK(r.lower <= best, &p.a, "pair %d: bound %g, but %g separates", n, r.lower, best);
        UNIT_CHECK(r.depth <= (p.hasCloud ? CLOUD_FACTOR : STATED_FACTOR) * best, &p.a,
                   "pair %d: %g after %d queries, but %g separates", n, r.depth, r.queryCount,
                   best);
        longer[p.hasCloud] = fmax(longer[p.hasCloud], r.depth / best);
        queries += r.queryCount;
        cases++;
    }
    assert_true(cases > 50);
    print_message("%d pairs, %.0f queries each, at most %.2f times the shortest of %d directions, "
                  "%.2f times with clouds\n",
                  cases, queries / cases, longer[0], DIRECTIONS, longer[1]);
    noiseBodies_Destroy(&bodies);
}

static void order_and_frame_make_no_difference(void** state)
{
    (void)state;
    noiseBodies bodies;
    noiseBodies_Create(&bodies);
    wkRng rng = wkMakeRng(UNIT_SEED + 1);
    bodyPair p;
    wkSeparationRequest request = wkDefaultSeparationRequest();
    request.maxQueries = 1000;
    for (int n = 0; nextPair(&bodies, &rng, &n, &p);) {
        if (p.hasCloud) {
            continue; // ways between points differ by more than the tolerance
        }
        wkSeparationResult r = separatePair(&p, &request);
        bodyPair swapped = {.a = p.b, .b = p.a, .poseA = p.poseB, .poseB = p.poseA};
        wkSeparationResult back = separatePair(&swapped, &request);
        checkAnswer(&p.b, p.poseB, &p.a, p.poseA, 0.0, &back);
        UNIT_CHECK(fabs(back.depth - r.depth) <= LAW_TOLERANCE * r.depth, &p.a,
                   "pair %d: %g, swapped %g", n, r.depth, back.depth);
        UNIT_CHECK(fabs(back.lower - r.lower) <= LAW_TOLERANCE * r.depth, &p.a,
                   "pair %d: at least %g, swapped %g", n, r.lower, back.lower);

        wkPose by = {wkVec(3.0, -2.0, 1.0), wkRngRotation(&rng)};
        bodyPair moved = p;
        moved.poseA = wkMulPose(by, p.poseA);
        moved.poseB = wkMulPose(by, p.poseB);
        wkSeparationResult there = separatePair(&moved, &request);
        UNIT_CHECK(fabs(there.depth - r.depth) <= LAW_TOLERANCE * r.depth, &p.a,
                   "pair %d: %g, moved %g", n, r.depth, there.depth);
    }
    noiseBodies_Destroy(&bodies);
}

static void larger_margins_need_longer_translations(void** state)
{
    (void)state;
    noiseBodies bodies;
    noiseBodies_Create(&bodies);
    wkRng rng = wkMakeRng(UNIT_SEED + 2);
    bodyPair p;
    for (int n = 0; nextPair(&bodies, &rng, &n, &p);) {
        double lower = 0.0, depth = 0.0;
        for (int i = 0; i < 3; i++) {
            wkSeparationRequest request = wkDefaultSeparationRequest();
            request.margin = 0.04 * i;
            request.maxQueries = 300;
            wkSeparationResult r = separatePair(&p, &request);
            checkAnswer(&p.a, p.poseA, &p.b, p.poseB, request.margin, &r);
            assert_true(r.queryCount <= request.maxQueries);
            UNIT_CHECK(r.lower >= lower, &p.a, "pair %d: bound %g, then %g", n, lower, r.lower);
            // the search may be luckier with a larger margin, but a bound is a bound
            UNIT_CHECK(r.depth >= lower, &p.a, "pair %d: %g, then %g", n, depth, r.depth);
            lower = r.lower;
            depth = r.depth;
        }
    }
    noiseBodies_Destroy(&bodies);
}

// Convex shapes have the depth of wkPenetration, and so have convex meshes.
static void convex_bodies_have_the_exact_depth(void** state)
{
    (void)state;
    noiseBodies bodies;
    noiseBodies_Create(&bodies);
    wkRng rng = wkMakeRng(UNIT_SEED + 3);
    int cases = 0;
    for (int n = 0; n < WK_CASES(20) * WK_SCENE_TYPE_COUNT * WK_SCENE_TYPE_COUNT; n++) {
        wkShape a = noiseBody(&bodies, &rng, n / WK_SCENE_TYPE_COUNT % WK_SCENE_TYPE_COUNT);
        wkShape b = noiseBody(&bodies, &rng, n % WK_SCENE_TYPE_COUNT);
        wkPose poseA = randomPose(&rng), poseB = randomPose(&rng);
        wkPenetrationResult way = wkPenetration(&a, poseA, &b, poseB);
        wkSeparationResult r = wkSeparation(&a, poseA, &b, poseB, NULL);
        if (way.status == wk_statusUnbounded) {
            assert_true(r.status == wk_statusUnbounded && r.depth == INFINITY);
            assert_true(r.translation.x == 0.0 && r.lower >= 0.0);
            continue;
        }
        checkAnswer(&a, poseA, &b, poseB, 0.0, &r);
        if (way.status == wk_statusExact) {
            UNIT_CHECK(r.status == wk_statusExact, &a, "%s", wkStatusName(r.status));
            assertNear(r.depth, way.depth, 1e-8);
            assertVecNear(r.translation, way.translation, 1e-8);
            assertNear(r.lower, way.depth, 2e-5);
            cases += way.depth > 0.0;
        }
    }
    assert_true(cases > WK_CASES(500));
    noiseBodies_Destroy(&bodies);
}

// A body in the hollow of a surface is free; through its wall it leaves to the nearer side.
static void surfaces_are_left_to_either_side(void** state)
{
    (void)state;
    wkModel model = {0};
    wkPose identity = wkIdentityPose();
    assert_true(wkModel_AddBox(&model, identity, wkVec(1.0, 1.0, 1.0), 4));
    wkMeshDef def = wkModel_MeshDef(&model);
    def.isSolid = false;
    wkMesh* mesh = NULL;
    assert_int_equal(wkMesh_Create(&def, &mesh), wk_ok);
    wkModel_Free(&model);
    wkShape room = wkMakeMesh(mesh), box = wkMakeBox(0.2, 0.2, 0.2);
    wkSeparationResult r = wkSeparation(&room, identity, &box, wkMakePose(0.93, 0.1, 0.0), NULL);
    assertVecNear(r.translation, wkVec(-0.03, 0.0, 0.0), 3e-5);
    r = wkSeparation(&room, identity, &box, wkMakePose(1.04, 0.1, 0.0), NULL);
    assertVecNear(r.translation, wkVec(0.06, 0.0, 0.0), 3e-5);
    r = wkSeparation(&room, identity, &box, identity, NULL);
    assert_true(r.depth == 0.0 && r.status == wk_statusExact);
    wkMesh_Destroy(mesh);
}

// A deforming body has the depth of the shape that it has now.
static void deformed_bodies_are_measured_as_they_are(void** state)
{
    (void)state;
    wkModel model = {0};
    wkPose identity = wkIdentityPose();
    assert_true(wkModel_AddBox(&model, identity, wkVec(0.5, 0.5, 0.5), 2));
    assert_true(wkModel_AddBox(&model, wkMakePose(0.8, 0.0, 0.0), wkVec(0.5, 0.1, 0.1), 2));
    wkMeshDef def = wkDefaultMeshDef();
    wkMeshBuilder* builder = NULL;
    assert_int_equal(wkMeshBuilder_Create(&def, &builder), wk_ok);
    wkMeshBuilder_BeginModel(builder, model.vertexCount, model.triangleCount);
    wkMeshBuilder_AddPart(builder, model.vertices, model.vertexCount, model.indices,
                          model.triangleCount);
    assert_int_equal(wkMeshBuilder_EndModel(builder), wk_ok);
    for (int i = 0; i < 4; i++) {
        wkShape body = wkMakeMesh(wkMeshBuilder_Mesh(builder)), sphere = wkMakeSphere(0.05);
        wkPose pose = wkMakePose(0.0, 0.1, 0.4); // 0.15 below the top, at first
        wkSeparationResult r = wkSeparation(&body, identity, &sphere, pose, NULL);
        checkAnswer(&body, identity, &sphere, pose, 0.0, &r);
        assertNear(r.depth, 0.15 + 0.1 * i, 2e-5);
        assert_int_equal(r.status, wk_statusExact);
        assert_int_equal(wkMeshBuilder_BeginReplace(builder), wk_ok);
        for (int k = 0; k < model.vertexCount; k++) {
            // the top is lifted
            model.vertices[k].z += model.vertices[k].z > 0.45 + 0.1 * i ? 0.1 : 0.0;
        }
        wkMeshBuilder_ReplaceVertices(builder, 0, model.vertices, model.vertexCount);
        assert_int_equal(wkMeshBuilder_EndReplace(builder, false), wk_ok);
    }
    wkMeshBuilder_Destroy(builder);
    wkModel_Free(&model);
}

static void unbounded_bodies_are_left_where_they_end(void** state)
{
    (void)state;
    wkMesh* mesh = letterL();
    wkShape body = wkMakeMesh(mesh), plane = wkMakePlane(wkVec(0.0, 0.0, 1.0), 0.3);
    wkShape ground = wkMakeHalfspace(wkVec(0.0, 0.0, 1.0), 0.3);
    wkShape above = wkMakeHalfspace(wkVec(0.0, 0.0, -1.0), 0.0);
    wkPose identity = wkIdentityPose();
    wkSeparationResult r = wkSeparation(&ground, identity, &body, identity, NULL);
    assertVecNear(r.translation, wkVec(0.0, 0.0, 0.3), 2e-5);
    assert_int_equal(r.status, wk_statusExact);
    r = wkSeparation(&body, identity, &plane, identity, NULL); // the plane moves down
    assertVecNear(r.translation, wkVec(0.0, 0.0, -0.3), 2e-5);
    // half-spaces that face each other leave their slab, others overlap without end
    r = wkSeparation(&ground, identity, &above, identity, NULL);
    assertVecNear(r.translation, wkVec(0.0, 0.0, 0.3), 1e-6);
    assert_int_equal(r.status, wk_statusExact);
    r = wkSeparation(&ground, identity, &ground, wkMakePose(0.0, 0.0, 2.0), NULL);
    assert_int_equal(r.status, wk_statusUnbounded);
    assert_true(r.depth == INFINITY && r.translation.z == 0.0);
    wkMesh_Destroy(mesh);
}

static void a_given_direction_is_kept(void** state)
{
    (void)state;
    wkMesh *meshA = letterU(), *meshB = letterU();
    wkShape a = wkMakeMesh(meshA), b = wkMakeMesh(meshB);
    wkPose identity = wkIdentityPose(), pose = wkMakePose(0.1, 0.0, 0.3);
    wkSeparationRequest request = wkDefaultSeparationRequest();
    request.direction = wkVec(0.0, 0.0, 7.0);
    wkSeparationResult r = wkSeparation(&a, identity, &b, pose, &request);
    checkAnswer(&a, identity, &b, pose, 0.0, &r);
    assertVecNear(r.translation, wkVec(0.0, 0.0, 0.1), 2e-5);
    request.direction = wkVec(-1.0, 0.0, 0.0); // through the other wall
    r = wkSeparation(&a, identity, &b, pose, &request);
    checkAnswer(&a, identity, &b, pose, 0.0, &r);
    assertVecNear(r.translation, wkVec(-0.4, 0.0, 0.0), 2e-5);
    wkMesh_Destroy(meshA);
    wkMesh_Destroy(meshB);
}

static void bad_input_has_a_safe_answer(void** state)
{
    (void)state;
    wkMesh* mesh = letterU();
    wkMeshDef def = wkDefaultMeshDef();
    wkMesh* empty = NULL;
    assert_int_equal(wkMesh_Create(&def, &empty), wk_ok);
    wkShape body = wkMakeMesh(mesh), none = {0}, nothing = wkMakeMesh(empty);
    wkPose identity = wkIdentityPose(), broken = wkMakePose(NAN, 0.0, 0.0);
    wkSeparationResult r = wkSeparation(&body, identity, &none, identity, NULL);
    assert_true(r.status == wk_statusInvalid && r.depth == INFINITY && r.lower == 0.0);
    r = wkSeparation(&body, broken, &body, identity, NULL);
    assert_true(r.status == wk_statusInvalid && r.depth == INFINITY);
    r = wkSeparation(&body, identity, NULL, identity, NULL);
    assert_int_equal(r.status, wk_statusInvalid);
    r = wkSeparation(&body, identity, &nothing, identity, NULL);
    assert_true(r.status == wk_statusExact && r.depth == 0.0);
    const double bad[] = {-0.1, NAN, INFINITY};
    for (int i = 0; i < 3; i++) {
        wkSeparationRequest request = wkDefaultSeparationRequest();
        request.margin = bad[i];
        r = wkSeparation(&body, identity, &body, identity, &request);
        assert_int_equal(r.status, wk_statusInvalid);
        assert_non_null(strstr(wkGetLastError(), "margin"));
    }

    // not watertight: a box without its top, which a lid closes
    wkModel model = {0};
    assert_true(wkModel_AddBox(&model, identity, wkVec(0.5, 0.5, 0.5), 1));
    def = wkModel_MeshDef(&model);
    def.triangleCount -= 2;
    wkMesh* open = NULL;
    assert_int_equal(wkMesh_Create(&def, &open), wk_ok);
    wkModel_Free(&model);
    wkShape leaky = wkMakeMesh(open), sphere = wkMakeSphere(0.1);
    r = wkSeparation(&leaky, identity, &sphere, wkMakePose(0.0, 0.3, 0.0), NULL);
    assertNear(r.depth, 0.3, 2e-5);
    wkMesh_Destroy(open);

    // the fewest queries that suffice
    wkSeparationRequest request = wkDefaultSeparationRequest();
    request.maxQueries = 2;
    r = wkSeparation(&body, identity, &body, wkMakePose(0.01, 0.02, 0.0), &request);
    assert_int_equal(r.queryCount, 2);
    checkAnswer(&body, identity, &body, wkMakePose(0.01, 0.02, 0.0), 0.0, &r);
    wkMesh_Destroy(mesh);
    wkMesh_Destroy(empty);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(known_depths_are_found),
        cmocka_unit_test(translations_separate_and_are_short),
        cmocka_unit_test(order_and_frame_make_no_difference),
        cmocka_unit_test(larger_margins_need_longer_translations),
        cmocka_unit_test(convex_bodies_have_the_exact_depth),
        cmocka_unit_test(surfaces_are_left_to_either_side),
        cmocka_unit_test(deformed_bodies_are_measured_as_they_are),
        cmocka_unit_test(unbounded_bodies_are_left_where_they_end),
        cmocka_unit_test(a_given_direction_is_kept),
        cmocka_unit_test(bad_input_has_a_safe_answer),
    };
    return cmocka_run_group_tests_name("separation_bodies", tests, NULL, NULL);
}
