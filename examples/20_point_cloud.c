// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// Points of a sensor as an obstacle, as they are: the data of a PointCloud2 message becomes a shape, and a gripper
// is lowered onto a cup that the sensor saw.

#include "whisker/whisker.h"

#include <math.h>
#include <stdio.h>

// The layout of a message: x, y, z and intensity of each point.
typedef struct point {
    float x, y, z;
    float intensity;
} point;

#define AROUND 48
#define ROWS 20
#define TABLE 40

static point points[AROUND * ROWS + TABLE * TABLE];

// A cup with a radius of 4 cm and a height of 10 cm on a table; one return in a hundred is missing.
static int scan(void)
{
    int count = 0;
    for (int i = 0; i < AROUND * ROWS; i++) {
        double angle = 2.0 * 3.14159265358979 * (i % AROUND) / AROUND;
        float height = 0.1f * (float)(i / AROUND) / (ROWS - 1);
        point p = {(float)(0.04 * cos(angle)), (float)(0.04 * sin(angle)), height, 1.0f};
        points[count++] = p;
    }
    for (int i = 0; i < TABLE * TABLE; i++) {
        point p = {0.01f * (float)(i % TABLE) - 0.2f, 0.01f * (float)(i / TABLE) - 0.2f, 0.0f,
                   1.0f};
        p.x = i % 100 == 0 ? NAN : p.x;
        points[count++] = p;
    }
    return count;
}

int main(void)
{
    // every point stands for a sphere of 5 mm: as far as the sensor may be wrong, and half way to the next point
    wkCloudDef def = wkDefaultCloudDef();
    def.points.data = points;
    def.points.count = scan();
    def.points.stride = sizeof(point);
    def.points.byteCount = sizeof points;
    def.radius = 0.005;
    wkCloud* cloud = NULL;
    if (wkCloud_Create(&def, &cloud) != wk_ok) {
        fprintf(stderr, "%s\n", wkGetLastError());
        return 1;
    }
    wkCloudInfo info = wkCloud_Info(cloud);
    printf("%d points, %d without a return\n", (int)info.pointCount, (int)info.notFiniteCount);

    // a finger comes down onto the rim of the cup: how far is it from the nearest point, and which one is that?
    wkShape obstacle = wkMakeCloud(cloud), finger = wkMakeBox(0.02, 0.02, 0.08);
    for (int step = 0; step < 5; step++) {
        wkPose pose = wkMakePose(0.045, 0.003, 0.24 - 0.03 * step);
        wkDistanceResult r = wkDistance(&finger, pose, &obstacle, wkIdentityPose(), NULL);
        const point* nearest = &points[r.partB];
        printf("tip at %.2f m: %s, %5.1f mm from the point at (%.2f, %.2f, %.2f)\n",
               pose.position.z - 0.04, r.distance > 0.0 ? "free " : "touch", 1000.0 * r.distance,
               (double)nearest->x, (double)nearest->y, (double)nearest->z);
    }
    wkCloud_Destroy(cloud);
    return 0;
}
