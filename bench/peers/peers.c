// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// The peers of whisker-bench-peers.

#include "peers/peers.h"

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

const wkCastPeer wkCastPeers[] = {
    {"fcl",    "libccd",    wkOpenFclCastLibccd,   wkPassFclCast,         wkCloseFclCast},
    {"fcl",    "indep",     wkOpenFclCastIndep,    wkPassFclCast,         wkCloseFclCast},
#if defined(WK_HAS_BULLET)
    {"bullet", "convex",    wkOpenBulletCast,      wkPassBulletCast,      wkCloseBulletCast},
#endif
    {NULL,     NULL,        NULL,                  NULL,                  NULL},
};

const wkMeshPeer wkMeshPeers[] = {
    {"fcl",    "OBB",       wkOpenFclObb,          wkPassFclMesh,         wkCloseFclMesh},
    {"fcl",    "RSS",       wkOpenFclRss,          wkPassFclMesh,         wkCloseFclMesh},
    {"fcl",    "OBBRSS",    wkOpenFclObbRss,       wkPassFclMesh,         wkCloseFclMesh},
    {"fcl",    "kIOS",      wkOpenFclKios,         wkPassFclMesh,         wkCloseFclMesh},
    {"fcl",    "AABB",      wkOpenFclAabb,         wkPassFclMesh,         wkCloseFclMesh},
#if defined(WK_HAS_EMBREE)
    {"embree", "single",    wkOpenEmbree,          wkPassEmbree,          wkCloseEmbree},
#endif
    {NULL,     NULL,        NULL,                  NULL,                  NULL},
};

const wkBroadPeer wkBroadPeers[] = {
    {"fcl",    "tree",       wkOpenFclTree,      wkStepFclBroad,    wkCloseFclBroad},
    {"fcl",    "tree array", wkOpenFclTreeArray, wkStepFclBroad,    wkCloseFclBroad},
    {"fcl",    "sap",        wkOpenFclSap,       wkStepFclBroad,    wkCloseFclBroad},
#if defined(WK_HAS_BULLET)
    {"bullet", "dbvt",       wkOpenBulletCache,  wkStepBulletCache, wkCloseBulletCache},
    {"bullet", "one tree",   wkOpenBulletTree,   wkStepBulletTree,  wkCloseBulletTree},
#endif
#if defined(WK_HAS_ODE)
    {"ode",    "hash",       wkOpenOde,          wkStepOde,         wkCloseOde},
#endif
    {NULL,     NULL,         NULL,               NULL,              NULL},
};

const wkFilterPeer wkFilterPeers[] = {
#if defined(WK_HAS_PCL_FILTERS)
    {"pcl", wkOpenPclFilter, wkApplyPclFilter, wkKeptPclFilter, wkCentroidPclFilter, wkClosePclFilter},
#endif
    {.name = NULL},
};

const wkMapPeer wkMapPeers[] = {
#if defined(WK_HAS_OCTOMAP)
    {"octomap", "discrete", false, wkOpenOctoMap, wkInsertOctoMap, wkCountWrongOctoMap,
     wkCountBytesOctoMap, wkCloseOctoMap, wkReadOctoMap},
    {"octomap", "rays",     true,  wkOpenOctoMap, wkInsertOctoMap, wkCountWrongOctoMap,
     wkCountBytesOctoMap, wkCloseOctoMap, wkReadOctoMap},
#endif
    {.name = NULL},
};

const wkCloudPeer wkCloudPeers[] = {
#if defined(WK_HAS_NANOFLANN)
    {"nanoflann", "kd-tree", true,  wkBuildNanoflann, wkPrepareNanoflann, wkAskNanoflann, wkReleaseNanoflann, wkDestroyNanoflann},
#endif
#if defined(WK_HAS_PCL)
    {"pcl",       "octree",  true,  wkBuildPcl,       wkPreparePcl,       wkAskPcl,       wkReleasePcl,       wkDestroyPcl},
#endif
#if defined(WK_HAS_OCTOMAP)
    {"fcl",       "octree",  false, wkBuildFclCloud,  wkPrepareFclCloud,  wkAskFclCloud,  wkReleaseFclCloud,  wkDestroyFclCloud},
#endif
    {.name = NULL},
};

const wkStrategyPeer wkStrategyPeers[] = {
#if defined(WK_HAS_OCTOMAP)
    {"fcl", wkOpenFclStrategy, wkPassFclStrategy, wkCloseFclStrategy},
#endif
    {NULL,  NULL,              NULL,              NULL},
};

const wkRobotPeer wkRobotPeers[] = {
    {"fcl",    "two trees",              wkOpenFclRobot,             wkPassFclRobot,    wkCloseFclRobot},
    {"fcl",    "two trees, OBBRSS",      wkOpenFclRobotObbRss,       wkPassFclRobot,    wkCloseFclRobot},
    {"fcl",    "two trees, own solver",  wkOpenFclRobotIndep,        wkPassFclRobot,    wkCloseFclRobot},
    {"fcl",    "body by body",           wkOpenFclRobotPerBody,      wkPassFclRobot,    wkCloseFclRobot},
    {"fcl",    "body by body, own solver", wkOpenFclRobotPerBodyIndep, wkPassFclRobot,  wkCloseFclRobot},
#if defined(WK_HAS_BULLET)
    {"bullet", "dbvt",                   wkOpenBulletRobot,          wkPassBulletRobot, wkCloseBulletRobot},
#endif
#if defined(WK_HAS_ODE)
    {"ode",    "hash",                   wkOpenOdeRobotHash,         wkPassOdeRobot,    wkCloseOdeRobot},
    {"ode",    "quadtree",               wkOpenOdeRobotQuadtree,     wkPassOdeRobot,    wkCloseOdeRobot},
    {"ode",    "simple",                 wkOpenOdeRobotSimple,       wkPassOdeRobot,    wkCloseOdeRobot},
#endif
    {NULL,     NULL,                     NULL,                       NULL,              NULL},
};
// clang-format on

#if defined(WK_HAS_BULLET)
#define BULLET ", Bullet (single precision)"
#else
#define BULLET ""
#endif
#if defined(WK_HAS_EMBREE)
#define EMBREE ", Embree (single precision)"
#else
#define EMBREE ""
#endif
#if defined(WK_HAS_ODE)
#define ODE ", ODE"
#else
#define ODE ""
#endif

#if defined(WK_HAS_OCTOMAP)
#define OCTOMAP ", OctoMap"
#else
#define OCTOMAP ""
#endif

const char* wkPeerNames(void)
{
    return "FCL with libccd and its own solver" BULLET EMBREE ODE OCTOMAP;
}
