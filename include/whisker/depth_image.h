// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

/// @file depth_image.h
/// Depth images as cameras deliver them: pixels in the caller's memory, the lens, the pose of the camera.
/// Converts them to points and occupancy maps, and renders depth images of a scene. See
/// docs/depth_images.md.

#include "whisker/octree.h"
#include "whisker/scene.h"

/// Distortion models of lenses.
typedef enum wkDistortion {
    wk_distortionNone = 0,    ///< a pinhole
    wk_distortionBrown = 1,   ///< k1, k2, p1, p2, k3, k4, k5, k6: radial, tangential, rational
    wk_distortionFisheye = 2, ///< k1, k2, k3, k4: of the angle, equidistant
} wkDistortion;

/// A camera: x is right, y down, z forward; the middle of the first pixel is at (0, 0). Start from
/// `wkDefaultCamera()`.
typedef struct wkCamera {
    uint32_t cookie;         ///< set by wkDefaultCamera()
    int32_t width;           ///< pixels; default 640
    int32_t height;          ///< default 480
    double fx, fy;           ///< focal lengths in pixels, > 0; default 525
    double cx, cy;           ///< principal point; default the middle of the image
    wkDistortion distortion; ///< default none
    double coefficients[8];  ///< in the order of the distortion model; default 0
} wkCamera;

/// The defaults above.
WK_API wkCamera wkDefaultCamera(void);

/// Checks whether a camera is valid.
/// @return wk_errorArgument, wk_errorRange, wk_errorNotFinite naming the field
WK_API wkResult wkCamera_Check(const wkCamera* camera);

/// Projects a point in the frame of the camera to its pixel, which may be outside of the image.
/// @return false when there is none: the point is behind the camera, or where the lens model is not
///         one-to-one; u and v are NaN then
WK_API bool wkCamera_Project(const wkCamera* camera, wkVec3d point, double* u, double* v);

/// Returns the point of a pixel ray at z = 1, in the frame of the camera; NaN when there is none.
WK_API wkVec3d wkCamera_Unproject(const wkCamera* camera, double u, double v);

/// Number types of pixels.
typedef enum wkDepthType {
    wk_depthUint16 = 0, ///< integers, times `scale`; 0: nothing was measured
    wk_depthFloat = 1,  ///< metres, times `scale`; <= 0 or not finite: nothing was measured
} wkDepthType;

/// A depth image whose pixels are borrowed. Depth is measured along z. Start from `wkDefaultDepthImage()`.
typedef struct wkDepthImage {
    uint32_t cookie;    ///< set by wkDefaultDepthImage()
    wkCamera camera;    ///< default wkDefaultCamera()
    wkPose pose;        ///< of the camera in the world; default identity
    const void* pixels; ///< row by row
    wkDepthType type;   ///< default wk_depthUint16
    int32_t rowBytes;   ///< bytes from one row to the next; 0 (default): rows are contiguous
    double scale;       ///< metres per unit; default 0.001; TUM 0.0002, floats 1
} wkDepthImage;

/// The defaults above, without pixels.
WK_API wkDepthImage wkDefaultDepthImage(void);

/// Checks whether an image is valid.
/// @return wk_errorArgument, wk_errorRange, wk_errorNotFinite naming the field
WK_API wkResult wkDepthImage_Check(const wkDepthImage* image);

/// Returns the depth of a pixel in metres; NaN where nothing was measured, and outside of the image.
WK_API float wkDepthImage_At(const wkDepthImage* image, int32_t u, int32_t v);

/// Selects the pixels that become points. Start from `wkDefaultPixelRequest()`.
typedef struct wkPixelRequest {
    uint32_t cookie; ///< set by wkDefaultPixelRequest()
    double minDepth; ///< nearer pixels are dropped; default 0
    double maxDepth; ///< further pixels are dropped; default infinity
    int32_t step;    ///< pixel stride along rows and columns; default 1
    double maxJump; ///< drops pixels at edges and between two surfaces: the depth differs from that
                    ///< of one of the four neighbours by more than this share of the lesser depth;
                    ///< default infinity: none
} wkPixelRequest;

/// The defaults above.
WK_API wkPixelRequest wkDefaultPixelRequest(void);

/// Converts an image to points in the frame of the camera.
/// @param request NULL means `wkDefaultPixelRequest()`
/// @param points x, y, z of up to `capacity` points; NULL: counts only
/// @param pixels index of the pixel of each point; NULL: not wanted
/// @return number of points, which may be more than `capacity`; 0 when the image is not valid
WK_API int32_t wkDepthImage_Points(const wkDepthImage* image, const wkPixelRequest* request,
                                   float* points, int32_t* pixels, int32_t capacity);

/// Inserts a depth image into an occupancy map. The map is bit by bit the one of wkOctree_Insert with the
/// points of the image, without an array of points.
/// @param request NULL means `wkDefaultPixelRequest()`
/// @param scan options; its points, origin and frame are ignored. NULL means `wkDefaultScan()`
/// @param mapFromWorld pose of the image's world frame in the frame of the map
/// @param info NULL: not wanted
/// @return as wkDepthImage_Check and wkOctree_Insert
WK_API wkResult wkOctree_InsertDepth(wkOctree* octree, const wkDepthImage* image,
                                     const wkPixelRequest* request, const wkScan* scan,
                                     wkPose mapFromWorld, wkScanInfo* info);

/// Noise model of a simulated camera. `wkDefaultDepthNoise()` resembles a Kinect.
typedef struct wkDepthNoise {
    uint32_t cookie; ///< set by wkDefaultDepthNoise()
    double noise;    ///< standard deviation at 1 m, growing with the square of the depth; errors
                     ///< are cut at 6 standard deviations; default 0.0012
    double disparityStep; ///< depths are quantised in steps of this times depth^2; default 0.0028
    double edgeShare;     ///< share of pixels at edges of objects without a depth; default 0.5
    double grazingCosine; ///< surfaces with a smaller cosine between normal and ray have no depth;
                          ///< default 0.15
    double dropShare;     ///< share of all pixels without a depth; default 0.002
    double minDepth;      ///< nearer surfaces have no depth; default 0.4
    double maxDepth;      ///< further surfaces have no depth; default 5
    uint32_t seed;        ///< of the random numbers; default 1
} wkDepthNoise;

/// The defaults above.
WK_API wkDepthNoise wkDefaultDepthNoise(void);

/// Renders a depth image of a scene. The image does not depend on the number of threads.
/// @param noiseModel NULL: no noise
/// @param skip objects with this value in `user` occlude others but get no depth themselves; NULL: none
/// @param parallel threads to use; NULL: the calling one
/// @param depths width * height depths in metres along z; NaN where nothing is measured
/// @return wk_errorArgument, wk_errorRange or wk_errorNotFinite naming the field, wk_errorMemory
WK_API wkResult wkScene_RenderDepth(const wkScene* scene, const wkCamera* camera, wkPose pose,
                                    const wkDepthNoise* noiseModel, const void* skip,
                                    const wkParallel* parallel, float* depths);
