// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// The peers of whisker-bench-peers.

#include "peers.h"

// clang-format off
const wkPeer wkPeers[] = {
    {"fcl",    "libccd",    wkOpenFclLibccd,       wkPassFcl,             wkCloseFcl},
    {"fcl",    "indep",     wkOpenFclIndep,        wkPassFcl,             wkCloseFcl},
#if defined(WK_HAS_BULLET)
    {"bullet", "gjk",       wkOpenBulletGjk,       wkPassBulletGjk,       wkCloseBullet},
    {"bullet", "algorithm", wkOpenBulletAlgorithm, wkPassBulletAlgorithm, wkCloseBullet},
#endif
    {NULL,     NULL,        NULL,                  NULL,                  NULL},
};
// clang-format on

const char* wkPeerNames(void)
{
#if defined(WK_HAS_BULLET)
    return "FCL with libccd and its own solver, Bullet (single precision)";
#else
    return "FCL with libccd and its own solver";
#endif
}
