// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// The functions behind the table of peers; each set is built where its library is present.

#include "peers/broad_peer.h"
#include "peers/cast_peer.h"
#include "peers/cloud_peer.h"
#include "peers/filter_peer.h"
#include "peers/map_peer.h"
#include "peers/mesh_peer.h"
#include "peers/robot_peer.h"
#include "peers/strategy_peer.h"

#ifdef __cplusplus
extern "C" {
#endif

void* wkOpenFclLibccd(const wkPairJob* job, wkAnswer* answers);
void* wkOpenFclIndep(const wkPairJob* job, wkAnswer* answers);
void wkPassFcl(void* handle);
void wkCloseFcl(void* handle);

void* wkOpenBulletGjk(const wkPairJob* job, wkAnswer* answers);
void* wkOpenBulletAlgorithm(const wkPairJob* job, wkAnswer* answers);
void wkPassBulletGjk(void* handle);
void wkPassBulletAlgorithm(void* handle);
void wkCloseBullet(void* handle);

void* wkOpenFclCastLibccd(const wkCastJob* job, wkAnswer* answers);
void* wkOpenFclCastIndep(const wkCastJob* job, wkAnswer* answers);
void wkPassFclCast(void* handle);
void wkCloseFclCast(void* handle);

void* wkOpenBulletCast(const wkCastJob* job, wkAnswer* answers);
void wkPassBulletCast(void* handle);
void wkCloseBulletCast(void* handle);

void* wkOpenFclObb(const wkMeshJob* job, wkAnswer* answers);
void* wkOpenFclRss(const wkMeshJob* job, wkAnswer* answers);
void* wkOpenFclObbRss(const wkMeshJob* job, wkAnswer* answers);
void* wkOpenFclKios(const wkMeshJob* job, wkAnswer* answers);
void* wkOpenFclAabb(const wkMeshJob* job, wkAnswer* answers);
void wkPassFclMesh(void* handle);
void wkCloseFclMesh(void* handle);

void* wkOpenPclFilter(const float* points, int32_t count);
int32_t wkApplyPclFilter(void* handle, const wkFilterStep* step);
const int32_t* wkKeptPclFilter(void* handle);
void wkCentroidPclFilter(void* handle, int32_t index, float center[3]);
void wkClosePclFilter(void* handle);

void* wkOpenOctoMap(double resolution, const wkScan* scan);
void wkInsertOctoMap(void* handle, bool isExact);
long wkCountWrongOctoMap(void* handle, const wkOctree* ours);
double wkCountBytesOctoMap(void* handle);
void wkCloseOctoMap(void* handle);
void* wkReadOctoMap(const char* path);

void* wkOpenEmbree(const wkMeshJob* job, wkAnswer* answers);
void wkPassEmbree(void* handle);
void wkCloseEmbree(void* handle);

void* wkOpenFclTree(const wkBroadJob* job);
void* wkOpenFclTreeArray(const wkBroadJob* job);
void* wkOpenFclSap(const wkBroadJob* job);
long wkStepFclBroad(void* handle, int frame);
void wkCloseFclBroad(void* handle);

void* wkOpenBulletCache(const wkBroadJob* job);
long wkStepBulletCache(void* handle, int frame);
void wkCloseBulletCache(void* handle);
void* wkOpenBulletTree(const wkBroadJob* job);
long wkStepBulletTree(void* handle, int frame);
void wkCloseBulletTree(void* handle);

void* wkOpenOde(const wkBroadJob* job);
long wkStepOde(void* handle, int frame);
void wkCloseOde(void* handle);

void* wkOpenFclStrategy(const wkStrategyJob* job, wkAnswer* answers);
void wkPassFclStrategy(void* handle);
void wkCloseFclStrategy(void* handle);

void* wkOpenFclRobot(const wkPeerRobotJob* job, wkAnswer* answers);
void* wkOpenFclRobotObbRss(const wkPeerRobotJob* job, wkAnswer* answers);
void* wkOpenFclRobotIndep(const wkPeerRobotJob* job, wkAnswer* answers);
void* wkOpenFclRobotPerBody(const wkPeerRobotJob* job, wkAnswer* answers);
void* wkOpenFclRobotPerBodyIndep(const wkPeerRobotJob* job, wkAnswer* answers);
void wkPassFclRobot(void* handle);
void wkCloseFclRobot(void* handle);

void* wkOpenOdeRobotHash(const wkPeerRobotJob* job, wkAnswer* answers);
void* wkOpenOdeRobotQuadtree(const wkPeerRobotJob* job, wkAnswer* answers);
void* wkOpenOdeRobotSimple(const wkPeerRobotJob* job, wkAnswer* answers);
void wkPassOdeRobot(void* handle);
void wkCloseOdeRobot(void* handle);

void* wkOpenBulletRobot(const wkPeerRobotJob* job, wkAnswer* answers);
void wkPassBulletRobot(void* handle);
void wkCloseBulletRobot(void* handle);

void* wkBuildNanoflann(const float* points, int32_t count);
void* wkPrepareNanoflann(const wkCloudQuestion* question);
double wkAskNanoflann(void* index, void* body, wkPose pose);
void wkReleaseNanoflann(void* body);
void wkDestroyNanoflann(void* index);

void* wkBuildPcl(const float* points, int32_t count);
void* wkPreparePcl(const wkCloudQuestion* question);
double wkAskPcl(void* index, void* body, wkPose pose);
void wkReleasePcl(void* body);
void wkDestroyPcl(void* index);

void* wkBuildFclCloud(const float* points, int32_t count);
void* wkPrepareFclCloud(const wkCloudQuestion* question);
double wkAskFclCloud(void* index, void* body, wkPose pose);
void wkReleaseFclCloud(void* body);
void wkDestroyFclCloud(void* index);

#ifdef __cplusplus
}
#endif
