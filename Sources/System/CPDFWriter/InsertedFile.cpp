#include "InsertedFile.h"

#include "Destinations.h"

#include <qpdf/QPDFAcroFormDocumentHelper.hh>
#include <qpdf/QPDFEmbeddedFileDocumentHelper.hh>

#include <cstdlib>
#include <exception>
#include <string>

using Object = QPDFObjectHandle;

namespace
{

// The deepest level to which bookmarks are followed.
int const deepest = 64;

// Resolves the bookmarks below one. Each is visited once, since they may contain each other.
void resolveItems(Object parent, Destinations &destinations, std::set<QPDFObjGen> &seen, int depth)
{
    Object item = parent.getKey("/First");
    while (item.isDictionary() && item.isIndirect() && seen.insert(item.getObjGen()).second) {
        destinations.resolve(item);
        if (depth < deepest) resolveItems(item, destinations, seen, depth + 1);
        item = item.getKey("/Next");
    }
}

// A name that no attachment has: "letter.txt", then "letter-2.txt".
std::string freeName(QPDFEmbeddedFileDocumentHelper &files, std::string const &wanted)
{
    std::string name = wanted;
    size_t const point = wanted.rfind('.');
    size_t const end = point == std::string::npos || point == 0 ? wanted.size() : point;
    for (int number = 2; files.getEmbeddedFile(name); ++number)
        name = wanted.substr(0, end) + "-" + std::to_string(number) + wanted.substr(end);
    return name;
}

long long countOf(Object item)
{
    Object count = item.getKey("/Count");
    return count.isInteger() ? std::llabs(count.getIntValue()) : 0;
}

// Adds the items of one dictionary's list to the list of another.
void append(Object owner, Object from, std::string const &key)
{
    Object given = from.getKey(key);
    if (!given.isArray()) return;
    Object list = Object::newArray();
    Object own = owner.getKey(key);
    if (own.isArray())
        for (auto const &item : own.getArrayAsVector()) list.appendItem(item);
    for (auto const &item : given.getArrayAsVector()) list.appendItem(item);
    owner.replaceKey(key, list);
}

// True if a list has the item.
bool has(Object list, Object item)
{
    if (!list.isArray()) return false;
    for (auto const &one : list.getArrayAsVector())
        if (one.getObjGen() == item.getObjGen()) return true;
    return false;
}

// Adds each layer that is not listed to those that are on or off, by its own file's rule (ISO
// 32000-1, 8.11.4.3).
void listByRule(Object layers, Object state)
{
    bool const isOff = state.getKey("/BaseState").isNameAndEquals("/OFF");
    std::string const key = isOff ? "/OFF" : "/ON";
    Object list = Object::newArray();
    if (state.getKey(key).isArray())
        for (auto const &item : state.getKey(key).getArrayAsVector()) list.appendItem(item);
    if (layers.isArray())
        for (auto const &layer : layers.getArrayAsVector())
            if (!has(state.getKey("/ON"), layer) && !has(state.getKey("/OFF"), layer))
                list.appendItem(layer);
    state.replaceKey(key, list);
}

} // namespace

InsertedFile::InsertedFile(QPDF &target, cpdf_source &source, std::set<int> const &pages)
    : target(target), source(source)
{
    Destinations destinations(source.pdf);
    std::vector<Object> removed;
    for (size_t index = 0; index < source.pages.size(); ++index) {
        Object page = source.pages[index];
        if (pages.count(static_cast<int>(index)) == 0) {
            removed.push_back(page);
            source.pdf.removePage(page);
            continue;
        }
        Object list = page.getKey("/Annots");
        for (int place = 0; list.isArray() && place < list.getArrayNItems(); ++place)
            destinations.resolve(list.getArrayItem(place));
    }
    std::set<QPDFObjGen> seen;
    Object outlines = source.pdf.getRoot().getKey("/Outlines");
    if (outlines.isDictionary()) resolveItems(outlines, destinations, seen, 0);
    pruned = prune(source.pdf, removed);
    // Annotations of a page may lead to another page, so all pages are copied without them first.
    for (int index : pages) {
        Object page = source.pages.at(static_cast<size_t>(index));
        if (!page.hasKey("/Annots")) continue;
        notes[index] = page.getKey("/Annots");
        page.removeKey("/Annots");
    }
}

