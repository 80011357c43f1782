#pragma once

#include "SourcePages.h"

#include <qpdf/QPDFNameTreeObjectHelper.hh>

#include <memory>

// The named destinations of a file.
class Destinations {
  public:
    explicit Destinations(QPDF &pdf);

    // Replaces the name of a destination in a link or a bookmark by the destination, since names
    // are not valid in another file.
    void resolve(QPDFObjectHandle item);

  private:
    // The name's object; NULL for no name, or for an unknown one.
    QPDFObjectHandle found(QPDFObjectHandle name);

    QPDFObjectHandle old;
    std::unique_ptr<QPDFNameTreeObjectHelper> named;
};
