// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// Finds the file that a description refers to: as package://name/rest, model://name/rest, file:///path, or a
// path. Packages are searched in the folders of the options, then as folders beside and above the
// description, then in the environment variables of ROS and Gazebo. Last, the rest of the name is tried
// without the package, so that a folder copied out of its package still works.

#define _POSIX_C_SOURCE 200809L // getcwd, stat

#include "io/robot/finder.h"

#include "io/file/format.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define PATH_CAPACITY WK_IO_PATH_CAPACITY

// A URI split into parts, and the path tried currently.
typedef struct search {
    const char* package; // NULL: the URI has none
    int packageLength;
    const char* rest;  // of the URI, after the package
    const char* start; // folder of the description
    char path[PATH_CAPACITY];
} search;

static bool isFile(const char* path)
{
    struct stat about;
    return stat(path, &about) == 0 && S_ISREG(about.st_mode);
}

// Tries folder/[package/]rest; true when there is such a file.
static bool tryFolder(search* s, const char* folder, int folderLength, bool withPackage)
{
    int length = snprintf(s->path, sizeof s->path, "%.*s/%.*s%s%s", folderLength, folder,
                          withPackage ? s->packageLength : 0, withPackage ? s->package : "",
                          withPackage ? "/" : "", s->rest);
    return length < PATH_CAPACITY && isFile(s->path);
}

// Returns true when the last part of a folder's path is the name of the package.
static bool isPackage(const search* s, const char* folder, int folderLength)
{
    const char* last = folder + folderLength - s->packageLength;
    return folderLength >= s->packageLength &&
           strncmp(last, s->package, (size_t)s->packageLength) == 0 &&
           (last == folder || last[-1] == '/');
}

// Replaces a folder by its parent; false when there is none. Above the start of a relative path are the
// parents of the current folder.
static bool goUp(char folder[PATH_CAPACITY])
{
    if (strcmp(folder, ".") == 0 && getcwd(folder, PATH_CAPACITY) == NULL) {
        return false;
    }
    char* slash = strrchr(folder, '/');
    if (slash == NULL) {
        memcpy(folder, ".", 2);
        return true;
    }
    if (slash == folder && slash[1] == '\0') {
        return false;
    }
    slash[slash == folder ? 1 : 0] = '\0';
    return true;
}

// Tries the folder of the description and its parents.
static bool tryUpward(search* s, bool withPackage)
{
    char folder[PATH_CAPACITY];
    snprintf(folder, sizeof folder, "%s", s->start);
    do {
        int length = (int)strlen(folder);
        if (tryFolder(s, folder, length, withPackage) ||
            (withPackage && isPackage(s, folder, length) && tryFolder(s, folder, length, false))) {
            return true;
        }
    } while (goUp(folder));
    return false;
}

// Tries the folders of an environment variable, each followed by `below`: they contain packages or are one.
static bool tryEnvironment(search* s, const char* variable, const char* below)
{
    const char* list = getenv(variable);
    while (list != NULL && *list != '\0') {
        char folder[PATH_CAPACITY];
        size_t length = strcspn(list, ":");
        int folderLength = snprintf(folder, sizeof folder, "%.*s%s", (int)length, list, below);
        if (length > 0 && folderLength < PATH_CAPACITY &&
            (tryFolder(s, folder, folderLength, true) ||
             (isPackage(s, folder, folderLength) && tryFolder(s, folder, folderLength, false)))) {
            return true;
        }
        list += length + (list[length] == ':' ? 1 : 0);
    }
    return false;
}

static bool tryEnvironments(search* s)
{
    static const struct {
        const char* variable;
        const char* below; // path below each of its folders
    } rows[] = {
        {"ROS_PACKAGE_PATH", ""},  {"AMENT_PREFIX_PATH", "/share"},
        {"GAZEBO_MODEL_PATH", ""}, {"GZ_SIM_RESOURCE_PATH", ""},
        {"SDF_PATH", ""},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        if (tryEnvironment(s, rows[i].variable, rows[i].below)) {
            return true;
        }
    }
    return false;
}

