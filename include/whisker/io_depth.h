// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

/// @file io_depth.h
/// Depth images and their cameras from files and into files. Part of io.h.

#include "whisker/depth_image.h"

/// Pixels of a depth image. Those from a file belong to the library and are given back with
/// wkDepthData_Destroy; for wkDepthData_Save a program may fill in its own.
typedef struct wkDepthData {
    int32_t width;    ///< pixels of a row
    int32_t height;   ///< rows
    uint16_t* pixels; ///< row by row, as wkDepthImage takes them; 0: nothing was measured
} wkDepthData;

/// Reads a PNG file of 16-bit grey pixels. What a unit is the file does not say: 0.001 m for RealSense and
/// most others, 0.0002 m for TUM.
/// @param data set to NULL on failure
/// @return wk_errorFile (cannot be read), wk_errorParse (broken or truncated), wk_errorUnsupported (not
///         16-bit grey, or a build without libpng), wk_errorRange (a side of more than 16384 pixels), wk_errorMemory,
///         wk_errorArgument
WK_API wkResult wkDepthData_Load(const char* path, wkDepthData** data);

/// Reads a PNG file that must have as many pixels as a camera. Another size is refused when the header has
/// been read, before memory is taken for pixels or any of them is decoded. A camera without a size, width
/// and height 0, takes all sizes.
/// @return as wkDepthData_Load, and wk_errorRange naming both sizes
WK_API wkResult wkDepthData_LoadFor(const char* path, const wkCamera* camera, wkDepthData** data);

/// Reads what would be the content of a file.
/// @return as wkDepthData_Load
WK_API wkResult wkDepthData_Parse(const void* bytes, size_t byteCount, wkDepthData** data);

/// Releases what Load or Parse made; NULL is fine.
WK_API void wkDepthData_Destroy(wkDepthData* data);

/// Writes a PNG file of 16-bit grey pixels.
/// @return wk_errorFile, wk_errorRange (the size), wk_errorMemory, wk_errorArgument
WK_API wkResult wkDepthData_Save(const char* path, const wkDepthData* data);

/// Writes any depth image as such a file: depths are rounded to whole units of `scale` metres, and those
/// that no number from 1 to 65535 stands for are 0.
/// @return as wkDepthData_Save and wkDepthImage_Check
WK_API wkResult wkDepthImage_Save(const char* path, const wkDepthImage* image, double scale);

/// Reads a camera from a file into an image: its camera, pose and scale; the rest stays. The file is one of
///
/// - text: each line is a key and its numbers (below); lines with # are skipped;
/// - an intrinsic matrix as text, fx 0 cx, 0 fy cy, 0 0 1, and then any of the other lines. Without width and
///   height both are 0: they are those of the pixels;
/// - YAML of ROS, where built with libyaml: a calibration file (image_width, camera_matrix,
///   distortion_model, distortion_coefficients ...) or a message of sensor_msgs/CameraInfo (width, K or k,
///   D or d ...). K and D of the raw image count; R and P are checked and not used; binning and parts of the
///   image are refused. `depth_units_m` and `pose` may be added.
///
/// | key | numbers |
/// | --- | --- |
/// | width, height | pixels |
/// | fx, fy | focal lengths in pixels |
/// | cx, cy | where the axis meets the image; without them its middle |
/// | depth_units_m | metres for a unit; without it 0.001 |
/// | distortion | 4 to 8 coefficients, in the order of OpenCV; without it none |
/// | distortion_model | none, brown (also plumb_bob, rational_polynomial; the default), fisheye (also equidistant) |
/// | pose | of the camera in the world: x y z, and the quaternion qx qy qz qw; without it that of the image stays, which is identity by default |
/// @return wk_errorFile, wk_errorParse naming the line, and as wkCamera_Check; the image is as it was then
WK_API wkResult wkDepthImage_LoadCamera(const char* path, wkDepthImage* image);

/// Reads what would be the content of a file.
/// @return as wkDepthImage_LoadCamera
WK_API wkResult wkDepthImage_ParseCamera(const void* bytes, size_t byteCount, wkDepthImage* image);

/// Writes such a file; every bit of the numbers arrives.
/// @return wk_errorFile, and as wkCamera_Check
WK_API wkResult wkDepthImage_SaveCamera(const char* path, const wkDepthImage* image);
