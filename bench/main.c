// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// Command line of whisker-bench and whisker-bench-peers.

#include "bench.h"
#include "measure.h"
#include "peers/peer.h"

#include "whisker/whisker.h"

#include <stdlib.h>
#include <string.h>

static const char usage[] =
    "usage: %s [ROW-PATTERN ...] [--json FILE] [--quick | --full] [--isa NAME]\n"
    "       [--list]\n"
    "\n"
    "Runs the rows whose names match a shell pattern, or all of them, and prints a table.\n"
    "  --json FILE  also appends one JSON object per row to FILE\n"
    "  --quick      400 questions and 15 blocks per side (default)\n"
    "  --full       2000 questions and 31 blocks per side\n"
    "  --isa NAME   rows of vector code alone, with that instruction set, such as avx2\n"
    "  --list       names the rows and runs nothing\n"
    "Status: 0 when every answer of ours was right, 1 when one was wrong, 2 for a bad command "
    "line.\n";

// Name of the processor; "unknown" where the system does not say.
static void nameProcessor(char* name, int capacity)
{
    snprintf(name, (size_t)capacity, "unknown");
    FILE* file = fopen("/proc/cpuinfo", "r");
    char line[256];
    while (file != NULL && fgets(line, sizeof line, file) != NULL) {
        if (strncmp(line, "model name", 10) == 0 && strchr(line, ':') != NULL) {
            snprintf(name, (size_t)capacity, "%s", strchr(line, ':') + 2);
            name[strcspn(name, "\n\"\\")] = '\0';
            break;
        }
    }
    if (file != NULL) {
        fclose(file);
    }
}

// Who measured what: the first line of a run.
static void describeRun(const wkBench* bench, bool isPinned)
{
    wkVersion version = wkGetVersion();
    const char* pinned = isPinned ? "pinned" : "not pinned";
    char machine[128];
    nameProcessor(machine, (int)sizeof machine);
    if (bench->json != NULL) {
        fprintf(bench->json,
                "{\"run\":\"whisker "
                "%d.%d.%d\",\"machine\":\"%s\",\"isa\":\"%s\",\"compiler\":\"%s\",\"peers\":\"%s\","
                "\"core\":\"%s\",\"questions\":%d,\"blocks\":%d}\n",
                version.major, version.minor, version.patch, machine, wkGetIsaName(), __VERSION__,
                wkPeerNames(), pinned, bench->itemCount, bench->blockCount);
    }
    printf("# whisker %d.%d.%d on %s, isa %s, compiler %s, peers: %s, core %s\n", version.major,
           version.minor, version.patch, machine, wkGetIsaName(), __VERSION__, wkPeerNames(),
           pinned);
}

int main(int argc, char** argv)
{
    wkBench bench = {0};
    bench.itemCount = 400;
    bench.blockCount = 15;
    const char** patterns = (const char**)calloc((size_t)argc + 1, sizeof(char*));
    if (patterns == NULL) {
        return 2;
    }
    bench.patterns = patterns;

    int status = 2;
    for (int i = 1; i < argc; i++) {
        if (strcmp(argv[i], "--list") == 0) {
            bench.isListing = true;
        } else if (strcmp(argv[i], "--quick") == 0) {
            bench.itemCount = 400;
            bench.blockCount = 15;
        } else if (strcmp(argv[i], "--full") == 0) {
            bench.itemCount = 2000;
            bench.blockCount = 31;
        } else if (strcmp(argv[i], "--json") == 0 && i + 1 < argc) {
            bench.json = fopen(argv[++i], "a");
            if (bench.json == NULL) {
                fprintf(stderr, "%s: cannot write %s\n", argv[0], argv[i]);
                goto cleanup;
            }
        } else if (strcmp(argv[i], "--isa") == 0 && i + 1 < argc) {
            bench.isa = argv[++i];
        } else if (argv[i][0] != '-') {
            patterns[bench.patternCount++] = argv[i];
        } else {
            fprintf(stderr, usage, argv[0]);
            goto cleanup;
        }
    }

    // the library reads it once, and has not been asked for anything yet
    if (bench.isa != NULL &&
        (setenv("WHISKER_ISA", bench.isa, 1) != 0 || strcmp(wkGetIsaName(), bench.isa) != 0)) {
        fprintf(stderr, "%s: this machine has no %s\n", argv[0], bench.isa);
        status = 0;
        goto cleanup;
    }
    if (!bench.isListing) {
        describeRun(&bench, wkBenchPin());
    }
    wkRunRows(&bench);
    if (!bench.isListing) {
        printf("# %ld rows, %ld wrong answers\n", bench.rowCount, bench.wrongCount);
    }
    status = bench.wrongCount == 0 ? 0 : 1;

cleanup:
    if (bench.json != NULL) {
        fclose(bench.json);
    }
    free(patterns);
    return status;
}
