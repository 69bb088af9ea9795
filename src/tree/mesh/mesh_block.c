// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// Loads meshes from untrusted blocks. A checksum detects damage; a forged block can have a valid checksum,
// so every count, offset, index and link is checked before a walk may follow it. Volumes that are too small
// give wrong results, but never an invalid access.

#include "base/error.h"
#include "base/memory.h"
#include "geom/hull_impl.h"
#include "tree/bvh/item_range.h"
#include "tree/mesh/lids.h"
#include "tree/mesh/mesh_hull.h"
#include "tree/mesh/mesh_impl.h"

#include "whisker/detail/counts.h"

#include <string.h>

static uint64_t mixWord(uint64_t sum, uint64_t word)
{
    sum = (sum ^ word) * 0x9e3779b97f4a7c15u;
    return sum ^ sum >> 29;
}

static uint64_t readWord(const char* bytes, size_t count)
{
    uint64_t word = 0;
    memcpy(&word, bytes, count);
    return word;
}

// Independent sums, which are computed in parallel.
#define SUM_COUNT 8

static uint64_t checksumOf(const char* bytes, size_t count)
{
    uint64_t sums[SUM_COUNT] = {1, 2, 3, 4, 5, 6, 7, 8};
    size_t i = 0;
    for (; i + 8 * SUM_COUNT <= count; i += 8 * SUM_COUNT) {
        for (int k = 0; k < SUM_COUNT; ++k) {
            sums[k] = mixWord(sums[k], readWord(bytes + i + 8 * k, 8));
        }
    }
    for (; i < count; i += 8) {
        sums[0] = mixWord(sums[0], readWord(bytes + i, count - i < 8 ? count - i : 8));
    }
    uint64_t sum = mixWord(count, sums[0]);
    for (int k = 1; k < SUM_COUNT; ++k) {
        sum = mixWord(sum, sums[k]);
    }
    return sum;
}

uint64_t wkMeshChecksum(const wkMesh* mesh)
{
    size_t start = offsetof(wkMesh, checksum) + sizeof mesh->checksum;
    return checksumOf((const char*)mesh + start, (size_t)mesh->byteCount - start);
}

void wkSealMesh(wkMesh* mesh)
{
    mesh->checksum = wkMeshChecksum(mesh);
}

const void* wkMesh_Block(const wkMesh* mesh)
{
    return mesh;
}

static wkResult refuse(const char* reason)
{
    return wkFail(wk_errorParse, "mesh block: %s", reason);
}

// Checks that the block is a mesh of this format, and complete.
static wkResult checkIdentity(const wkMesh* mesh, size_t byteCount)
{
    if (byteCount < sizeof *mesh) {
        return refuse("shorter than its header");
    }
    if (mesh->magic == __builtin_bswap64(WK_MESH_MAGIC)) {
        return wkFail(wk_errorUnsupported, "mesh block: from a machine with another byte order");
    }
    if (mesh->magic != WK_MESH_MAGIC) {
        return refuse("not a mesh");
    }
    if (mesh->version != WK_MESH_VERSION) {
        return wkFail(wk_errorUnsupported, "mesh block: version %u, this library has %u",
                      (unsigned)mesh->version, (unsigned)WK_MESH_VERSION);
    }
    if (mesh->headerBytes != sizeof *mesh) {
        return wkFail(wk_errorUnsupported,
                      "mesh block: header of %u bytes, this library has %zu: another layout",
                      (unsigned)mesh->headerBytes, sizeof *mesh);
    }
    if (mesh->byteCount < sizeof *mesh || mesh->byteCount > byteCount) {
        return wkFail(wk_errorParse, "mesh block: %llu bytes, but %llu are given",
                      (unsigned long long)mesh->byteCount, (unsigned long long)byteCount);
    }
    return mesh->checksum == wkMeshChecksum(mesh) ? wk_ok : refuse("damaged, by its checksum");
}

static bool isFlag(uint8_t value)
{
    return value <= 1;
}

