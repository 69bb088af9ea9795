// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

#include "mesh_zoo.h"

#include "whisker/detail/counts.h"

#include <string.h>

// How many triangles sets without a shape of their own have.
#define SOUP_COUNT 60

// Bodies are not more different in size than this: see docs/precision.md.
#define MAX_RATIO 1e8

static bool addFreeTriangle(wkModel* model, const wkVec3d vertices[3])
{
    int32_t first = model->vertexCount;
    return wkModel_AddVertex(model, vertices[0]) && wkModel_AddVertex(model, vertices[1]) &&
           wkModel_AddVertex(model, vertices[2]) &&
           wkModel_AddTriangle(model, first, first + 1, first + 2);
}

static wkVec3d randomPoint(wkRng* rng, double size)
{
    return wkSceneScale(wkRngDirection(rng), size * wkRngUnit(rng));
}

static bool makeEmpty(wkModel* model, wkRng* rng)
{
    (void)model, (void)rng;
    return true;
}

static bool makeOne(wkModel* model, wkRng* rng)
{
    wkVec3d vertices[3] = {randomPoint(rng, 1.0), randomPoint(rng, 1.0), randomPoint(rng, 1.0)};
    return addFreeTriangle(model, vertices);
}

static bool makeKnot(wkModel* model, wkRng* rng)
{
    (void)rng;
    return wkModel_AddKnot(model, 0.3, 0.1, 16, 4);
}

static bool makeBlob(wkModel* model, wkRng* rng)
{
    (void)rng;
    return wkModel_AddBlob(model, wkSceneVec(0.2, 0.0, -0.1), 0.8, 0.3, 7, 9);
}

static bool makeBox(wkModel* model, wkRng* rng)
{
    (void)rng;
    return wkModel_AddBox(model, wkIdentityPose(), wkSceneVec(0.5, 0.75, 0.25), 3);
}

static bool makeGrid(wkModel* model, wkRng* rng)
{
    (void)rng;
    bool isMade = true;
    for (int i = 0; i < 36 && isMade; i++) {
        double x = 0.25 * (i % 6) - 0.75, y = 0.25 * (double)(i / 6) - 0.75;
        wkVec3d low[3] = {{x, y, 0.5}, {x + 0.25, y, 0.5}, {x + 0.25, y + 0.25, 0.5}};
        wkVec3d high[3] = {{x, y, 0.5}, {x + 0.25, y + 0.25, 0.5}, {x, y + 0.25, 0.5}};
        isMade = addFreeTriangle(model, low) && addFreeTriangle(model, high);
    }
    return isMade;
}

// What random triangles look like.
typedef enum soupKind {
    soupMixed,
    soupNeedles,
    soupFlat,       // all in one plane
    soupDegenerate, // points, segments, collinear vertices
} soupKind;

static void makeVertices(wkRng* rng, soupKind kind, int index, wkVec3d vertices[3])
{
    double size = wkRngLogRange(rng, 1e-3, 1.0);
    vertices[0] = randomPoint(rng, 1.0);
    vertices[1] = wkSceneAdd(vertices[0], randomPoint(rng, size));
    vertices[2] = wkSceneAdd(vertices[0], randomPoint(rng, size));
    if (kind == soupNeedles) {
        double width = wkRngLogRange(rng, 1e-12, 1e-3);
        vertices[1] = wkSceneAdd(vertices[0], randomPoint(rng, 1.0));
        vertices[2] = wkSceneAdd(vertices[wkRngBelow(rng, 2)], randomPoint(rng, width));
    } else if (kind == soupFlat) {
        vertices[0].z = vertices[1].z = vertices[2].z = 0.375;
    } else if (kind == soupDegenerate) {
        wkVec3d along = wkSceneSub(vertices[1], vertices[0]);
        wkVec3d thirds[3] = {vertices[0], vertices[1],
                             wkSceneAdd(vertices[0], wkSceneScale(along, 0.5))};
        vertices[2] = thirds[index % 3];
        vertices[1] = index % 4 == 0 ? vertices[0] : vertices[1];
    }
}

static bool makeSoup(wkModel* model, wkRng* rng, soupKind kind)
{
    bool isMade = true;
    for (int i = 0; i < SOUP_COUNT && isMade; i++) {
        wkVec3d vertices[3];
        makeVertices(rng, kind, i, vertices);
        isMade = addFreeTriangle(model, vertices);
    }
    return isMade;
}

static bool makeMixed(wkModel* model, wkRng* rng)
{
    return makeSoup(model, rng, soupMixed);
}

static bool makeNeedles(wkModel* model, wkRng* rng)
{
    return makeSoup(model, rng, soupNeedles);
}

static bool makeFlat(wkModel* model, wkRng* rng)
{
    return makeSoup(model, rng, soupFlat);
}

