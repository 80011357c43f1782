public import Documents
import Suggestions

/// Where a batch of pages is split into documents: at a separator sheet, or at a barcode with a
/// certain text.
///
///     let rules = try ["separator", #"ASN\d+"#].map { try SplitRule($0) }
///     SplitRule.mark(rules, of: page.barcodes)
public struct SplitRule: Sendable {
    /// What Copystand's own separator sheets say, in both of their codes.
    public static let separatorText = "COPYSTAND-SEPARATOR"
    /// What the sheets of other programs (Kofax, NAPS2, paperless-ngx) say that are called Patch-T.
    public static let patchText = "PATCHT"
    /// The words for sheets; anything else is a regular expression.
    public static let words = ["separator", "patch-t"]
    /// How a rule is written, for a message.
    public static let expectation =
        "separator, patch-t, or a regular expression of a barcode's text such as ASN\\d+"

    private enum Kind: Sendable {
        case sheet(String)
        case pattern(TextPattern)
    }

    /// The rule as it was written.
    public let text: String
    private let kind: Kind

    /// The rule that a text stands for.
    ///
    /// - Throws: ``SplitRuleError`` for an invalid expression, and for what looks like a misspelled
    ///   word.
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

    /// What a page's barcodes mean under some rules.
    ///
    /// A page with the code of a sheet is a sheet; what matches a pattern on it names the document
    /// after it. A page with a match and no such code is the first of a document of that name.
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
    /// What sort of page it is.
    public enum Kind: String, Codable, Sendable, CaseIterable {
        /// An ordinary page.
        case page
        /// The first of a document.
        case first
        /// A sheet between two documents that belongs to neither.
        case sheet
    }

    /// What sort of page it is.
    public var kind: Kind
    /// The name that its barcode gives the document that begins with it or after it; nil for none.
    public var name: String?

    /// A mark; an empty name counts as none.
    public init(_ kind: Kind, name: String? = nil) {
        self.kind = kind
        self.name = name.flatMap { $0.isEmpty ? nil : $0 }
    }
}

/// Why a text is not a ``SplitRule``.
public struct SplitRuleError: Error, Hashable, Sendable {
    /// A clause that follows the text: what is wrong with it, and where.
    public let clause: String

    init(_ clause: String) { self.clause = clause }
}
