public import Documents
import Suggestions

/// A search, as a user types it.
///
/// All words must occur, in any order. The words of `"a phrase"` must follow one another; `invo*`
/// stands for every word that begins with it; `-word` and `-"a phrase"` must not occur.
/// `type:invoice`, `tag:tax`, `field:total=12.50`, `since:2026-01-01` and `before:2026` narrow the
/// search. Accents and capitals make no difference. Anything else is searched for literally: no
/// text becomes an expression of SQL or FTS5.
public struct SearchQuery: Hashable, Sendable {
    /// A word or phrase to search for.
    struct Phrase: Hashable, Sendable {
        var text: String
        var isPrefix: Bool

        /// The term in the syntax of FTS5: a string, so that nothing in it is an operator.
        var expression: String {
            "\"" + text.replacing("\"", with: "\"\"") + "\"" + (isPrefix ? " *" : "")
        }
    }

    /// The number of matches beyond which pages are no longer ranked: ranking reads every match,
    /// and means little among this many.
    static let rankedMatches = 15_000

    /// The words and phrases that must all occur.
    var wanted: [Phrase] = []
    /// The words and phrases that must not occur.
    var unwanted: [Phrase] = []
    /// The type of the wanted documents.
    public var type: DocumentType?
    /// The tags that every wanted document has.
    public var tags: [String] = []
    /// The fields that every wanted document has.
    public var fields: [FieldFilter] = []
    /// The earliest time of a scan, as seconds since 1970-01-01T00:00:00Z.
    public var since: Double?
    /// The time before which wanted documents were scanned.
    public var before: Double?
    /// The only owner, besides none, whose documents are searched; nil for every owner.
    var owner: String?

    /// The maximum length of a query in bytes.
    static let longest = 4_000
    /// The maximum number of words and phrases in a query.
    static let most = 50

    /// Reads a query.
    ///
    /// - Throws: ``ArchiveError`` `refused`, with the mistake and an example that works.
    public init(_ text: String) throws(ArchiveError) {
        guard text.utf8.count <= Self.longest else {
            throw ArchiveError(
                .refused,
                "The query has \(text.utf8.count) bytes; at most \(Self.longest) are searched for. Shorten it."
            )
        }
        var scanner = QueryScanner(text)
        while let part = scanner.next() { try take(part) }
        guard wanted.count + unwanted.count <= Self.most else {
            throw ArchiveError(
                .refused,
                "The query has \(wanted.count + unwanted.count) words; at most \(Self.most) are searched for. Shorten it."
            )
        }
        guard !wanted.isEmpty || (hasFilter && unwanted.isEmpty) else {
            throw ArchiveError(
                .refused,
                unwanted.isEmpty
                    ? "There is nothing to search for: write a word or number, such as 'invoice 2291'."
                    : "Only words that must not be there were given. Add one that must, such as 'invoice -paid'."
            )
        }
    }

    /// True if documents are filtered by their metadata.
    var hasFilter: Bool {
        type != nil || !tags.isEmpty || !fields.isEmpty || since != nil || before != nil
            || owner != nil
    }

    /// The whole query as an FTS5 expression; nil when no word is given.
    var expression: String? {
        guard !wanted.isEmpty else { return nil }
        let all = wanted.map(\.expression).joined(separator: " AND ")
        return unwanted.isEmpty
            ? all : unwanted.reduce("(" + all + ")") { "(" + $0 + " NOT " + $1.expression + ")" }
    }

    private mutating func take(_ part: QueryScanner.Part) throws(ArchiveError) {
        if let key = part.key, !part.isNegated, try takeFilter(key, part.text) { return }
        let text = part.key.map { $0 + ":" + part.text } ?? part.text
        // Without a letter or digit there is nothing in the index to find.
        guard text.unicodeScalars.contains(where: isSearchable) else { return }
        if part.isPrefix {
            // A combining mark belongs to the letter before it.
            let end = text.unicodeScalars.reversed()
                .filter { $0.properties.canonicalCombiningClass == .notReordered }
                .prefix(while: isSearchable)
            guard end.count >= 2 || end.last?.isIdeograph == true else {
                throw ArchiveError(
                    .refused,
                    "'\(text)*' is too short: the beginning of a word needs at least two letters, such as 'in*'."
                )
            }
        }
        let phrase = Phrase(
            text: String(
                String.UnicodeScalarView(
                    text.unicodeScalars.map { $0.value < 0x20 || $0.value == 0x7F ? " " : $0 })),
            isPrefix: part.isPrefix)
        if part.isNegated { unwanted.append(phrase) } else { wanted.append(phrase) }
    }

