import FoundationEssentials

/// A field that a document must have, with a text somewhere in its value.
public struct FieldFilter: Hashable, Sendable {
    /// The field's name; capitals and accents make no difference, as in a search.
    public var name: String
    /// The text that the value must contain, compared in the same way; empty for any value.
    public var text: String

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
        (name, text) = (String(parts[0]), String(parts[1]))
    }
}

/// Tags and fields as a statement's parameter, `[]` for none.
///
/// For PostgreSQL a list of `{"tag": …}` and `{"field": …, "text": …}`, the latter with the two
/// spellings of a ``FoldedText`` each and with the rules of folding. For SQLite, which gets the
/// rules from a function, a list of the tags and a list of the fields, so that tags are compared
/// without reading an object for each document.
///
/// U+0000 becomes U+FFFD: PostgreSQL stores it that way, and in SQLite a text would end there.
func wantedList(
    tags: [String], fields: [FieldFilter], for kind: WantedListKind
) throws -> String {
    struct Wanted: Encodable {
        var tag: String?
        var field: [String]?
        var text: [String]?
        var rules: [FoldingRules]?
    }
    struct Parts: Encodable {
        var tags: [String]
        var fields: [Wanted]

        func encode(to encoder: any Encoder) throws {
            var list = encoder.unkeyedContainer()
            try list.encode(tags)
            try list.encode(fields)
        }
    }
    guard !tags.isEmpty || !fields.isEmpty else { return "[]" }
    func kept(_ text: String) -> String { text.replacing("\0", with: "\u{FFFD}") }
    let names = tags.map(kept)
    let wanted = try fields.map { filter in
        Wanted(
            field: try FoldedText(kept(filter.name), TextTokenizer.init).spellings,
            text: try FoldedText(kept(filter.text), TextTokenizer.init).spellings,
            rules: kind == .postgreSQL ? FoldingRules.both : nil)
    }
    let encoder = JSONEncoder()
    let bytes =
        switch kind {
        case .sqlite: try encoder.encode(Parts(tags: names, fields: wanted))
        case .postgreSQL: try encoder.encode(names.map { Wanted(tag: $0) } + wanted)
        }
    return String(decoding: bytes, as: UTF8.self)
}

/// The database that reads a list of wanted tags and fields.
enum WantedListKind { case sqlite, postgreSQL }
