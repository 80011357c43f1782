#include "CZXing.h"
#include "LastError.h"

// Selects text as UTF-8 in std::string, as in later versions.
#define ZX_USE_UTF8 1
#include <ZXing/BarcodeFormat.h>
#include <ZXing/BitMatrix.h>
#include <ZXing/CharacterSet.h>
#include <ZXing/MultiFormatWriter.h>

#include <exception>
#include <memory>
#include <vector>

struct czxing_drawn {
    int width;
    int height;
    std::vector<uint8_t> fields;
};

extern "C" czxing_drawn *czxing_write(char const *format, char const *text)
{
    try {
        ZXing::MultiFormatWriter writer(ZXing::BarcodeFormatFromString(format));
        writer.setEncoding(ZXing::CharacterSet::UTF8).setMargin(0);
        // The smallest picture: one pixel per field.
        ZXing::BitMatrix const bits = writer.encode(std::string(text), 0, 0);
        auto drawn = std::make_unique<czxing_drawn>();
        drawn->width = bits.width();
        drawn->height = bits.height();
        drawn->fields.reserve(static_cast<size_t>(bits.width()) * bits.height());
        for (int y = 0; y < bits.height(); ++y)
            for (int x = 0; x < bits.width(); ++x) drawn->fields.push_back(bits.get(x, y) ? 1 : 0);
        return drawn.release();
    } catch (std::exception const &error) {
        czxing_last_error() = error.what();
    } catch (...) {
        czxing_last_error() = "ZXing failed and did not say why";
    }
    return nullptr;
}

extern "C" int czxing_drawn_width(czxing_drawn const *drawn) { return drawn->width; }

extern "C" int czxing_drawn_height(czxing_drawn const *drawn) { return drawn->height; }

extern "C" uint8_t const *czxing_drawn_fields(czxing_drawn const *drawn)
{ return drawn->fields.data(); }

extern "C" void czxing_free_drawn(czxing_drawn *drawn) { delete drawn; }
