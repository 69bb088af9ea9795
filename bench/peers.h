// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// The functions behind the table of peers; each set is built where its library is present.

#include "broad_peer.h"
#include "map_peer.h"
#include "mesh_peer.h"
#include "strategy_peer.h"

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

void* wkOpenFclObb(const wkMeshJob* job, wkAnswer* answers);
void* wkOpenFclRss(const wkMeshJob* job, wkAnswer* answers);
void* wkOpenFclObbRss(const wkMeshJob* job, wkAnswer* answers);
void* wkOpenFclKios(const wkMeshJob* job, wkAnswer* answers);
void* wkOpenFclAabb(const wkMeshJob* job, wkAnswer* answers);
void wkPassFclMesh(void* handle);
void wkCloseFclMesh(void* handle);

void* wkOpenOctoMap(double resolution, const wkScan* scan);
void wkInsertOctoMap(void* handle, bool isExact);
long wkCountWrongOctoMap(void* handle, const wkOctree* ours);
double wkCountBytesOctoMap(void* handle);
void wkCloseOctoMap(void* handle);
void* wkReadOctoMap(const char* path);

void* wkOpenEmbree(const wkMeshJob* job, wkAnswer* answers);
void wkPassEmbree(void* handle);
void wkCloseEmbree(void* handle);

void* wkOpenFclTree(const wkBroadJob* job, wkAnswer* answers);
void* wkOpenFclTreeArray(const wkBroadJob* job, wkAnswer* answers);
void* wkOpenFclSap(const wkBroadJob* job, wkAnswer* answers);
void wkPassFclBroad(void* handle);
void wkCloseFclBroad(void* handle);

void* wkOpenBulletCache(const wkBroadJob* job, wkAnswer* answers);
void wkPassBulletCache(void* handle);
void wkCloseBulletCache(void* handle);
void* wkOpenBulletTree(const wkBroadJob* job, wkAnswer* answers);
void wkPassBulletTree(void* handle);
void wkCloseBulletTree(void* handle);

void* wkOpenOde(const wkBroadJob* job, wkAnswer* answers);
void wkPassOde(void* handle);
void wkCloseOde(void* handle);

void* wkOpenFclStrategy(const wkStrategyJob* job, wkAnswer* answers);
void wkPassFclStrategy(void* handle);
void wkCloseFclStrategy(void* handle);

#ifdef __cplusplus
}
#endif
