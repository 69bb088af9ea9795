// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// One list of outputs and one of files read, for the single command of the process.

#include "outputs.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define MOST_OUTPUTS 16

// Identity of a file. A file that does not exist yet is identified by its folder and name.
typedef struct identity {
    dev_t device;
    ino_t number;
    char* path;
    const char* name; // within the folder; NULL: it exists
} identity;

static identity outputs[MOST_OUTPUTS];
static int outputCount;
static identity* reads;
static int readCount, readCapacity;
static bool isOutOfMemory;

static bool isSame(const identity* a, const identity* b)
{
    bool haveNames = a->name != NULL && b->name != NULL;
    return a->device == b->device && a->number == b->number &&
           (a->name == NULL) == (b->name == NULL) && (!haveNames || strcmp(a->name, b->name) == 0);
}

static bool refuse(const char* command, const char* path, const char* words)
{
    fprintf(stderr, "whisker %s: %s: cannot be written: %s\n", command, path, words);
    return false;
}

// Identifies a file that does not exist yet by its folder.
static bool identifyNew(const char* command, const char* path, identity* file)
{
    char folder[WK_PATH_CAPACITY];
    struct stat about;
    const char* slash = strrchr(file->path, '/');
    size_t length = slash != NULL ? (size_t)(slash - file->path) + 1 : 0;
    if (length + 2 > sizeof folder) {
        return refuse(command, path, strerror(ENAMETOOLONG));
    }
    memcpy(folder, file->path, length);
    memcpy(folder + length, ".", 2);
    if (stat(folder, &about) != 0) {
        folder[length > 0 ? length : 1] = '\0';
        fprintf(stderr, "whisker %s: %s: cannot be written: folder %s: %s\n", command, path, folder,
                strerror(errno));
        return false;
    }
    if (access(folder, W_OK | X_OK) != 0) {
        return refuse(command, path, strerror(errno));
    }
    file->device = about.st_dev;
    file->number = about.st_ino;
    file->name = file->path + length;
    return file->name[0] != '\0' || refuse(command, path, "the name is empty");
}

bool wkOutputs_Add(const char* command, const char* path)
{
    struct stat about;
    if (path == NULL) {
        return true;
    }
    identity file = {.path = strdup(path)};
    if (file.path == NULL || outputCount == MOST_OUTPUTS) {
        free(file.path);
        return refuse(command, path, "out of memory");
    }
    bool isThere = stat(path, &about) == 0, isFine = true;
    if (!isThere) {
        isFine = identifyNew(command, path, &file);
    } else if (S_ISDIR(about.st_mode) || access(path, W_OK) != 0) {
        isFine = refuse(command, path, strerror(S_ISDIR(about.st_mode) ? EISDIR : errno));
    }
    bool isDevice = isThere && !S_ISREG(about.st_mode);
    if (!isFine || isDevice) {
        free(file.path); // devices and pipes may be both read and written
        return isFine;
    }
    if (isThere) {
        file.device = about.st_dev;
        file.number = about.st_ino;
    }
    outputs[outputCount++] = file;
    return true;
}

void wkOutputs_NoteRead(const char* path)
{
    struct stat about;
    if (outputCount == 0 || path == NULL || stat(path, &about) != 0 || !S_ISREG(about.st_mode)) {
        return;
    }
    if (readCount == readCapacity) {
        int capacity = 2 * readCapacity + 16;
        identity* grown = realloc(reads, (size_t)capacity * sizeof *reads);
        if (grown == NULL) {
            isOutOfMemory = true;
            return;
        }
        reads = grown;
        readCapacity = capacity;
    }
    identity file = {about.st_dev, about.st_ino, strdup(path), NULL};
    isOutOfMemory = isOutOfMemory || file.path == NULL;
    if (file.path != NULL) {
        reads[readCount++] = file;
    }
}

bool wkOutputs_AreApart(const char* command)
{
    for (int i = 0; i < outputCount; i++) {
        for (int k = 0; k < i; k++) {
            if (isSame(&outputs[i], &outputs[k])) {
                fprintf(stderr, "whisker %s: %s and %s are the same file, both to be written\n",
                        command, outputs[k].path, outputs[i].path);
                return false;
            }
        }
        for (int k = 0; k < readCount; k++) {
            if (isSame(&outputs[i], &reads[k])) {
                fprintf(stderr,
                        "whisker %s: %s is to be written, and %s, which is read, is the same "
                        "file\n",
                        command, outputs[i].path, reads[k].path);
                return false;
            }
        }
    }
    if (isOutOfMemory) {
        fprintf(stderr, "whisker %s: out of memory for the names of files\n", command);
    }
    return !isOutOfMemory;
}

bool wkOutputs_FollowLinks(const char* command, const char* path, char target[WK_PATH_CAPACITY])
{
    enum {
        mostLinks = 40
    };
    struct stat about;
    size_t length = strlen(path);
    bool isFine = length < WK_PATH_CAPACITY;
    memcpy(target, path, isFine ? length + 1 : 0);
    for (int i = 0; isFine && lstat(target, &about) == 0 && S_ISLNK(about.st_mode); i++) {
        char next[WK_PATH_CAPACITY], whole[2 * WK_PATH_CAPACITY];
        ssize_t count = readlink(target, next, sizeof next - 1);
        isFine = count > 0 && i < mostLinks;
        next[isFine ? count : 0] = '\0';
        const char* slash = strrchr(target, '/');
        int folder = next[0] != '/' && slash != NULL ? (int)(slash - target) + 1 : 0;
        int wanted = snprintf(whole, sizeof whole, "%.*s%s", folder, target, next);
        isFine = isFine && wanted < WK_PATH_CAPACITY;
        memcpy(target, whole, isFine ? (size_t)wanted + 1 : 0);
    }
    if (!isFine) {
        fprintf(stderr, "whisker %s: %s: symbolic links that do not end, or a path too long\n",
                command, path);
    }
    return isFine;
}
