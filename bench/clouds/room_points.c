// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

#include "clouds/room_points.h"

#include "../tests/scenes/room_scene.h"

#include <math.h>
#include <stdlib.h>

static wkRoomPoints makePoints(int32_t count, double noise)
{
    wkRoomScene room = wkMakeRoom();
    wkRoomView view = wkMakeRoomView();
    view.noise = noise;
    view.width = (int)ceil(sqrt(count / 0.75));
    view.height = (int)ceil((double)count / view.width);
    wkRoomPoints made = {malloc(3 * (size_t)view.width * (size_t)view.height * sizeof(float)),
                         count};
    if (made.points != NULL) {
        wkRoom_See(&room, &view, made.points);
    }
    return made;
}

wkRoomPoints wkMakeRoomPoints(int32_t count)
{
    return makePoints(count, 0.002);
}

wkRoomPoints wkMakeCleanRoomPoints(int32_t count)
{
    return makePoints(count, 0.0);
}

void wkRoomPoints_Free(wkRoomPoints* room)
{
    free(room->points);
    room->points = NULL;
}

wkFramePoint* wkMakeRoomFrame(int32_t* count)
{
    wkRoomPoints room = wkMakeRoomPoints(640 * 480);
    wkFramePoint* frame = calloc((size_t)room.count, sizeof *frame);
    wkRng rng = wkMakeRng(5);
    for (int32_t i = 0; i < room.count && frame != NULL && room.points != NULL; i++) {
        const float* p = room.points + 3 * (size_t)i;
        bool isInRegion = (i % 640) / 40 % 5 == 3 && i / 640 / 30 % 4 == 1;
        bool isHole = isInRegion || wkRngBelow(&rng, 50) == 0;
        frame[i] = (wkFramePoint){
            .x = isHole ? NAN : p[0], .y = isHole ? NAN : p[1], .z = isHole ? NAN : p[2]};
    }
    *count = room.count;
    wkRoomPoints_Free(&room);
    return frame;
}

wkCloudView wkViewOfFrame(const wkFramePoint* frame, int32_t count)
{
    wkCloudView view = wkMakeCloudView(frame, count);
    view.byteCount = (size_t)count * sizeof *frame;
    view.stride = sizeof *frame;
    return view;
}

wkCloud* wkMakeRoomCloud(const wkRoomPoints* room, double radius)
{
    wkCloudDef def = wkDefaultCloudDef();
    def.points = wkMakeCloudView(room->points, room->count);
    def.radius = radius;
    wkCloud* cloud = NULL;
    wkCloud_Create(&def, &cloud);
    return cloud;
}

double wkRoomPoints_Nearest(const wkRoomPoints* room, wkVec3d position)
{
    double least = INFINITY;
    for (int32_t i = 0; i < room->count; i++) {
        const float* p = room->points + 3 * (size_t)i;
        double x = (double)p[0] - position.x, y = (double)p[1] - position.y,
               z = (double)p[2] - position.z;
        least = fmin(least, x * x + y * y + z * z);
    }
    return sqrt(least);
}