static bool makeDegenerate(wkModel* model, wkRng* rng)
{
    return makeSoup(model, rng, soupDegenerate);
}

static bool makeIdentical(wkModel* model, wkRng* rng)
{
    bool isMade = makeOne(model, rng);
    for (int i = 1; i < 40 && isMade; i++) {
        isMade = wkModel_AddTriangle(model, 0, 1, 2);
    }
    return isMade;
}

typedef struct recipe {
    const char* name;
    bool (*make)(wkModel* model, wkRng* rng);
    double scale;
} recipe;

static const recipe recipes[WK_ZOO_COUNT] = {
    {"empty", makeEmpty, 1.0},
    {"one triangle", makeOne, 1.0},
    {"knot", makeKnot, 1.0},
    {"blob", makeBlob, 1.0},
    {"box", makeBox, 1.0},
    {"grid", makeGrid, 1.0},
    {"soup", makeMixed, 1.0},
    {"needles", makeNeedles, 1.0},
    {"flat", makeFlat, 1.0},
    {"degenerate", makeDegenerate, 1.0},
    {"identical", makeIdentical, 1.0},
    {"huge blob", makeBlob, 1e14},
    {"huge needles", makeNeedles, 1e14},
    {"huge soup", makeMixed, 1e9},
    {"tiny blob", makeBlob, 1e-12},
    {"tiny soup", makeMixed, 1e-12},
    {"tiny needles", makeNeedles, 1e-6},
    {"tiny grid", makeGrid, 9.5367431640625e-7}, // a power of two
    {"large box", makeBox, 1048576.0},
};

static bool createVariants(wkZooRow* row)
{
    for (int i = 0; i < WK_ZOO_VARIANTS; i++) {
        wkMeshDef def = wkDefaultMeshDef();
        def.isSolid = false;
        def.vertices = row->model.vertices;
        def.vertexCount = row->model.vertexCount;
        def.triangles = row->model.indices;
        def.triangleCount = row->model.triangleCount;
        def.volume = (wkVolumeKind)(i / WK_SPLIT_METHOD_COUNT);
        def.split = (wkSplitMethod)(i % WK_SPLIT_METHOD_COUNT);
        if (wkMesh_Create(&def, &row->variants[i]) != wk_ok) {
            return false;
        }
    }
    return true;
}

bool wkZoo_Create(wkZoo* zoo, uint64_t seed)
{
    memset(zoo, 0, sizeof *zoo);
    wkRng rng = wkMakeRng(seed);
    for (int i = 0; i < WK_ZOO_COUNT; i++) {
        wkZooRow* row = &zoo->rows[i];
        row->name = recipes[i].name;
        if (!recipes[i].make(&row->model, &rng)) {
            return false;
        }
        for (int32_t k = 0; k < row->model.vertexCount; k++) {
            wkVec3d* v = &row->model.vertices[k];
            *v = wkSceneScale(*v, recipes[i].scale);
            row->reach = fmax(row->reach, fmax(fabs(v->x), fmax(fabs(v->y), fabs(v->z))));
        }
        if (!createVariants(row)) {
            return false;
        }
    }
    return true;
}

void wkZoo_Destroy(wkZoo* zoo)
{
    for (int i = 0; i < WK_ZOO_COUNT; i++) {
        for (int k = 0; k < WK_ZOO_VARIANTS; k++) {
            wkMesh_Destroy(zoo->rows[i].variants[k]);
        }
        wkModel_Free(&zoo->rows[i].model);
    }
}

wkShape wkZooShape(const wkZooBody* body, int variant)
{
    wkShape shape = body->shape;
    if (body->row != NULL) {
        shape = wkMakeMesh(body->row->variants[variant]);
        shape.rounding = body->shape.rounding;
        shape.padding = body->shape.padding;
    }
    return shape;
}

int32_t wkZooPartCount(const wkZooBody* body)
{
    return body->row != NULL ? body->row->model.triangleCount : 1;
}

wkShape wkZooPart(const wkZooBody* body, int64_t part)
{
    if (body->row == NULL) {
        return body->shape;
    }
    const wkModel* model = &body->row->model;
    const int32_t* vertices = model->indices + 3 * part;
    wkShape shape = wkMakeTriangle(model->vertices[vertices[0]], model->vertices[vertices[1]],
                                   model->vertices[vertices[2]]);
    shape.rounding = body->shape.rounding;
    shape.padding = body->shape.padding;
    return shape;
}

// A sphere swept over the triangles, and padding of either sign, now and then.
static void addMargins(wkRng* rng, double size, wkShape* shape)
{
    if (wkRngChance(rng, 3)) {
        shape->rounding = size * wkRngRange(rng, 0.0, 0.1);
    }
    if (wkRngChance(rng, 3)) {
        shape->padding = size * wkRngRange(rng, -0.08, 0.08);
    }
}

