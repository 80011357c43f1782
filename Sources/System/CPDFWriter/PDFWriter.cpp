#include "CPDFWriter.h"
#include "SourcePages.h"

// Declares that std::shared_ptr is used everywhere, which silences the header's warning.
#define POINTERHOLDER_TRANSITION 4
#include <qpdf/Pipeline.hh>
#include <qpdf/QPDF.hh>
#include <qpdf/QPDFObjectHandle.hh>
#include <qpdf/QPDFWriter.hh>

#include <cerrno>
#include <cstring>
#include <exception>
#include <memory>
#include <new>
#include <stdexcept>
#include <string>
#include <unistd.h>
#include <utility>
#include <vector>

namespace
{

using Object = QPDFObjectHandle;

// Gives a range of the spool to libqpdf when it is needed, so that images are never all in memory.
class SpoolProvider : public Object::StreamDataProvider
{
  public:
    SpoolProvider(int file, cpdf_range range) : file(file), range(range) {}

    void provideStreamData(QPDFObjGen const &, Pipeline *pipeline) override
    {
        unsigned char buffer[1 << 16];
        int64_t done = 0;
        while (done < range.count) {
            int64_t rest = range.count - done;
            size_t wanted = rest < static_cast<int64_t>(sizeof buffer) ? rest : sizeof buffer;
            ssize_t got = pread(file, buffer, wanted, range.offset + done);
            if (got < 0 && errno == EINTR) continue;
            if (got < 0)
                throw std::runtime_error(
                    std::string("the spool could not be read: ") + strerror(errno));
            if (got == 0) throw std::runtime_error("the spool ended early");
            pipeline->write(buffer, got);
            done += got;
        }
        pipeline->finish();
    }

  private:
    int file;
    cpdf_range range;
};

class Receiver : public Pipeline
{
  public:
    Receiver(cpdf_receiver receive, void *context)
        : Pipeline("receiver", nullptr), receive(receive), context(context)
    {
    }

    void write(unsigned char const *bytes, size_t count) override
    {
        if (receive(context, bytes, count) != 0)
            throw std::runtime_error("the file could not be written");
    }

    void finish() override {}

  private:
    cpdf_receiver receive;
    void *context;
};

Object dataStream(QPDF &pdf, const uint8_t *bytes, size_t count)
{ return pdf.newStream(std::string(reinterpret_cast<const char *>(bytes), count)); }

} // namespace

struct cpdf_document {
    explicit cpdf_document(int spool) : spool(spool)
    {
        pdf.emptyPDF();
        pdf.setSuppressWarnings(true);
        fonts = pdf.makeIndirectObject(Object::newDictionary());
    }

    // Runs code that may throw, and turns an exception into a sentence.
    template <typename Body> int attempt(Body body) noexcept
    {
        try {
            body();
            return 0;
        } catch (std::exception const &failure) {
            remember(failure.what());
        } catch (...) {
            remember("an unknown exception");
        }
        return -1;
    }

    void remember(const char *message) noexcept { strncpy(error, message, sizeof error - 1); }

    QPDF pdf;
    std::vector<PlannedPage> pages;
    Losses losses;
    Object fonts;
    std::vector<Object> profiles;
    int fontCount = 0;
    int spool;
    char error[512] = {};
};

cpdf_document *cpdf_create(int spool)
{
    try {
        return new cpdf_document(spool);
    } catch (...) {
        return nullptr;
    }
}

void cpdf_destroy(cpdf_document *document) { delete document; }

const char *cpdf_error(const cpdf_document *document) { return document->error; }

