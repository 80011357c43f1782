#include "CPDFWriter.h"

// Says that std::shared_ptr is used throughout, which silences the header's advice.
#define POINTERHOLDER_TRANSITION 4
#include <qpdf/Buffer.hh>
#include <qpdf/QPDF.hh>
#include <qpdf/QPDFObjectHandle.hh>
#include <qpdf/QPDFWriter.hh>

#include <cstdlib>
#include <cstring>
#include <exception>
#include <memory>
#include <set>
#include <stdexcept>
#include <string>
#include <vector>

using Object = QPDFObjectHandle;

namespace
{

// The most samples of an image that is decoded.
long long const mostSamples = 1LL << 30;

// The number of color components of an image: 1 or 3, or 0 for other kinds of colors.
int componentsOf(Object space)
{
    if (space.isArray() && space.getArrayNItems() > 0) {
        Object kind = space.getArrayItem(0);
        if (kind.isNameAndEquals("/CalGray")) return 1;
        if (kind.isNameAndEquals("/CalRGB")) return 3;
        if (!kind.isNameAndEquals("/ICCBased") || space.getArrayNItems() < 2) return 0;
        Object profile = space.getArrayItem(1);
        Object count = profile.isStream() ? profile.getDict().getKey("/N") : Object::newNull();
        long long const n = count.isInteger() ? count.getIntValue() : 0;
        return n == 1 || n == 3 ? static_cast<int>(n) : 0;
    }
    if (space.isNameAndEquals("/DeviceGray")) return 1;
    return space.isNameAndEquals("/DeviceRGB") ? 3 : 0;
}

// True if the stream is coded by this filter alone.
bool isCodedBy(Object dict, char const *name)
{
    Object filter = dict.getKey("/Filter");
    if (filter.isArray() && filter.getArrayNItems() == 1) filter = filter.getArrayItem(0);
    return filter.isNameAndEquals(name);
}

bool isPicture(Object object)
{
    if (!object.isStream()) return false;
    Object dict = object.getDict();
    if (!dict.getKey("/Subtype").isNameAndEquals("/Image")) return false;
    Object mask = dict.getKey("/ImageMask");
    return !(mask.isBool() && mask.getBoolValue()) && !dict.hasKey("/Decode") &&
           !dict.getKey("/Mask").isArray() && dict.getKey("/Width").isInteger() &&
           dict.getKey("/Height").isInteger() && dict.getKey("/BitsPerComponent").isInteger() &&
           dict.getKey("/BitsPerComponent").getIntValue() == 8;
}

void shrinkOne(Object image, cpdf_shrinker shrinker, void *context)
{
    Object dict = image.getDict();
    cpdf_picture picture = {};
    picture.width = dict.getKey("/Width").getIntValue();
    picture.height = dict.getKey("/Height").getIntValue();
    picture.components = componentsOf(dict.getKey("/ColorSpace"));
    if (picture.components == 0 || picture.width < 1 || picture.height < 1 ||
        picture.width > mostSamples / picture.height / picture.components)
        return;
    std::shared_ptr<Buffer> bytes;
    if (isCodedBy(dict, "/DCTDecode") && dict.getKey("/DecodeParms").isNull()) {
        picture.is_jpeg = 1;
        bytes = image.getRawStreamData();
    } else if (isCodedBy(dict, "/FlateDecode")) {
        bytes = image.getStreamData(qpdf_dl_generalized);
        if (static_cast<long long>(bytes->getSize()) <
            picture.width * picture.height * picture.components)
            return;
    } else {
        return;
    }
    picture.bytes = bytes->getBuffer();
    picture.count = bytes->getSize();
    cpdf_smaller smaller = {};
    shrinker(context, &picture, &smaller);
    std::unique_ptr<uint8_t, decltype(&std::free)> owned(smaller.bytes, &std::free);
    if (!owned || smaller.count >= static_cast<size_t>(image.getRawStreamData()->getSize())) return;
    image.replaceStreamData(
        std::string(reinterpret_cast<char const *>(owned.get()), smaller.count),
        Object::newName("/DCTDecode"), Object::newNull());
    dict.replaceKey("/Width", Object::newInteger(smaller.width));
    dict.replaceKey("/Height", Object::newInteger(smaller.height));
}

} // namespace

int cpdf_shrink(
    const char *path, const char *goal, cpdf_shrinker shrinker, void *context, char *message)
{
    try {
        QPDF pdf;
        pdf.setSuppressWarnings(true);
        pdf.processFile(path);
        if (pdf.isEncrypted()) throw std::runtime_error("it is encrypted");
        std::vector<Object> objects = pdf.getAllObjects();
        // A mask is not a picture, and must stay exact.
        std::set<QPDFObjGen> masks;
        for (Object object : objects) {
            if (!object.isStream()) continue;
            for (char const *key : {"/SMask", "/Mask"}) {
                Object mask = object.getDict().getKey(key);
                if (mask.isStream()) masks.insert(mask.getObjGen());
            }
        }
        for (Object object : objects)
            if (isPicture(object) && masks.count(object.getObjGen()) == 0)
                shrinkOne(object, shrinker, context);
        QPDFWriter writer(pdf, goal);
        writer.setDeterministicID(true);
        writer.write();
        return 0;
    } catch (std::exception const &failure) {
        strncpy(message, failure.what(), 511);
    } catch (...) {
        strncpy(message, "an unknown exception", 511);
    }
    message[511] = 0;
    return -1;
}
