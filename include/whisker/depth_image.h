// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

/// @file depth_image.h
/// Depth images as cameras give them: pixels in the caller's memory, the lens, where the camera was.
/// Points and maps from them, and images of a scene as a camera would take them. See
/// docs/depth_images.md.

#include "whisker/octree.h"
#include "whisker/scene.h"

/// How a lens bends what it sees.
typedef enum wkDistortion {
    wk_distortionNone = 0,    ///< a pinhole
    wk_distortionBrown = 1,   ///< k1, k2, p1, p2, k3, k4, k5, k6: radial, tangential, rational
    wk_distortionFisheye = 2, ///< k1, k2, k3, k4: of the angle, equidistant
    wk_distortionCount = 3,   ///< number of values, not a distortion
} wkDistortion;

/// A camera: x is right, y down, z forward; the middle of the first pixel is at (0, 0). Start from
/// `wkDefaultCamera()`.
typedef struct wkCamera {
    int32_t width;           ///< pixels; default 640
    int32_t height;          ///< default 480
    double fx, fy;           ///< focal lengths in pixels, > 0; default 525
    double cx, cy;           ///< where the axis meets the image; default its middle
    wkDistortion distortion; ///< default none
    double coefficients[8];  ///< as the distortion has them; default 0
} wkCamera;

/// The defaults above.
WK_API wkCamera wkDefaultCamera(void);

/// What is wrong with a camera; wk_ok: nothing.
/// @return wk_errorArgument, wk_errorRange, wk_errorNotFinite naming the field
WK_API wkResult wkCamera_Check(const wkCamera* camera);

/// The pixel that sees a point in the frame of the camera, which may be outside of the image.
/// @return false when none does: it is behind the camera, or where the model of the lens is not one to
///         one any more; u and v are NaN then
WK_API bool wkCamera_Project(const wkCamera* camera, wkVec3d point, double* u, double* v);

/// The point at z = 1 that a pixel sees, in the frame of the camera; NaN when there is none.
WK_API wkVec3d wkCamera_Unproject(const wkCamera* camera, double u, double v);

/// What pixels are made of.
typedef enum wkDepthType {
    wk_depthUint16 = 0, ///< whole numbers, times `scale`; 0: nothing was measured
    wk_depthFloat = 1,  ///< metres, times `scale`; not above 0 or not finite: nothing was measured
} wkDepthType;

/// A view on the pixels of a depth image. Depth is measured along z. Start from `wkDefaultDepthImage()`.
typedef struct wkDepthImage {
    wkCamera camera;    ///< default wkDefaultCamera()
    wkPose pose;        ///< of the camera in the world; default identity
    const void* pixels; ///< row by row
    wkDepthType type;   ///< default wk_depthUint16
    int32_t rowBytes;   ///< bytes from one row to the next; 0 (default): side by side
    double scale;       ///< metres for a unit; default 0.001; TUM 0.0002, floats 1
    uint32_t cookie;    ///< set by wkDefaultDepthImage()
} wkDepthImage;

/// The defaults above, without pixels.
WK_API wkDepthImage wkDefaultDepthImage(void);

/// What is wrong with an image; wk_ok: nothing.
/// @return wk_errorArgument, wk_errorRange, wk_errorNotFinite naming the field
WK_API wkResult wkDepthImage_Check(const wkDepthImage* image);

/// Depth of a pixel in metres; NaN where nothing was measured, and outside of the image.
WK_API float wkDepthImage_At(const wkDepthImage* image, int32_t u, int32_t v);

/// What of an image is taken as points. Start from `wkDefaultDepthFilter()`.
typedef struct wkDepthFilter {
    double minDepth; ///< nearer pixels are dropped; default 0
    double maxDepth; ///< and those further away; default infinity
    int32_t step;    ///< every so many-th pixel of each row and column; default 1
    double maxJump;  ///< pixels whose depth differs from that of one of the four around it by more
                     ///< than this share of the lesser depth are dropped: they are at edges, or fly
                     ///< between two surfaces; default infinity: none
    uint32_t cookie; ///< set by wkDefaultDepthFilter()
} wkDepthFilter;

/// The defaults above.
WK_API wkDepthFilter wkDefaultDepthFilter(void);

/// The points that an image shows, in the frame of the camera.
/// @param filter NULL means `wkDefaultDepthFilter()`
/// @param points room for x, y, z of `capacity` points; NULL: counts only
/// @param pixels room for the number of the pixel of each point; NULL: not wanted
/// @return number of points, which may be more than `capacity`; 0 when the image is not valid
WK_API int32_t wkDepthImage_Points(const wkDepthImage* image, const wkDepthFilter* filter,
                                   float* points, int32_t* pixels, int32_t capacity);

/// Takes a depth image into a map: the same map as by wkOctree_Insert of its points, to the bit, without
/// an array of them.
/// @param filter NULL means `wkDefaultDepthFilter()`
/// @param scan how: its points, origin and frame are not looked at; NULL means `wkDefaultScan()`
/// @param mapFromWorld where the world of the image is in the map
/// @param report NULL: not wanted
/// @return as wkDepthImage_Check and wkOctree_Insert
WK_API wkResult wkOctree_InsertDepth(wkOctree* octree, const wkDepthImage* image,
                                     const wkDepthFilter* filter, const wkScan* scan,
                                     wkPose mapFromWorld, wkScanReport* report);

/// Noise of a simulated camera. Start from `wkDefaultDepthNoise()`, which is about a Kinect.
typedef struct wkDepthNoise {
    double noise; ///< standard deviation at one metre, growing with the square of the depth;
                  ///< no error is beyond 6 of them; default 0.0012
    double disparityStep; ///< depths come in steps of this times their square; default 0.0028
    double edgeShare;     ///< share of pixels at edges of objects that see nothing; default 0.5
    double grazingCosine; ///< surfaces that are seen flatter than this are not measured; default
                          ///< 0.15
    double dropShare;     ///< share of all pixels that see nothing; default 0.002
    double minDepth;      ///< what is nearer is not measured; default 0.4
    double maxDepth;      ///< nor is what is further away; default 5
    uint32_t seed;        ///< decides the noise; default 1
} wkDepthNoise;

/// The defaults above.
WK_API wkDepthNoise wkDefaultDepthNoise(void);

/// What a camera would see of a scene. The same scene gives the same image with any number of threads.
/// @param noise NULL: a perfect camera
/// @param skip objects with this in `user` hide what is behind them and are not measured; NULL: none
/// @param parallel threads to use; NULL: the calling one
/// @param depths room for width * height metres along z; NaN where nothing is measured
/// @return wk_errorArgument, wk_errorRange or wk_errorNotFinite naming the field, wk_errorMemory
WK_API wkResult wkScene_RenderDepth(const wkScene* scene, const wkCamera* camera, wkPose pose,
                                    const wkDepthNoise* noiseModel, const void* skip,
                                    const wkParallel* parallel, float* depths);
