#include "SourcePages.h"

#include <qpdf/QPDFNameTreeObjectHelper.hh>
#include <qpdf/QPDFNumberTreeObjectHelper.hh>

#include <memory>
#include <set>
#include <string>

using Object = QPDFObjectHandle;

namespace
{

// The deepest level to which trees are followed.
int const deepest = 64;

// Goes through a document, and removes what refers to pages that are gone.
class Pruner
{
  public:
    Pruner(QPDF &pdf, std::vector<Object> const &removed) : pdf(pdf), root(pdf.getRoot())
    {
        for (auto const &page : removed) gone.insert(page.getObjGen());
        Object names = root.getKey("/Names");
        if (names.isDictionary() && names.getKey("/Dests").isDictionary())
            named = std::make_unique<QPDFNameTreeObjectHelper>(names.getKey("/Dests"), pdf);
    }

    Pruned run(std::vector<Object> const &removed, std::vector<Object> const &notes)
    {
        Object form = root.getKey("/AcroForm");
        for (auto page : removed) addWidgets(page.getKey("/Annots"));
        for (auto list : notes) addWidgets(list);
        if (form.isDictionary()) pruneKids(form, "/Fields", 0);
        Object outlines = root.getKey("/Outlines");
        if (outlines.isDictionary()) pruneItems(outlines, 0);
        for (auto page : pdf.getAllPages()) pruneLinks(page);
        if (leads(root.getKey("/OpenAction"))) root.removeKey("/OpenAction");
        pruneNames();
        pruneStructure(removed);
        return pruned;
    }

  private:
    bool isGone(Object page) const { return page.isIndirect() && gone.count(page.getObjGen()) > 0; }

    // False for an object that was visited before: the trees of a file may contain themselves.
    bool isNew(Object object)
    { return !object.isIndirect() || walked.insert(object.getObjGen()).second; }

    // True if a destination or an action leads to a page that is gone.
    bool leads(Object target, int depth = 0)
    {
        if (depth > 4) return false;
        if (target.isArray()) return target.getArrayNItems() > 0 && isGone(target.getArrayItem(0));
        if (target.isDictionary()) {
            bool isGoTo = target.getKey("/S").isNameAndEquals("/GoTo");
            return (isGoTo || !target.hasKey("/S")) && leads(target.getKey("/D"), depth + 1);
        }
        if (target.isString() && named) {
            Object found;
            return named->findObject(target.getUTF8Value(), found) && leads(found, depth + 1);
        }
        Object old = root.getKey("/Dests");
        return target.isName() && old.isDictionary() &&
               leads(old.getKey(target.getName()), depth + 1);
    }

    bool leadsAway(Object item) { return leads(item.getKey("/Dest")) || leads(item.getKey("/A")); }

    void addWidgets(Object notes)
    {
        for (int index = 0; notes.isArray() && index < notes.getArrayNItems(); ++index)
            widgets.insert(notes.getArrayItem(index).getObjGen());
    }

    // Removes from a list the fields that are no longer on any page; true when that empties it.
    bool pruneKids(Object owner, std::string const &key, int depth)
    {
        Object kids = owner.getKey(key);
        if (!kids.isArray() || depth > deepest) return false;
        Object rest = Object::newArray();
        for (int index = 0; index < kids.getArrayNItems(); ++index) {
            Object kid = kids.getArrayItem(index);
            bool isWithout = kid.isIndirect() && widgets.count(kid.getObjGen()) > 0;
            if (!isWithout && kid.isDictionary() && kid.hasKey("/Kids") && isNew(kid))
                isWithout = pruneKids(kid, "/Kids", depth + 1);
            if (!isWithout) rest.appendItem(kid);
        }
        bool isEmpty = rest.getArrayNItems() == 0 && kids.getArrayNItems() > 0;
        owner.replaceKey(key, rest);
        return isEmpty;
    }

