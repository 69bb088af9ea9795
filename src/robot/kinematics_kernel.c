// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// Poses of rigid groups. Poses of joints in the frames of their parents are independent of each other and are
// computed by SIMD, eight joints at a time; the products along the tree follow.

#include "math/angle.h"
#include "robot/kinematics.h"
#include "simd/simd.h"

// Eight rigid groups in the frames of their parents.
typedef struct eightPoses {
    _Alignas(64) double rotation[4][WK_RIGID_GROUP_LANES];
    double position[3][WK_RIGID_GROUP_LANES];
} eightPoses;

// a + b * c
WK_FORCE_FN wkDoubleW mulAdd(wkDoubleW a, wkDoubleW b, wkDoubleW c)
{
    return wkAddW(a, wkMulW(b, c));
}

WK_FORCE_FN wkDoubleW mulSub(wkDoubleW a, wkDoubleW b, wkDoubleW c)
{
    return wkSubW(a, wkMulW(b, c));
}

// Evaluates a[0] + a[1] z + ... in the order of wkSinCos.
WK_FORCE_FN wkDoubleW polynomial(const double* a, wkDoubleW z, wkDoubleW zz)
{
    wkDoubleW low = mulAdd(wkSplatW(a[0]), z, wkSplatW(a[1]));
    wkDoubleW middle = mulAdd(wkSplatW(a[2]), z, wkSplatW(a[3]));
    wkDoubleW high = mulAdd(wkSplatW(a[4]), z, wkSplatW(a[5]));
    return mulAdd(low, zz, mulAdd(middle, zz, high));
}

// wkSinCos for angles below WK_LARGE_ANGLE.
WK_FORCE_FN void sinCos(wkDoubleW angle, wkDoubleW* sine, wkDoubleW* cosine)
{
    static const double sines[] = {WK_SINE_1, WK_SINE_2, WK_SINE_3,
                                   WK_SINE_4, WK_SINE_5, WK_SINE_6};
    static const double cosines[] = {WK_COSINE_1, WK_COSINE_2, WK_COSINE_3,
                                     WK_COSINE_4, WK_COSINE_5, WK_COSINE_6};
    wkDoubleW shift = wkSplatW(WK_WHOLE_SHIFT), one = wkSplatW(1.0);
    wkDoubleW quarters = wkSubW(mulAdd(shift, angle, wkSplatW(WK_QUARTERS_PER_RADIAN)), shift);
    wkDoubleW first = mulSub(angle, quarters, wkSplatW(WK_QUARTER_1));
    wkDoubleW second = wkMulW(quarters, wkSplatW(-WK_QUARTER_2));
    wkDoubleW sum = wkAddW(first, second), part = wkSubW(sum, first);
    wkDoubleW rest = wkAddW(wkSubW(first, wkSubW(sum, part)), wkSubW(second, part));
    rest = mulSub(rest, quarters, wkSplatW(WK_QUARTER_3));
    wkDoubleW x = wkAddW(sum, rest), low = wkAddW(wkSubW(sum, x), rest);

    wkDoubleW z = wkMulW(x, x), zz = wkMulW(z, z);
    wkDoubleW s = polynomial(sines, z, zz), c = polynomial(cosines, z, zz);
    wkDoubleW half = wkMulW(wkSplatW(0.5), z), near = wkSubW(one, half);
    s = wkAddW(x, mulAdd(wkMulW(wkMulW(x, z), s), near, low));
    c = wkAddW(near, wkAddW(wkSubW(wkSubW(one, near), half), mulSub(wkMulW(zz, c), x, low)));

    // whole quarters of a revolution, from -2 to 2: their sine and cosine are 0, 1 or -1
    wkDoubleW rotations = wkSubW(mulAdd(shift, quarters, wkSplatW(0.25)), shift);
    wkDoubleW few = mulSub(quarters, rotations, wkSplatW(4.0)), many = wkAbsW(few);
    wkDoubleW quarterSine = wkMulW(few, wkSubW(wkSplatW(2.0), many));
    wkDoubleW quarterCosine = wkSubW(one, many);
    *sine = mulAdd(wkMulW(quarterCosine, s), quarterSine, c);
    *cosine = mulSub(wkMulW(quarterCosine, c), quarterSine, s);
}

