import Suggestions

/// A file format in which a document can be written.
///
/// A path's ending determines the format. A format is declared at the top of the file that writes
/// it, in the folder `Formats`, and named in ``all``.
public struct FileFormat: Sendable {
    /// The endings that choose the format, the usual one first.
    public let endings: [String]
    /// The media type of a file of the format.
    public let mediaType: String
    /// A remark for the list of endings in help, such as "the tables"; nil for none.
    public let remark: String?
    /// True if every page becomes a separate file, such as `name-001.png`.
    public let isOneFileAPage: Bool
    /// True if the files show the pages, and not only their text.
    public let showsPages: Bool
    /// Begins a document in the format.
    let writer: @Sendable (FormatContext) throws -> any FormatWriter

    /// Every format, in the order of lists: a new one is a file in `Formats`, and a name here.
    public static let all = [pdf, tiff, png, jpeg, webp, text, csv, hocr, alto, json]

    /// The usual ending without its dot, such as `pdf` and `alto.xml`: the name of the format in
    /// the API.
    public var name: String { String(endings[0].dropFirst()) }

    init(
        _ endings: [String], mediaType: String, remark: String? = nil,
        isOneFileAPage: Bool = false, showsPages: Bool = false,
        writer: @escaping @Sendable (FormatContext) throws -> any FormatWriter
    ) {
        self.endings = endings
        self.mediaType = mediaType
        self.remark = remark
        self.isOneFileAPage = isOneFileAPage
        self.showsPages = showsPages
        self.writer = writer
    }

    init(
        _ ending: String, mediaType: String, remark: String? = nil, showsPages: Bool = false,
        writer: @escaping @Sendable (FormatContext) throws -> any FormatWriter
    ) {
        self.init(
            [ending], mediaType: mediaType, remark: remark, showsPages: showsPages, writer: writer)
    }

    /// The format that a path's ending names, in upper or lower case.
    ///
    ///     try FileFormat(path: "Letters/May.PDF")  // .pdf
    ///
    /// - Throws: ``DeliveryError`` `unknownFormat`, which lists the endings and names the nearest.
    public init(path: String) throws(DeliveryError) {
        self = try FileName(path: path).format
    }

    /// The usual endings of all formats with their remarks, for a sentence: `.pdf (searchable),
    /// .tiff, .png or .jpg (one file per page)`.
    public static var list: String {
        var groups: [(remark: String?, endings: [String])] = []
        for format in all {
            if let remark = format.remark, groups.last?.remark == remark {
                groups[groups.count - 1].endings.append(format.endings[0])
            } else {
                groups.append((format.remark, [format.endings[0]]))
            }
        }
        return groups.map { group in
            let others = group.endings.dropLast().joined(separator: ", ")
            let endings = (others.isEmpty ? "" : others + " or ") + (group.endings.last ?? "")
            return endings + (group.remark.map { " (\($0))" } ?? "")
        }.joined(separator: ", ")
    }
}

extension FileFormat: Hashable {
    /// True for the same format.
    public static func == (left: FileFormat, right: FileFormat) -> Bool {
        left.endings == right.endings
    }
    /// Hashes the endings.
    public func hash(into hasher: inout Hasher) { hasher.combine(endings) }
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
        for format in FileFormat.all {
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
    let known = FileFormat.all.flatMap(\.endings)
    let list = known.joined(separator: ", ")
    if name.isEmpty {
        return "'\(path)' names a folder, not a file. Add a name that ends in one of: \(list)."
    }
    if let bare = known.first(where: { name.lowercased() == $0 }) {
        return "'\(path)' has an ending but no name. Write, for example, 'scan\(bare)'."
    }
    guard let dot = name.lastIndex(of: ".") else {
        return "'\(path)' has no ending that shows which format to write. "
            + "Add one of: \(list); for example '\(path).pdf'."
    }
    let ending = name[dot...].lowercased()
    let hint = didYouMean(String(ending), among: known).map { $0 + " " } ?? ""
    return "The ending '\(ending)' of '\(path)' names no format that can be written. "
        + "\(hint)Known endings: \(list)."
}
