#include "Destinations.h"

using Object = QPDFObjectHandle;

Destinations::Destinations(QPDF &pdf) : old(pdf.getRoot().getKey("/Dests"))
{
    Object names = pdf.getRoot().getKey("/Names");
    if (names.isDictionary() && names.getKey("/Dests").isDictionary())
        named = std::make_unique<QPDFNameTreeObjectHelper>(names.getKey("/Dests"), pdf);
}

Object Destinations::found(Object name)
{
    Object target = Object::newNull();
    if (name.isString() && named) named->findObject(name.getUTF8Value(), target);
    if (name.isName() && old.isDictionary()) target = old.getKey(name.getName());
    if (target.isDictionary()) target = target.getKey("/D");
    return target.isArray() ? target : Object::newNull();
}

void Destinations::resolve(Object item)
{
    if (!item.isDictionary()) return;
    Object direct = found(item.getKey("/Dest"));
    if (direct.isArray()) item.replaceKey("/Dest", direct);
    Object action = item.getKey("/A");
    if (!action.isDictionary() || !action.getKey("/S").isNameAndEquals("/GoTo")) return;
    Object target = found(action.getKey("/D"));
    if (target.isArray()) action.replaceKey("/D", target);
}
