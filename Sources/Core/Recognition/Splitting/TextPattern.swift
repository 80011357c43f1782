import CRE2

/// A regular expression in RE2's syntax (<https://github.com/google/re2/wiki/Syntax>), which may
/// match anywhere in a text.
///
/// The time for a search depends on the text only, for every pattern: RE2 builds an automaton and
/// never backtracks, so it has no backreferences.
///
///     let pattern = try TextPattern(#"ASN(?P<name>\d+)"#)
///     pattern.match(in: "ASN0012")  // "0012"
///
/// `@unchecked Sendable`: a compiled pattern never changes, and several threads may search with it.
final class TextPattern: @unchecked Sendable {
    /// The maximum size of a pattern in bytes.
    static let longest = 1_000
    /// The name of the group whose match is used instead of the whole match.
    static let group = "name"

    private let compiled: OpaquePointer

    /// Compiles a pattern.
    ///
    /// - Throws: ``SplitRuleError`` with the wrong part and its place.
    init(_ text: String) throws(SplitRuleError) {
        guard !text.isEmpty, text.utf8.count <= Self.longest else {
            throw SplitRuleError(
                text.isEmpty
                    ? "is empty: give a pattern of a barcode's text, such as ASN\\d+"
                    : "is longer than \(Self.longest) bytes")
        }
        guard let compiled = cre2_compile(text, text.utf8.count) else {
            throw SplitRuleError("can't be compiled: there is no memory for it")
        }
        if let problem = cre2_problem(compiled) {
            let part = String(cString: cre2_problem_part(compiled))
            let reason = String(cString: problem)
            cre2_free(compiled)
            throw SplitRuleError(Self.sentence(reason, part, in: text))
        }
        self.compiled = compiled
    }

    deinit { cre2_free(compiled) }

    /// The text of the first match, or of its group `name` if the pattern has one; nil for no
    /// match.
    func match(in text: String) -> String? {
        var text = text
        return text.withUTF8 { bytes in
            let empty = UnsafeRawPointer(bitPattern: 1)!.assumingMemoryBound(to: CChar.self)
            let start = bytes.baseAddress.map {
                UnsafeRawPointer($0).assumingMemoryBound(to: CChar.self)
            }
            var whole = cre2_span()
            var named = cre2_span()
            guard
                cre2_search(
                    compiled, start ?? empty, bytes.count, Self.group, &whole, &named) == 1
            else { return nil }
            let span = named.start >= 0 ? named : whole
            return String(decoding: bytes[span.start..<span.start + span.count], as: UTF8.self)
        }
    }

    /// RE2's message with the place, counted in characters from 1.
    private static func sentence(_ reason: String, _ part: String, in text: String) -> String {
        let first = text.ranges(of: part).first
        let place = first.map { text.distance(from: text.startIndex, to: $0.lowerBound) + 1 }
        let hint =
            part.hasPrefix("(?<") ? "; a group is named with (?P<\(Self.group)>…)" : ""
        guard !part.isEmpty, part != text, let place else {
            return "is not a regular expression: \(reason)"
        }
        let words = reason.hasSuffix(": " + part) ? String(reason.dropLast(part.count + 2)) : reason
        return "is not a regular expression: \(words) at character \(place), '\(part)'\(hint)"
    }
}
