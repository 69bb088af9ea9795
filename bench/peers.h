// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// The functions behind the table of peers; each set is built where its library is present.

#include "mesh_peer.h"

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

void* wkOpenEmbree(const wkMeshJob* job, wkAnswer* answers);
void wkPassEmbree(void* handle);
void wkCloseEmbree(void* handle);

#ifdef __cplusplus
}
#endif