static wkResult checkCounts(const wkMesh* mesh)
{
    if (mesh->vertexCount < 0 || mesh->triangleCount < 0 ||
        mesh->triangleCount > WK_TREE_MAX_ITEMS) {
        return refuse("vertices or triangles out of range");
    }
    if (mesh->lidCount < 0 || mesh->lidCount > mesh->triangleCount || mesh->loopCount < 0 ||
        mesh->loopCount > WK_LID_BOUND(wkMeshGivenCount(mesh)) || mesh->hullCount < 0 ||
        mesh->hullCount > mesh->lidCount || (mesh->lidCount > 0 && !mesh->isSolid)) {
        return refuse("lids or loops out of range");
    }
    if (mesh->triangleCapacity < mesh->triangleCount ||
        mesh->triangleCapacity > WK_TREE_MAX_ITEMS) {
        return refuse("triangle capacity out of range");
    }
    if (mesh->nodeCount < 1 || mesh->nodeCount > WK_TREE_MAX_ITEMS || mesh->depth < 0 ||
        mesh->depth > WK_TREE_MAX_DEPTH) {
        return refuse("nodes or depth out of range");
    }
    if (mesh->componentCount < 0 || mesh->componentCount > mesh->triangleCount ||
        mesh->degenerateCount < 0 || mesh->degenerateCount > wkMeshGivenCount(mesh)) {
        return refuse("pieces out of range");
    }
    if ((uint32_t)mesh->kind >= (uint32_t)WK_VOLUME_KIND_COUNT) {
        return refuse("no such kind of volumes");
    }
    if (!isFlag(mesh->isSolid) || !isFlag(mesh->isClosed) || !isFlag(mesh->isConvex) ||
        !isFlag(mesh->hasPrevious)) {
        return refuse("a flag is neither 0 nor 1");
    }
    bool isFinite = wkIsFiniteVec(mesh->sphereCenter) && mesh->sphereRadius >= 0.0 &&
                    mesh->sewnGap >= 0.0 &&
                    mesh->sphereRadius + fabs(mesh->area) + fabs(mesh->lidArea) +
                            fabs(mesh->volumeInside) + mesh->sewnGap <
                        INFINITY;
    return isFinite ? wk_ok : refuse("a size is not finite");
}

// Whether an array is valid: behind the header, aligned, and before the end.
static bool isArray(const wkMesh* mesh, uint64_t offset, int32_t count, uint64_t elementBytes)
{
    uint64_t byteCount = (uint64_t)count * elementBytes;
    return offset % 64 == 0 && offset >= sizeof *mesh && offset <= mesh->byteCount &&
           byteCount <= mesh->byteCount - offset;
}

static wkResult checkArrays(const wkMesh* mesh)
{
    bool hasCapacity = mesh->previousOffset != 0;
    bool areValid =
        isArray(mesh, mesh->vertexOffset, mesh->vertexCount, sizeof(wkVec3d)) &&
        isArray(mesh, mesh->triangleOffset, mesh->triangleCount, 3 * sizeof(int32_t)) &&
        isArray(mesh, mesh->idOffset, mesh->triangleCount, sizeof(int32_t)) &&
        isArray(mesh, mesh->orderOffset, mesh->triangleCount, sizeof(int32_t)) &&
        isArray(mesh, mesh->componentOffset, mesh->componentCount, sizeof(int32_t)) &&
        isArray(mesh, mesh->nodeOffset, mesh->nodeCount, wkNodeBytes((wkVolumeKind)mesh->kind)) &&
        (!hasCapacity || isArray(mesh, mesh->previousOffset, mesh->vertexCount, sizeof(wkVec3d)));
    if (!areValid) {
        return refuse("an array is outside of the block");
    }
    return mesh->hasPrevious && !hasCapacity ? refuse("previous vertices are missing") : wk_ok;
}

static bool areValidVertices(const wkVec3d* vertices, int32_t count)
{
    for (int32_t i = 0; i < count; ++i) {
        if (!wkIsFiniteVec(vertices[i]) || !(wkMaxAbs(vertices[i]) <= WK_MESH_REACH)) {
            return false;
        }
    }
    return true;
}

// Whether all of `count` indices are below `limit`.
static bool areIndices(const int32_t* indices, size_t count, int32_t limit)
{
    for (size_t i = 0; i < count; ++i) {
        if ((uint32_t)indices[i] >= (uint32_t)limit) {
            return false;
        }
    }
    return true;
}

