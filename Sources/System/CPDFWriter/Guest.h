#pragma once

#include "SourcePages.h"

#include <map>
#include <set>
#include <utility>
#include <vector>

// A file whose pages go into another one, with what belongs to them.
class Guest {
  public:
    // Prepares the file: `pages`, from 0, are those that will be taken.
    Guest(QPDF &host, cpdf_source &source, std::set<int> const &pages);

    // A page in the other file, without what lies on it, such as links and fields.
    QPDFObjectHandle copied(int page);

    // Brings what lies on that page once all pages are there.
    void note(int page, QPDFObjectHandle copy) { placed.emplace_back(page, copy); }

    // Takes over what lies on the pages, the bookmarks and the attachments. False when a part of
    // them is so damaged that it was left out.
    bool finish();

  private:
    void resolveLinks(QPDFObjectHandle notes);
    void addBookmarks();
    void addAttachments();

    QPDF &host;
    cpdf_source &source;
    std::map<int, QPDFObjectHandle> notes;
    std::vector<std::pair<int, QPDFObjectHandle>> placed;
};