// The filter of an image's coding, and its parameters.
static std::pair<Object, Object> coding(const cpdf_image &image)
{
    Object parameters = Object::newDictionary();
    switch (image.kind) {
    case CPDF_JPEG: return {Object::newName("/DCTDecode"), Object::newNull()};
    case CPDF_G4:
        parameters.replaceKey("/K", Object::newInteger(-1));
        parameters.replaceKey("/Columns", Object::newInteger(image.columns));
        parameters.replaceKey("/Rows", Object::newInteger(image.rows));
        return {Object::newName("/CCITTFaxDecode"), parameters};
    case CPDF_FLATE:
        parameters.replaceKey("/Predictor", Object::newInteger(15));
        parameters.replaceKey("/Colors", Object::newInteger(image.components));
        parameters.replaceKey("/BitsPerComponent", Object::newInteger(image.bits));
        parameters.replaceKey("/Columns", Object::newInteger(image.columns));
        return {Object::newName("/FlateDecode"), parameters};
    }
    throw std::runtime_error("an image has an unknown coding");
}

static Object imageObject(cpdf_document &document, const cpdf_image &given)
{
    Object image = document.pdf.newStream();
    Object head = image.getDict();
    head.replaceKey("/Type", Object::newName("/XObject"));
    head.replaceKey("/Subtype", Object::newName("/Image"));
    head.replaceKey("/Width", Object::newInteger(given.columns));
    head.replaceKey("/Height", Object::newInteger(given.rows));
    head.replaceKey("/BitsPerComponent", Object::newInteger(given.bits));
    if (given.is_stencil)
        head.replaceKey("/ImageMask", Object::newBool(true));
    else if (given.profile > 0)
        head.replaceKey("/ColorSpace", document.profiles.at(given.profile - 1));
    else
        head.replaceKey(
            "/ColorSpace", Object::newName(given.components == 3 ? "/DeviceRGB" : "/DeviceGray"));
    auto [filter, parameters] = coding(given);
    image.replaceStreamData(
        std::make_shared<SpoolProvider>(document.spool, given.data), filter, parameters);
    return image;
}

// Makes a page of pictures that belongs to no document yet.
static Object pageObject(cpdf_document &document, const cpdf_page &page)
{
    Object content = document.pdf.newStream();
    content.replaceStreamData(std::make_shared<SpoolProvider>(document.spool, page.content),
        Object::newNull(), Object::newNull());

    Object images = Object::newDictionary();
    for (size_t index = 0; index < page.image_count; ++index)
        images.replaceKey(
            "/Im" + std::to_string(index + 1), imageObject(document, page.images[index]));
    Object resources = Object::newDictionary();
    resources.replaceKey("/XObject", images);
    resources.replaceKey("/Font", document.fonts);

    Object entry = Object::newDictionary();
    entry.replaceKey("/Type", Object::newName("/Page"));
    entry.replaceKey(
        "/MediaBox", Object::newArray(Object::Rectangle(0, 0, page.width, page.height)));
    entry.replaceKey("/Resources", resources);
    entry.replaceKey("/Contents", content);
    return document.pdf.makeIndirectObject(entry);
}

int cpdf_add_page(cpdf_document *document, const cpdf_page *page)
{
    return document->attempt([&] {
        document->pages.push_back({nullptr, 0, pageObject(*document, *page), Object(), 0});
    });
}

int cpdf_add_source_page(cpdf_document *document, cpdf_source *source, int page, int quarters,
    const cpdf_range *layer)
{
    return document->attempt([&] {
        PlannedPage planned{source, page, Object(), Object(), quarters};
        if (layer != nullptr) {
            Object form = document->pdf.newStream();
            Object resources = Object::newDictionary();
            resources.replaceKey("/Font", document->fonts);
            form.getDict().replaceKey("/Type", Object::newName("/XObject"));
            form.getDict().replaceKey("/Subtype", Object::newName("/Form"));
            form.getDict().replaceKey("/Resources", resources);
            form.getDict().replaceKey("/BBox", Object::newArray(shownBox(*source, page, quarters)));
            form.replaceStreamData(std::make_shared<SpoolProvider>(document->spool, *layer),
                Object::newNull(), Object::newNull());
            planned.layer = form;
        }
        document->pages.push_back(planned);
    });
}

