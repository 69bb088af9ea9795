// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// Our values as FCL has them.

#include "whisker/math.h"

#include <fcl/common/types.h>

inline fcl::Vector3d wkToFcl(const wkVec3d& v)
{
    return fcl::Vector3d(v.x, v.y, v.z);
}

inline fcl::Transform3d wkToFcl(const wkPose& pose)
{
    const wkQuat& q = pose.rotation;
    fcl::Transform3d transform = fcl::Transform3d::Identity();
    transform.linear() = fcl::Quaterniond(q.w, q.x, q.y, q.z).normalized().toRotationMatrix();
    transform.translation() = wkToFcl(pose.position);
    return transform;
}
