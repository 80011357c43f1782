public import Documents

/// The default file name of an archived document: its title and an extension.
public struct DocumentName: Hashable, Sendable {
    /// The file's name, without a folder; at most 200 bytes.
    public let text: String

    /// A name from a title; `document-12.pdf` if the title has no character that a name may have.
    ///
    /// - Parameters:
    ///   - title: The document's title; characters that no name may have become hyphens.
    ///   - id: The document's number in its archive.
    ///   - pages: The pages in the file; nil for all. The name has them after the title.
    ///   - ending: Such as `pdf`, without the dot.
    public init(title: String, id: Int64, pages: PageNumbers? = nil, ending: String) {
        let stem = NameTemplate.safe(title)
        let part = pages.map { " p" + $0.text(most: 24) } ?? ""
        text = (stem.isEmpty ? "document-\(id)" : stem) + part + "." + ending
    }

    /// The path of the file that a command writes.
    ///
    /// - Parameter output: the given folder, or nil for the working folder.
    public func path(in output: String?) -> String {
        guard let output else { return "./" + text }
        return output.hasSuffix("/") ? output + text : output + "/" + text
    }

    /// The value of `Content-Disposition`, after RFC 6266: the name in ASCII, then the exact one.
    public var contentDisposition: String { Self.disposition(text) }

    /// The value of `Content-Disposition` for a file's name, the same in HTTP and in messages.
    static func disposition(_ text: String) -> String {
        let plain = String(
            text.unicodeScalars.map {
                (0x20..<0x7F).contains($0.value) && $0 != "\"" && $0 != "%" ? Character($0) : "_"
            })
        return "attachment; filename=\"\(plain)\"; filename*=UTF-8''\(encoded(text))"
    }

    /// Percent-encoded after RFC 5987: all but its `attr-char`.
    private static func encoded(_ text: String) -> String {
        let digits = Array("0123456789ABCDEF".utf8)
        var result: [UInt8] = []
        for byte in text.utf8 {
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "."),
                UInt8(ascii: "_"), UInt8(ascii: "~"):
                result.append(byte)
            default:
                result += [UInt8(ascii: "%"), digits[Int(byte >> 4)], digits[Int(byte & 15)]]
            }
        }
        return String(decoding: result, as: UTF8.self)
    }
}
