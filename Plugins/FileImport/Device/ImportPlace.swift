import FileNames

/// A place in an import: a file, and the number of its finished pages.
///
/// The text has the number of pages, or `all` for the whole file, then a colon and the file's name
/// in hexadecimal digits.
struct ImportPlace: Hashable {
    /// The file's path below the folder; empty for a file that was named directly.
    let file: [UInt8]
    /// The number of finished pages in the file; nil for all of them.
    let pages: Int?

    init(file: [UInt8], pages: Int?) {
        self.file = file
        self.pages = pages
    }

    /// Reads a place; nil for a text of another form.
    init?(_ text: String) {
        let parts = text.split(separator: ":", omittingEmptySubsequences: false)
        guard parts.count == 2, let file = Self.bytes(parts[1]) else { return nil }
        self.file = file
        if parts[0] == "all" {
            pages = nil
        } else {
            guard let number = Int(parts[0]), number >= 0 else { return nil }
            pages = number
        }
    }

    /// The place as text.
    var text: String {
        let digits = Array("0123456789abcdef".utf8)
        let name = file.flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 15)]] }
        return (pages.map(String.init) ?? "all") + ":" + String(decoding: name, as: UTF8.self)
    }

    /// The first page to read of a file that has that path below the folder; nil for a file that is
    /// done.
    func firstPage(of relative: [UInt8]) -> Int? {
        if relative == file { return pages }
        return comesBeforeNaturally(relative, file) ? nil : 0
    }

    private static func bytes(_ digits: Substring) -> [UInt8]? {
        let values = digits.utf8.map { digit in Character(UnicodeScalar(digit)).hexDigitValue }
        guard values.count.isMultiple(of: 2) else { return nil }
        let bytes = stride(from: 0, to: values.count, by: 2).compactMap { index -> UInt8? in
            guard let high = values[index], let low = values[index + 1] else { return nil }
            return UInt8(high << 4 | low)
        }
        return bytes.count * 2 == values.count ? bytes : nil
    }

    private struct InvalidDigit: Error {}
}
