import Glibc

/// The completeness of a file, by its format; a format that does not show this counts as complete.
enum Wholeness: Hashable, Sendable {
    case whole
    /// A part is missing, which the text names.
    case partial(String)

    /// Examines a file's beginning and end.
    ///
    /// - Parameter size: the file's length in bytes.
    init(_ descriptor: Int32, size: Int) {
        guard size > 0 else {
            self = .partial("it is empty")
            return
        }
        let head = Self.bytes(descriptor, at: 0, 8)
        let tail = Self.bytes(descriptor, at: max(0, size - 1024), 1024)
        if head.starts(with: Array("%PDF-".utf8)) {
            self = Self.holds(tail, "%%EOF") ? .whole : .partial("its end (%%EOF) is missing")
        } else if head.starts(with: [0xFF, 0xD8, 0xFF]) {
            // Some cameras pad a file with zeros.
            let end = tail.reversed().drop { $0 == 0 }.prefix(2)
            self =
                Array(end) == [0xD9, 0xFF] ? .whole : .partial("the end of its picture is missing")
        } else if head == [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A] {
            self = Self.holds(tail, "IEND") ? .whole : .partial("its end (IEND) is missing")
        } else if head.starts(with: [0x49, 0x49, 42, 0]) || head.starts(with: [0x4D, 0x4D, 0, 42]) {
            self =
                Self.hasWholeDirectories(descriptor, size, isLittle: head[0] == 0x49)
                ? .whole : .partial("the list of its pages leads beyond its end")
        } else {
            self = .whole
        }
    }

    private static func bytes(_ descriptor: Int32, at offset: Int, _ count: Int) -> [UInt8] {
        var bytes = [UInt8](repeating: 0, count: count)
        let read = pread(descriptor, &bytes, count, off_t(offset))
        return Array(bytes.prefix(max(0, read)))
    }

    private static func holds(_ bytes: [UInt8], _ mark: String) -> Bool {
        bytes.firstRange(of: Array(mark.utf8)) != nil
    }

    /// Follows a TIFF's directories (TIFF 6.0, section 2).
    private static func hasWholeDirectories(
        _ descriptor: Int32, _ size: Int, isLittle: Bool
    ) -> Bool {
        func number(_ offset: Int, _ count: Int) -> Int? {
            let bytes = bytes(descriptor, at: offset, count)
            guard bytes.count == count else { return nil }
            return (isLittle ? bytes.reversed() : bytes).reduce(0) { $0 << 8 | Int($1) }
        }
        var offset = number(4, 4) ?? 0
        guard offset > 0 else { return false }
        // No scanner sends more pages than this, and a loop ends here too.
        for _ in 0..<10_000 {
            guard offset != 0 else { return true }
            guard let entries = number(offset, 2),
                let next = number(offset + 2 + 12 * entries, 4)
            else { return false }
            offset = next
        }
        return false
    }
}
