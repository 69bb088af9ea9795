// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

#include "camera_pose.h"

#include <math.h>
#include <stdio.h>

wkResult wkLoadCamera(const char* command, const char* path, wkDepthImage* image)
{
    image->pose.position.x = NAN; // stays when the file has no pose
    wkResult result = wkDepthImage_LoadCamera(path, image);
    if (isnan(image->pose.position.x)) {
        image->pose = wkIdentityPose();
        if (result == wk_ok) {
            fprintf(stderr,
                    "whisker %s: warning: %s: the camera has no pose: it is taken to be at the "
                    "origin of the world and to look along z\n",
                    command, path);
        }
    }
    return result;
}