int cpdf_replace_source_page(
    cpdf_document *document, cpdf_source *source, int page, const cpdf_page *appearance)
{
    return document->attempt([&] {
        document->pages.push_back({source, page, pageObject(*document, *appearance), Object(), 0});
    });
}

int cpdf_add_profile(cpdf_document *document, const uint8_t *bytes, size_t count, int components)
{
    return document->attempt([&] {
        Object profile = dataStream(document->pdf, bytes, count);
        profile.getDict().replaceKey("/N", Object::newInteger(components));
        profile.getDict().replaceKey(
            "/Alternate", Object::newName(components == 3 ? "/DeviceRGB" : "/DeviceGray"));
        Object space = Object::newArray();
        space.appendItem(Object::newName("/ICCBased"));
        space.appendItem(document->pdf.makeIndirectObject(profile));
        document->profiles.push_back(document->pdf.makeIndirectObject(space));
    });
}

int cpdf_add_font(cpdf_document *document, const cpdf_font *font)
{
    return document->attempt([&] {
        QPDF &pdf = document->pdf;
        Object name = Object::newName("/CopystandGlyphless");

        Object file = dataStream(pdf, font->file, font->file_count);
        file.getDict().replaceKey("/Length1", Object::newInteger(font->file_count));

        std::string map;
        for (int code = 0; code < font->codes; ++code) {
            map += static_cast<char>(font->glyph >> 8);
            map += static_cast<char>(font->glyph & 0xFF);
        }

        Object descriptor = Object::newDictionary();
        descriptor.replaceKey("/Type", Object::newName("/FontDescriptor"));
        descriptor.replaceKey("/FontName", name);
        descriptor.replaceKey("/Flags", Object::newInteger(5)); // fixed pitch, symbolic
        descriptor.replaceKey("/FontBBox",
            Object::newArray(Object::Rectangle(0, font->descent, font->advance, font->ascent)));
        descriptor.replaceKey("/ItalicAngle", Object::newInteger(0));
        descriptor.replaceKey("/Ascent", Object::newInteger(font->ascent));
        descriptor.replaceKey("/Descent", Object::newInteger(font->descent));
        descriptor.replaceKey("/CapHeight", Object::newInteger(font->ascent));
        descriptor.replaceKey("/StemV", Object::newInteger(80));
        descriptor.replaceKey("/FontFile2", file);

        Object system = Object::newDictionary();
        system.replaceKey("/Registry", Object::newString("Adobe"));
        system.replaceKey("/Ordering", Object::newString("Identity"));
        system.replaceKey("/Supplement", Object::newInteger(0));

        Object cid = Object::newDictionary();
        cid.replaceKey("/Type", Object::newName("/Font"));
        cid.replaceKey("/Subtype", Object::newName("/CIDFontType2"));
        cid.replaceKey("/BaseFont", name);
        cid.replaceKey("/CIDSystemInfo", system);
        cid.replaceKey("/CIDToGIDMap", pdf.newStream(map));
        cid.replaceKey("/DW", Object::newInteger(font->advance));
        cid.replaceKey("/FontDescriptor", pdf.makeIndirectObject(descriptor));

        Object descendants = Object::newArray();
        descendants.appendItem(pdf.makeIndirectObject(cid));

        Object composite = Object::newDictionary();
        composite.replaceKey("/Type", Object::newName("/Font"));
        composite.replaceKey("/Subtype", Object::newName("/Type0"));
        composite.replaceKey("/BaseFont", name);
        composite.replaceKey("/Encoding", Object::newName("/Identity-H"));
        composite.replaceKey("/DescendantFonts", descendants);
        composite.replaceKey(
            "/ToUnicode", dataStream(pdf, font->to_unicode, font->to_unicode_count));

        document->fontCount += 1;
        document->fonts.replaceKey(
            "/F" + std::to_string(document->fontCount), pdf.makeIndirectObject(composite));
    });
}

static bool isGiven(const char *text) { return text != nullptr && *text != 0; }

