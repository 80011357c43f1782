import Foundation

/// Small pictures made by hand, so that no decoder of ours has a part in making them.
enum Pictures {
    /// A binary PGM (netpbm), all of one gray.
    static func pgm(width: Int, height: Int, gray: UInt8 = 200) -> [UInt8] {
        Array("P5\n\(width) \(height)\n255\n".utf8)
            + [UInt8](repeating: gray, count: width * height)
    }

    /// A TIFF 6.0 of uncompressed 8-bit gray pages, 40 × 30; the pixels of the pages in `broken` lie beyond the file's end.
    static func tiff(pages: Int, broken: Set<Int> = []) -> [UInt8] {
        let (width, height) = (40, 30)
        var file: [UInt8] = [0x49, 0x49, 42, 0]
        func append32(_ value: Int) { file += (0..<4).map { UInt8(value >> (8 * $0) & 255) } }
        func append16(_ value: Int) { file += [UInt8(value & 255), UInt8(value >> 8)] }
        let entries = 9
        let pageSize = 2 + entries * 12 + 4 + width * height
        append32(8)
        for page in 1...pages {
            let start = 8 + (page - 1) * pageSize
            let pixels = start + 2 + entries * 12 + 4
            append16(entries)
            func entry(_ tag: Int, _ type: Int, _ value: Int) {
                append16(tag)
                append16(type)
                append32(1)
                append32(value)
            }
            entry(256, 4, width)
            entry(257, 4, height)
            entry(258, 3, 8)
            entry(259, 3, 1)
            entry(262, 3, 1)
            entry(273, 4, broken.contains(page) ? 0x7fff_0000 : pixels)
            entry(277, 3, 1)
            entry(278, 4, height)
            entry(279, 4, width * height)
            append32(page == pages ? 0 : start + pageSize)
            file += [UInt8](repeating: UInt8(page * 20), count: width * height)
        }
        return file
    }

    /// The head of a PNG that claims `width` × `height` pixels of 8-bit gray, with a valid checksum and next to no data.
    static func pngHead(width: Int, height: Int) -> [UInt8] {
        func big(_ value: Int) -> [UInt8] {
            (0..<4).reversed().map { UInt8(value >> (8 * $0) & 255) }
        }
        func chunk(_ name: String, _ body: [UInt8]) -> [UInt8] {
            let named = Array(name.utf8) + body
            return big(body.count) + named + big(Int(crc32(named)))
        }
        return [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]
            + chunk("IHDR", big(width) + big(height) + [8, 0, 0, 0, 0])
            + chunk("IDAT", [0x78, 0x9c, 3, 0, 0, 0, 0, 1]) + chunk("IEND", [])
    }

    /// The checksum of PNG chunks (ISO 3309).
    private static func crc32(_ bytes: [UInt8]) -> UInt32 {
        var sum: UInt32 = 0xffff_ffff
        for byte in bytes {
            sum ^= UInt32(byte)
            for _ in 0..<8 { sum = sum & 1 == 1 ? sum >> 1 ^ 0xedb8_8320 : sum >> 1 }
        }
        return ~sum
    }
}
