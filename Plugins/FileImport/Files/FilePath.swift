import FileNames

/// A path in the system's form: bytes, which need not be UTF-8.
struct FilePath: Hashable, Sendable {
    /// The bytes without the closing zero.
    let bytes: [UInt8]

    /// The path that a text stands for.
    init(_ text: String) { bytes = FileNames.bytes(text) }

    /// A path with raw bytes.
    init(bytes: [UInt8]) { self.bytes = bytes }

    /// The path of `name` in the folder that this path names.
    func appending(_ name: [UInt8]) -> FilePath {
        FilePath(
            bytes: bytes.last == UInt8(ascii: "/")
                ? bytes + name : bytes + [UInt8(ascii: "/")] + name)
    }

    /// The part after the last slash; the whole path where there is none.
    var name: [UInt8] {
        let end = bytes.lastIndex { $0 != UInt8(ascii: "/") } ?? bytes.startIndex
        let body = bytes[...end]
        guard let slash = body.lastIndex(of: UInt8(ascii: "/")), slash != end else {
            return Array(body)
        }
        return Array(body[(slash + 1)...])
    }

    /// The text after the name's last period, in lower case; empty where there is none.
    var fileExtension: String {
        guard let dot = name.lastIndex(of: UInt8(ascii: ".")), dot > 0 else { return "" }
        return String(decoding: name[(dot + 1)...], as: UTF8.self).lowercased()
    }

    /// The path in the form that the host uses.
    var text: String { FileNames.text(bytes) }

    /// The path for people.
    var display: String { shownName(bytes) }

    /// Calls `body` with the path in the form that system calls take.
    func withCString<Result>(_ body: (UnsafePointer<CChar>) -> Result) -> Result {
        text.withCString(body)
    }
}

/// A name for people, without anything that writes to a terminal or breaks a label.
func shownName(_ bytes: some Collection<UInt8>) -> String {
    FileNames.shown(FileNames.text(bytes))
}

/// Replaces control characters, so that a file's name can't write to a terminal or break a label.
func printable(_ text: String) -> String {
    guard text.unicodeScalars.contains(where: { $0.properties.generalCategory == .control }) else {
        return text
    }
    var clean = String.UnicodeScalarView()
    for scalar in text.unicodeScalars {
        clean.append(scalar.properties.generalCategory == .control ? "\u{FFFD}" : scalar)
    }
    return String(clean)
}
