// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// The report of the demo: one self-contained HTML file with its pictures.

#include "demo.h"
#include "page.h"

#include <math.h>
#include <stdio.h>

static void writeStages(FILE* file, wkDemo* demo)
{
    fprintf(file, "<h2>The work and its time</h2>\n<table><tr><th>stage</th><th>what was done</th>"
                  "<th class=\"n\">time</th><th class=\"n\">median</th><th class=\"n\">99 of 100 "
                  "below</th></tr>\n");
    for (int i = 0; i < wk_demoStageCount; i++) {
        wkDemoStage* stage = &demo->stages[i];
        char total[32], median[32] = "", most[32] = "";
        wkSayTime(stage->seconds, total, sizeof total);
        if (stage->samples.count > 0) {
            wkSayTime(wkSamples_Percentile(&stage->samples, 0.5), median, sizeof median);
            wkSayTime(wkSamples_Percentile(&stage->samples, 0.99), most, sizeof most);
        }
        fprintf(file, "<tr><td>%s</td><td>", stage->name);
        wkPage_WriteText(file, stage->words);
        fprintf(file,
                "</td><td class=\"n\">%s</td><td class=\"n\">%s</td><td class=\"n\">%s</td></tr>\n",
                total, median, most);
    }
    fprintf(file, "</table>\n");
}

// A suggested command; the robot's path goes between its two parts.
typedef struct nextStep {
    const char* before;
    const char* after;
    const char* words;
} nextStep;

static const nextStep stepsOfAll[] = {
    {"whisker demo ROBOT.urdf", NULL, "the same with your robot"},
    {"whisker check ", " --q ready", "is a configuration safe, and if not, why"},
    {"whisker spheres ", " --report spheres.html", "spheres that cover the robot, with pictures"},
    {"whisker shapes", NULL, "every kind of query about ten shapes"},
};

static const nextStep stepsOfOwners[] = {
    {"whisker info ", "", "what is in the robot: links, joints, meshes"},
    {"whisker acm ", " -o robot.srdf", "which pairs of links need no check"},
    {"whisker spheres ", " -o spheres.yml --report spheres.html",
     "spheres that cover the robot, for whisker batch"},
    {"whisker check ", " --states states.npy --world world.json",
     "which of many configurations are safe among objects of yours"},
};

bool wkDemo_NextStep(const wkDemo* demo, int index, char* command, size_t size, const char** words)
{
    const nextStep* steps = demo->isBuiltIn ? stepsOfAll : stepsOfOwners;
    size_t count = demo->isBuiltIn ? sizeof stepsOfAll / sizeof stepsOfAll[0]
                                   : sizeof stepsOfOwners / sizeof stepsOfOwners[0];
    if (index < 0 || (size_t)index >= count) {
        return false;
    }
    const nextStep* step = &steps[index];
    bool hasRobot = step->after != NULL;
    const char* robot = demo->robotPath != NULL ? demo->robotPath : "builtin";
    snprintf(command, size, "%s%s%s", step->before, hasRobot ? robot : "",
             hasRobot ? step->after : "");
    *words = step->words;
    return true;
}

#define BIN_COUNT 36
#define CHART_WIDTH 520
#define CHART_HEIGHT 190
#define CHART_LEFT 44 // space for numbers beside the bars
#define CHART_TOP 22  // and above them

// A logarithmic axis.
typedef struct axis {
    double low, high; // exponents of ten
} axis;

static double xOn(const axis* a, double seconds)
{
    double share = (log10(fmax(seconds, 1e-12)) - a->low) / (a->high - a->low);
    return CHART_LEFT + fmin(fmax(share, 0.0), 1.0) * (CHART_WIDTH - CHART_LEFT - 10);
}

// Writes numbers at 1, 2 and 5 times each power of ten, as many as fit.
static void writeTicks(FILE* file, const axis* a)
{
    static const double steps[3] = {1.0, 2.0, 5.0};
    double last = -1e9;
    for (int power = -9; power < 3; power++) {
        for (int i = 0; i < 3; i++) {
            double seconds = steps[i] * pow(10.0, power), x = xOn(a, seconds);
            bool isInside = log10(seconds) >= a->low - 1e-9 && log10(seconds) <= a->high + 1e-9;
            if (isInside && x - last >= 52.0) {
                char words[32];
                wkSayTime(seconds * (1.0 + 1e-9), words, sizeof words);
                fprintf(file,
                        "<line x1=\"%.1f\" y1=\"%d\" x2=\"%.1f\" y2=\"%d\" stroke=\"#98a1b0\"/>"
                        "<text x=\"%.1f\" y=\"%d\" text-anchor=\"middle\">%s</text>\n",
                        x, CHART_HEIGHT, x, CHART_HEIGHT + 5, x, CHART_HEIGHT + 20, words);
                last = x;
            }
        }
    }
}

static void writeBound(FILE* file, const axis* a, double seconds, const char* name, int row)
{
    char words[32];
    double x = xOn(a, seconds);
    bool isRight = x > 0.62 * CHART_WIDTH;
    wkSayTime(seconds, words, sizeof words);
    fprintf(file,
            "<line x1=\"%.1f\" y1=\"%d\" x2=\"%.1f\" y2=\"%d\" stroke=\"#c2410c\" "
            "stroke-dasharray=\"4 3\"/><text x=\"%.1f\" y=\"%d\" text-anchor=\"%s\" "
            "fill=\"#c2410c\" stroke=\"#fff\" stroke-width=\"3\">%s %s</text>\n",
            x, CHART_TOP - 6, x, CHART_HEIGHT, x + (isRight ? -5.0 : 5.0), CHART_TOP + 4 + 17 * row,
            isRight ? "end" : "start", name, words);
}