// A point of a mesh: a vertex, or somewhere on a triangle.
static wkVec3d pointOf(const wkZooRow* row, wkRng* rng)
{
    const wkModel* model = &row->model;
    if (model->triangleCount == 0) {
        return wkSceneVec(0.0, 0.0, 0.0);
    }
    const int32_t* vertices = model->indices + 3 * wkRngBelow(rng, model->triangleCount);
    wkVec3d point = model->vertices[vertices[0]];
    if (wkRngChance(rng, 2)) {
        double s = wkRngUnit(rng), t = (1.0 - s) * wkRngUnit(rng);
        wkVec3d along = wkSceneSub(model->vertices[vertices[1]], point);
        wkVec3d across = wkSceneSub(model->vertices[vertices[2]], point);
        point = wkSceneAdd(point, wkSceneScale(along, s));
        point = wkSceneAdd(point, wkSceneScale(across, t));
    }
    return point;
}

// So large that neither is lost beside the other.
static double sizeLike(wkRng* rng, double reach)
{
    return (reach > 0.0 ? reach : 1.0) * wkRngLogRange(rng, 0.05, 2.0);
}

static wkZooBody makeOther(const wkZoo* zoo, const wkShapeBank* bank, wkRng* rng,
                           const wkZooRow* rowA, wkShapeType type)
{
    wkZooBody body = {NULL, {0}, {{0.0, 0.0, 0.0}, {0.0, 0.0, 0.0, 1.0}}};
    if (type == wk_shapeMesh) {
        const wkZooRow* row = &zoo->rows[wkRngBelow(rng, WK_ZOO_COUNT)];
        double least = fmin(row->reach, rowA->reach), most = fmax(row->reach, rowA->reach);
        bool isLost = least > 0.0 && most > MAX_RATIO * least;
        body.row = isLost || wkRngChance(rng, 4) ? rowA : row;
        addMargins(rng, body.row->reach, &body.shape);
    } else if (wkRngChance(rng, 4)) {
        body.shape = wkGridShape(rng, bank, type, 0.25);
    } else {
        body.shape = wkRandomShape(rng, bank, type, sizeLike(rng, rowA->reach));
    }
    return body;
}

wkZooPair wkZooRandomPair(const wkZoo* zoo, const wkShapeBank* bank, wkRng* rng, int rowA,
                          wkShapeType type)
{
    static const double farAway[] = {0.0, 0.0, 0.0, 10.0, 1e6, 1e12};
    const wkZooRow* row = &zoo->rows[rowA];
    wkZooPair pair;
    pair.a = (wkZooBody){row, {0}, {{0.0, 0.0, 0.0}, {0.0, 0.0, 0.0, 1.0}}};
    addMargins(rng, row->reach, &pair.a.shape);
    pair.b = makeOther(zoo, bank, rng, row, type);

    // a point of B on one of A, then moved off by any part of the size
    bool isGrid = wkRngChance(rng, 3);
    wkPose local = {{0.0, 0.0, 0.0}, {0.0, 0.0, 0.0, 1.0}};
    local.rotation = isGrid ? wkRngRightAngles(rng) : wkRngRotation(rng);
    double reachB = pair.b.row != NULL ? pair.b.row->reach : wkShapeReach(&pair.b.shape);
    wkVec3d pointB = pair.b.row != NULL
                         ? pointOf(pair.b.row, rng)
                         : wkSceneScale(wkRngDirection(rng), reachB * wkRngUnit(rng));
    wkSceneFrame turned = wkMakeSceneFrame(local);
    local.position = wkSceneSub(pointOf(row, rng), wkSceneToWorldPoint(&turned, pointB));
    double size = fmax(row->reach, 1e-30);
    if (wkRngChance(rng, 2)) {
        wkVec3d step = wkSceneScale(wkRngDirection(rng), size * wkRngLogRange(rng, 1e-8, 3.0));
        local.position = wkSceneAdd(local.position, step);
    }
    if (wkRngChance(rng, 8)) {
        local = wkIdentityPose();
    }
    double away = farAway[wkRngBelow(rng, 6)];
    pair.a.pose.position = wkSceneScale(wkRngDirection(rng), away);
    pair.a.pose.rotation = isGrid || away == 0.0 ? pair.a.pose.rotation : wkRngRotation(rng);
    pair.b.pose = wkMulPose(pair.a.pose, local);
    double margins = fabs(pair.a.shape.padding) + pair.a.shape.rounding +
                     fabs(pair.b.shape.padding) + pair.b.shape.rounding;
    wkVec3d between = wkSceneSub(pair.b.pose.position, pair.a.pose.position);
    pair.scale = row->reach + reachB + margins + wkSceneLength(between);
    pair.world = pair.scale + away;
    return pair;
}
