// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// The report of the demo: one HTML file with its pictures inside, which opens anywhere.

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
        fprintf(file,
                "<tr><td>%s</td><td>%s</td><td class=\"n\">%s</td><td class=\"n\">%s</td>"
                "<td class=\"n\">%s</td></tr>\n",
                stage->name, stage->words, total, median, most);
    }
    fprintf(file, "</table>\n");
}

#define BIN_COUNT 48
#define CHART_WIDTH 1000
#define CHART_HEIGHT 200

// How many pieces of work took how long, on a logarithmic scale.
static void writeHistogram(FILE* file, wkSamples* samples)
{
    double low = log10(fmax(wkSamples_Percentile(samples, 0.001), 1e-8)) - 0.05;
    double high = log10(fmax(wkSamples_Percentile(samples, 0.999), 2e-8)) + 0.05;
    int bins[BIN_COUNT] = {0}, most = 1;
    for (size_t i = 0; i < samples->count; i++) {
        double place = (log10(fmax(samples->seconds[i], 1e-9)) - low) / (high - low);
        int bin = (int)fmin(fmax(place * BIN_COUNT, 0.0), BIN_COUNT - 1.0);
        bins[bin]++;
        most = bins[bin] > most ? bins[bin] : most;
    }
    fprintf(file, "<svg viewBox=\"0 0 %d %d\" font-size=\"15\" fill=\"#444b58\">\n", CHART_WIDTH,
            CHART_HEIGHT + 30);
    const double width = (double)CHART_WIDTH / BIN_COUNT;
    for (int i = 0; i < BIN_COUNT; i++) {
        double height = (CHART_HEIGHT - 12.0) * bins[i] / most;
        fprintf(file,
                "<rect x=\"%.1f\" y=\"%.1f\" width=\"%.1f\" height=\"%.1f\" "
                "fill=\"#2f6fb7\"/>\n",
                i * width + 1.0, CHART_HEIGHT - height, width - 2.0, height);
    }
    for (int i = 0; i <= 4; i++) {
        char words[32];
        double share = (i + 0.25) / 4.5;
        wkSayTime(pow(10.0, low + share * (high - low)), words, sizeof words);
        fprintf(file, "<text x=\"%.0f\" y=\"%d\" text-anchor=\"middle\">%s</text>\n",
                share * CHART_WIDTH, CHART_HEIGHT + 21, words);
    }
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

bool wkDemo_WriteReport(wkDemo* demo, const wkDemoPicture pictures[WK_DEMO_PICTURES],
                        const char* path)
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
        "version %d.%d.%d (%s). A robot turns its head, keeps a map of what its depth camera "
        "measured, and then asks which configurations and motions are safe in it. A motion that "
        "is called free was proven free at every instant, not looked at in steps.</p>\n",
        version.major, version.minor, version.patch, wkGetIsaName());
    bool isWritten = true;
    for (int i = 0; i < WK_DEMO_PICTURES && isWritten && demo->size.pictureWidth > 0; i++) {
        isWritten =
            wkPage_WriteFigure(file, &pictures[i].picture, pictures[i].title, pictures[i].words);
    }
    writeStages(file, demo);
    writeCharts(file, demo);
    return wkPage_End(&page, isWritten, path);
}
