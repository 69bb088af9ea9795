// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// Self-contained HTML pages with their pictures.

#include "page.h"

#include "whisker/detail/library.h"
#include "whisker/io.h"

#include <stdlib.h>
#include <string.h>

static const char head[] =
    "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
    "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
    "<style>\n"
    "body{margin:0;background:#f4f5f7;color:#20242c;font:16px/1.5 system-ui,sans-serif}\n"
    "main{max-width:1120px;margin:0 auto;padding:32px 20px 64px}\n"
    "h1{font-size:30px;margin:0 0 4px}h2{font-size:20px;margin:36px 0 6px}\n"
    "p{margin:4px 0 14px;max-width:760px;color:#444b58}\n"
    "figure{margin:0 0 28px}img{width:100%;height:auto;display:block;border-radius:8px;"
    "box-shadow:0 1px 5px #0003}figcaption{margin-top:6px;color:#444b58}\n"
    "figcaption b{color:#20242c}\n"
    "table{border-collapse:collapse;width:100%;background:#fff;border-radius:8px;"
    "box-shadow:0 1px 3px #0002}th,td{padding:7px 12px;text-align:left;"
    "border-bottom:1px solid #e6e8ec}td.n,th.n{text-align:right;font-variant-numeric:tabular-nums;"
    "white-space:nowrap}tr:last-child td{border:0}\n"
    ".two{display:grid;grid-template-columns:1fr 1fr;gap:24px}\n"
    "@media(max-width:760px){.two{grid-template-columns:1fr}}\n"
    "code{font:14px/1.5 ui-monospace,monospace;background:#e8ebf0;border-radius:4px;"
    "padding:1px 5px}\n"
    "svg{width:100%;height:auto;background:#fff;border-radius:8px;box-shadow:0 1px 3px #0002}\n"
    "</style>\n";

static void writeBase64(FILE* file, const unsigned char* bytes, size_t count)
{
    static const char letters[] =
        "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    for (size_t i = 0; i < count; i += 3) {
        unsigned long word = (unsigned long)bytes[i] << 16;
        word |= i + 1 < count ? (unsigned long)bytes[i + 1] << 8 : 0;
        word |= i + 2 < count ? (unsigned long)bytes[i + 2] : 0;
        fputc(letters[word >> 18 & 63], file);
        fputc(letters[word >> 12 & 63], file);
        fputc(i + 1 < count ? letters[word >> 6 & 63] : '=', file);
        fputc(i + 2 < count ? letters[word & 63] : '=', file);
    }
}

void wkPage_WriteText(FILE* file, const char* text)
{
    static const char special[] = "&<>\"";
    static const char* const entities[] = {"&amp;", "&lt;", "&gt;", "&quot;"};
    for (; *text != '\0'; text++) {
        const char* found = strchr(special, *text);
        if (found != NULL) {
            fputs(entities[found - special], file);
        } else {
            fputc(*text, file);
        }
    }
}

bool wkPage_Start(wkPage* page, const char* title)
{
    *page = (wkPage){0};
    page->file = open_memstream(&page->text, &page->byteCount);
    if (page->file == NULL) {
        wkSetLastError(wk_errorMemory, "no memory for the report");
        return false;
    }
    fputs(head, page->file);
    fputs("<title>", page->file);
    wkPage_WriteText(page->file, title);
    fputs("</title>\n</head>\n<body>\n<main>\n", page->file);
    return true;
}

bool wkPage_WriteFigure(FILE* file, wkPicture* picture, const char* title, const char* words)
{
    if (!wkPicture_EncodePng(picture)) {
        return false;
    }
    fprintf(file, "<figure><img alt=\"%s\" width=\"%d\" height=\"%d\" src=\"data:image/png;base64,",
            title, picture->width, picture->height);
    writeBase64(file, picture->png, picture->pngByteCount);
    fprintf(file, "\"><figcaption><b>%s.</b> %s</figcaption></figure>\n", title, words);
    return true;
}

bool wkPage_End(wkPage* page, bool isComplete, const char* path)
{
    fputs("</main>\n</body>\n</html>\n", page->file);
    isComplete = ferror(page->file) == 0 && isComplete;
    isComplete = fclose(page->file) == 0 && isComplete;
    isComplete = isComplete && page->text != NULL; // fclose does not report that memory ran out
    wkResult result = isComplete ? wkSaveFile(path, page->text, page->byteCount)
                                 : wkSetLastError(wk_errorMemory, "no memory for the report");
    free(page->text);
    return result == wk_ok;
}
