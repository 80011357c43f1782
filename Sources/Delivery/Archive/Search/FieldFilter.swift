import FoundationEssentials

/// A field that a document must have, with a text somewhere in its value.
public struct FieldFilter: Hashable, Sendable {
    /// The field's name; capitals make no difference.
    public var name: String
    /// The text that the value must contain, where capitals from A to Z make no difference; empty
    /// for any value.
    public var text: String

    /// A filter.
    public init(name: String, text: String) {
        self.name = name
        self.text = text
    }

    /// Reads a filter such as `customer=Quill`.
    ///
    /// - Throws: ``ArchiveError`` `refused` without a name and an equals sign.
    public init(_ given: String) throws(ArchiveError) {
        let parts = given.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
        guard parts.count == 2, !parts[0].isEmpty else {
            throw ArchiveError(
                .refused,
                "'\(given)' does not name a field and what is in it: write it as in 'field:total=12.50'."
            )
        }
        self.init(name: String(parts[0]), text: String(parts[1]))
    }

    /// The value as a pattern for SQL's LIKE, with `\` before characters that LIKE would treat as
    /// wildcards.
    fileprivate var pattern: String {
        var escaped = String.UnicodeScalarView()
        for sign in text.unicodeScalars {
            if ["\\", "%", "_"].contains(sign) { escaped.append("\\") }
            escaped.append(sign)
        }
        return "%" + String(escaped) + "%"
    }
}

/// Tags and fields as a statement's parameter: a list of `{"tag": …}` and
/// `{"field": …, "like": …}`.
///
/// U+0000 becomes U+FFFD: PostgreSQL can't store it, and in SQLite a pattern would end there.
func wantedList(tags: [String], fields: [FieldFilter]) throws -> String {
    let wanted =
        tags.map { ["tag": $0] } + fields.map { ["field": $0.name, "like": $0.pattern] }
    let kept = wanted.map { $0.mapValues { $0.replacing("\0", with: "\u{FFFD}") } }
    return String(decoding: try JSONEncoder().encode(kept), as: UTF8.self)
}