// Writes a histogram of times. The axis goes from the fastest to the 99.5th percentile; slower operations are
// in the last bar.
static void writeHistogram(FILE* file, wkSamples* samples)
{
    axis a = {log10(fmax(wkSamples_Percentile(samples, 0.0), 1e-9)),
              log10(fmax(wkSamples_Percentile(samples, 0.995), 1e-9))};
    a.high = fmax(a.high, a.low + 0.1);
    int bins[BIN_COUNT] = {0}, most = 1;
    for (size_t i = 0; i < samples->count; i++) {
        double share = (log10(fmax(samples->seconds[i], 1e-9)) - a.low) / (a.high - a.low);
        int bin = (int)fmin(fmax(share * BIN_COUNT, 0.0), BIN_COUNT - 1.0);
        bins[bin]++;
        most = bins[bin] > most ? bins[bin] : most;
    }
    fprintf(file,
            "<svg viewBox=\"0 0 %d %d\" font-size=\"13\" fill=\"#444b58\" "
            "style=\"paint-order:stroke\">\n",
            CHART_WIDTH, CHART_HEIGHT + 30);
    const double width = (CHART_WIDTH - CHART_LEFT - 10.0) / BIN_COUNT;
    const double reach = CHART_HEIGHT - CHART_TOP;
    for (int i = 1; i <= 2; i++) {
        double y = CHART_HEIGHT - 0.5 * i * reach;
        fprintf(file,
                "<line x1=\"%d\" y1=\"%.1f\" x2=\"%d\" y2=\"%.1f\" stroke=\"#e3e6eb\"/>"
                "<text x=\"%d\" y=\"%.1f\" text-anchor=\"end\">%d</text>\n",
                CHART_LEFT, y, CHART_WIDTH - 10, y, CHART_LEFT - 6, y + 4.0, most * i / 2);
    }
    for (int i = 0; i < BIN_COUNT; i++) {
        double height = reach * bins[i] / most;
        fprintf(file,
                "<rect x=\"%.1f\" y=\"%.1f\" width=\"%.1f\" height=\"%.1f\" "
                "fill=\"#2f6fb7\"/>\n",
                CHART_LEFT + i * width + 0.5, CHART_HEIGHT - height, width - 1.0, height);
    }
    writeTicks(file, &a);
    writeBound(file, &a, wkSamples_Percentile(samples, 0.5), "median", 0);
    writeBound(file, &a, wkSamples_Percentile(samples, 0.99), "99 %", 1);
    fprintf(file, "</svg>\n");
}

static void writeCharts(FILE* file, wkDemo* demo)
{
    static const struct {
        wkDemoStageName stage;
        const char* title;
    } charts[] = {{wk_demoStates, "Time of one configuration"},
                  {wk_demoMotions, "Time of one certified motion"}};
    fprintf(file, "<div class=\"two\">\n");
    for (size_t i = 0; i < sizeof charts / sizeof charts[0]; i++) {
        wkSamples* samples = &demo->stages[charts[i].stage].samples;
        if (samples->count > 0) {
            fprintf(file, "<div><h2>%s</h2>\n", charts[i].title);
            writeHistogram(file, samples);
            fprintf(file, "</div>\n");
        }
    }
    fprintf(file, "</div>\n");
}

static void writeNext(FILE* file, const wkDemo* demo)
{
    char command[512];
    const char* words = NULL;
    fprintf(file, "<h2>What to type next</h2>\n<table>\n");
    for (int i = 0; wkDemo_NextStep(demo, i, command, sizeof command, &words); i++) {
        fprintf(file, "<tr><td><code>");
        wkPage_WriteText(file, command);
        fprintf(file, "</code></td><td>%s</td></tr>\n", words);
    }
    fprintf(file, "</table>\n");
}

bool wkDemo_WriteReport(wkDemo* demo, wkDemoPicture pictures[WK_DEMO_PICTURES], const char* path)
{
    wkPage page;
    if (!wkPage_Start(&page, "Whisker: a robot in a room it has only seen")) {
        return false;
    }
    FILE* file = page.file;
    wkVersion version = wkGetVersion();
    fprintf(
        file,
        "<h1>A robot in a room it has only seen</h1>\n<p>Written by <code>whisker demo</code>, "
        "version %d.%d.%d (%s). %s measure a room that a robot stands in; a map is kept of what "
        "they see, and then it is checked which configurations and motions are safe in it. A "
        "motion that is called free was proven free at every instant, not sampled.</p>\n",
        version.major, version.minor, version.patch, wkGetIsaName(),
        demo->isBuiltIn ? "The depth cameras on a turning head" : "Depth cameras");
    bool isWritten = true;
    for (int i = 0; i < WK_DEMO_PICTURES && isWritten && demo->size.pictureWidth > 0; i++) {
        isWritten =
            wkPage_WriteFigure(file, &pictures[i].picture, pictures[i].title, pictures[i].words);
    }
    writeStages(file, demo);
    writeCharts(file, demo);
    writeNext(file, demo);
    return wkPage_End(&page, isWritten, path);
}
