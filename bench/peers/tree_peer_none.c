// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// Dynamic trees measured alone.

#include "peers/tree_peer.h"

const wkTreePeer wkTreePeers[] = {{NULL, NULL, 0, NULL, NULL, NULL}};

const char* wkPeerNames(void)
{
    return "none";
}
