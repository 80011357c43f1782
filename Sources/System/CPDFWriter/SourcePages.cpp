#include "SourcePages.h"

#include "InsertedFile.h"

#include <qpdf/QPDFPageLabelDocumentHelper.hh>
#include <qpdf/QUtil.hh>

#include <algorithm>
#include <cstring>
#include <exception>
#include <memory>
#include <map>
#include <set>
#include <stdexcept>
#include <string>
#include <tuple>

using Object = QPDFObjectHandle;

// True if a field of a form, or one below it, is a completed signature. Each field is visited once,
// since fields may contain each other.
static bool hasSignature(Object field, int depth, std::set<QPDFObjGen> &seen)
{
    if (depth > 32 || !field.isDictionary() ||
        (field.isIndirect() && !seen.insert(field.getObjGen()).second))
        return false;
    if (field.getKey("/FT").isNameAndEquals("/Sig") && field.getKey("/V").isDictionary())
        return true;
    Object kids = field.getKey("/Kids");
    for (int index = 0; kids.isArray() && index < kids.getArrayNItems(); ++index)
        if (hasSignature(kids.getArrayItem(index), depth + 1, seen)) return true;
    return false;
}

cpdf_source *cpdf_open_source(const char *path, char *message)
{
    try {
        auto source = std::make_unique<cpdf_source>();
        source->pdf.setSuppressWarnings(true);
        source->pdf.processFile(path);
        if (source->pdf.isEncrypted()) throw std::runtime_error("it is encrypted");
        source->pdf.pushInheritedAttributesToPage();
        source->pages = source->pdf.getAllPages();
        return source.release();
    } catch (std::exception const &failure) {
        strncpy(message, failure.what(), 511);
    } catch (...) {
        strncpy(message, "an unknown exception", 511);
    }
    message[511] = 0;
    return nullptr;
}

void cpdf_close_source(cpdf_source *source) { delete source; }

int cpdf_source_page_count(const cpdf_source *source)
{ return static_cast<int>(source->pages.size()); }

int cpdf_source_is_signed(const cpdf_source *source)
{
    try {
        Object form = const_cast<cpdf_source *>(source)->pdf.getRoot().getKey("/AcroForm");
        Object fields = form.isDictionary() ? form.getKey("/Fields") : Object::newNull();
        std::set<QPDFObjGen> seen;
        for (int index = 0; fields.isArray() && index < fields.getArrayNItems(); ++index)
            if (hasSignature(fields.getArrayItem(index), 0, seen)) return 1;
    } catch (...) {
    }
    return 0;
}

// The part of a page that is shown, in its own coordinates.
static Object::Rectangle visibleBox(Object page)
{
    Object::Rectangle media = page.getKey("/MediaBox").getArrayAsRectangle();
    Object crop = page.getKey("/CropBox");
    if (!crop.isRectangle()) return media;
    Object::Rectangle box = crop.getArrayAsRectangle();
    box.llx = std::max(box.llx, media.llx);
    box.lly = std::max(box.lly, media.lly);
    box.urx = std::min(box.urx, media.urx);
    box.ury = std::min(box.ury, media.ury);
    return box.urx > box.llx && box.ury > box.lly ? box : media;
}

// Clockwise quarter turns, 0 to 3.
static int turns(Object page)
{
    Object rotate = page.getKey("/Rotate");
    if (!rotate.isInteger()) return 0;
    long long quarters = rotate.getIntValue() / 90 % 4;
    return static_cast<int>((quarters + 4) % 4);
}

Object::Rectangle shownBox(cpdf_source &source, int page, int quarters)
{
    Object object = source.pages.at(static_cast<size_t>(page));
    Object::Rectangle box = visibleBox(object);
    double width = box.urx - box.llx;
    double height = box.ury - box.lly;
    bool isLying = (turns(object) + quarters) % 2 == 1;
    return Object::Rectangle(0, 0, isLying ? height : width, isLying ? width : height);
}

int cpdf_source_page_has_notes(cpdf_source *source, int page)
{
    try {
        Object notes = source->pages.at(static_cast<size_t>(page)).getKey("/Annots");
        return notes.isArray() && notes.getArrayNItems() > 0 ? 1 : 0;
    } catch (...) {
        return 0;
    }
}

int cpdf_source_page_size(cpdf_source *source, int page, double *width, double *height)
{
    try {
        Object::Rectangle box = shownBox(*source, page, 0);
        *width = box.urx;
        *height = box.ury;
        return *width > 0 && *height > 0 ? 0 : -1;
    } catch (...) {
        return -1;
    }
}

