/// A known but unsupported kind of file: its name, and advice.
struct ForeignContent: Hashable {
    /// The kind's name with an article, such as "a ZIP archive".
    let name: String
    /// Advice, as a sentence without a period.
    let advice: String
    /// True for documents and pictures, whose pages someone may miss.
    let hasPages: Bool

    /// The kind of a file that begins with `head`; nil when it is none of these.
    static func recognize(_ head: [UInt8], named path: FilePath) -> ForeignContent? {
        if head.starts(with: [0x50, 0x4B, 3, 4]) { return archive(head, path) }
        if let kind = signatures.first(where: { head.starts(with: $0.bytes) }) {
            return kind.content
        }
        return text(head)
    }

    private static let asPDF = "Open it with the program that made it, and save or print it as PDF"
    private static let asPNG = "Open it with the program that made it, and save it as PNG or TIFF"
    private static let unpack = "Unpack it, then import the folder"

    private static func document(_ name: String) -> ForeignContent {
        ForeignContent(name: name, advice: asPDF, hasPages: true)
    }

    private static func picture(_ name: String) -> ForeignContent {
        ForeignContent(name: name, advice: asPNG, hasPages: true)
    }

    private static func other(_ name: String) -> ForeignContent {
        ForeignContent(name: name, advice: "Leave it out", hasPages: false)
    }

    /// Sound without pictures.
    static let soundRecording = other("a sound recording")

    private static let signatures: [(bytes: [UInt8], content: ForeignContent)] = [
        (ascii("%!PS"), document("a PostScript document")),
        ([0xC5, 0xD0, 0xD3, 0xC6], document("a PostScript document")),
        (ascii("AT&TFORM"), document("a DjVu document")),
        (ascii("{\\rtf"), document("an RTF document")),
        ([0xD0, 0xCF, 0x11, 0xE0, 0xA1, 0xB1, 0x1A, 0xE1], document("an old office document")),
        (ascii("8BPS"), picture("a Photoshop picture")),
        (ascii("gimp xcf"), picture("a GIMP picture")),
        ([0, 0, 1, 0], picture("an icon")),
        (ascii("DDS "), picture("a DirectDraw surface")),
        ([0x76, 0x2F, 0x31, 1], picture("an OpenEXR picture")),
        (ascii("#?RADIANCE"), picture("a Radiance picture")),
        (ascii("qoif"), picture("a QOI picture")),
        ([0x1F, 0x8B], ForeignContent(name: "a gzip archive", advice: unpack, hasPages: false)),
        (
            [0x37, 0x7A, 0xBC, 0xAF],
            ForeignContent(name: "a 7z archive", advice: unpack, hasPages: false)
        ),
        (ascii("Rar!"), ForeignContent(name: "a RAR archive", advice: unpack, hasPages: false)),
        (ascii("BZh"), ForeignContent(name: "a bzip2 archive", advice: unpack, hasPages: false)),
        (
            [0xFD, 0x37, 0x7A, 0x58],
            ForeignContent(name: "an xz archive", advice: unpack, hasPages: false)
        ),
        ([0x7F, 0x45, 0x4C, 0x46], other("a program")),
        (ascii("SQLite format 3"), other("an SQLite database")),
        (ascii("ID3"), soundRecording), (ascii("OggS"), soundRecording),
        (ascii("fLaC"), soundRecording),
    ]

    /// The kind of a ZIP archive: a document, by the name of its first entry, or a book of
    /// pictures, by the archive's own name.
    private static func archive(_ head: [UInt8], _ path: FilePath) -> ForeignContent {
        let offices: [(String, ForeignContent)] = [
            ("word/", document("a Word document (DOCX)")),
            ("xl/", document("an Excel spreadsheet (XLSX)")),
            ("ppt/", document("a PowerPoint presentation (PPTX)")),
            ("application/vnd.oasis.opendocument", document("an OpenDocument file")),
            ("application/epub+zip", document("an EPUB book")),
        ]
        for (sign, content) in offices where contains(head, Array(sign.utf8)) { return content }
        switch path.fileExtension {
        case "docx": return document("a Word document (DOCX)")
        case "xlsx": return document("an Excel spreadsheet (XLSX)")
        case "pptx": return document("a PowerPoint presentation (PPTX)")
        case "cbz":
            return ForeignContent(name: "a comic book (CBZ)", advice: unpack, hasPages: true)
        default: break
        }
        // Office Open XML begins with the list of its parts' types.
        if contains(head, ascii("[Content_Types].xml")) { return document("an office document") }
        return ForeignContent(name: "a ZIP archive", advice: unpack, hasPages: false)
    }

    private static func text(_ head: [UInt8]) -> ForeignContent? {
        let lower = head.map { (0x41...0x5A).contains($0) ? $0 | 0x20 : $0 }
        if contains(lower, ascii("<svg")) { return picture("an SVG drawing") }
        if contains(Array(lower.prefix(256)), ascii("<html"))
            || contains(Array(lower.prefix(256)), ascii("<!doctype html"))
        {
            return ForeignContent(
                name: "a web page", advice: "Open it in a browser, and print it as PDF",
                hasPages: false)
        }
        // A letter begins with its headers, in any order (RFC 5322).
        let headers = [
            "return-path:", "received:", "from:", "date:", "message-id:", "mime-version:",
            "delivered-to:",
        ]
        let lines = lower.split(whereSeparator: { $0 == 0x0A || $0 == 0x0D })
        let found = headers.count { header in lines.contains { $0.starts(with: header.utf8) } }
        if found >= 2, let first = lines.first, first.contains(UInt8(ascii: ":")) {
            return ForeignContent(
                name: "an e-mail (EML)",
                advice: "Open it in a mail program, and save its attachments or print it as PDF",
                hasPages: true)
        }
        return nil
    }
}
