import Foundation

/// Small pictures that are made without an encoder or decoder of this project.
enum Pictures {
    /// A binary PGM (netpbm) of one gray.
    static func pgm(width: Int, height: Int, gray: UInt8 = 200) -> [UInt8] {
        Array("P5\n\(width) \(height)\n255\n".utf8)
            + [UInt8](repeating: gray, count: width * height)
    }

    /// A page of 1240 × 1754 pixels with loops and strokes like hasty handwriting in ten rows,
    /// without letters.
    static func scrawl() -> [UInt8] {
        let (width, height) = (1240, 1754)
        var pixels = [UInt8](repeating: 240, count: width * height)
        for row in 0..<10 {
            for step in 0..<9000 {
                let way = Double(step) / 9000
                let turn = way * Double(90 + 13 * row)
                let x = 150 + way * 900 + 14 * cos(turn)
                let swing = (16 + 12 * sin(turn / 5)) * sin(turn) + 9 * sin(turn / 3)
                let y = Double(220 + 130 * row) + swing
                for dy in 0..<3 {
                    for dx in 0..<3 { pixels[(Int(y) + dy) * width + Int(x) + dx] = 40 }
                }
            }
        }
        return Array("P5\n\(width) \(height)\n255\n".utf8) + pixels
    }

    /// A line of letters of five by seven round dots, as dot-matrix printers make, on a page of
    /// 1200 × 400 pixels.
    static func dots(_ text: String) -> [UInt8] {
        let rows: [Character: [UInt8]] = [
            "T": [31, 4, 4, 4, 4, 4, 4], "O": [14, 17, 17, 17, 17, 17, 14],
            "A": [14, 17, 17, 31, 17, 17, 17], "L": [16, 16, 16, 16, 16, 16, 31],
            "4": [2, 6, 10, 18, 31, 2, 2], "2": [14, 17, 1, 6, 8, 16, 31],
        ]
        let (width, height, pitch) = (1200, 400, 6)
        var pixels = [UInt8](repeating: 250, count: width * height)
        for (place, letter) in text.enumerated() {
            for (row, bits) in (rows[letter] ?? []).enumerated() {
                for column in 0..<5 where bits >> UInt8(4 - column) & 1 == 1 {
                    let (x, y) = (200 + (place * 7 + column) * pitch, 160 + row * pitch)
                    for dy in -3...3 {
                        for dx in -3...3 where dx * dx + dy * dy <= 9 {
                            pixels[(y + dy) * width + x + dx] = 30
                        }
                    }
                }
            }
        }
        return Array("P5\n\(width) \(height)\n255\n".utf8) + pixels
    }

    /// A TIFF 6.0 of uncompressed 8-bit gray pages, 40 × 30; the pixels of the pages in `broken`
    /// are beyond the file's end.
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

    /// The head of a PNG that claims `width` × `height` pixels of 8-bit gray, with a valid checksum
    /// and next to no data.
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
