/// The offsets of a TIFF file's directories, found by following their chain without reading them.
///
/// libtiff gives up at the first unreadable directory; only the chain leads to the later pages. It
/// ends at the first link to a directory seen before, because of cycles (TIFF 6.0, section 2;
/// BigTIFF).
struct TIFFDirectoryChain {
    /// Offsets of the directories, in the file's order.
    private(set) var offsets: [Int] = []
    /// The reason why the chain ends early; nil for a normal end.
    private(set) var fault: DecodeFault?

    /// Follows the chain in `file`, up to one directory more than `maximumPages`.
    init(_ file: OpenFile, maximumPages: Int) throws(DecodeFault) {
        let head = try file.read(at: 0, count: 16)
        guard head.count >= 8 else { throw .damaged("it ends within its header") }
        let numbers = Numbers(isLittle: head[0] == 0x49, isBig: head[2] == 0x2B || head[3] == 0x2B)
        var link = numbers.isBig ? numbers.value(head, 8, 8) : numbers.value(head, 4, 4)
        var seen: Set<Int> = []
        while let offset = link, offset != 0 {
            guard seen.insert(offset).inserted else {
                fault = .damaged("its list of pages loops after page \(offsets.count)")
                return
            }
            guard offsets.count <= maximumPages else { return }
            let count = try file.read(at: offset, count: numbers.isBig ? 8 : 2)
            guard let entries = numbers.value(count, 0, numbers.isBig ? 8 : 2), entries <= 65_535
            else {
                fault = Self.broken(after: offsets.count)
                return
            }
            offsets.append(offset)
            let size = numbers.isBig ? 8 : 4
            let next = offset + (numbers.isBig ? 8 + entries * 20 : 2 + entries * 12)
            link = numbers.value(try file.read(at: next, count: size), 0, size)
            if link == nil {
                fault = Self.broken(after: offsets.count)
            }
        }
        if link == nil, offsets.isEmpty { fault = Self.broken(after: 0) }
    }

    private static func broken(after pages: Int) -> DecodeFault {
        .damaged(
            pages == 0
                ? "it ends before its first page"
                : "its list of pages ends after page \(pages)")
    }

    /// The file's number format.
    private struct Numbers {
        let isLittle: Bool
        let isBig: Bool

        /// The number of `count` bytes at `offset`; nil beyond the end or beyond 2⁴⁸.
        func value(_ bytes: [UInt8], _ offset: Int, _ count: Int) -> Int? {
            guard offset + count <= bytes.count else { return nil }
            let slice = bytes[offset..<offset + count]
            let number =
                isLittle
                ? slice.reversed().reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
                : slice.reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
            return number < 1 << 48 ? Int(number) : nil
        }
    }
}
