// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

/// @file io_depth.h
/// Loads and saves depth images and their cameras. Part of io.h.

#include "whisker/depth_image.h"

/// Pixels of a depth image. Loaded ones belong to the library and are released with wkDepthData_Destroy;
/// for wkDepthData_Save a program may use its own.
typedef struct wkDepthData {
    int32_t width;    ///< pixels of a row
    int32_t height;   ///< rows
    uint16_t* pixels; ///< row by row, as wkDepthImage takes them; 0: nothing was measured
} wkDepthData;

/// Reads a PNG file of 16-bit grey pixels. The unit is not in the file: 0.001 m for RealSense and most
/// others, 0.0002 m for TUM.
/// @param data set to NULL on failure
/// @return wk_errorFile (cannot be read), wk_errorParse (broken or truncated), wk_errorUnsupported (not
///         16-bit grey, or a build without libpng), wk_errorRange (a side of more than 16384 pixels),
///         wk_errorMemory, wk_errorArgument
WK_API wkResult wkDepthData_Load(const char* path, wkDepthData** data);

/// Reads a PNG file that must have the size of a camera's image. Another size is refused after the header
/// has been read, before memory for pixels is allocated. A camera with width and height 0 accepts all
/// sizes.
/// @return as wkDepthData_Load, and wk_errorRange naming both sizes
WK_API wkResult wkDepthData_LoadFor(const char* path, const wkCamera* camera, wkDepthData** data);

/// Parses the content of a file from memory.
/// @return as wkDepthData_Load
WK_API wkResult wkDepthData_Parse(const void* bytes, size_t byteCount, wkDepthData** data);

/// Releases data of Load or Parse; NULL is fine.
WK_API void wkDepthData_Destroy(wkDepthData* data);

/// Writes a PNG file of 16-bit grey pixels.
/// @return wk_errorFile, wk_errorRange (the size), wk_errorMemory, wk_errorArgument
WK_API wkResult wkDepthData_Save(const char* path, const wkDepthData* data);

/// Writes a depth image of any type as a 16-bit PNG file: depths are rounded to multiples of `scale`
/// metres; those outside of 1 to 65535 units are written as 0.
/// @return as wkDepthData_Save and wkDepthImage_Check
WK_API wkResult wkDepthImage_Save(const char* path, const wkDepthImage* image, double scale);

/// Reads the camera, pose and scale of an image from a file; its other fields stay unchanged. The file is
/// one of
///
/// - text: each line is a key and its numbers (below); lines with # are skipped;
/// - an intrinsic matrix as text, fx 0 cx, 0 fy cy, 0 0 1, followed by any of the other lines. Without width
///   and height both are 0, and the size is that of the pixels;
/// - YAML of ROS, in builds with libyaml: a calibration file (image_width, camera_matrix,
///   distortion_model, distortion_coefficients ...) or a message of sensor_msgs/CameraInfo (width, K or k,
///   D or d ...). K and D of the raw image are used; R and P are checked and not used; binning and regions
///   of interest are refused. `depth_units_m` and `pose` may be added.
///
/// | key | numbers |
/// | --- | --- |
/// | width, height | pixels |
/// | fx, fy | focal lengths in pixels |
/// | cx, cy | principal point; default: the middle of the image |
/// | depth_units_m | metres per unit; default 0.001 |
/// | distortion | 4 to 8 coefficients, in the order of OpenCV; default: none |
/// | distortion_model | brown (default; or plumb_bob, rational_polynomial), fisheye (or equidistant), none |
/// | pose | of the camera in the world: x y z qx qy qz qw; default: that of the image, initially identity |
/// @return wk_errorFile, wk_errorParse naming the line, and as wkCamera_Check; on failure the image is
///         unchanged
WK_API wkResult wkDepthImage_LoadCamera(const char* path, wkDepthImage* image);

/// Parses the content of a camera file from memory.
/// @return as wkDepthImage_LoadCamera
WK_API wkResult wkDepthImage_ParseCamera(const void* bytes, size_t byteCount, wkDepthImage* image);

/// Writes a camera file that wkDepthImage_LoadCamera reads back bit by bit.
/// @return wk_errorFile, and as wkCamera_Check
WK_API wkResult wkDepthImage_SaveCamera(const char* path, const wkDepthImage* image);