static bool areInverse(const int32_t* ids, const int32_t* order, int32_t count)
{
    for (int32_t i = 0; i < count; ++i) {
        if (order[ids[i]] != i) {
            return false;
        }
    }
    return true;
}

static wkResult checkGeometry(const wkMesh* mesh)
{
    size_t count = (size_t)mesh->triangleCount;
    if (!areValidVertices(wkMeshVertices(mesh), mesh->vertexCount) ||
        (mesh->hasPrevious && !areValidVertices(wkMeshPrevious(mesh), mesh->vertexCount))) {
        return refuse("a vertex is out of range");
    }
    if (!areIndices(wkMeshTriangles(mesh), 3 * count, mesh->vertexCount)) {
        return refuse("a triangle has a vertex that is not there");
    }
    if (!areIndices(wkMeshIds(mesh), count, mesh->triangleCount) ||
        !areIndices(wkMeshTriangleOrder(mesh), count, mesh->triangleCount) ||
        !areInverse(wkMeshIds(mesh), wkMeshTriangleOrder(mesh), mesh->triangleCount)) {
        return refuse("the order of the triangles is broken");
    }
    if (!areIndices(wkMeshComponents(mesh), (size_t)mesh->componentCount, mesh->triangleCount)) {
        return refuse("a piece has a triangle that is not there");
    }
    return wk_ok;
}

// Results about a node after all its descendants have been checked.
typedef struct visited {
    wkItemRange range;
    int32_t depth;
    bool isNamed; // linked by a node before it
} visited;

// Checks a slot: it may link to a later node that no other slot links to, or to existing triangles, and
// must continue where the slot before it ended.
static bool visitSlot(const wkMesh* mesh, visited* nodes, int32_t node, wkLink link)
{
    visited* own = &nodes[node];
    wkItemRange below = {wkLeafFirst(link), wkLeafCount(link)};
    int32_t depth = 1;
    if (!wkIsLeaf(link)) {
        if (link <= (uint32_t)node || link >= (uint32_t)mesh->nodeCount || nodes[link].isNamed) {
            return false;
        }
        nodes[link].isNamed = true;
        below = nodes[link].range;
        depth = nodes[link].depth + 1;
    }
    bool isFirst = own->range.count == 0;
    if (below.first > mesh->triangleCount - below.count || below.count < 1 ||
        (!isFirst && below.first != own->range.first + own->range.count)) {
        return false;
    }
    own->range.first = isFirst ? below.first : own->range.first;
    own->range.count += below.count;
    own->depth = depth > own->depth ? depth : own->depth;
    return own->depth <= WK_TREE_MAX_DEPTH;
}

// Whether an empty slot is too far away for any walk: walks over boxes test all eight.
static bool isOutOfReach(const wkTree* tree, int32_t node, int slot)
{
    const wkBoxNode* boxes = wkTreeBoxes(tree, (uint32_t)node);
    for (int axis = 0; axis < 3 && tree->kind == wk_volumeAabb; ++axis) {
        if (boxes->lower[axis][slot] != WK_FAR_AWAY || boxes->upper[axis][slot] != WK_FAR_AWAY) {
            return false;
        }
    }
    return true;
}

static bool visitNode(const wkMesh* mesh, const wkTree* tree, visited* nodes, int32_t node)
{
    visited unobserved = {{0, 0}, 0, false};
    nodes[node] = unobserved;
    const wkLink* links = wkTreeLinks(tree, (uint32_t)node);
    int count = 0;
    while (count < WK_TREE_WIDTH && links[count] != WK_LINK_EMPTY) {
        if (!visitSlot(mesh, nodes, node, links[count++])) {
            return false;
        }
    }
    for (int slot = count; slot < WK_TREE_WIDTH; ++slot) {
        if (links[slot] != WK_LINK_EMPTY || !isOutOfReach(tree, node, slot)) {
            return false;
        }
    }
    return node == 0 ? count <= 1 : count > 0;
}

