/// A format that can be read, recognized by the bytes a file begins with.
enum ImportFormat: String, CaseIterable, Sendable {
    case jpeg = "JPEG"
    case png = "PNG"
    case tiff = "TIFF"
    case pnm = "PNM"
    case webp = "WebP"
    case heif = "HEIC"
    case avif = "AVIF"
    case gif = "GIF"
    case bmp = "BMP"
    case jpeg2000 = "JPEG 2000"
    case jpegXL = "JPEG XL"
    case raw = "camera raw"
    case pdf = "PDF"

    /// The number of bytes from the file's start that ``recognize(_:)`` needs.
    static let headLength = 1_024

    /// The formats as a list for users.
    static var list: String {
        "JPEG, PNG, TIFF, PNM, WebP, HEIC, AVIF, GIF, BMP, JPEG 2000, JPEG XL, camera raw (such as DNG) and PDF"
    }

    /// The format with its article.
    var article: String { "\(self == .avif ? "an" : "a") \(rawValue) file" }

    /// Endings under which files of the format are usually stored.
    ///
    /// They only decide whether an unreadable file in a folder is reported, never how a file is
    /// read.
    var usualExtensions: [String] {
        switch self {
        case .jpeg: ["jpg", "jpeg", "jpe", "jfif"]
        case .png: ["png"]
        case .tiff: ["tif", "tiff"]
        case .pnm: ["pnm", "pbm", "pgm", "ppm", "pam"]
        case .webp: ["webp"]
        case .heif: ["heic", "heif", "hif"]
        case .avif: ["avif"]
        case .gif: ["gif"]
        case .bmp: ["bmp", "dib"]
        case .jpeg2000: ["jp2", "j2k", "jpf", "jpx", "j2c", "jpc"]
        case .jpegXL: ["jxl"]
        case .raw:
            [
                "dng", "cr2", "cr3", "crw", "nef", "nrw", "arw", "srf", "sr2", "orf", "rw2", "raf",
                "pef", "srw", "x3f", "mrw", "3fr", "iiq", "erf", "kdc", "dcr",
            ]
        case .pdf: ["pdf"]
        }
    }

    /// The format of a file that begins with `head`; nil when it is none of ours.
    static func recognize(_ head: [UInt8]) -> ImportFormat? {
        if head.starts(with: [0xFF, 0xD8, 0xFF]) { return .jpeg }
        if RawKind.isKnown(head) { return .raw }
        if head.starts(with: ascii("GIF87a")) || head.starts(with: ascii("GIF89a")) { return .gif }
        if BMPHeader.isHead(head) { return .bmp }
        // A bare codestream begins with its marker and the marker of its size (T.800, A.4.1).
        if head.starts(with: box(ascii("jP  "))) || head.starts(with: [0xFF, 0x4F, 0xFF, 0x51]) {
            return .jpeg2000
        }
        if head.starts(with: box(ascii("JXL "))) || head.starts(with: [0xFF, 0x0A]) {
            return .jpegXL
        }
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
        if head.count >= 12, head[4..<8].elementsEqual(ascii("ftyp")) {
            // The short form of AVIF has its kind in the place of the version (ISO/IEC
            // 23008-12:2025).
            if hasBrand(head, ["avif", "avis"])
                || head[8..<min(16, head.count)].elementsEqual(ascii("mif3avif"))
            {
                return .avif
            }
            if hasBrand(
                head, ["heic", "heix", "heim", "heis", "hevc", "hevx", "mif1", "msf1", "mif3"])
            {
                return .heif
            }
        }
        if head.count >= 3, head[0] == UInt8(ascii: "P"),
            (UInt8(ascii: "1")...UInt8(ascii: "7")).contains(head[1]),
            isPNMSpace(head[2]) || head[2] == UInt8(ascii: "#")
        {
            return .pnm
        }
        // Readers accept a PDF header anywhere in the first 1,024 bytes (ISO 32000-1, annex H, note
        // 13).
        if contains(head, ascii("%PDF-")) { return .pdf }
        return nil
    }

    /// The box with which files of several formats begin, whose body finds damage in transmission
    /// (T.800, I.5.1).
    private static func box(_ name: [UInt8]) -> [UInt8] {
        [0, 0, 0, 0x0C] + name + [0x0D, 0x0A, 0x87, 0x0A]
    }

    /// True if one of the brands of HEIF and AVIF is present (ISO/IEC 23008-12 and the AV1 image
    /// format), major or compatible.
    private static func hasBrand(_ head: [UInt8], _ names: [String]) -> Bool {
        let brands = names.map(ascii)
        let size = head[0..<4].reduce(0) { $0 << 8 | Int($1) }
        let end = min(head.count, max(12, size))
        return stride(from: 8, through: end - 4, by: 4).contains { offset in
            offset != 12 && brands.contains(Array(head[offset..<offset + 4]))
        }
    }
}

/// The bytes of an ASCII text.
func ascii(_ text: StaticString) -> [UInt8] {
    text.withUTF8Buffer { Array($0) }
}

private func ascii(_ text: String) -> [UInt8] { Array(text.utf8) }

/// True where `pattern` occurs in `bytes`.
func contains(_ bytes: [UInt8], _ pattern: [UInt8]) -> Bool {
    guard bytes.count >= pattern.count else { return false }
    return (0...(bytes.count - pattern.count)).contains {
        bytes[$0..<$0 + pattern.count].elementsEqual(pattern)
    }
}
