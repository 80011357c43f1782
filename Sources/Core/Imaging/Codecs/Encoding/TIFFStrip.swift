/// The only strip of a TIFF file, found through its first directory (TIFF 6.0, section 2).
struct TIFFStrip {
    /// The range of the strip's bytes in the file.
    let range: Range<Int>
    /// True when the highest bit comes first and 0 is white, as fax and PDF require.
    let isFaxOrder: Bool

    /// Returns nil if the file has several strips or is incomplete.
    init?(onlyStripOf file: [UInt8]) {
        guard let reader = Reader(file), let directory = reader.long(at: 4),
            let count = reader.short(at: directory)
        else { return nil }
        var offset: Int?
        var length: Int?
        var fillOrder = 1
        var photometric: Int?
        for entry in 0..<count {
            let at = directory + 2 + 12 * entry
            guard let tag = reader.short(at: at), let type = reader.short(at: at + 2),
                let values = reader.long(at: at + 4),
                let value = type == 3 ? reader.short(at: at + 8) : reader.long(at: at + 8)
            else { return nil }
            switch tag {
            case 262: photometric = value
            case 266: fillOrder = value
            case 273 where values == 1: offset = value
            case 279 where values == 1: length = value
            default: break
            }
        }
        guard let offset, let length, length > 0, offset <= file.count - length else { return nil }
        range = offset..<offset + length
        isFaxOrder = fillOrder == 1 && photometric == 0
    }

    /// Reads numbers in the file's byte order; nil beyond its end.
    private struct Reader {
        let bytes: [UInt8]
        let isLittleEndian: Bool

        init?(_ bytes: [UInt8]) {
            guard bytes.count >= 8, bytes[0] == bytes[1] else { return nil }
            self.bytes = bytes
            isLittleEndian = bytes[0] == 0x49
        }

        func short(at offset: Int) -> Int? { number(at: offset, size: 2) }

        func long(at offset: Int) -> Int? { number(at: offset, size: 4) }

        private func number(at offset: Int, size: Int) -> Int? {
            guard offset >= 0, offset <= bytes.count - size else { return nil }
            let part = bytes[offset..<offset + size]
            return isLittleEndian
                ? part.reversed().reduce(0) { $0 << 8 | Int($1) }
                : part.reduce(0) { $0 << 8 | Int($1) }
        }
    }
}
