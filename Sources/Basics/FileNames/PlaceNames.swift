import Glibc

/// Removes the folders of this machine from texts that leave it.
///
/// The folders of the user and of the program are known, and removed at any place in a text. Every
/// other absolute path of two or more parts is cut to its last part.
public struct PlaceNames: Sendable {
    /// A known folder's path without a slash at its end, and the sign that a text gets for it.
    private struct Root {
        var text: String
        var path: [Unicode.Scalar]
        var sign: String
    }

    private let roots: [Root]
    /// The same folders as they are in an address, where a slash can be `%2F`.
    private let encoded: [(path: String, sign: String)]

    /// The folders that this process's environment names.
    public static let own = PlaceNames(environment: { FileNames.variable($0) })

    /// The variables that name folders; the home's sign is the usual one.
    private static let variables = [
        "HOME", "COPYSTAND_SPOOL", "COPYSTAND_OUTBOX", "COPYSTAND_ARCHIVE", "XDG_CONFIG_HOME",
        "XDG_DATA_HOME",
        "XDG_STATE_HOME", "XDG_CACHE_HOME", "XDG_RUNTIME_DIR", "TMPDIR",
    ]

    /// Folders that are the same on every machine, and so reveal nothing.
    private static let common: Set<String> = ["", "/tmp", "/var/tmp"]

    /// The beginnings of drivers' names for their devices, such as `hpaio:/usb/Deskjet`.
    private static let devices = ["/dev/", "/usb/", "/net/"]

    /// Knows the folders that an environment names, by these names and by their real ones.
    public init(environment: (String) -> String?) {
        var signs: [String: String] = [:]
        for name in Self.variables {
            guard let named = environment(name), named.hasPrefix("/") else { continue }
            for path in [named, Self.real(named)].compactMap({ $0 }).map(Self.trimmed)
            where !Self.common.contains(path) && signs[path] == nil {
                signs[path] = name == "HOME" ? "~" : "$" + name
            }
        }
        let longest = signs.sorted { ($0.key.utf8.count, $0.key) > ($1.key.utf8.count, $1.key) }
        roots = longest.map {
            Root(text: $0.key, path: Array($0.key.unicodeScalars), sign: $0.value)
        }
        encoded = longest.map { (Self.percentEncoded($0.key), $0.value) }
    }

    /// A text without folders, for people on other machines.
    ///
    /// A path ends at white space, a quotation mark, a comma, a semicolon or a parenthesis; one
    /// that stands after a quotation mark ends with the quotation. `https://` and a lone `/` are
    /// not paths, and neither are names of devices such as `net:host:/dev/video0`.
    public static func removed(from text: String) -> String { own.removed(from: text) }

    /// The last part of a path, or of one after a word such as `file:`; any other value unchanged,
    /// unless it contains a known folder.
    ///
    /// For a value that is nothing but a path or an address: its names may have any character.
    public static func name(of place: String) -> String { own.name(of: place) }

    /// As ``removed(from:)``, with these folders.
    public func removed(from text: String) -> String {
        var text = text
        if text.utf8.contains(UInt8(ascii: "%")) {
            for (path, sign) in encoded { text = text.replacing(path, with: sign) }
            text = Self.cutValues(text)
        }
        guard text.utf8.contains(UInt8(ascii: "/")) else { return text }
        return removed(from: Array(text.unicodeScalars))
    }

    /// A text whose values in addresses, such as `host=%2Fvar%2Frun%2Fdb`, are cut to the last part
    /// of their path.
    private static func cutValues(_ text: String) -> String {
        var result = ""
        var rest = text[...]
        while let start = rest.firstRange(of: "=%2F") {
            result += rest[..<start.lowerBound] + "="
            rest = rest[start.upperBound...]
            let value = rest.prefix { !$0.isWhitespace && !"&#'\"".contains($0) }
            rest = rest[value.endIndex...]
            let last = value.ranges(of: "%2F").last
            result += last.map { String(value[$0.upperBound...]) } ?? "%2F" + value
        }
        return result + rest
    }

    /// As ``name(of:)``, with these folders.
    public func name(of place: String) -> String {
        let scalars = Array(place.unicodeScalars)
        let start =
            scalars.first == "/" ? 0 : scalars.firstIndex(of: ":").map { $0 + 1 } ?? scalars.count
        guard start < scalars.count,
            Self.isPath(scalars[start...], after: scalars[..<start])
        else { return roots.contains { place.contains($0.text) } ? removed(from: place) : place }
        let path = scalars[start...]
        return Self.text(scalars[..<start]) + (last(of: path) ?? Self.text(path))
    }

    /// True if a value's end is a path of this machine: all of the value, or what follows a scheme.
    private static func isPath(
        _ path: ArraySlice<Unicode.Scalar>, after scheme: ArraySlice<Unicode.Scalar>
    ) -> Bool {
        if text(scheme) == "file:" { return path.contains("/") }
        return path.first == "/" && !isAddress(path) && (scheme.isEmpty || !isDevice(path))
    }

