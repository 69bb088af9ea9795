// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// Feeds every file of the given folders to a fuzz target, with any compiler: what the fuzzer once
// found stays fixed.

#include <dirent.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size);

static int replayFile(const char* path)
{
    FILE* file = fopen(path, "rb");
    if (file == NULL || fseek(file, 0, SEEK_END) != 0) {
        fprintf(stderr, "cannot read %s\n", path);
        exit(1);
    }
    long size = ftell(file);
    rewind(file);
    uint8_t* data = malloc(size > 0 ? (size_t)size : 1);
    if (data == NULL || size < 0 || fread(data, 1, (size_t)size, file) != (size_t)size) {
        fprintf(stderr, "cannot read %s\n", path);
        exit(1);
    }
    fclose(file);
    LLVMFuzzerTestOneInput(data, (size_t)size);
    free(data);
    return 1;
}

static int replayFolder(const char* path)
{
    DIR* folder = opendir(path);
    if (folder == NULL) {
        return replayFile(path);
    }
    int count = 0;
    for (struct dirent* entry = readdir(folder); entry != NULL; entry = readdir(folder)) {
        char name[4096];
        if (entry->d_name[0] != '.') {
            snprintf(name, sizeof name, "%s/%s", path, entry->d_name);
            count += replayFile(name);
        }
    }
    closedir(folder);
    return count;
}

int main(int argc, char** argv)
{
    int count = 0;
    for (int i = 1; i < argc; i++) {
        count += replayFolder(argv[i]);
    }
    printf("%d inputs replayed\n", count);
    return count > 0 ? 0 : 1;
}
