// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// How much joints rotate and translate while their variables change.

#include "math/vec.h"
#include "robot/robot_impl.h"

// More than the rounding of the sums and products of a bound, relative to it.
#define WK_BOUND_ROUNDING 1e-12

WK_FN double wkRoundedUpBound(double length)
{
    return length * (1.0 + WK_BOUND_ROUNDING);
}

// Sets the rotation in radians and the translation in metres of a joint, rounded up.
// @param changes absolute changes of its variables, those of mimic joints before the factor; the fourth one of a
//        floating joint is the angle of its rotation
WK_FN void wkSetJointRates(const wkRigidGroup* rigidGroup, const double* changes, double* rotation,
                           double* translation)
{
    const double* c = changes;
    double angle = 0.0, length = 0.0;
    if (rigidGroup->type == wk_jointPlanar) {
        length = sqrt(c[0] * c[0] + c[1] * c[1]);
        angle = c[2];
    } else if (rigidGroup->type == wk_jointFloating) {
        length = sqrt(c[0] * c[0] + c[1] * c[1] + c[2] * c[2]);
        angle = c[3];
    } else {
        double change = fabs(rigidGroup->factor) * c[0];
        bool isPrismatic = rigidGroup->type == wk_jointPrismatic;
        length = isPrismatic ? change : 0.0;
        angle = isPrismatic ? 0.0 : change;
    }
    *rotation = wkRoundedUpBound(angle);
    *translation = wkRoundedUpBound(length);
}

// Computes the motion of each rigid group from one configuration to another: rotations in radians and
// translations in metres, rounded up.
void wkSetRigidGroupRates(const wkRobot* robot, const double* q0, const double* q1,
                          double* rotations, double* translations);
