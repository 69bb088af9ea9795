// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// Blocks that come back: whole ones give the same mesh, damaged ones are refused, and those that a
// forger has given a fresh checksum are refused or can be queried without harm.

#include "mesh_unit_check.h"
#include "whisker/detail/counts.h"
#include "whisker/query.h"

typedef struct block {
    char* bytes; // 64-byte aligned
    size_t count;
} block;

static block makeBlock(int32_t size, wkVolumeKind kind)
{
    meshSet set = solidSphereSet(size, 0.1);
    wkMeshDef def = defOfSet(&set);
    def.volume = kind;
    def.isSolid = true;
    wkMesh* mesh = createMesh(&def);
    size_t count = wkMesh_Info(mesh).byteCount;
    block b = {(char*)aligned_alloc(64, (count + 63) / 64 * 64), count};
    memcpy(b.bytes, wkMesh_Block(mesh), count);
    wkMesh_Destroy(mesh);
    freeSet(&set);
    return b;
}

static void blocks_give_the_same_mesh(void** state)
{
    (void)state;
    for (int kind = 0; kind < WK_VOLUME_KIND_COUNT; ++kind) {
        block b = makeBlock(12, (wkVolumeKind)kind);
        wkMesh* copy;
        const wkMesh* mapped;
        assert_int_equal(wkMesh_FromBlock(b.bytes, b.count, &copy), wk_ok);
        assert_int_equal(wkMesh_MapBlock(b.bytes, b.count, &mapped), wk_ok);
        assert_memory_equal(copy, b.bytes, b.count);
        assert_true((const char*)mapped == b.bytes);
        assertValidTree(mapped);
        wkMesh_Destroy(copy);

        // from any place, and with more behind it
        char* elsewhere = (char*)calloc(1, b.count + 100);
        memcpy(elsewhere + 1, b.bytes, b.count);
        assert_int_equal(wkMesh_FromBlock(elsewhere + 1, b.count + 99, &copy), wk_ok);
        assert_memory_equal(copy, b.bytes, b.count);
        wkMesh_Destroy(copy);
        assert_int_equal(wkMesh_MapBlock(b.bytes + 8, b.count - 8, &mapped), wk_errorArgument);
        free(elsewhere);
        free(b.bytes);
    }
}

// Memory full of a byte that is not zero.
static void* allocateFull(size_t byteCount, void* context)
{
    size_t rounded = (byteCount + 63) / 64 * 64;
    void* memory = aligned_alloc(64, rounded);
    memset(memory, *(const int*)context, rounded);
    return memory;
}

static void releaseFull(void* memory, size_t byteCount, void* context)
{
    (void)byteCount;
    (void)context;
    free(memory);
}

static wkMesh* makeMeshIn(const wkMeshDef* def, int content)
{
    wkAllocator full = {allocateFull, releaseFull, &content};
    wkSetAllocator(&full);
    wkMesh* mesh = createMesh(def);
    wkSetAllocator(NULL);
    return mesh;
}

static void blocks_do_not_report_what_was_in_memory_before(void** state)
{
    (void)state;
    for (int32_t size = 3; size < 12; ++size) {
        meshSet set = solidSphereSet(size, 0.1);
        wkMeshDef def = defOfSet(&set);
        for (int k = 0; k < 2 * WK_VOLUME_KIND_COUNT; ++k) {
            def.volume = (wkVolumeKind)(k / 2);
            def.isSolid = k % 2 == 1;
            wkMesh *a = makeMeshIn(&def, 0x5a), *b = makeMeshIn(&def, 0xa5);
            assert_memory_equal(a, b, wkMesh_Info(a).byteCount);
            wkMesh_Destroy(a);
            wkMesh_Destroy(b);
        }
        freeSet(&set);
    }
}

static void shortened_blocks_are_refused(void** state)
{
    (void)state;
    block b = makeBlock(6, wk_volumeAabb);
    for (size_t count = 0; count < b.count; ++count) {
        char* part = (char*)malloc(count + 1);
        memcpy(part, b.bytes, count);
        wkMesh* mesh;
        assert_int_equal(wkMesh_FromBlock(part, count, &mesh), wk_errorParse);
        assert_null(mesh);
        free(part);
    }
    free(b.bytes);
}

static void other_blocks_are_distinguished(void** state)
{
    (void)state;
    block b = makeBlock(6, wk_volumeAabb);
    wkMesh* header = (wkMesh*)b.bytes;
    const wkMesh* mesh;
    header->magic = __builtin_bswap64(WK_MESH_MAGIC);
    assert_int_equal(wkMesh_MapBlock(b.bytes, b.count, &mesh), wk_errorUnsupported);
    header->magic = 0;
    assert_int_equal(wkMesh_MapBlock(b.bytes, b.count, &mesh), wk_errorParse);
    header->magic = WK_MESH_MAGIC;
    header->version = WK_MESH_VERSION + 1;
    assert_int_equal(wkMesh_MapBlock(b.bytes, b.count, &mesh), wk_errorUnsupported);
    header->version = WK_MESH_VERSION;
    assert_int_equal(wkMesh_MapBlock(b.bytes, b.count, &mesh), wk_ok);
    assert_int_equal(wkMesh_MapBlock(NULL, b.count, &mesh), wk_errorArgument);
    free(b.bytes);
}

