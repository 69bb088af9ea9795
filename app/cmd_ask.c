// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// whisker ask: one answer per line of questions, see docs/ask.md.

#include "ask.h"
#include "command.h"
#include "line_reader.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <unistd.h>

// Answer buffers larger than this are freed at once.
#define KEPT_CAPACITY ((size_t)1 << 20)

static const char help[] =
    "usage: whisker ask [FILE]\n"
    "\n"
    "Reads questions from FILE or the standard input, one JSON object per line, and writes one\n"
    "answer per line in the same order with the same id, as soon as each line has been read.\n"
    "\n"
    "  {\"id\":1,\"query\":\"distance\",\"a\":{\"type\":\"box\",\"size\":[1,2,3]},\n"
    "   \"b\":{\"type\":\"sphere\",\"radius\":0.5,\"xyz\":[3,0,0]}}        (on one line)\n"
    "\n"
    "queries and their members:\n";

static const char helpTypes[] = "\ntypes of a and b and their members:\n";

static const char helpEnd[] =
    "\n"
    "Lengths are metres, angles radians; quat is x y z w, rpy roll pitch yaw as in URDF; size has\n"
    "full edge lengths, radii half axes. A mesh or octree may be a file. docs/ask.md has them "
    "all.\n"
    "\n"
    "A line that cannot be answered gives {\"id\":...,\"error\":{\"code\":...,\"message\":...}}; "
    "a\n"
    "member that is not listed here is refused with the nearest name that is.\n"
    "exit status: 0 every line answered, 1 some refused, 2 the command line was wrong, or the\n"
    "answers could not be written\n";

// The lists come from the tables that read questions.
static int printHelp(void)
{
    wkText text = {0};
    wkText_AppendString(&text, help);
    wkAskListQueries(&text);
    wkText_AppendString(&text, helpTypes);
    wkAskListTypes(&text);
    wkText_AppendString(&text, helpEnd);
    bool isPrinted =
        !text.isOutOfMemory && fwrite(text.data, 1, text.length, stdout) == text.length;
    wkText_Free(&text);
    return isPrinted ? wk_exitDone : wk_exitTrouble;
}

static bool isBlank(const char* line, size_t length)
{
    for (size_t i = 0; i < length; i++) {
        if (line[i] != ' ' && line[i] != '\t' && line[i] != '\r') {
            return false;
        }
    }
    return true;
}

// Skips a byte-order mark, which some editors write and JSON does not allow.
static void dropByteOrderMark(wkLine* line)
{
    if (line->length >= 3 && memcmp(line->data, "\xef\xbb\xbf", 3) == 0) {
        line->data += 3;
        line->length -= 3;
    }
}

// @return true when the line was answered, or blank
static bool answerLine(wkLine line, size_t lineNumber, wkAskCache* cache, wkText* answer)
{
    if (line.isTooLong) {
        wkAskRefuse("line_too_long", "a line may have 64 MiB", answer);
        return false;
    }
    if (lineNumber == 1) {
        dropByteOrderMark(&line);
    }
    return isBlank(line.data, line.length) ||
           wkAskLine(line.data, line.length, lineNumber, cache, answer);
}

static int answerAll(int file)
{
    wkLineReader reader = {.file = file, .answer = stdout};
    wkAskCache* cache = wkAskCache_Create();
    wkText answer = {0};
    wkLine line;
    int status = wk_exitDone;
    for (size_t lineNumber = 1; wkLineReader_Next(&reader, &line); lineNumber++) {
        if (!answerLine(line, lineNumber, cache, &answer)) {
            status = wk_exitTrouble;
        }
        if (answer.isOutOfMemory) {
            // a truncated answer is invalid, and later answers would be assigned to the wrong questions
            fprintf(stderr, "whisker ask: line %zu: out of memory for the answer\n", lineNumber);
            status = wk_exitUsage;
            break;
        }
        if (answer.length > 0 && fwrite(answer.data, 1, answer.length, stdout) < answer.length) {
            break;
        }
        wkText_Truncate(&answer, 0);
        if (answer.capacity > KEPT_CAPACITY) {
            wkText_Free(&answer);
        }
    }
    if (reader.error != 0) {
        fprintf(stderr, "whisker ask: cannot read: %s\n", strerror(reader.error));
        status = reader.error == EISDIR ? wk_exitUsage : wk_exitTrouble;
    }
    wkAskCache_Destroy(cache);
    wkText_Free(&answer);
    wkLineReader_Free(&reader);
    return status;
}

int wkRunAsk(int argc, char** argv)
{
    const char* path = argc > 1 ? argv[1] : "-";
    if (strcmp(path, "--help") == 0 || strcmp(path, "-h") == 0) {
        return printHelp();
    }
    if (argc > 2 || (path[0] == '-' && path[1] != '\0')) {
        fprintf(stderr, "whisker ask: '%s' is not expected; usage: whisker ask [FILE]\n",
                argv[argc > 2 ? 2 : 1]);
        return wk_exitUsage;
    }
    if (strcmp(path, "-") == 0) {
        return answerAll(STDIN_FILENO);
    }
    int file = open(path, O_RDONLY);
    if (file < 0) {
        fprintf(stderr, "whisker ask: cannot open %s: %s\n", path, strerror(errno));
        return wk_exitUsage;
    }
    int status = answerAll(file);
    close(file);
    return status;
}