static bool tryPackages(search* s, const wkIoFinder* finder)
{
    for (int32_t i = 0; i < finder->packageCount; i++) {
        const wkRobotPackage* p = &finder->packages[i];
        if ((int)strlen(p->name) == s->packageLength &&
            strncmp(p->name, s->package, (size_t)s->packageLength) == 0 &&
            tryFolder(s, p->folder, (int)strlen(p->folder), false)) {
            return true;
        }
    }
    return false;
}

// Splits a URI. Returns false for an unknown scheme.
static bool takeApart(const char* uri, search* s)
{
    static const char* const packageSchemes[] = {"package://", "model://"};
    s->package = NULL;
    s->packageLength = 0;
    s->rest = uri;
    for (int i = 0; i < 2; i++) {
        size_t length = strlen(packageSchemes[i]);
        if (strncmp(uri, packageSchemes[i], length) == 0) {
            s->package = uri + length;
            s->packageLength = (int)strcspn(s->package, "/");
            s->rest = s->package + s->packageLength;
            s->rest += strspn(s->rest, "/");
            return true;
        }
    }
    bool isFileUri = strncmp(uri, "file://", 7) == 0;
    s->rest = isFileUri ? uri + 7 : uri;
    return isFileUri || strstr(uri, "://") == NULL;
}

static bool findFile(search* s, const wkIoFinder* finder)
{
    if (s->package == NULL && s->rest[0] == '/') {
        snprintf(s->path, sizeof s->path, "%s", s->rest);
        return isFile(s->path);
    }
    if (s->package != NULL &&
        (tryPackages(s, finder) || tryUpward(s, true) || tryEnvironments(s))) {
        return true;
    }
    return tryUpward(s, false);
}

static void sayNotFound(const char* uri, const search* s, char words[WK_IO_FINDER_WORDS])
{
    if (s->package == NULL) {
        bool isAbsolute = s->rest[0] == '/';
        snprintf(words, WK_IO_FINDER_WORDS, "no file \"%.150s\"%s%.100s%s", uri,
                 isAbsolute ? "" : " in ", isAbsolute ? "" : s->start,
                 isAbsolute ? "" : " and above");
        return;
    }
    const char* variable = getenv("ROS_PACKAGE_PATH");
    snprintf(words, WK_IO_FINDER_WORDS,
             "no file \"%.120s\": looked in %.60s and above, with and without \"%.*s\", and in "
             "ROS_PACKAGE_PATH (%.40s); name the folder of the package",
             uri, s->start, s->packageLength < 40 ? s->packageLength : 40, s->package,
             variable != NULL ? variable : "not set");
}

wkResult wkIoCheckPackages(const char* caller, const wkRobotPackage* packages, int32_t packageCount)
{
    if (packageCount < 0 || (packages == NULL && packageCount > 0)) {
        return wkIoFail(caller, wk_errorArgument, "packages is %s and packageCount %d",
                        packages == NULL ? "NULL" : "an array", (int)packageCount);
    }
    for (int32_t i = 0; i < packageCount; i++) {
        if (packages[i].name == NULL || packages[i].folder == NULL) {
            return wkIoFail(caller, wk_errorArgument, "packages[%d].%s is NULL", (int)i,
                            packages[i].name == NULL ? "name" : "folder");
        }
    }
    return wk_ok;
}

wkResult wkIoFinder_Find(const wkIoFinder* finder, const char* uri, char path[WK_IO_PATH_CAPACITY],
                         char words[WK_IO_FINDER_WORDS])
{
    search s;
    s.start = finder->folder;
    s.path[0] = '\0';
    if (!takeApart(uri, &s)) {
        snprintf(words, WK_IO_FINDER_WORDS, "\"%.100s\" is none of package://, file:// and a path",
                 uri);
        return wk_errorUnsupported;
    }
    if (!findFile(&s, finder)) {
        sayNotFound(uri, &s, words);
        return wk_errorFile;
    }
    memcpy(path, s.path, strlen(s.path) + 1);
    return wk_ok;
}

const char* wkIoFolderOf(const char* path, wkIoArena* arena)
{
    const char* slash = path != NULL ? strrchr(path, '/') : NULL;
    size_t length = slash == NULL ? 0 : slash == path ? 1 : (size_t)(slash - path);
    return length > 0 ? wkIoArena_CopyText(arena, path, length) : wkIoArena_CopyText(arena, ".", 1);
}