    /// True if `key:value` is a filter; any other word with a colon, such as `12:30`, is a word.
    private mutating func takeFilter(
        _ key: String, _ value: String
    ) throws(ArchiveError) -> Bool {
        switch key.lowercased() {
        case "type":
            type = try Self.type(named: value)
        case "tag":
            guard !value.isEmpty else {
                throw ArchiveError(.refused, "'tag:' needs a tag after it, such as 'tag:tax'.")
            }
            tags.append(value)
        case "field": fields.append(try FieldFilter(value))
        case "since": since = try Self.day(value, "since")
        case "before": before = try Self.day(value, "before")
        default: return false
        }
        return true
    }

    /// The type of that name.
    ///
    /// - Throws: ``ArchiveError`` `refused`, with the nearest name.
    public static func type(named name: String) throws(ArchiveError) -> DocumentType {
        let known = DocumentType.allCases.map(\.rawValue)
        if let type = DocumentType(rawValue: name.lowercased()) { return type }
        let hint = didYouMean(name, among: known).map { $0 + " " } ?? ""
        throw ArchiveError(
            .refused,
            "There is no type of document called '\(name)'. \(hint)Known: \(known.joined(separator: ", "))."
        )
    }

    /// The start of a day.
    ///
    /// - Throws: ``ArchiveError`` `refused`.
    public static func day(_ text: String, _ name: String) throws(ArchiveError) -> Double {
        guard let day = CalendarDay(text) else {
            throw ArchiveError(
                .refused,
                "'\(text)' is not a date for '\(name)': write year, month and day, such as 2026-05-17, or 2026-05, or 2026."
            )
        }
        return day.start
    }
}

/// True if the index keeps the character: a letter, a number or a private-use character, as
/// `unicode61` counts them.
private func isSearchable(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.properties.generalCategory {
    case .uppercaseLetter, .lowercaseLetter, .titlecaseLetter, .modifierLetter, .otherLetter,
        .decimalNumber, .letterNumber, .otherNumber, .privateUse:
        true
    default: false
    }
}

/// Splits a query at its blanks, except within quotes.
struct QueryScanner {
    struct Part: Hashable {
        var isNegated = false
        var key: String?
        var text = ""
        var isPrefix = false
    }

    private var rest: Substring.UnicodeScalarView

    init(_ text: String) { rest = text.unicodeScalars[...] }

    mutating func next() -> Part? {
        rest = rest.drop { $0.properties.isWhitespace || $0.value == 0 }
        guard !rest.isEmpty else { return nil }
        var part = Part()
        if rest.first == "-" {
            part.isNegated = true
            rest.removeFirst()
        }
        var word = String.UnicodeScalarView()
        var isQuoted = false
        while let scalar = rest.first, !scalar.properties.isWhitespace {
            if Self.isQuote(scalar) {
                // A quote begins a phrase at a word's beginning or after `key:`, and ends a word
                // anywhere else.
                guard word.isEmpty else { break }
                rest.removeFirst()
                word = String.UnicodeScalarView(rest.prefix { !Self.isQuote($0) })
                rest = rest.dropFirst(word.count + 1)
                isQuoted = true
                break
            }
            rest.removeFirst()
            if scalar == ":", part.key == nil, !word.isEmpty {
                part.key = String(word)
                word = String.UnicodeScalarView()
            } else {
                word.append(scalar)
            }
        }
        if isQuoted, rest.first == "*" {
            part.isPrefix = true
            rest.removeFirst()
        } else if !isQuoted, word.last == "*" {
            part.isPrefix = true
            while word.last == "*" { word.removeLast() }
        }
        part.text = String(word)
        return part
    }

    private static func isQuote(_ scalar: Unicode.Scalar) -> Bool {
        ["\"", "\u{201C}", "\u{201D}", "\u{201E}"].contains(scalar)
    }
}