// Checks that every node is linked once, by a node before it, and that every triangle is in one leaf.
static wkResult checkNodes(const wkMesh* mesh)
{
    size_t byteCount = (size_t)mesh->nodeCount * sizeof(visited);
    visited* nodes = wkAlloc(byteCount);
    if (nodes == NULL) {
        return wkFail(wk_errorMemory, "mesh block: no memory for %d nodes", (int)mesh->nodeCount);
    }
    wkTree tree = wkMeshTree(mesh);
    bool isValid = true;
    for (int32_t node = mesh->nodeCount - 1; node >= 0 && isValid; --node) {
        isValid = visitNode(mesh, &tree, nodes, node);
    }
    for (int32_t node = 1; node < mesh->nodeCount && isValid; ++node) {
        isValid = nodes[node].isNamed;
    }
    isValid = isValid && nodes[0].range.first == 0 && nodes[0].range.count == mesh->triangleCount &&
              nodes[0].depth == mesh->depth;
    wkFree(nodes, byteCount);
    return isValid ? wk_ok : refuse("the hierarchy is broken");
}

// Rebuilds the hull: no other check of all its content would be as short.
static wkResult checkHull(const wkMesh* mesh)
{
    if (mesh->hullOffset == 0 || mesh->hullBytes == 0) {
        return mesh->hullBytes == 0 ? wk_ok : refuse("a hull without an offset");
    }
    bool isInside = mesh->hullOffset % 64 == 0 && mesh->hullOffset >= sizeof *mesh &&
                    mesh->hullOffset <= mesh->byteCount &&
                    mesh->hullBytes <= mesh->byteCount - mesh->hullOffset;
    if (!isInside || !mesh->isSolid || !mesh->isConvex ||
        mesh->vertexCount > WK_MESH_HULL_VERTICES) {
        return refuse("a hull where none can be");
    }
    wkMeshDef def = wkDefaultMeshDef();
    def.isSolid = true;
    def.vertices = wkMeshVertices(mesh);
    def.vertexCount = mesh->vertexCount;
    def.triangles = wkMeshTriangles(mesh);
    def.triangleCount = mesh->triangleCount;
    wkHull* hull;
    if (!wkMakeMeshHull(&def, true, &hull)) {
        return wkFail(wk_errorMemory, "mesh block: no memory for a hull");
    }
    bool isSame = hull != NULL && hull->byteCount == mesh->hullBytes &&
                  memcmp(hull, wkMeshHull(mesh), (size_t)mesh->hullBytes) == 0;
    wkHull_Destroy(hull);
    return isSame ? wk_ok : refuse("not the hull of the vertices");
}

static wkResult checkBlock(const wkMesh* mesh, size_t byteCount)
{
    wkResult result = checkIdentity(mesh, byteCount);
    result = result == wk_ok ? checkCounts(mesh) : result;
    result = result == wk_ok ? checkArrays(mesh) : result;
    result = result == wk_ok ? checkGeometry(mesh) : result;
    result = result == wk_ok ? checkHull(mesh) : result;
    return result == wk_ok ? checkNodes(mesh) : result;
}

wkResult wkMesh_FromBlock(const void* block, size_t byteCount, wkMesh** mesh)
{
    *mesh = NULL;
    if (block == NULL) {
        return wkFail(wk_errorArgument, "mesh block: is NULL");
    }
    // bytes after the block itself are ignored; shorter ones are refused below
    wkMesh header;
    bool hasHeader = byteCount >= sizeof header;
    if (hasHeader) {
        memcpy(&header, block, sizeof header);
        byteCount = header.byteCount < byteCount ? (size_t)header.byteCount : byteCount;
    }
    if (!hasHeader || byteCount < sizeof header) {
        return refuse("shorter than its header");
    }
    wkMesh* copy = wkAlloc(byteCount);
    if (copy == NULL) {
        return wkFail(wk_errorMemory, "mesh block: no memory for %zu bytes", byteCount);
    }
    memcpy(copy, block, byteCount);
    wkResult result = checkBlock(copy, byteCount);
    if (result != wk_ok) {
        wkFree(copy, byteCount);
        return result;
    }
    *mesh = copy;
    return wk_ok;
}

wkResult wkMesh_MapBlock(const void* block, size_t byteCount, const wkMesh** mesh)
{
    *mesh = NULL;
    if (block == NULL || (uintptr_t)block % 64 != 0) {
        return wkFail(wk_errorArgument, "mesh block: %s",
                      block == NULL ? "is NULL" : "is not aligned to 64 bytes");
    }
    wkResult result = checkBlock(block, byteCount);
    *mesh = result == wk_ok ? block : NULL;
    return result;
}
