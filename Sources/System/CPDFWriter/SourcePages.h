#pragma once

#include "CPDFWriter.h"

#define POINTERHOLDER_TRANSITION 4
#include <qpdf/QPDF.hh>
#include <qpdf/QPDFObjectHandle.hh>

#include <string>
#include <vector>

struct cpdf_source {
    QPDF pdf;
    std::vector<QPDFObjectHandle> pages;
};

// A page of the planned document: of a file, of pictures, or of a file with pictures in place of
// its content.
struct PlannedPage {
    cpdf_source *source;
    int page;
    QPDFObjectHandle appearance;
    QPDFObjectHandle layer;
    // The number of clockwise quarter turns of a page from a file.
    int quarters;
};

// The box of a page as it is shown after this many quarter turns, with its corner at 0.
QPDFObjectHandle::Rectangle shownBox(cpdf_source &source, int page, int quarters);

// The number of bookmarks and links that were left out because they led to pages that are not in
// the document.
struct Pruned {
    int bookmarks = 0;
    int links = 0;
};

// The parts of its pages' files that a document lacks.
struct Losses {
    // Files whose bookmarks, forms or attachments could not be copied.
    int damaged = 0;
    Pruned pruned;
};

// Collects the pages in the first file that pages were taken from, and returns it. Without pages
// from files, adds all pages to `pictures` and returns NULL. Adds what is lost to `losses`.
QPDF *assembled(QPDF &pictures, std::vector<PlannedPage> &pages, Losses &losses);

// Removes references to pages that are no longer in a document, and the form fields in `notes`, the
// annotations of pages that have become pictures.
Pruned prune(QPDF &pdf, std::vector<QPDFObjectHandle> const &removed,
    std::vector<QPDFObjectHandle> const &notes = {});

// Gives a document another title, in its information dictionary and in its XMP metadata.
void retitle(QPDF &pdf, std::string const &title);
