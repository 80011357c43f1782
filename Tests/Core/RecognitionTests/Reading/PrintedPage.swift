import CLeptonica
import Imaging

/// Pages in leptonica's built-in bitmap font: 10 points at 300 dpi, with lowercase letters about 20
/// pixels tall.
struct PrintedPage {
    private let pix: UnsafeMutablePointer<Pix>

    /// Creates a white page.
    init(width: Int, height: Int) {
        pix = pixCreate(Int32(width), Int32(height), 8)
        pixSetAll(pix)
    }

    /// Prints `lines` in a shade of gray, one below the other, with the first baseline near `y`.
    func print(_ lines: [String], x: Int, y: Int, in gray: UInt8 = 0) -> PrintedPage {
        var font = bmfCreate(nil, 10)
        defer { bmfDestroy(&font) }
        for (index, line) in lines.enumerated() {
            pixSetTextline(
                pix, font, line, UInt32(gray), Int32(x), Int32(y + 60 * index), nil, nil)
        }
        return self
    }

    /// Puts another page, turned clockwise by `quarterTurns`, over a part of this one.
    func put(_ other: PrintedPage, x: Int, y: Int, quarterTurns: Int) -> PrintedPage {
        var turned = pixRotateOrth(other.pix, Int32(quarterTurns))
        defer { pixDestroy(&turned) }
        pixRasterop(
            pix, Int32(x), Int32(y), pixGetWidth(turned), pixGetHeight(turned), PIX_SRC, turned, 0,
            0)
        return self
    }

    /// Fills a rectangle with a shade of gray.
    func fill(x: Int, y: Int, width: Int, height: Int, with gray: UInt8) -> PrintedPage {
        var box = boxCreate(Int32(x), Int32(y), Int32(width), Int32(height))
        pixSetInRectArbitrary(pix, box, UInt32(gray))
        boxDestroy(&box)
        return self
    }

    /// The page as a raster, turned clockwise by `quarterTurns` and scaled by `factor`.
    func raster(resolution: Double? = 300, quarterTurns: Int = 0, factor: Float = 1) -> Raster {
        var turned = pixRotateOrth(pix, Int32(quarterTurns))
        defer { pixDestroy(&turned) }
        var scaled = factor == 1 ? pixClone(turned) : pixScale(turned, factor, factor)
        defer { pixDestroy(&scaled) }
        let scaledPix = scaled!
        let width = Int(pixGetWidth(scaledPix))
        let height = Int(pixGetHeight(scaledPix))
        var raster = Raster(width: width, height: height, format: .gray8, resolution: resolution)
        let stride = raster.stride
        raster.withMutableBytes { bytes in
            for y in 0..<height {
                for x in 0..<width {
                    var value: UInt32 = 0
                    pixGetPixel(scaledPix, Int32(x), Int32(y), &value)
                    bytes[y * stride + x] = UInt8(value)
                }
            }
        }
        return raster
    }
}
