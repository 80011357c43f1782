import Suggestions

/// The file formats in which a document can be written.
///
/// A path's ending determines the format.
public enum FileFormat: String, CaseIterable, Hashable, Sendable {
    /// A searchable PDF.
    case pdf
    /// A TIFF with all pages.
    case tiff
    /// One PNG for each page.
    case png
    /// One JPEG for each page.
    case jpeg
    /// One WebP for each page.
    case webp
    /// Plain text; a form feed between pages.
    case text
    /// The tables, as comma-separated values.
    case csv
    /// hOCR 1.2: the words with their places, as XHTML.
    case hocr
    /// ALTO 4: the words with their places, as XML.
    case alto
    /// All data of the document, as JSON.
    case json

    /// The endings that choose the format, the usual one first.
    public var endings: [String] {
        switch self {
        case .pdf: [".pdf"]
        case .tiff: [".tiff", ".tif"]
        case .png: [".png"]
        case .jpeg: [".jpg", ".jpeg"]
        case .webp: [".webp"]
        case .text: [".txt"]
        case .csv: [".csv"]
        case .hocr: [".hocr"]
        case .alto: [".alto.xml"]
        case .json: [".json"]
        }
    }

    /// The media type of a file of the format.
    public var mediaType: String {
        switch self {
        case .pdf: "application/pdf"
        case .tiff: "image/tiff"
        case .png: "image/png"
        case .jpeg: "image/jpeg"
        case .webp: "image/webp"
        case .text: "text/plain; charset=utf-8"
        case .csv: "text/csv; charset=utf-8"
        case .hocr: "application/xhtml+xml"
        case .alto: "application/xml"
        case .json: "application/json"
        }
    }

    /// The usual ending without its dot, such as `pdf` and `alto.xml`: the name of the format in
    /// the API.
    public var name: String { String(endings[0].dropFirst()) }

    /// True if every page becomes a separate file, such as `name-001.png`.
    public var isOneFileAPage: Bool { self == .png || self == .jpeg || self == .webp }

    /// True if the files show the pages, and not only their text.
    public var showsPages: Bool {
        switch self {
        case .pdf, .tiff, .png, .jpeg, .webp: true
        case .text, .csv, .hocr, .alto, .json: false
        }
    }

    /// The format that a path's ending names, in upper or lower case.
    ///
    ///     try FileFormat(path: "Letters/May.PDF")  // .pdf
    ///
    /// - Throws: ``DeliveryError`` `unknownFormat`, which lists the endings and names the nearest.
    public init(path: String) throws(DeliveryError) {
        self = try FileName(path: path).format
    }
}

/// The parts of a path: folder, stem and ending.
struct FileName: Hashable, Sendable {
    /// The folder's path as the user wrote it; empty for the current folder.
    let folder: String
    let stem: String
    /// The ending as the user wrote it, with its dot.
    let ending: String
    let format: FileFormat

    init(path: String) throws(DeliveryError) {
        let bytes = path.utf8
        let name: Substring
        if let slash = bytes.lastIndex(of: UInt8(ascii: "/")) {
            name = path[bytes.index(after: slash)...]
            let parent = path[..<slash]
            folder = parent.isEmpty ? "/" : String(parent)
        } else {
            name = path[...]
            folder = ""
        }
        guard !bytes.contains(0) else {
            throw DeliveryError(.unknownFormat, "A file's name may not contain a zero byte.")
        }
        let lowered = name.lowercased()
        for format in FileFormat.allCases {
            for ending in format.endings
            where lowered.hasSuffix(ending) && name.count > ending.count {
                self.format = format
                stem = String(name.dropLast(ending.count))
                self.ending = String(name.suffix(ending.count))
                return
            }
        }
        throw DeliveryError(.unknownFormat, unknownEnding(of: name, path: path))
    }

    /// The names for `count` files of a document: `May.png` for one, `May-001.png` and so on for
    /// several.
    ///
    /// - Parameter attempt: 1 for the name that was asked for, 2 for `May-2.png`, and so on.
    func names(count: Int, attempt: Int) -> [String] {
        let stem = attempt == 1 ? self.stem : "\(self.stem)-\(attempt)"
        if count == 1 { return [stem + ending] }
        let digits = max(3, String(count).utf8.count)
        return (1...count).map { "\(stem)-\(padded($0, digits))\(ending)" }
    }
}

private func unknownEnding(of name: Substring, path: String) -> String {
    let known = FileFormat.allCases.flatMap(\.endings)
    let list = known.joined(separator: ", ")
    if name.isEmpty {
        return "'\(path)' names a folder, not a file. Add a name that ends in one of: \(list)."
    }
    if let bare = known.first(where: { name.lowercased() == $0 }) {
        return "'\(path)' has an ending but no name. Write, for example, 'scan\(bare)'."
    }
    guard let dot = name.lastIndex(of: ".") else {
        return "'\(path)' has no ending that says which format to write. "
            + "Add one of: \(list); for example '\(path).pdf'."
    }
    let ending = name[dot...].lowercased()
    let hint = didYouMean(String(ending), among: known).map { $0 + " " } ?? ""
    return "The ending '\(ending)' of '\(path)' names no format that can be written. "
        + "\(hint)Known endings: \(list)."
}
