/// A TrueType font with one glyph for all characters, for text that is searched but not visible.
///
/// The glyph is a line without width from the bottom left of its cell to the top right. It paints
/// nothing, but has a box, which readers built on PDFium (Chromium) need for selecting; without
/// one, they drop words of one letter.
///
/// Laid out after the OpenType specification 1.9, with the tables that ISO 32000-1, 9.9 requires of
/// an embedded font, and `cmap` and `post` for readers that want them.
enum GlyphlessFont {
    /// The units in an em, in which the metrics below are given: thousandths.
    static let unitsPerEm = 1000
    /// The width of every glyph.
    static let advance = 500
    /// The height of tall letters above the baseline.
    static let ascent = 760
    /// The depth of low letters below the baseline, negative.
    static let descent = -240

    /// The glyph's number.
    static let glyph = 1

    /// The font's file.
    static let file: [UInt8] = {
        let outline = diagonal()
        let tables: [(tag: String, bytes: [UInt8])] = [
            ("cmap", characterMap()),
            ("glyf", outline + outline),
            ("head", head()),
            ("hhea", horizontalHead()),
            ("hmtx", [UInt8](short: advance, 0, 0)),
            ("loca", [UInt8](short: 0, outline.count / 2, outline.count)),
            (
                "maxp",
                [UInt8](long: 0x10000) + [UInt8](short: 2, 3, 1, 0, 0, 2, 0, 0, 0, 0, 0, 0, 0, 0)
            ),
            (
                "post",
                [UInt8](long: 0x30000, 0) + [UInt8](short: -100, 50) + [UInt8](long: 1, 0, 0, 0, 0)
            ),
        ]
        return assembled(tables)
    }()

    private static func assembled(_ tables: [(tag: String, bytes: [UInt8])]) -> [UInt8] {
        // Search range 8 × 16, 3 = log2 8.
        var directory = [UInt8](long: 0x10000) + [UInt8](short: tables.count, 128, 3, 0)
        var body: [UInt8] = []
        let start = 12 + 16 * tables.count
        var headStart = 0
        for (tag, bytes) in tables {
            if tag == "head" { headStart = start + body.count }
            directory += Array(tag.utf8)
            directory += [UInt8](long: checksum(bytes), start + body.count, bytes.count)
            body += bytes
            body += [UInt8](repeating: 0, count: (4 - bytes.count % 4) % 4)
        }
        var font = directory + body
        let adjustment = 0xB1B0_AFBA &- checksum(font)
        font.replaceSubrange(headStart + 8..<headStart + 12, with: [UInt8](long: adjustment))
        return font
    }

    private static func checksum(_ bytes: [UInt8]) -> Int {
        var sum: UInt32 = 0
        for (index, byte) in bytes.enumerated() {
            sum &+= UInt32(byte) << (24 - 8 * UInt32(index % 4))
        }
        return Int(sum)
    }

    private static func head() -> [UInt8] {
        [UInt8](long: 0x10000, 0x10000, 0, 0x5F0F_3CF5) + [UInt8](short: 0, unitsPerEm)
            + [UInt8](long: 0, 0, 0, 0) + [UInt8](short: 0, descent, advance, ascent, 0, 8, 2, 0, 0)
    }

    private static func horizontalHead() -> [UInt8] {
        [UInt8](long: 0x10000)
            + [UInt8](short: ascent, descent, 0, advance, 0, 0, advance, 1, 0, 0, 0, 0, 0, 0, 0, 1)
    }

    /// Format 4 with only the segment that ends every such table.
    private static func characterMap() -> [UInt8] {
        [UInt8](short: 0, 1, 3, 1) + [UInt8](long: 12)
            + [UInt8](short: 4, 24, 0, 2, 2, 0, 0, 0xFFFF, 0, 0xFFFF, 1, 0)
    }

    /// The outline goes along a diagonal and back.
    private static func diagonal() -> [UInt8] {
        [UInt8](short: 1, 0, descent, advance, ascent, 2, 0) + [1, 1, 1]
            + [UInt8](short: 0, advance, 0, descent, ascent - descent, 0) + [0]
    }
}

extension [UInt8] {
    /// 16-bit numbers, the high byte first.
    fileprivate init(short values: Int...) {
        self = values.flatMap { value in
            let bits = UInt16(truncatingIfNeeded: value)
            return [UInt8(bits >> 8), UInt8(bits & 0xFF)]
        }
    }

    /// 32-bit numbers, the high byte first.
    fileprivate init(long values: Int...) {
        self = values.flatMap { value in
            let bits = UInt32(truncatingIfNeeded: value)
            return [24, 16, 8, 0].map { UInt8(bits >> $0 & 0xFF) }
        }
    }
}
