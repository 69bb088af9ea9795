// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// A room of 6 x 5 x 2.6 metres with boxes on the floor and spheres in the air.

#include "room_scene.h"

#define ROOM_SEED (7 * 0x9e3779b97f4a7c15u + 0x1234567u)
#define FOCAL_LENGTH 525.0  // of an image 640 pixels wide
#define DOWNWARD_SLOPE 0.15 // slope of the middle of the image

wkRoomScene wkMakeRoom(void)
{
    wkRng rng = wkMakeRng(ROOM_SEED);
    wkRoomScene room = {.lower = {-3.0, -2.5, 0.0}, .upper = {3.0, 2.5, 2.6}};
    for (int i = 0; i < WK_ROOM_BOXES; ++i) {
        wkRoomBox* box = &room.boxes[i];
        double turn = wkRngRange(&rng, 0.0, 3.1);
        box->cosine = cos(turn);
        box->sine = sin(turn);
        box->half.x = wkRngRange(&rng, 0.08, 0.35);
        box->half.y = wkRngRange(&rng, 0.08, 0.35);
        box->half.z = wkRngRange(&rng, 0.1, 0.6);
        box->center.x = wkRngRange(&rng, -0.8, 2.7);
        box->center.y = wkRngRange(&rng, -2.2, 2.2);
        box->center.z = box->half.z;
    }
    for (int i = 0; i < WK_ROOM_SPHERES; ++i) {
        wkRoomSphere* sphere = &room.spheres[i];
        sphere->center.x = wkRngRange(&rng, -0.8, 2.7);
        sphere->center.y = wkRngRange(&rng, -2.2, 2.2);
        sphere->center.z = wkRngRange(&rng, 0.3, 2.0);
        sphere->radius = wkRngRange(&rng, 0.06, 0.25);
    }
    return room;
}

wkRoomView wkMakeRoomView(void)
{
    wkRoomView view = {
        .eye = {-2.2, -0.2, 1.4}, .width = 640, .height = 480, .noise = 0.002, .seed = 3};
    return view;
}

// Narrows the part of a ray between two planes.
static void clip(double from, double direction, double half, double* near, double* far)
{
    double inverse = 1.0 / (fabs(direction) < 1e-14 ? 1e-14 : direction);
    double a = (-half - from) * inverse, b = (half - from) * inverse;
    *near = fmax(*near, fmin(a, b));
    *far = fmin(*far, fmax(a, b));
}

static double castAtBox(const wkRoomBox* box, wkVec3d from, wkVec3d direction, double best)
{
    wkVec3d p = wkSceneSub(from, box->center);
    double c = box->cosine, s = box->sine, near = 0.0, far = best;
    clip(c * p.x + s * p.y, c * direction.x + s * direction.y, box->half.x, &near, &far);
    clip(c * p.y - s * p.x, c * direction.y - s * direction.x, box->half.y, &near, &far);
    clip(p.z, direction.z, box->half.z, &near, &far);
    return near <= far && near > 0.0 ? near : best;
}

static double castAtSphere(const wkRoomSphere* sphere, wkVec3d from, wkVec3d direction, double best)
{
    wkVec3d p = wkSceneSub(from, sphere->center);
    double along = wkSceneDot(p, direction);
    double inside = along * along - wkSceneDot(p, p) + sphere->radius * sphere->radius;
    double range = inside > 0.0 ? -along - sqrt(inside) : -1.0;
    return range > 0.0 && range < best ? range : best;
}

static double castAtWalls(double from, double direction, double lower, double upper)
{
    return fabs(direction) < 1e-12 ? INFINITY
                                   : ((direction > 0.0 ? upper : lower) - from) / direction;
}

double wkRoom_Cast(const wkRoomScene* room, wkVec3d from, wkVec3d direction)
{
    double best = castAtWalls(from.x, direction.x, room->lower.x, room->upper.x);
    best = fmin(best, castAtWalls(from.y, direction.y, room->lower.y, room->upper.y));
    best = fmin(best, castAtWalls(from.z, direction.z, room->lower.z, room->upper.z));
    for (int i = 0; i < WK_ROOM_BOXES; ++i) {
        best = castAtBox(&room->boxes[i], from, direction, best);
    }
    for (int i = 0; i < WK_ROOM_SPHERES; ++i) {
        best = castAtSphere(&room->spheres[i], from, direction, best);
    }
    return best;
}

// Normally distributed (Box and Muller 1958).
static double drawNoise(wkRng* rng)
{
    double u = wkRngUnit(rng), v = wkRngUnit(rng);
    return sqrt(-2.0 * log(fmax(u, 1e-300))) * cos(6.283185307179586 * v);
}

void wkRoom_See(const wkRoomScene* room, const wkRoomView* view, float* points)
{
    wkRng rng = wkMakeRng(view->seed * 0x9e3779b97f4a7c15u + 0x1234567u);
    double focal = FOCAL_LENGTH * view->width / 640.0;
    double c = cos(view->yaw), s = sin(view->yaw);
    for (int i = 0; i < view->width * view->height; ++i) {
        double left = -(i % view->width + 0.5 - view->width / 2.0) / focal;
        double up = -(i / view->width + 0.5 - view->height / 2.0) / focal - DOWNWARD_SLOPE;
        wkVec3d way = wkSceneVec(c - s * left, s + c * left, up);
        way = wkSceneScale(way, 1.0 / wkSceneLength(way));
        double range = wkRoom_Cast(room, view->eye, way);
        range += view->noise > 0.0 ? view->noise * drawNoise(&rng) : 0.0;
        points[3 * i] = (float)(view->eye.x + range * way.x);
        points[3 * i + 1] = (float)(view->eye.y + range * way.y);
        points[3 * i + 2] = (float)(view->eye.z + range * way.z);
    }
}
