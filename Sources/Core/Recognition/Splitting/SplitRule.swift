public import Documents
import Suggestions

/// A rule by which a stack of pages is split into documents: at a separator sheet, or at a barcode
/// with a certain text.
///
///     let rules = try ["separator", #"ASN\d+"#].map { try SplitRule($0) }
///     SplitRule.mark(rules, of: page.barcodes)
public struct SplitRule: Sendable {
    /// The text in both codes of Copystand's own separator sheets.
    public static let separatorText = "COPYSTAND-SEPARATOR"
    /// The text on other programs' Patch-T sheets (Kofax, NAPS2, paperless-ngx).
    public static let patchText = "PATCHT"
    /// The words for sheets; any other text is a regular expression.
    public static let words = ["separator", "patch-t"]
    /// The possible forms of a rule, for a message.
    public static let expectation =
        "separator, patch-t, or a regular expression of a barcode's text such as ASN\\d+"

    private enum Kind: Sendable {
        case sheet(String)
        case pattern(TextPattern)
    }

    /// The rule's text.
    public let text: String
    private let kind: Kind

    /// The rule for a text.
    ///
    /// - Throws: ``SplitRuleError`` for an invalid expression, or a text that looks like a
    ///   misspelled word.
    public init(_ text: String) throws(SplitRuleError) {
        self.text = text
        switch text {
        case Self.words[0]: kind = .sheet(Self.separatorText)
        case Self.words[1]: kind = .sheet(Self.patchText)
        default:
            if text.utf8.allSatisfy({ (97...122).contains($0) || $0 == 45 }),
                let meant = nearestNames(to: text, among: Self.words).first
            {
                throw SplitRuleError(
                    "is not a word for a sheet; did you mean '\(meant)'? As a pattern it is written '(\(text))'"
                )
            }
            kind = .pattern(try TextPattern(text))
        }
    }

    /// The role of a page, according to its barcodes and some rules.
    ///
    /// A page with a sheet's code is a separator sheet; if a pattern matches another code on it,
    /// the match is the name of the document after it. A page with a match and no such code is the
    /// first page of a document with that name.
    public static func mark(_ rules: [SplitRule], of barcodes: [Finding]) -> SplitMark {
        var isSheet = false
        var name: String?
        for barcode in barcodes {
            // The text of a sheet's own code is not a name, even if a pattern matches it.
            if rules.contains(where: { $0.isSheet(barcode.text) }) {
                isSheet = true
            } else {
                name = name ?? rules.lazy.compactMap { $0.name(in: barcode.text) }.first
            }
        }
        if isSheet { return SplitMark(.sheet, name: name) }
        return name.map { SplitMark(.first, name: $0) } ?? SplitMark(.page)
    }

    private func isSheet(_ text: String) -> Bool {
        if case .sheet(let own) = kind { text.uppercased() == own } else { false }
    }

    private func name(in text: String) -> String? {
        if case .pattern(let pattern) = kind { pattern.match(in: text) } else { nil }
    }
}

/// The role of a page in splitting a stack.
public struct SplitMark: Codable, Hashable, Sendable {
    /// The role of a page.
    public enum Kind: String, Codable, Sendable, CaseIterable {
        /// An ordinary page.
        case page
        /// The first page of a document.
        case first
        /// A separator sheet, which belongs to no document.
        case sheet
    }

    /// The role of the page.
    public var kind: Kind
    /// The name from the barcode, for the document that begins with the page or after it; nil for
    /// none.
    public var name: String?

    /// A mark; an empty name counts as none.
    public init(_ kind: Kind, name: String? = nil) {
        self.kind = kind
        self.name = name.flatMap { $0.isEmpty ? nil : $0 }
    }
}

/// The reason why a text is not a ``SplitRule``.
public struct SplitRuleError: Error, Hashable, Sendable {
    /// A clause for the end of a sentence: the mistake in the text, and its place.
    public let clause: String

    init(_ clause: String) { self.clause = clause }
}