// Places WK_LANES rigid groups of a block, from lane `at`.
// @return a bit for each whose angle is small enough
WK_FORCE_FN unsigned placeLanes(const wkRigidGroupBlock* group, const double* values, int at,
                                eightPoses* poses)
{
    wkDoubleW value = wkLoadW(values + at), sine, cosine;
    wkDoubleW angle =
        mulAdd(wkLoadW(group->angleOffset + at), wkLoadW(group->angleFactor + at), value);
    wkDoubleW length =
        mulAdd(wkLoadW(group->lengthOffset + at), wkLoadW(group->lengthFactor + at), value);
    sinCos(angle, &sine, &cosine);
    for (int k = 0; k < 4; k++) {
        wkDoubleW rotated = wkMulW(cosine, wkLoadW(group->rotation[k] + at));
        wkStoreW(poses->rotation[k] + at,
                 mulAdd(rotated, sine, wkLoadW(group->axisRotation[k] + at)));
    }
    for (int k = 0; k < 3; k++) {
        wkDoubleW slotIndex = wkLoadW(group->position[k] + at);
        wkStoreW(poses->position[k] + at,
                 mulAdd(slotIndex, length, wkLoadW(group->translation[k] + at)));
    }
    return wkGreaterBitsW(wkSplatW(WK_LARGE_ANGLE), wkAbsW(angle));
}

// Places all rigid groups of a block in the frames of their parents.
// @return a bit for each that has to be placed again: its angle is too large for the kernel
WK_FORCE_FN unsigned placeGroup(const wkRigidGroupBlock* group, const double* q, eightPoses* poses)
{
    _Alignas(64) double values[WK_RIGID_GROUP_LANES] = {0.0};
    for (int i = 0; i < group->count; i++) {
        values[i] = q[group->variable[i]];
    }
    unsigned isSmall = 0;
    for (int at = 0; at < WK_RIGID_GROUP_LANES; at += WK_LANES) {
        isSmall |= placeLanes(group, values, at, poses) << at;
    }
    return ~isSmall & ((1u << WK_RIGID_GROUP_LANES) - 1);
}

wkPlaceInLanesFcn WK_KERNEL(wkPlaceInLanes);

void WK_KERNEL(wkPlaceInLanes)(const wkRobot* robot, const wkPose* base, const double* q,
                               wkPose* rigidGroups)
{
    rigidGroups[0].position = base->position;
    rigidGroups[0].rotation = wkNormalizeQuat(base->rotation);
    // most rigid groups are children of the one before, which is kept in registers
    wkPose last = rigidGroups[0];
    int32_t lastNumber = 0, groupCount = wkRigidGroupBlockCount(robot);
    for (int32_t g = 0; g < groupCount; g++) {
        const wkRigidGroupBlock* group = &robot->rigidGroupBlocks[g];
        eightPoses poses;
        unsigned isLarge = placeGroup(group, q, &poses);
        for (int i = 0; i < group->count; i++) {
            wkPose inParent = {{poses.position[0][i], poses.position[1][i], poses.position[2][i]},
                               {poses.rotation[0][i], poses.rotation[1][i], poses.rotation[2][i],
                                poses.rotation[3][i]}};
            if (WK_UNLIKELY(group->isFree[i] || (isLarge >> i & 1) != 0)) {
                inParent = wkPlaceJoint(&robot->rigidGroups[lastNumber + 1], q);
            }
            if (group->parent[i] != lastNumber) {
                last = rigidGroups[group->parent[i]];
            }
            last = wkMulUnitPose(&last, &inParent);
            rigidGroups[++lastNumber] = last;
        }
    }
}
