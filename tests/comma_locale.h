// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// A locale whose decimal point is a comma, for tests that want one: an installed one, else one that
// localedef makes in a temporary folder.

#include <locale.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static inline bool wkHasComma(void)
{
    char text[16];
    snprintf(text, sizeof text, "%.1f", 0.5);
    return strcmp(text, "0,5") == 0;
}

static char wkLocaleFolder[64];

static inline void wkRemoveLocale(void)
{
    char command[100];
    snprintf(command, sizeof command, "rm -rf %s", wkLocaleFolder);
    if (system(command) != 0) {
        fprintf(stderr, "%s was left behind\n", wkLocaleFolder);
    }
}

// Builds de_DE.UTF-8 in a new folder, which the end of the program removes, and tells setlocale of it.
static inline bool wkBuildCommaLocale(void)
{
    char command[200];
    snprintf(wkLocaleFolder, sizeof wkLocaleFolder, "/tmp/whisker_locale_XXXXXX");
    if (mkdtemp(wkLocaleFolder) == NULL) {
        return false;
    }
    atexit(wkRemoveLocale);
    snprintf(command, sizeof command, "localedef -i de_DE -f UTF-8 %s/de_DE.UTF-8 >/dev/null 2>&1",
             wkLocaleFolder);
    return system(command) == 0 && setenv("LOCPATH", wkLocaleFolder, 1) == 0 &&
           setlocale(LC_ALL, "de_DE.UTF-8") != NULL && wkHasComma();
}

// Enters the locale, for the whole program.
// @return false when there is none on this machine, with words on standard error
static inline bool wkEnterCommaLocale(void)
{
    static const char* const names[] = {"de_DE.UTF-8", "de_DE.utf8", "fr_FR.UTF-8", "de_DE"};
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        if (setlocale(LC_ALL, names[i]) != NULL && wkHasComma()) {
            return true;
        }
    }
    bool isBuilt = wkLocaleFolder[0] == '\0' && wkBuildCommaLocale();
    if (!isBuilt) {
        fprintf(stderr, "skipped: neither a locale with a decimal comma nor localedef is here\n");
        setlocale(LC_ALL, "C");
    }
    return isBuilt;
}

static inline void wkLeaveCommaLocale(void)
{
    setlocale(LC_ALL, "C");
}