static void damaged_blocks_are_refused(void** state)
{
    (void)state;
    block b = makeBlock(8, wk_volumeObb);
    wkRng rng = wkMakeRng(UNIT_SEED);
    for (int round = 0; round < 3000; ++round) {
        size_t offset = (size_t)(wkRngUnit(&rng) * (double)b.count);
        char bit = (char)(1 << wkRngBelow(&rng, 8));
        b.bytes[offset] = (char)(b.bytes[offset] ^ bit);
        const wkMesh* mesh;
        wkResult result = wkMesh_MapBlock(b.bytes, b.count, &mesh);
        assert_true(result == wk_errorParse || result == wk_errorUnsupported);
        assert_null(mesh);
        b.bytes[offset] = (char)(b.bytes[offset] ^ bit);
    }
    free(b.bytes);
}

static void askMesh(const wkMesh* mesh)
{
    wkShape shape = wkMakeMesh(mesh), sphere = wkMakeSphere(0.3);
    wkPose pose = wkMakePose(0.9, 0.1, 0.2);
    wkContact contacts[4];
    wkCollideRequest request = wkDefaultCollideRequest();
    request.contacts = contacts;
    request.contactCapacity = 4;
    wkDistance(&shape, wkIdentityPose(), &sphere, pose, NULL);
    wkDistance(&shape, wkIdentityPose(), &shape, pose, NULL);
    wkCollide(&shape, wkIdentityPose(), &shape, pose, &request);
    wkMesh_Triangle(mesh, 0);
}

// Bytes of the header, of the links and of the indices, where it matters most.
static size_t chooseOffset(wkRng* rng, const block* b)
{
    const wkMesh* mesh = (const wkMesh*)b->bytes;
    uint32_t nodeBytes = wkNodeBytes((wkVolumeKind)mesh->kind);
    uint64_t node = (uint64_t)wkRngBelow(rng, mesh->nodeCount);
    switch (wkRngBelow(rng, 4)) {
    case 0:
        return (size_t)wkRngBelow(rng, (int)sizeof *mesh);
    case 1:
        return (size_t)(mesh->nodeOffset + node * nodeBytes) + (size_t)wkRngBelow(rng, 32);
    case 2:
        return (size_t)mesh->triangleOffset + (size_t)wkRngBelow(rng, 12 * mesh->triangleCount);
    default:
        return (size_t)(wkRngUnit(rng) * (double)b->count);
    }
}

static void forged_blocks_do_no_harm(void** state)
{
    (void)state;
    wkRng rng = wkMakeRng(UNIT_SEED);
    int acceptedCount = 0, refusedCount = 0;
    for (int kind = 0; kind < WK_VOLUME_KIND_COUNT; ++kind) {
        block b = makeBlock(8, (wkVolumeKind)kind);
        block forged = {(char*)aligned_alloc(64, (b.count + 63) / 64 * 64), b.count};
        for (int round = 0; round < 1500; ++round) {
            memcpy(forged.bytes, b.bytes, b.count);
            for (int flips = 1 + wkRngBelow(&rng, 3); flips > 0; --flips) {
                size_t offset = chooseOffset(&rng, &b);
                forged.bytes[offset] = (char)wkRngNext(&rng);
            }
            wkMesh* mesh = (wkMesh*)forged.bytes;
            mesh->magic = WK_MESH_MAGIC;
            mesh->version = WK_MESH_VERSION;
            if (mesh->byteCount >= sizeof *mesh && mesh->byteCount <= b.count) {
                wkSealMesh(mesh);
            }
            const wkMesh* mapped;
            if (wkMesh_MapBlock(forged.bytes, b.count, &mapped) == wk_ok) {
                askMesh(mapped);
                ++acceptedCount;
            } else {
                ++refusedCount;
            }
        }
        free(forged.bytes);
        free(b.bytes);
    }
    assert_true(acceptedCount > 100 && refusedCount > 100);
}

// Links that go round in circles, or name a node twice.
static void links_in_circles_are_refused(void** state)
{
    (void)state;
    block b = makeBlock(12, wk_volumeAabb);
    wkMesh* mesh = (wkMesh*)b.bytes;
    wkBoxNode* nodes = (wkBoxNode*)(b.bytes + mesh->nodeOffset);
    int tried = 0;
    for (int32_t node = 0; node < mesh->nodeCount; ++node) {
        for (int slot = 0; slot < WK_TREE_WIDTH; ++slot) {
            wkLink before = nodes[node].links[slot];
            const wkLink forged[] = {0, (wkLink)node, (wkLink)mesh->nodeCount - 1, WK_LINK_EMPTY,
                                     (wkLink)mesh->nodeCount};
            for (int i = 0; i < 5; ++i) {
                if (forged[i] == before) {
                    continue;
                }
                nodes[node].links[slot] = forged[i];
                wkSealMesh(mesh);
                const wkMesh* mapped;
                assert_int_equal(wkMesh_MapBlock(b.bytes, b.count, &mapped), wk_errorParse);
                ++tried;
            }
            nodes[node].links[slot] = before;
        }
    }
    wkSealMesh(mesh);
    const wkMesh* mapped;
    assert_int_equal(wkMesh_MapBlock(b.bytes, b.count, &mapped), wk_ok);
    assert_true(tried > 100);
    free(b.bytes);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(blocks_give_the_same_mesh),
        cmocka_unit_test(blocks_do_not_report_what_was_in_memory_before),
        cmocka_unit_test(shortened_blocks_are_refused),
        cmocka_unit_test(other_blocks_are_distinguished),
        cmocka_unit_test(damaged_blocks_are_refused),
        cmocka_unit_test(forged_blocks_do_no_harm),
        cmocka_unit_test(links_in_circles_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
