import Documents
import Imaging

/// The first bytes of a little-endian TIFF 6.0 of one page without compression: the whole file
/// except its pixels.
///
/// The tags are the same as those of ``TIFFFormat`` with libtiff, but the directory comes first.
enum TIFFHeader {
    /// The header of a page, padded with zeros to `room` bytes, which is where the pixels begin.
    ///
    /// - Returns: nil where it does not fit, or the rows have gaps or samples in an order other
    ///   than the file's.
    static func bytes(of page: DeliveredPage, _ info: DocumentInfo, room: Int) -> [UInt8]? {
        let image = page.image
        guard image.stride == image.format.minimumStride(width: image.width),
            room + image.stride * image.height < Int(UInt32.max), Int(littleEndian: 1) == 1
        else { return nil }
        let channels = image.format.channels
        let rows = rowsPerStrip(image)
        let strips = stride(from: 0, to: image.height, by: rows).map { start in
            (offset: room + start * image.stride, rows: min(rows, image.height - start))
        }
        let dpi = resolution(of: page)
        var directory = Directory()
        directory.add(254, longs: [2])  // SubfileType: a page of several
        directory.add(256, longs: [image.width])
        directory.add(257, longs: [image.height])
        directory.add(
            258,
            shorts: Array(repeating: image.format.bitsPerPixel / channels, count: channels))
        directory.add(259, shorts: [1])  // Compression: none
        // WhiteIsZero, BlackIsZero, RGB
        directory.add(262, shorts: [image.format == .bilevel ? 0 : channels == 3 ? 2 : 1])
        directory.add(269, text: info.title)
        directory.add(273, longs: strips.map(\.offset))
        directory.add(274, shorts: [1])  // Orientation: as it is
        directory.add(277, shorts: [channels])
        directory.add(278, longs: [rows])
        directory.add(279, longs: strips.map { $0.rows * image.stride })
        directory.add(282, ratio: dpi)
        directory.add(283, ratio: resolutionDown(of: page))
        directory.add(284, shorts: [1])  // PlanarConfiguration: samples side by side
        directory.add(285, text: page.page.provenance.label ?? "1")
        directory.add(296, shorts: [2])  // ResolutionUnit: inch
        directory.add(297, shorts: [0, 0])  // PageNumber: the first of an unknown number
        directory.add(305, text: "Copystand")
        directory.add(306, text: Timestamp(seconds: info.created).tiff)
        return directory.file(room: room)
    }

    /// Rows of a strip of about a megabyte: without compression, large strips are as easy to read
    /// as small ones.
    ///
    /// No page has more than a few hundred strips, so their list is short.
    static func rowsPerStrip(_ image: Raster) -> Int {
        let least = (image.height + 199) / 200
        return max(least, 1, (1 << 20) / image.format.minimumStride(width: image.width))
    }

    /// An image file directory (TIFF 6.0, section 2), its entries added in the order of their tags.
    private struct Directory {
        private var entries: [(tag: Int, type: Int, count: Int, bytes: [UInt8])] = []

        mutating func add(_ tag: Int, shorts: [Int]) {
            add(tag, 3, count: shorts.count, bytes: shorts.flatMap { Self.little($0, 2) })
        }

        mutating func add(_ tag: Int, longs: [Int]) {
            add(tag, 4, count: longs.count, bytes: longs.flatMap { Self.little($0, 4) })
        }

        /// A number to three places, as a quotient.
        mutating func add(_ tag: Int, ratio: Double) {
            let isWhole = ratio == ratio.rounded()
            let (above, below) = isWhole ? (ratio, 1) : ((ratio * 1000).rounded(), 1000)
            add(tag, 5, count: 1, bytes: Self.little(Int(above), 4) + Self.little(below, 4))
        }

        /// Text that ends with a zero byte; nothing when it is empty.
        mutating func add(_ tag: Int, text: String) {
            let bytes = Array(cleaned(text).utf8)
            if !bytes.isEmpty { add(tag, 2, count: bytes.count + 1, bytes: bytes + [0]) }
        }

        private mutating func add(_ tag: Int, _ type: Int, count: Int, bytes: [UInt8]) {
            entries.append((tag, type, count, bytes))
        }

        /// The file up to byte `room`; nil when it is longer.
        func file(room: Int) -> [UInt8]? {
            var file: [UInt8] = [0x49, 0x49, 42, 0] + Self.little(8, 4)
            file += Self.little(entries.count, 2)
            var values: [UInt8] = []
            let valuesStart = 8 + 2 + 12 * entries.count + 4
            for entry in entries {
                file += Self.little(entry.tag, 2) + Self.little(entry.type, 2)
                file += Self.little(entry.count, 4)
                if entry.bytes.count <= 4 {
                    file += entry.bytes + Array(repeating: 0, count: 4 - entry.bytes.count)
                } else {
                    file += Self.little(valuesStart + values.count, 4)
                    // Values begin at even offsets.
                    values += entry.bytes + Array(repeating: 0, count: entry.bytes.count % 2)
                }
            }
            file += Self.little(0, 4) + values
            guard file.count <= room else { return nil }
            return file + Array(repeating: 0, count: room - file.count)
        }

        private static func little(_ number: Int, _ count: Int) -> [UInt8] {
            (0..<count).map { UInt8(truncatingIfNeeded: number >> (8 * $0)) }
        }
    }
}
