// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// Writes files safely: temporary file, fsync, rename. A rename within a folder is atomic, so readers see
// either the old file or the new one. fsync before the rename prevents a new name with old or no content
// after a power failure; fsync of the folder after it makes the new name permanent.

#define _DEFAULT_SOURCE // flock, and POSIX

#include "io/file/output.h"

#include "io/file/format.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#define MOST_LINKS 16   // maximum number of symbolic links followed
#define MOST_TRIES 1000 // names tried for a temporary file

static wkResult failToWrite(const char* path)
{
    return wkIoFailErrno(path, "cannot be written");
}

// Returns the length of the folder part of a path, the slash included.
static size_t folderLength(const char* path)
{
    const char* slash = strrchr(path, '/');
    return slash != NULL ? (size_t)(slash - path) + 1 : 0;
}

// Replaces a path by the target of its symbolic link.
static bool followLink(char path[WK_IO_PATH_CAPACITY])
{
    char link[WK_IO_PATH_CAPACITY];
    ssize_t length = readlink(path, link, sizeof link - 1);
    if (length <= 0) {
        return false;
    }
    link[length] = '\0';
    size_t folder = link[0] == '/' ? 0 : folderLength(path);
    if (folder + (size_t)length >= WK_IO_PATH_CAPACITY) {
        errno = ENAMETOOLONG;
        return false;
    }
    memcpy(path + folder, link, (size_t)length + 1);
    return true;
}

// Finds the final path: renaming onto a symbolic link would replace the link.
static bool findTarget(wkIoOutput* output)
{
    struct stat about;
    size_t length = strlen(output->path);
    if (length == 0 || length >= sizeof output->target) {
        errno = length == 0 ? ENOENT : ENAMETOOLONG;
        return false;
    }
    memcpy(output->target, output->path, length + 1);
    for (int i = 0; lstat(output->target, &about) == 0 && S_ISLNK(about.st_mode); ++i) {
        if (i == MOST_LINKS) {
            errno = ELOOP;
            return false;
        }
        if (!followLink(output->target)) {
            return false;
        }
    }
    return true;
}

// Returns true for devices, pipes and files of a shell, which cannot be replaced. /dev/stdout may be regular.
static bool isPlain(const char* path)
{
    struct stat about;
    bool isSpecial = strncmp(path, "/dev/", 5) == 0 || strncmp(path, "/proc/", 6) == 0;
    return isSpecial || (stat(path, &about) == 0 && !S_ISREG(about.st_mode));
}

// Copies mode and owner of the old file, so that its readers can read the new one.
static void takeMode(const wkIoOutput* output)
{
    struct stat about;
    if (stat(output->target, &about) == 0) {
        bool isDone = fchmod(output->file, about.st_mode & 0777) == 0 &&
                      fchown(output->file, about.st_uid, about.st_gid) == 0;
        (void)isDone; // failure is ignored: not all file systems have modes and owners
    }
}

// Opens a file with a unique name in the folder of the target.
static void openNew(wkIoOutput* output)
{
    static const char pattern[] = "%.*s.whisker-%ld-%d.tmp";
    int folder = (int)folderLength(output->target);
    for (int i = 0; i < MOST_TRIES; ++i) {
        int length = snprintf(output->temporary, sizeof output->temporary, pattern, folder,
                              output->target, (long)getpid(), i);
        if (length >= (int)sizeof output->temporary) {
            errno = ENAMETOOLONG;
            return;
        }
        output->file = open(output->temporary, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
        if (output->file >= 0 || errno != EEXIST) {
            return;
        }
    }
}

// Opens a file with a name that the next run knows. A lock keeps two runs from writing to one file.
static void openNamed(wkIoOutput* output, const char* ending, bool isKept)
{
    int length =
        snprintf(output->temporary, sizeof output->temporary, "%s%s", output->target, ending);
    if (length >= (int)sizeof output->temporary) {
        errno = ENAMETOOLONG;
        return;
    }
    int flags = O_RDWR | O_CLOEXEC | O_NOFOLLOW | (isKept ? 0 : O_CREAT);
    output->file = open(output->temporary, flags, 0666);
    bool isOurs = output->file >= 0 && flock(output->file, LOCK_EX | LOCK_NB) == 0 &&
                  (isKept || ftruncate(output->file, 0) == 0);
    if (output->file >= 0 && !isOurs) {
        int reason = errno == EWOULDBLOCK ? EBUSY : errno;
        close(output->file);
        output->file = -1;
        errno = reason;
    }
}

wkResult wkIoOutput_Open(wkIoOutput* output, const char* path, const char* ending, bool isKept)
{
    output->file = -1;
    output->path = path;
    output->isPlain = isPlain(path);
    output->temporary[0] = '\0';
    if (output->isPlain) {
        output->file = open(path, O_WRONLY | O_TRUNC | O_CLOEXEC);
        return output->file >= 0 ? wk_ok : failToWrite(path);
    }
    if (!findTarget(output)) {
        return failToWrite(path);
    }
    if (access(output->target, F_OK) == 0 && access(output->target, W_OK) != 0) {
        return failToWrite(path);
    }
    if (ending != NULL) {
        openNamed(output, ending, isKept);
    } else {
        openNew(output);
    }
    if (output->file < 0 && errno == EBUSY) {
        return wkIoFail(path, wk_errorFile,
                        "cannot be written: another run writes it, and holds %s",
                        output->temporary);
    }
    if (output->file < 0) {
        return failToWrite(ending != NULL && isKept ? output->temporary : path);
    }
    takeMode(output);
    return wk_ok;
}

bool wkIoOutput_WriteAt(const wkIoOutput* output, const void* bytes, size_t byteCount, int64_t at)
{
    const char* left = (const char*)bytes;
    while (byteCount > 0) {
        ssize_t done = output->isPlain ? write(output->file, left, byteCount)
                                       : pwrite(output->file, left, byteCount, (off_t)at);
        if (done < 0 && errno != EINTR) {
            return false;
        }
        size_t written = done > 0 ? (size_t)done : 0;
        left += written;
        at += (int64_t)written;
        byteCount -= written;
    }
    return true;
}

// Makes the new name survive a power failure; file systems that do not support it are ignored.
static void flushFolder(const char* path)
{
    char folder[WK_IO_PATH_CAPACITY];
    size_t length = folderLength(path);
    memcpy(folder, path, length);
    memcpy(folder + length, ".", 2);
    int file = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (file >= 0) {
        bool isDone = fsync(file) == 0;
        (void)isDone;
        close(file);
    }
}

wkResult wkIoOutput_Commit(wkIoOutput* output, bool isKept)
{
    bool isFlushed = output->isPlain || fsync(output->file) == 0;
    // renamed while open and locked, so that no other run takes the temporary file in between
    bool isDone = isFlushed && (output->isPlain || rename(output->temporary, output->target) == 0);
    if (!isDone) {
        int reason = errno;
        wkIoOutput_Abandon(output, isKept);
        errno = reason;
        return failToWrite(output->path);
    }
    bool isClosed = close(output->file) == 0;
    output->file = -1;
    if (!isClosed) {
        return failToWrite(output->path);
    }
    if (!output->isPlain) {
        flushFolder(output->target);
    }
    return wk_ok;
}

void wkIoOutput_Abandon(wkIoOutput* output, bool isKept)
{
    if (output->file >= 0) {
        if (!output->isPlain && !isKept) {
            unlink(output->temporary);
        }
        close(output->file);
        output->file = -1;
    }
}
