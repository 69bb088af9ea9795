// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// Lists the elements of a mesh: chooses the representative triangle of every vertex and edge.

#include "query/deform/elements_impl.h"

#include "base/error.h"
#include "base/memory.h"
#include "base/sort.h"

#include <string.h>

// Scratch memory: the edges of all triangles.
typedef struct edgeList {
    wkSortKey*
        keys; // the two vertices, the lower one first; the value is three times the triangle, plus the edge
    wkSortKey* spare;
    uint8_t* isKnown; // by vertex
    size_t keyBytes;
    size_t knownBytes;
} edgeList;

static void releaseList(edgeList* list)
{
    wkFree(list->keys, list->keyBytes);
    wkFree(list->spare, list->keyBytes);
    wkFree(list->isKnown, list->knownBytes);
}

static bool reserveList(const wkMesh* mesh, edgeList* list)
{
    list->keyBytes = (3 * (size_t)mesh->triangleCount + 1) * sizeof *list->keys;
    list->knownBytes = (size_t)mesh->vertexCount + 1;
    list->keys = (wkSortKey*)wkAlloc(list->keyBytes);
    list->spare = (wkSortKey*)wkAlloc(list->keyBytes);
    list->isKnown = (uint8_t*)wkAlloc(list->knownBytes);
    return list->keys != NULL && list->spare != NULL && list->isKnown != NULL;
}

static void chooseVertices(wkMeshElements* elements, uint8_t* isKnown)
{
    memset(isKnown, 0, (size_t)elements->vertexCount);
    for (int32_t id = 0; id < elements->info.faceCount; ++id) {
        int32_t vertices[3];
        wkMesh_TriangleIndices(elements->mesh, id, vertices);
        elements->masks[id] = 0;
        for (int k = 0; k < 3; ++k) {
            if (!isKnown[vertices[k]]) {
                isKnown[vertices[k]] = 1;
                elements->masks[id] |= (uint8_t)WK_OWN_VERTEX(k);
                ++elements->info.vertexCount;
            }
        }
    }
}

// The first of the edges with the same vertices counts. An edge from a vertex to itself is that vertex.
static void chooseEdges(wkMeshElements* elements, edgeList* list)
{
    int32_t count = 0;
    for (int32_t id = 0; id < elements->info.faceCount; ++id) {
        int32_t vertices[3];
        wkMesh_TriangleIndices(elements->mesh, id, vertices);
        for (int k = 0; k < 3; ++k) {
            uint64_t p = (uint64_t)vertices[k], q = (uint64_t)vertices[wkNextVertex(k)];
            if (p != q) {
                list->keys[count].key = p < q ? p << 32 | q : q << 32 | p;
                list->keys[count++].value = 3 * (int64_t)id + k;
            }
        }
    }
    wkSortKeys(list->keys, list->spare, count);
    for (int32_t i = 0; i < count; ++i) {
        if (i == 0 || list->keys[i].key != list->keys[i - 1].key) {
            int64_t edge = list->keys[i].value;
            elements->masks[edge / 3] |= (uint8_t)WK_OWN_EDGE(edge % 3);
            ++elements->info.edgeCount;
        }
    }
}

wkResult wkMeshElements_Create(const wkMesh* mesh, wkMeshElements** elements)
{
    if (elements == NULL) {
        return wkFail(wk_errorArgument, "mesh elements: no address for the elements");
    }
    *elements = NULL;
    if (mesh == NULL) {
        return wkFail(wk_errorArgument, "mesh elements: the mesh is NULL");
    }
    edgeList list = {0};
    size_t byteCount = sizeof(wkMeshElements) + (size_t)mesh->triangleCount;
    wkMeshElements* made = (wkMeshElements*)wkAlloc(byteCount);
    if (made == NULL || !reserveList(mesh, &list)) {
        releaseList(&list);
        wkFree(made, byteCount);
        return wkFail(wk_errorMemory, "mesh elements: no memory for %d triangles",
                      (int)mesh->triangleCount);
    }
    memset(made, 0, sizeof *made);
    made->mesh = mesh;
    made->byteCount = byteCount;
    made->vertexCount = mesh->vertexCount;
    made->info.faceCount = mesh->triangleCount;
    chooseVertices(made, list.isKnown);
    chooseEdges(made, &list);
    releaseList(&list);
    *elements = made;
    return wk_ok;
}

void wkMeshElements_Destroy(wkMeshElements* elements)
{
    if (elements != NULL) {
        wkFree(elements, elements->byteCount);
    }
}

wkMeshElementsInfo wkMeshElements_Info(const wkMeshElements* elements)
{
    return elements->info;
}
