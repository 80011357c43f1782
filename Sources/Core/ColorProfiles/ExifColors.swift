/// Reads a picture's colors from EXIF data.
public enum ExifColors {
    /// True if a block that begins with TIFF's header names Adobe RGB: the interoperability index
    /// R03 of DCF 2.0.
    public static func isAdobeRGB(_ block: UnsafeRawBufferPointer) -> Bool {
        guard block.count >= 8, block[0] == block[1], block[0] == 0x49 || block[0] == 0x4D else {
            return false
        }
        let isLittle = block[0] == 0x49
        func number(_ offset: Int, _ count: Int) -> Int? {
            guard offset >= 0, offset <= block.count - count else { return nil }
            let part = block[offset..<offset + count]
            return isLittle
                ? part.reversed().reduce(0) { $0 << 8 | Int($1) }
                : part.reduce(0) { $0 << 8 | Int($1) }
        }
        /// The offset of the value of a directory's entry.
        func entry(_ tag: Int, in directory: Int) -> Int? {
            guard let count = number(directory, 2) else { return nil }
            return (0..<count).map { directory + 2 + 12 * $0 }.first { number($0, 2) == tag }
                .map { $0 + 8 }
        }
        guard let first = number(4, 4), let details = entry(0x8769, in: first),
            let directory = number(details, 4), let interoperability = entry(0xA005, in: directory),
            let last = number(interoperability, 4), let index = entry(1, in: last),
            index + 3 <= block.count
        else { return false }
        return block[index..<index + 3].elementsEqual("R03".utf8)
    }
}
