#pragma once

#include "SourcePages.h"

#include <map>
#include <set>
#include <utility>
#include <vector>

// A file of which pages are inserted into another one, with what belongs to them.
class InsertedFile {
  public:
    // Prepares the file: `pages`, from 0, are those that will be taken.
    InsertedFile(QPDF &target, cpdf_source &source, std::set<int> const &pages);

    // A page in the target, without what lies on it, such as links and fields.
    QPDFObjectHandle copied(int page);

    // Notes where a page went, so that `finish` adds what lies on it.
    void note(int page, QPDFObjectHandle copy) { placed.emplace_back(page, copy); }

    // Copies what lies on the pages, the bookmarks, the attachments and the state of layers. False
    // when a part of them is so damaged that it was left out.
    bool finish();

    // What led to the pages that are not taken.
    Pruned pruned;

  private:
    void resolveLinks(QPDFObjectHandle notes);
    void addBookmarks();
    void addAttachments();
    void addLayers();

    QPDF &target;
    cpdf_source &source;
    std::map<int, QPDFObjectHandle> notes;
    std::vector<std::pair<int, QPDFObjectHandle>> placed;
};