Object InsertedFile::copied(int page)
{
    Object copy = target.copyForeignObject(source.pages.at(static_cast<size_t>(page)));
    // These are listed in their own file, and its lists are not copied.
    for (char const *key : {"/StructParents", "/B"}) copy.removeKey(key);
    return copy;
}

bool InsertedFile::finish()
{
    bool isWhole = true;
    auto attempt = [&](auto body) {
        try {
            body();
        } catch (std::exception const &) {
            isWhole = false;
        }
    };
    for (auto &[index, list] : notes)
        source.pages.at(static_cast<size_t>(index)).replaceKey("/Annots", list);
    attempt([&] {
        QPDFAcroFormDocumentHelper targetForm(target);
        QPDFAcroFormDocumentHelper ownForm(source.pdf);
        for (auto &[index, copy] : placed)
            targetForm.fixCopiedAnnotations(
                copy, source.pages.at(static_cast<size_t>(index)), ownForm);
    });
    attempt([&] { addBookmarks(); });
    attempt([&] { addAttachments(); });
    attempt([&] { addLayers(); });
    return isWhole;
}

void InsertedFile::addBookmarks()
{
    Object given = source.pdf.getRoot().getKey("/Outlines");
    if (!given.isDictionary() || !given.getKey("/First").isDictionary()) return;
    if (!given.isIndirect()) given = source.pdf.makeIndirectObject(given);
    Object added = target.copyForeignObject(given);
    Object outlines = target.getRoot().getKey("/Outlines");
    if (!outlines.isDictionary() || !outlines.getKey("/Last").isDictionary()) {
        target.getRoot().replaceKey("/Outlines", added);
        return;
    }
    Object last = outlines.getKey("/Last");
    Object first = added.getKey("/First");
    std::set<QPDFObjGen> seen;
    for (Object item = first; item.isDictionary() && item.isIndirect() &&
                              seen.insert(item.getObjGen()).second;
         item = item.getKey("/Next"))
        item.replaceKey("/Parent", outlines);
    last.replaceKey("/Next", first);
    first.replaceKey("/Prev", last);
    outlines.replaceKey("/Last", added.getKey("/Last"));
    outlines.replaceKey("/Count", Object::newInteger(countOf(outlines) + countOf(added)));
}

void InsertedFile::addAttachments()
{
    QPDFEmbeddedFileDocumentHelper own(source.pdf);
    QPDFEmbeddedFileDocumentHelper files(target);
    for (auto const &[name, file] : own.getEmbeddedFiles()) {
        Object given = file->getObjectHandle();
        if (!given.isIndirect()) given = source.pdf.makeIndirectObject(given);
        Object copy = target.copyForeignObject(given);
        files.replaceEmbeddedFile(freeName(files, name), QPDFFileSpecObjectHelper(copy));
    }
}

void InsertedFile::addLayers()
{
    Object given = source.pdf.getRoot().getKey("/OCProperties");
    if (!given.isDictionary()) return;
    if (!given.isIndirect()) given = source.pdf.makeIndirectObject(given);
    Object added = target.copyForeignObject(given);
    Object own = target.getRoot().getKey("/OCProperties");
    if (!own.isDictionary()) {
        target.getRoot().replaceKey("/OCProperties", added);
        return;
    }
    Object state = added.getKey("/D");
    if (!state.isDictionary()) state = Object::newDictionary();
    listByRule(added.getKey("/OCGs"), state);
    Object ownState = own.getKey("/D");
    if (!ownState.isDictionary()) {
        ownState = Object::newDictionary();
        own.replaceKey("/D", ownState);
        ownState = own.getKey("/D");
    }
    append(own, added, "/OCGs");
    for (char const *key : {"/ON", "/OFF", "/Order", "/RBGroups", "/Locked", "/AS"})
        append(ownState, state, key);
}