// Declares the color space of the document (ISO 19005-2, 6.2.3).
static Object outputIntent(QPDF &pdf, const cpdf_info &info)
{
    Object profile = dataStream(pdf, info.profile, info.profile_count);
    profile.getDict().replaceKey("/N", Object::newInteger(3));
    Object intent = Object::newDictionary();
    intent.replaceKey("/Type", Object::newName("/OutputIntent"));
    intent.replaceKey("/S", Object::newName("/GTS_PDFA1"));
    intent.replaceKey("/OutputConditionIdentifier", Object::newString(info.profile_name));
    intent.replaceKey("/Info", Object::newString(info.profile_name));
    intent.replaceKey("/DestOutputProfile", profile);
    return intent;
}

static void protect(QPDFWriter &writer, const cpdf_protection *protection)
{
    if (protection == nullptr) {
        writer.setDeterministicID(true);
        return;
    }
    bool mayChange = protection->may_change != 0;
    writer.setR6EncryptionParameters(protection->open, protection->owner, true, true, mayChange,
        mayChange, mayChange, mayChange, qpdf_r3p_full, true);
}

int cpdf_damaged_count(const cpdf_document *document) { return document->losses.damaged; }

void cpdf_pruned_counts(const cpdf_document *document, int *bookmarks, int *links)
{
    *bookmarks = document->losses.pruned.bookmarks;
    *links = document->losses.pruned.links;
}

int cpdf_write(cpdf_document *document, const cpdf_info *info, const cpdf_protection *protection,
    cpdf_receiver receiver, void *context)
{
    return document->attempt([&] {
        Receiver output(receiver, context);
        if (QPDF *source = assembled(document->pdf, document->pages, document->losses)) {
            if (info->is_title_given != 0) retitle(*source, info->title);
            QPDFWriter writer(*source);
            writer.setOutputPipeline(&output);
            // Existing streams stay byte for byte as they are.
            writer.setCompressStreams(false);
            writer.setDecodeLevel(qpdf_dl_none);
            writer.setObjectStreamMode(qpdf_o_preserve);
            protect(writer, protection);
            writer.write();
            return;
        }
        QPDF &pdf = document->pdf;
        Object head = Object::newDictionary();
        if (isGiven(info->title)) head.replaceKey("/Title", Object::newUnicodeString(info->title));
        if (isGiven(info->date)) {
            head.replaceKey("/CreationDate", Object::newString(info->date));
            head.replaceKey("/ModDate", Object::newString(info->date));
        }
        if (isGiven(info->producer))
            head.replaceKey("/Producer", Object::newUnicodeString(info->producer));
        pdf.getTrailer().replaceKey("/Info", pdf.makeIndirectObject(head));

        Object root = pdf.getRoot();
        if (isGiven(info->language))
            root.replaceKey("/Lang", Object::newUnicodeString(info->language));
        if (isGiven(info->title)) {
            Object preferences = Object::newDictionary();
            preferences.replaceKey("/DisplayDocTitle", Object::newBool(true));
            root.replaceKey("/ViewerPreferences", preferences);
        }
        if (info->xmp_count > 0) {
            Object xmp = dataStream(pdf, info->xmp, info->xmp_count);
            xmp.getDict().replaceKey("/Type", Object::newName("/Metadata"));
            xmp.getDict().replaceKey("/Subtype", Object::newName("/XML"));
            root.replaceKey("/Metadata", xmp);
        }
        if (info->profile_count > 0) {
            Object intents = Object::newArray();
            intents.appendItem(pdf.makeIndirectObject(outputIntent(pdf, *info)));
            root.replaceKey("/OutputIntents", intents);
        }

        QPDFWriter writer(pdf);
        writer.setOutputPipeline(&output);
        writer.setLinearization(true);
        writer.setObjectStreamMode(qpdf_o_generate);
        protect(writer, protection);
        writer.setMinimumPDFVersion("1.5");
        writer.write();
    });
}
