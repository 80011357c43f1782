#pragma once

#include "SourcePages.h"

#include <map>
#include <set>
#include <utility>
#include <vector>

// A file whose pages are inserted into another one, with what belongs to them.
class InsertedFile {
  public:
    // Prepares the file; `pages`, counted from 0, are the pages that will be taken.
    InsertedFile(QPDF &target, cpdf_source &source, std::set<int> const &pages);

    // Copies a page into the target without its annotations, such as links and fields.
    QPDFObjectHandle copied(int page);

    // Notes where a page was put, so that `finish` adds its annotations.
    void note(int page, QPDFObjectHandle copy) { placed.emplace_back(page, copy); }

    // Copies the annotations, the bookmarks, the attachments and the state of layers. False if a
    // part was left out because it is damaged.
    bool finish();

    // The bookmarks and links that led to pages that are not taken.
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
