#pragma once

#include "SourcePages.h"

#include <qpdf/QPDFNameTreeObjectHelper.hh>

#include <memory>

// The destinations that a file gives names.
class Destinations {
  public:
    explicit Destinations(QPDF &pdf);

    // Puts a destination in the place of its name, in a link or a bookmark: a name says nothing in
    // another file.
    void resolve(QPDFObjectHandle item);

  private:
    // NULL for what is no name, or one of nothing.
    QPDFObjectHandle found(QPDFObjectHandle name);

    QPDFObjectHandle old;
    std::unique_ptr<QPDFNameTreeObjectHelper> named;
};