    /// True for the rest of an address after its scheme, such as `//host/path`.
    private static func isAddress(_ path: ArraySlice<Unicode.Scalar>) -> Bool {
        path.starts(with: "//".unicodeScalars) && !path.starts(with: "///".unicodeScalars)
    }

    private static func isDevice(_ path: ArraySlice<Unicode.Scalar>) -> Bool {
        devices.contains { path.starts(with: $0.unicodeScalars) }
    }

    private func removed(from scalars: [Unicode.Scalar]) -> String {
        var result = String.UnicodeScalarView()
        var index = 0
        while index < scalars.count {
            let rest = scalars[index...]
            guard scalars[index] == "/", let path = path(in: scalars, at: index),
                let name = last(of: path)
            else {
                result.append(rest[index])
                index += 1
                continue
            }
            // A name must not become one with the address that it is in.
            if index > 0, Self.isInName(scalars[index - 1]) { result.append("/") }
            result.append(contentsOf: name.unicodeScalars)
            index = path.endIndex
        }
        return String(result)
    }

    /// The path that begins at a slash; nil for a slash that begins none.
    private func path(
        in scalars: [Unicode.Scalar], at start: Int
    ) -> ArraySlice<Unicode.Scalar>? {
        let rest = scalars[start...]
        if let root = root(of: rest) {
            // The folder's own name may have any character.
            let inner = start + root.path.count
            guard inner < scalars.count, scalars[inner] == "/" else {
                return scalars[start..<inner]
            }
            let end = Self.quotationEnd(of: start, in: scalars) ?? start
            return scalars[start..<max(end, Self.end(of: inner, in: scalars))]
        }
        let before = start > 0 ? scalars[start - 1] : " "
        if Self.isInName(before) || ["~", ".", "/"].contains(before) { return nil }
        if Self.isAddress(rest) || before == ":" && Self.isDevice(rest) { return nil }
        return scalars[start..<Self.end(of: start, in: scalars)]
    }

    /// The index after a path's last character.
    private static func end(of start: Int, in scalars: [Unicode.Scalar]) -> Int {
        if let end = quotationEnd(of: start, in: scalars) { return end }
        return scalars[start...].firstIndex {
            $0.properties.isWhitespace || "'\"“”‘’,;()".unicodeScalars.contains($0)
        } ?? scalars.count
    }

    /// The end of the quotation whose first word has a path; nil where no quotation begins.
    private static func quotationEnd(of start: Int, in scalars: [Unicode.Scalar]) -> Int? {
        let word = (scalars[..<start].lastIndex { $0.properties.isWhitespace } ?? -1) + 1
        let pairs: [Unicode.Scalar: Unicode.Scalar] = ["'": "'", "\"": "\"", "“": "”", "‘": "’"]
        let opening = scalars[word..<start].firstIndex { pairs[$0] != nil }
        guard let opening, let closing = pairs[scalars[opening]],
            opening == 0 || !isInName(scalars[opening - 1])
        else { return nil }
        return scalars[start...].indices.first { index in
            scalars[index] == closing
                && (index + 1 == scalars.count || !isInName(scalars[index + 1]))
        }
    }

    /// The last part of a path, or the sign of a known folder; nil for a path of one part.
    private func last(of path: ArraySlice<Unicode.Scalar>) -> String? {
        let root = root(of: path)
        let inner = path.dropFirst(root?.path.count ?? 0)
        let parts = inner.split(separator: "/")
        guard let name = parts.last else { return root?.sign }
        return root == nil && parts.count < 2 && path.first == "/" ? nil : Self.text(name)
    }

    /// The known folder that a path is or is in.
    private func root(of path: ArraySlice<Unicode.Scalar>) -> Root? {
        roots.first { root in
            guard path.starts(with: root.path) else { return false }
            let next = path.dropFirst(root.path.count).first
            return next.map { !Self.isInName($0) } ?? true
        }
    }

    private static func isInName(_ scalar: Unicode.Scalar) -> Bool {
        scalar.properties.isAlphabetic || scalar.properties.numericType != nil || scalar == "-"
            || scalar == "_"
    }

    private static func text(_ scalars: ArraySlice<Unicode.Scalar>) -> String {
        var view = String.UnicodeScalarView()
        view.append(contentsOf: scalars)
        return String(view)
    }

    private static func trimmed(_ path: String) -> String {
        var path = path[...]
        while path.hasSuffix("/") { path = path.dropLast() }
        return String(path)
    }

    private static func real(_ path: String) -> String? {
        guard let real = realpath(path, nil) else { return nil }
        defer { free(real) }
        return FileNames.text(cString: real)
    }

    private static func percentEncoded(_ path: String) -> String {
        let digits = Array("0123456789ABCDEF".unicodeScalars)
        var result = String.UnicodeScalarView()
        for byte in FileNames.bytes(path) {
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "."),
                UInt8(ascii: "_"), UInt8(ascii: "~"):
                result.append(Unicode.Scalar(byte))
            default:
                result.append(contentsOf: ["%", digits[Int(byte >> 4)], digits[Int(byte & 15)]])
            }
        }
        return String(result)
    }
}
