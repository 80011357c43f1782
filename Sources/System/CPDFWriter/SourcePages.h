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
    // By how many quarters of a circle a page of a file is turned, clockwise.
    int quarters;
};

// The box of a page as it is shown after so many quarter turns, from 0.
QPDFObjectHandle::Rectangle shownBox(cpdf_source &source, int page, int quarters);

// Puts the pages together in the first file that pages were taken from, and returns it. Without
// such pages, adds them to `pictures` and returns NULL. Adds to `damaged` the number of other files
// whose bookmarks, forms or attachments could not be taken over.
QPDF *assembled(QPDF &pictures, std::vector<PlannedPage> &pages, int &damaged);

// Removes what refers to pages that are no longer in a document, and the form fields in `notes`,
// the annotations of pages that are pictures now.
void prune(QPDF &pdf, std::vector<QPDFObjectHandle> const &removed,
    std::vector<QPDFObjectHandle> const &notes = {});

// Gives a document another title, in its dictionary of information and in its XMP metadata.
void retitle(QPDF &pdf, std::string const &title);