// Maps the corner of the page as shown to the page's own coordinates.
static std::string placement(Object page)
{
    Object::Rectangle box = visibleBox(page);
    auto written = [](double x) { return QUtil::double_to_string(x, 5); };
    switch (turns(page)) {
    case 1: return "0 1 -1 0 " + written(box.urx) + " " + written(box.lly);
    case 2: return "-1 0 0 -1 " + written(box.urx) + " " + written(box.ury);
    case 3: return "0 -1 1 0 " + written(box.llx) + " " + written(box.ury);
    default: return "1 0 0 1 " + written(box.llx) + " " + written(box.lly);
    }
}

// Replaces a dictionary's entry by its own copy, since resources may be shared between pages.
static Object ownDictionary(Object owner, std::string const &key)
{
    Object given = owner.getKey(key);
    Object copy = given.isDictionary() ? given.shallowCopy() : Object::newDictionary();
    owner.replaceKey(key, copy);
    return copy;
}

static void addLayer(QPDF &pdf, Object page, Object form)
{
    Object forms = ownDictionary(ownDictionary(page, "/Resources"), "/XObject");
    std::string name = "/CopystandText";
    while (forms.hasKey(name)) name += "I";
    forms.replaceKey(name, pdf.copyForeignObject(form));
    page.addPageContents(pdf.newStream("q\n"), true);
    page.addPageContents(
        pdf.newStream("\nQ q " + placement(page) + " cm " + name + " Do Q\n"), false);
}

static void replaceAppearance(QPDF &pdf, Object page, Object appearance)
{
    Object copy = pdf.copyForeignObject(appearance);
    for (char const *key : {"/MediaBox", "/Resources", "/Contents"})
        page.replaceKey(key, copy.getKey(key));
    // The page's content is part of its picture, and its annotations would be at the wrong places.
    for (char const *key : {"/CropBox", "/BleedBox", "/TrimBox", "/ArtBox", "/Rotate", "/UserUnit",
             "/Annots", "/StructParents", "/PieceInfo", "/Thumb", "/Group"})
        page.removeKey(key);
}

// Gives the pages their old labels.
static void relabel(QPDF &pdf, std::vector<Object> const &labels)
{
    Object numbers = Object::newArray();
    for (size_t index = 0; index < labels.size(); ++index) {
        numbers.appendItem(Object::newInteger(static_cast<long long>(index)));
        numbers.appendItem(labels[index]);
    }
    Object tree = Object::newDictionary();
    tree.replaceKey("/Nums", numbers);
    pdf.getRoot().replaceKey("/PageLabels", pdf.makeIndirectObject(tree));
}

static bool isUnchangedOrder(cpdf_source const &base, std::vector<PlannedPage> const &pages)
{
    if (pages.size() != base.pages.size()) return false;
    for (size_t index = 0; index < pages.size(); ++index)
        if (pages[index].source != &base || pages[index].page != static_cast<int>(index))
            return false;
    return true;
}

// The label of a page in its own file, or else its number in the new one.
static Object labelOf(PlannedPage const &planned, size_t index)
{
    Object label = Object::newNull();
    if (planned.source != nullptr) {
        QPDFPageLabelDocumentHelper labels(planned.source->pdf);
        if (labels.hasPageLabels()) label = labels.getLabelForPage(planned.page);
    }
    if (!label.isDictionary()) {
        label = Object::newDictionary();
        label.replaceKey("/S", Object::newName("/D"));
        label.replaceKey("/St", Object::newInteger(static_cast<long long>(index) + 1));
    }
    return label;
}

// Labels of a document that combines several files; empty if none of them has any.
static std::vector<Object> labelsOf(std::vector<PlannedPage> const &pages)
{
    bool isLabeled = false;
    for (auto const &page : pages)
        isLabeled = isLabeled ||
                     (page.source && QPDFPageLabelDocumentHelper(page.source->pdf).hasPageLabels());
    std::vector<Object> labels;
    for (size_t index = 0; isLabeled && index < pages.size(); ++index)
        labels.push_back(labelOf(pages[index], index));
    return labels;
}

// The other files that pages are taken from.
static std::map<cpdf_source *, InsertedFile> othersOf(
    QPDF &pdf, cpdf_source *base, std::vector<PlannedPage> const &pages)
{
    std::map<cpdf_source *, std::set<int>> wanted;
    for (auto const &page : pages)
        if (page.source != nullptr && page.source != base) wanted[page.source].insert(page.page);
    std::map<cpdf_source *, InsertedFile> others;
    for (auto const &[source, numbers] : wanted)
        others.emplace(std::piecewise_construct, std::forward_as_tuple(source),
            std::forward_as_tuple(pdf, *source, numbers));
    return others;
}

