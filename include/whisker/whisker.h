// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

/// @file whisker.h
/// Includes all headers of the library `whisker`. File formats are in a separate library: programs that
/// link `whisker::io` include `whisker/io.h`, too.

#include "whisker/allowed.h"
#include "whisker/base.h"
#include "whisker/batch.h"
#include "whisker/body_motion.h"
#include "whisker/cast.h"
#include "whisker/center_distance.h"
#include "whisker/cloud.h"
#include "whisker/cloud_classifier.h"
#include "whisker/cloud_filter.h"
#include "whisker/cloud_noise.h"
#include "whisker/cloud_stream.h"
#include "whisker/cloud_views.h"
#include "whisker/cost.h"
#include "whisker/depth.h"
#include "whisker/depth_image.h"
#include "whisker/digest.h"
#include "whisker/element_cast.h"
#include "whisker/expected_points.h"
#include "whisker/fit.h"
#include "whisker/height_field.h"
#include "whisker/hull.h"
#include "whisker/id.h"
#include "whisker/math.h"
#include "whisker/mesh.h"
#include "whisker/octree.h"
#include "whisker/query.h"
#include "whisker/robot.h"
#include "whisker/robot_cloud.h"
#include "whisker/robot_reach.h"
#include "whisker/robot_scene.h"
#include "whisker/scene.h"
#include "whisker/separation.h"
#include "whisker/shape.h"
#include "whisker/sphere_model.h"
#include "whisker/sphere_tree.h"
#include "whisker/version.h"