    // Removes the bookmarks below one that lead to pages that are gone, unless they have others
    // below them. Returns how many are left.
    int pruneItems(Object parent, int depth)
    {
        std::vector<Object> left;
        Object item = parent.getKey("/First");
        while (item.isDictionary() && item.isIndirect() && isNew(item)) {
            Object next = item.getKey("/Next");
            int below = depth < deepest ? pruneItems(item, depth + 1) : 0;
            bool const isLost = leadsAway(item);
            if (isLost) pruned.bookmarks += 1;
            if (!isLost) {
                left.push_back(item);
            } else if (below > 0) {
                item.removeKey("/Dest");
                item.removeKey("/A");
                left.push_back(item);
            }
            item = next;
        }
        for (char const *key : {"/First", "/Last"}) parent.removeKey(key);
        for (size_t index = 0; index < left.size(); ++index) {
            for (char const *key : {"/Prev", "/Next"}) left[index].removeKey(key);
            if (index > 0) {
                left[index].replaceKey("/Prev", left[index - 1]);
                left[index - 1].replaceKey("/Next", left[index]);
            }
        }
        if (left.empty()) {
            parent.removeKey("/Count");
        } else {
            parent.replaceKey("/First", left.front());
            parent.replaceKey("/Last", left.back());
            bool isClosed =
                parent.getKey("/Count").isInteger() && parent.getKey("/Count").getIntValue() < 0;
            long long count = static_cast<long long>(left.size());
            parent.replaceKey("/Count", Object::newInteger(isClosed ? -count : count));
        }
        return static_cast<int>(left.size());
    }

    void pruneLinks(Object page)
    {
        Object notes = page.getKey("/Annots");
        if (!notes.isArray()) return;
        Object rest = Object::newArray();
        for (int index = 0; index < notes.getArrayNItems(); ++index) {
            Object note = notes.getArrayItem(index);
            if (!(note.isDictionary() && note.getKey("/Subtype").isNameAndEquals("/Link") &&
                    leadsAway(note)))
                rest.appendItem(note);
        }
        pruned.links += notes.getArrayNItems() - rest.getArrayNItems();
        if (rest.getArrayNItems() != notes.getArrayNItems()) page.replaceKey("/Annots", rest);
    }

    void pruneNames()
    {
        std::vector<std::string> doomed;
        if (named)
            for (auto const &entry : *named)
                if (leads(entry.second)) doomed.push_back(entry.first);
        for (auto const &name : doomed) named->remove(name);
        Object old = root.getKey("/Dests");
        if (old.isDictionary())
            for (auto const &key : old.getKeys())
                if (leads(old.getKey(key))) old.removeKey(key);
    }

    // Removes the parts of a tagged document's structure that describe pages that are gone.
    void pruneStructure(std::vector<Object> const &removed)
    {
        Object tree = root.getKey("/StructTreeRoot");
        if (!tree.isDictionary()) return;
        if (tree.getKey("/ParentTree").isDictionary()) {
            QPDFNumberTreeObjectHelper parents(tree.getKey("/ParentTree"), pdf);
            for (auto page : removed)
                if (page.getKey("/StructParents").isInteger())
                    parents.remove(page.getKey("/StructParents").getIntValue());
        }
        pruneElement(tree, false, 0);
    }

    // True when nothing is left of an element.
    bool pruneElement(Object element, bool isOnGonePage, int depth)
    {
        if (depth > deepest || !element.isDictionary() || !isNew(element)) return false;
        if (element.hasKey("/Pg")) isOnGonePage = isGone(element.getKey("/Pg"));
        Object kids = element.getKey("/K");
        if (kids.isNull()) return isOnGonePage;
        Object rest = Object::newArray();
        int count = kids.isArray() ? kids.getArrayNItems() : 1;
        for (int index = 0; index < count; ++index) {
            Object kid = kids.isArray() ? kids.getArrayItem(index) : kids;
            bool isWithout =
                kid.isDictionary() ? pruneElement(kid, isOnGonePage, depth + 1) : isOnGonePage;
            if (!isWithout) rest.appendItem(kid);
        }
        if (rest.getArrayNItems() < count) element.replaceKey("/K", rest);
        return count > 0 && rest.getArrayNItems() == 0;
    }

    QPDF &pdf;
    Object root;
    std::set<QPDFObjGen> gone;
    std::set<QPDFObjGen> widgets;
    std::set<QPDFObjGen> walked;
    std::unique_ptr<QPDFNameTreeObjectHelper> named;
    Pruned pruned;
};

} // namespace

Pruned prune(QPDF &pdf, std::vector<Object> const &removed, std::vector<Object> const &notes)
{
    if (removed.empty() && notes.empty()) return {};
    Pruned const pruned = Pruner(pdf, removed).run(removed, notes);
    // Other references to such a page lead to nothing, so no part of the page is written.
    for (auto page : removed) pdf.replaceObject(page.getObjGen(), Object::newNull());
    return pruned;
}