QPDF *assembled(QPDF &pictures, std::vector<PlannedPage> &pages, Losses &losses)
{
    cpdf_source *base = nullptr;
    for (auto const &page : pages)
        if (base == nullptr) base = page.source;
    if (base == nullptr) {
        for (auto &page : pages) pictures.addPage(page.appearance, false);
        return nullptr;
    }
    QPDF &pdf = base->pdf;
    bool const keepsOrder = isUnchangedOrder(*base, pages);
    std::vector<Object> const labels = keepsOrder ? std::vector<Object>() : labelsOf(pages);
    std::map<cpdf_source *, InsertedFile> others = othersOf(pdf, base, pages);
    // The pages before anything was added to them.
    std::map<QPDFObjGen, Object> taken;
    std::vector<Object> covered;
    if (!keepsOrder)
        for (auto &page : base->pages) pdf.removePage(page);
    for (PlannedPage &planned : pages) {
        auto const other = others.find(planned.source);
        Object page;
        if (planned.source == nullptr) {
            page = pdf.copyForeignObject(planned.appearance);
        } else {
            page = other != others.end() ? other->second.copied(planned.page)
                                         : base->pages.at(static_cast<size_t>(planned.page));
            // A page that is taken twice becomes two pages.
            auto const [known, isNew] = taken.emplace(page.getObjGen(), page.shallowCopy());
            if (!isNew) page = pdf.makeIndirectObject(known->second.shallowCopy());
            if (planned.appearance.isInitialized()) {
                if (page.hasKey("/Annots")) covered.push_back(page.getKey("/Annots"));
                replaceAppearance(pdf, page, planned.appearance);
            } else if (other != others.end()) {
                other->second.note(planned.page, page);
            }
        }
        if (!keepsOrder) pdf.addPage(page, false);
        if (planned.quarters != 0)
            page.replaceKey(
                "/Rotate", Object::newInteger((turns(page) + planned.quarters) % 4 * 90));
        if (planned.layer.isInitialized()) addLayer(pdf, page, planned.layer);
    }
    auto const add = [&](Pruned const &pruned) {
        losses.pruned.bookmarks += pruned.bookmarks;
        losses.pruned.links += pruned.links;
    };
    for (auto &[source, other] : others) {
        if (!other.finish()) losses.damaged += 1;
        add(other.pruned);
    }
    std::vector<Object> removed;
    for (auto &page : base->pages)
        if (!keepsOrder && taken.count(page.getObjGen()) == 0) removed.push_back(page);
    add(prune(pdf, removed, covered));
    if (!labels.empty()) relabel(pdf, labels);
    return &pdf;
}

static std::string escaped(std::string const &text)
{
    std::string result;
    for (char const letter : text) {
        switch (letter) {
        case '&': result += "&amp;"; break;
        case '<': result += "&lt;"; break;
        case '>': result += "&gt;"; break;
        default: result += letter;
        }
    }
    return result;
}

void retitle(QPDF &pdf, std::string const &title)
{
    Object info = pdf.getTrailer().getKey("/Info");
    if (!info.isDictionary()) {
        info = pdf.makeIndirectObject(Object::newDictionary());
        pdf.getTrailer().replaceKey("/Info", info);
    }
    info.replaceKey("/Title", Object::newUnicodeString(title));
    Object metadata = pdf.getRoot().getKey("/Metadata");
    if (!metadata.isStream()) return;
    auto const bytes = metadata.getStreamData(qpdf_dl_all);
    std::string xmp(reinterpret_cast<char const *>(bytes->getBuffer()), bytes->getSize());
    // The first item of the title's alternatives is its default (ISO 16684-1, 8.2.2.4).
    size_t const begin = xmp.find("<dc:title");
    size_t const item = begin == std::string::npos ? begin : xmp.find("<rdf:li", begin);
    size_t const start = item == std::string::npos ? item : xmp.find('>', item);
    size_t const end = start == std::string::npos ? start : xmp.find("</rdf:li>", start);
    if (end == std::string::npos || end > xmp.find("</dc:title>", begin)) return;
    xmp.replace(start + 1, end - start - 1, escaped(title));
    metadata.replaceStreamData(xmp, Object::newNull(), Object::newNull());
}
