import CTIFF

/// Writes uncompressed TIFF files by hand (TIFF 6.0), little-endian, a strip a page.
struct TIFFFixture {
    struct Page {
        var width: Int
        var height: Int
        var bits: Int = 8
        var samples: Int = 1
        /// Nil leaves the tag out.
        var photometric: Int? = 1
        var pixels: [UInt8]
        var orientation: Int?
        /// Dots per unit and the unit: 2 inches, 3 centimeters.
        var resolution: (dots: Int, unit: Int)?
        var more: [(tag: Int, type: Int, value: Int)] = []
        /// A color map of 16-bit values.
        var palette: [UInt8]?
    }

    var pages: [Page]
    /// The offset of each directory after writing.
    private(set) var directories: [Int] = []
    private(set) var bytes: [UInt8] = []

    init(_ pages: [Page]) {
        self.pages = pages
        bytes = [0x49, 0x49, 0x2A, 0] + little32(0)
        var link = 4
        for page in pages {
            let strip = append(page.pixels)
            let palette = page.palette.map { append($0) }
            let rational = page.resolution.map { append(little32($0.dots) + little32(1)) }
            let bits =
                page.samples > 1
                ? append((0..<page.samples).flatMap { _ in little16(page.bits) }) : page.bits
            var entries: [(Int, Int, Int, Int)] = [
                (256, 4, 1, page.width), (257, 4, 1, page.height), (258, 3, page.samples, bits),
                (259, 3, 1, 1), (273, 4, 1, strip),
                (277, 3, 1, page.samples), (278, 4, 1, page.height), (279, 4, 1, page.pixels.count),
            ]
            if page.samples == 2 { entries[2].3 = page.bits | page.bits << 16 }
            if let kind = page.photometric { entries.append((262, 3, 1, kind)) }
            if let orientation = page.orientation { entries.append((274, 3, 1, orientation)) }
            if let rational, let unit = page.resolution?.unit {
                entries += [(282, 5, 1, rational), (283, 5, 1, rational), (296, 3, 1, unit)]
            }
            if let palette { entries.append((320, 3, 3 << page.bits, palette)) }
            entries += page.more.map { ($0.tag, $0.type, 1, $0.value) }
            entries.sort { $0.0 < $1.0 }
            var directory = little16(entries.count)
            for (tag, type, count, value) in entries {
                directory += little16(tag) + little16(type) + little32(count) + little32(value)
            }
            let place = append(directory + little32(0))
            bytes.replaceSubrange(link..<link + 4, with: little32(place))
            directories.append(place)
            link = place + directory.count
        }
    }

    private mutating func append(_ data: [UInt8]) -> Int {
        if bytes.count % 2 == 1 { bytes.append(0) }
        let place = bytes.count
        bytes += data
        return place
    }
}

/// Writes a page with libtiff's own encoders.
///
/// - Parameter tags: further tags of 16-bit numbers.
func writeTIFF(
    to path: String, width: Int, height: Int, bits: Int, samples: Int, photometric: Int32,
    compression: Int32, tile: Int? = nil, tags: [(Int32, Int32)] = [], rowsPerStrip: Int = 8,
    pages: [[UInt8]]
) throws {
    guard let tiff = TIFFOpen(path, "w") else { throw Unexpected("can't write \(path)") }
    defer { TIFFClose(tiff) }
    func set(_ tag: Int32, _ value: Int32) {
        _ = withVaList([value]) { TIFFVSetField(tiff, UInt32(tag), $0) }
    }
    for pixels in pages {
        set(TIFFTAG_IMAGEWIDTH, Int32(width))
        set(TIFFTAG_IMAGELENGTH, Int32(height))
        set(TIFFTAG_BITSPERSAMPLE, Int32(bits))
        set(TIFFTAG_SAMPLESPERPIXEL, Int32(samples))
        set(TIFFTAG_PHOTOMETRIC, photometric)
        set(TIFFTAG_COMPRESSION, compression)
        set(TIFFTAG_PLANARCONFIG, Int32(PLANARCONFIG_CONTIG))
        for (tag, value) in tags { set(tag, value) }
        let row = (width * bits * samples + 7) / 8
        if let tile {
            set(TIFFTAG_TILEWIDTH, Int32(tile))
            set(TIFFTAG_TILELENGTH, Int32(tile))
            let tileRow = tile * bits * samples / 8
            for top in stride(from: 0, to: height, by: tile) {
                for left in stride(from: 0, to: width, by: tile) {
                    var bytes = [UInt8](repeating: 0, count: tileRow * tile)
                    let start = left * bits * samples / 8
                    for y in 0..<min(tile, height - top) {
                        for x in 0..<min(tileRow, row - start) {
                            bytes[y * tileRow + x] = pixels[(top + y) * row + start + x]
                        }
                    }
                    TIFFWriteTile(tiff, &bytes, UInt32(left), UInt32(top), 0, 0)
                }
            }
        } else {
            set(TIFFTAG_ROWSPERSTRIP, Int32(rowsPerStrip))
            for y in 0..<height {
                var line = Array(pixels[(y * row)..<((y + 1) * row)])
                guard TIFFWriteScanline(tiff, &line, UInt32(y), 0) == 1 else {
                    throw Unexpected("can't write row \(y)")
                }
            }
        }
        TIFFWriteDirectory(tiff)
    }
}
