// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// whisker-bench measures the library alone.

#include "peers/broad_peer.h"
#include "peers/cast_peer.h"
#include "peers/cloud_peer.h"
#include "peers/filter_peer.h"
#include "peers/map_peer.h"
#include "peers/mesh_peer.h"
#include "peers/robot_peer.h"
#include "peers/strategy_peer.h"

const wkPeer wkPeers[] = {{NULL, NULL, NULL, NULL, NULL}};
const wkCastPeer wkCastPeers[] = {{NULL, NULL, NULL, NULL, NULL}};
const wkMeshPeer wkMeshPeers[] = {{NULL, NULL, NULL, NULL, NULL}};
const wkCloudPeer wkCloudPeers[] = {{.name = NULL}};
const wkFilterPeer wkFilterPeers[] = {{.name = NULL}};
const wkMapPeer wkMapPeers[] = {{.name = NULL}};
const wkBroadPeer wkBroadPeers[] = {{NULL, NULL, NULL, NULL, NULL}};
const wkRobotPeer wkRobotPeers[] = {{NULL, NULL, NULL, NULL, NULL}};
const wkStrategyPeer wkStrategyPeers[] = {{NULL, NULL, NULL, NULL}};

const char* wkPeerNames(void)
{
    return "none";
}
