// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// The report of `whisker spheres`: pictures, and a row for each link.

#include "page.h"
#include "spheres.h"

#include <math.h>

// Writes a length in millimetres, or a dash for an infinite one.
static void writeLength(FILE* file, double length)
{
    if (isfinite(length)) {
        fprintf(file, "<td class=\"n\">%.1f</td>", 1e3 * length);
    } else {
        fprintf(file, "<td class=\"n\">&ndash;</td>");
    }
}

static void writeRow(FILE* file, const char* name, const wkFitInfo* report)
{
    fprintf(file, "<tr><td>");
    wkPage_WriteText(file, name);
    fprintf(file, "</td><td class=\"n\">%d</td><td class=\"n\">%.2f %%</td>",
            (int)report->sphereCount, 100.0 * report->coverage);
    writeLength(file, report->gap);
    writeLength(file, report->protrusion);
    fprintf(file, "</tr>\n");
}

static void writeTable(FILE* file, const wkSphereStudy* study)
{
    fprintf(file, "<h2>Links</h2>\n<table><tr><th>link</th><th class=\"n\">spheres</th>"
                  "<th class=\"n\">covered</th><th class=\"n\">gap, mm</th>"
                  "<th class=\"n\">sticks out, mm</th></tr>\n");
    for (int i = 0; i < study->rowCount; i++) {
        const wkSphereRow* row = &study->rows[i];
        writeRow(file, wkRobot_Link(study->robot, row->link).name, &row->report);
    }
    writeRow(file, "all", &study->all);
    fprintf(file, "</table>\n");
}

static void writeWords(FILE* file, const wkSphereStudy* study)
{
    wkVersion version = wkGetVersion();
    fprintf(file, "<h1>");
    wkPage_WriteText(file, wkRobot_Info(study->robot).name);
    fprintf(file,
            ": %d spheres</h1>\n<p>Written by <code>whisker spheres</code>, version %d.%d.%d. ",
            (int)study->all.sphereCount, version.major, version.minor, version.patch);
    wkPage_WriteText(file, study->origin);
    fprintf(file,
            "%s The gap is how far a point of the surface is from the nearest sphere at most, "
            "and a sphere sticks out no further than the last column says: both are proven, "
            "not sampled.</p>\n",
            study->all.gap <= 0.0 ? " Every point of the surface is inside a sphere."
                                  : " Parts of the surface are outside all spheres.");
}

bool wkSphereStudy_WriteReport(const wkSphereStudy* study,
                               wkSpherePicture pictures[WK_SPHERE_PICTURES], const char* path)
{
    wkPage page;
    char title[200];
    snprintf(title, sizeof title, "Whisker: %.100s as spheres", wkRobot_Info(study->robot).name);
    if (!wkPage_Start(&page, title)) {
        return false;
    }
    FILE* file = page.file;
    writeWords(file, study);
    fprintf(file, "<div class=\"two\">\n");
    bool isWritten = true;
    for (int i = 0; i < WK_SPHERE_PICTURES && isWritten; i++) {
        isWritten =
            wkPage_WriteFigure(file, &pictures[i].picture, pictures[i].title, pictures[i].words);
    }
    fprintf(file, "</div>\n");
    writeTable(file, study);
    return wkPage_End(&page, isWritten, path);
}
