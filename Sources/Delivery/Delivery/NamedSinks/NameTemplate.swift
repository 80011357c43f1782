/// A path with placeholders for a document's data, such as `Scans/{year}/{date} {title}.pdf`.
///
/// A value never adds a folder, begins a hidden file, or makes a name longer than 200 bytes.
public struct NameTemplate: Hashable, Sendable {
    /// The known placeholders.
    public static let places = [
        "date", "time", "year", "month", "day", "title", "type", "barcode", "counter", "sink",
    ]

    /// The template as it was written.
    public let text: String

    /// A template; ``check()`` tests whether it is valid.
    public init(_ text: String) { self.text = text }

    /// Checks that every placeholder is known and every brace is closed.
    ///
    /// - Throws: ``DeliveryError`` `invalidOption`, with the nearest name.
    public func check() throws(DeliveryError) {
        for case .place(let name) in try parts() where !Self.places.contains(name) {
            throw DeliveryError(
                .invalidOption, unknownName(name, what: "place in a name", Self.places.map { $0 }))
        }
        guard !text.isEmpty else { throw DeliveryError(.invalidOption, "A name can't be empty.") }
        guard !text.split(separator: "/").contains("..") else {
            throw DeliveryError(
                .invalidOption,
                "The name '\(text)' leads out of its folder with '..'. Write the folder itself.")
        }
    }

    /// True if the name has a counter, so that the next name can follow one in use.
    public var counts: Bool { text.contains("{counter}") }

    /// The path for a document.
    ///
    /// - Parameter values: the values of the placeholders; a missing value leaves nothing.
    /// - Throws: ``DeliveryError`` `invalidOption` for an invalid template.
    public func path(_ values: [String: String]) throws(DeliveryError) -> String {
        try check()
        var path = ""
        for part in try parts() {
            switch part {
            case .text(let text): path += text
            case .place(let name): path += Self.safe(values[name] ?? "")
            }
        }
        let folders = path.split(separator: "/", omittingEmptySubsequences: true).map { name in
            Self.shortened(name.split(separator: " ").joined(separator: " "))
        }
        // Places that leave nothing may leave dots alone between the slashes.
        guard let name = folders.last, !name.isEmpty, !name.hasPrefix("."),
            !folders.contains(where: { $0 == "." || $0 == ".." })
        else {
            throw DeliveryError(
                .invalidOption, "The template '\(text)' makes no name for this document.")
        }
        return (path.hasPrefix("/") ? "/" : "") + folders.joined(separator: "/")
    }

    /// The text with its placeholders filled in, for texts that are not paths, such as a subject.
    ///
    /// - Throws: ``DeliveryError`` `invalidOption` for an invalid template.
    func words(_ values: [String: String]) throws(DeliveryError) -> String {
        try check()
        var words = ""
        for part in try parts() {
            switch part {
            case .text(let text): words += text
            case .place(let name): words += values[name] ?? ""
            }
        }
        return words
    }

    private enum Part {
        case text(String)
        case place(String)
    }

    private func parts() throws(DeliveryError) -> [Part] {
        var parts: [Part] = []
        var rest = Substring(text)
        while let open = rest.firstIndex(of: "{") {
            parts.append(.text(String(rest[..<open])))
            rest = rest[rest.index(after: open)...]
            guard let close = rest.firstIndex(of: "}") else {
                throw DeliveryError(
                    .invalidOption, "The template '\(text)' has a '{' without a '}'.")
            }
            parts.append(.place(String(rest[..<close])))
            rest = rest[rest.index(after: close)...]
        }
        return parts + [.text(String(rest))]
    }

    /// A value for a name: without separators, control characters, characters that change the
    /// direction of writing, and a leading dot.
    package static func safe(_ value: String) -> String {
        let scalars = value.unicodeScalars.map { scalar -> Character in
            let isBad =
                scalar == "/" || scalar == "\\" || scalar == ":"
                || scalar.properties.generalCategory == .control
                || (0x2028...0x202E).contains(scalar.value)
                || (0x2066...0x2069).contains(scalar.value)
            return isBad ? "-" : Character(scalar)
        }
        var name = String(scalars).split(separator: " ").joined(separator: " ")
        while name.hasPrefix(".") || name.hasPrefix(" ") { name.removeFirst() }
        return shortened(name, to: 150)
    }

    /// The name with at most this many bytes, cut between characters, with its ending.
    private static func shortened(_ name: String, to limit: Int = 200) -> String {
        guard name.utf8.count > limit else { return name }
        let dot = name.lastIndex(of: ".")
        let ending =
            dot.map { name[$0...] }.flatMap { $0.utf8.count <= 12 ? String($0) : nil } ?? ""
        var stem = name.dropLast(ending.count)
        while stem.utf8.count + ending.utf8.count > limit { stem.removeLast() }
        return stem + ending
    }
}

extension NameTemplate {
    /// The replacement for a missing barcode, so that the document still gets a name under which it
    /// can be found.
    public static let noBarcode = "no-barcode"

    /// The values of the placeholders for the name of a waiting document.
    static func values(of item: OutboxItem, counter: Int) -> [String: String] {
        values(
            title: item.title, type: item.type, barcode: item.barcode, created: item.created,
            counter: counter, sink: item.sink)
    }

    /// The values of the placeholders.
    ///
    /// - Parameters:
    ///   - barcode: the text of the document's first barcode; ``noBarcode`` replaces a missing one,
    ///     and one without any letter that may be in a name.
    ///   - created: seconds since 1970; dates in names are in universal time.
    ///   - counter: the number of the attempt at a name, from 1.
    public static func values(
        title: String, type: String?, barcode: String? = nil, created: Double, counter: Int,
        sink: String
    ) -> [String: String] {
        let barcode = barcode.map(safe) ?? ""
        let date = Timestamp(seconds: created)
        return [
            "title": title, "type": type ?? "document", "sink": sink,
            "barcode": barcode.isEmpty ? noBarcode : barcode, "counter": padded(counter, 3),
            "year": padded(date.year, 4),
            "month": padded(date.month, 2), "day": padded(date.day, 2),
            "date": "\(padded(date.year, 4))-\(padded(date.month, 2))-\(padded(date.day, 2))",
            "time": "\(padded(date.hour, 2))\(padded(date.minute, 2))\(padded(date.second, 2))",
        ]
    }

    /// The name of a file of a document on its way, in a service's folder.
    ///
    /// - Parameter counter: the number of the attempt at a name, from 1; earlier names are in use.
    /// - Throws: ``DeliveryError`` `invalidOption` for a template that makes no name.
    func name(
        of file: OutboxItem.File, in item: OutboxItem, at index: Int, counter: Int
    ) throws(DeliveryError) -> String {
        // A title may have dots, too, so the ending is not what follows the first one.
        let ending = try FileName(path: file.name).ending
        var stem = try path(Self.values(of: item, counter: counter))
        // A template may name the ending itself.
        if stem.lowercased().hasSuffix(ending.lowercased()) { stem.removeLast(ending.count) }
        let page = item.files.count > 1 ? "-" + padded(index + 1, 3) : ""
        return stem + page + (counter > 1 && !counts ? "-\(counter)" : "") + ending
    }
}
