/// A format that can be read, recognised by the bytes a file begins with.
enum FileFormat: String, CaseIterable, Sendable {
    case jpeg = "JPEG"
    case png = "PNG"
    case tiff = "TIFF"
    case pnm = "PNM"
    case webp = "WebP"
    case heif = "HEIC"
    case pdf = "PDF"

    /// How many of a file's first bytes ``recognise(_:)`` wants.
    static let headLength = 1_024

    /// The formats as a list for people.
    static var list: String { "JPEG, PNG, TIFF, PNM, WebP, HEIC and PDF" }

    /// The format with its article.
    var article: String { "a \(rawValue) file" }

    /// Endings under which files of the format are usually stored.
    ///
    /// They only decide whether an unreadable file in a folder is worth reporting, never how a file is read.
    var usualExtensions: [String] {
        switch self {
        case .jpeg: ["jpg", "jpeg", "jpe", "jfif"]
        case .png: ["png"]
        case .tiff: ["tif", "tiff"]
        case .pnm: ["pnm", "pbm", "pgm", "ppm"]
        case .webp: ["webp"]
        case .heif: ["heic", "heif", "hif", "avif"]
        case .pdf: ["pdf"]
        }
    }

    /// The format of a file that begins with `head`; nil when it is none of ours.
    static func recognise(_ head: [UInt8]) -> FileFormat? {
        if head.starts(with: [0xFF, 0xD8, 0xFF]) { return .jpeg }
        if head.starts(with: [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]) { return .png }
        // Classic TIFF is version 42, BigTIFF 43, in either byte order.
        for signature: [UInt8] in [
            [0x49, 0x49, 0x2A, 0], [0x4D, 0x4D, 0, 0x2A], [0x49, 0x49, 0x2B, 0],
            [0x4D, 0x4D, 0, 0x2B],
        ] where head.starts(with: signature) {
            return .tiff
        }
        if head.count >= 12, head.starts(with: ascii("RIFF")),
            head[8..<12].elementsEqual(ascii("WEBP"))
        {
            return .webp
        }
        if head.count >= 12, head[4..<8].elementsEqual(ascii("ftyp")), isHEIF(head) { return .heif }
        if head.count >= 3, head[0] == UInt8(ascii: "P"),
            (UInt8(ascii: "1")...UInt8(ascii: "6")).contains(head[1]),
            isPNMSpace(head[2]) || head[2] == UInt8(ascii: "#")
        {
            return .pnm
        }
        // Readers accept a PDF header anywhere in the first 1,024 bytes (ISO 32000-1, annex H, note 13).
        if contains(head, ascii("%PDF-")) { return .pdf }
        return nil
    }

    /// The brands of HEIF and AVIF (ISO/IEC 23008-12 and the AV1 image format), major or compatible.
    private static func isHEIF(_ head: [UInt8]) -> Bool {
        let brands = [
            "heic", "heix", "heim", "heis", "hevc", "hevx", "mif1", "msf1", "avif", "avis",
        ].map(ascii)
        let size = head[0..<4].reduce(0) { $0 << 8 | Int($1) }
        let end = min(head.count, max(12, size))
        return stride(from: 8, through: end - 4, by: 4).contains { offset in
            offset != 12 && brands.contains(Array(head[offset..<offset + 4]))
        }
    }
}

/// Says what content of no known format looks like, for the error.
func describeUnknown(_ head: [UInt8], named path: FilePath) -> String {
    let named =
        FileFormat.allCases.first { $0.usualExtensions.contains(path.fileExtension) }
        .map { "it is named like \($0.article), but " } ?? ""
    if head.isEmpty { return "it is empty" }
    let known: [(String, [UInt8])] = [
        ("a GIF picture", ascii("GIF8")), ("a BMP picture", ascii("BM")),
        ("a ZIP archive or an office document", [0x50, 0x4B, 3, 4]),
        ("a gzip archive", [0x1F, 0x8B]),
        ("PostScript", ascii("%!PS")), ("a program", [0x7F, 0x45, 0x4C, 0x46]),
        ("a JPEG 2000 picture", [0, 0, 0, 0x0C, 0x6A, 0x50, 0x20, 0x20]),
        ("a DjVu document", ascii("AT&TFORM")), ("a JPEG XL picture", [0xFF, 0x0A]),
        ("an SQLite database", ascii("SQLite format 3")),
    ]
    if let match = known.first(where: { head.starts(with: $0.1) }) {
        return "\(named)it looks like \(match.0)"
    }
    let lower = head.prefix(256).map { $0 | 0x20 }
    if contains(lower, ascii("<html")) || contains(lower, ascii("<!doctype").map { $0 | 0x20 }) {
        return "\(named)it looks like a web page"
    }
    let isText = head.allSatisfy { $0 >= 0x20 && $0 != 0x7F || (9...13).contains($0) }
    return named + (isText ? "it looks like text" : "its content is of no known format")
}

/// The bytes of an ASCII text.
func ascii(_ text: StaticString) -> [UInt8] {
    text.withUTF8Buffer { Array($0) }
}

private func ascii(_ text: String) -> [UInt8] { Array(text.utf8) }

private func contains(_ bytes: [UInt8], _ pattern: [UInt8]) -> Bool {
    guard bytes.count >= pattern.count else { return false }
    return (0...(bytes.count - pattern.count)).contains {
        bytes[$0..<$0 + pattern.count].elementsEqual(pattern)
    }
}
