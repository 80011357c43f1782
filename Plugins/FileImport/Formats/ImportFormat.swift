/// A format that can be read, declared once: its name, how its files are recognized, and how one is
/// opened.
struct ImportFormat: Sendable {
    /// Opens a file of the format.
    typealias Opener =
        @Sendable (OpenFile, ImportSettings, ImportLimits) throws(DecodeFault) -> any PageSource

    /// The number of bytes from a file's start that ``recognize(_:)`` needs.
    static let headLength = 1_024

    /// The name, such as `JPEG 2000`.
    let name: String
    /// The format with its article, such as "a JPEG 2000 file".
    let article: String
    /// The name in lists, with an example where the name needs one.
    let listed: String
    /// Endings under which files of the format are usually stored.
    ///
    /// They only decide whether an unreadable file in a folder is reported, never how a file is
    /// read.
    let usualExtensions: [String]
    /// True for the bytes that a file of the format begins with.
    let isHead: @Sendable ([UInt8]) -> Bool
    /// True for a file of this format that begins like one of another.
    let isContent: @Sendable (OpenFile) throws(DecodeFault) -> Bool
    /// Opens a file.
    let open: Opener

    /// A format; `article` and `example` have values that suit most formats.
    init(
        name: String, article: String = "a", example: String? = nil, usualExtensions: [String],
        isHead: @escaping @Sendable ([UInt8]) -> Bool,
        isContent: @escaping @Sendable (OpenFile) throws(DecodeFault) -> Bool = { _ in false },
        open: @escaping Opener
    ) {
        self.name = name
        self.article = "\(article) \(name) file"
        listed = example.map { "\(name) (such as \($0))" } ?? name
        self.usualExtensions = usualExtensions
        self.isHead = isHead
        self.isContent = isContent
        self.open = open
    }

    /// Opens a file with a single picture, which is read into memory completely.
    static func picture(_ decode: @escaping PictureSource.Decoder) -> Opener {
        { (file, _, limits) throws(DecodeFault) in
            let bytes = try file.readAll(limit: limits.maximumFileBytes)
            return PictureSource(bytes: bytes, limits: limits, decode: decode)
        }
    }
}

extension ImportFormat: Equatable {
    static func == (one: ImportFormat, other: ImportFormat) -> Bool { one.name == other.name }
}

extension ImportFormat {
    /// The formats as a list for users.
    static var list: String {
        let names = all.map(\.listed)
        return names.dropLast().joined(separator: ", ") + " and " + (names.last ?? "")
    }

    /// The format of a file that begins with `head`; nil when it is none of ours.
    static func recognize(_ head: [UInt8]) -> ImportFormat? { all.first { $0.isHead(head) } }

    /// The format of a file that begins with `head`, by more of its content where several formats
    /// begin alike.
    static func recognize(
        _ head: [UInt8], in file: OpenFile
    ) throws(DecodeFault) -> ImportFormat? {
        for format in all {
            if format.isHead(head) { return format }
            if try format.isContent(file) { return format }
        }
        return nil
    }

    /// The format that a file's name claims.
    static func named(like path: FilePath) -> ImportFormat? {
        all.first { $0.usualExtensions.contains(path.fileExtension) }
    }
}
