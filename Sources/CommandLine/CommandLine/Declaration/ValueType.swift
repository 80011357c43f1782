import FileNames
import Suggestions

/// The type of a value on the command line, which is checked while parsing.
public enum ValueType: Hashable, Sendable {
    /// Any text, including empty text.
    case text
    /// Text that is not empty, such as a name.
    case name
    /// A path, which is not empty; its bytes need not be UTF-8, and are encoded as `FileNames`
    /// does.
    case path
    /// A whole number within a range.
    case integer(ClosedRange<Int>)
    /// A number within a range.
    case number(ClosedRange<Double>)
    /// `NAME=VALUE` with a name that is not empty; the value may be empty and may hold `=`.
    case pair
    /// One of several words.
    case choice([String])

    /// The value of a word on the command line: a path unchanged, any other value as plain text.
    ///
    /// Nil if it must be UTF-8 and the word's bytes are not.
    func read(_ word: String) -> String? {
        guard self != .path else { return word }
        let text = FileNames.plainText(word)
        guard case .choice(let words) = self else { return text }
        return text.map { ChoiceWords.choice(for: $0, among: words) ?? $0 }
    }

    /// True if `text` is such a value.
    func accepts(_ text: String) -> Bool {
        switch self {
        case .text: true
        case .name, .path: !text.isEmpty
        case .integer(let range): Int(text).map(range.contains) ?? false
        case .number(let range): Double(text).map(range.contains) ?? false
        case .pair: NamedValue(text) != nil
        case .choice(let words): words.contains(text)
        }
    }

    /// The expected value in words, to follow "takes".
    var expectation: String {
        switch self {
        case .text: "any text"
        case .name, .path: "a value that is not empty"
        case .integer(let range) where range.upperBound == .max:
            "a whole number, \(range.lowerBound) or more"
        case .integer(let range):
            "a whole number from \(range.lowerBound) to \(range.upperBound)"
        case .number(let range): "a number from \(range.lowerBound) to \(range.upperBound)"
        case .pair: "NAME=VALUE"
        case .choice(let words): words.listed(with: "or")
        }
    }
}

/// The values that a shell offers while a value is typed.
public enum Completion: Hashable, Sendable {
    /// Nothing; the words of a ``ValueType/choice(_:)`` are offered anyway.
    case none
    /// Files and folders.
    case files
    /// Folders only.
    case folders
    /// The program's own list from `completions --values KIND`.
    case dynamic(String)
}

/// A `NAME=VALUE` from the command line.
public struct NamedValue: Hashable, Sendable {
    /// The text before the first `=`; never empty.
    public var name: String
    /// The text after the first `=`.
    public var value: String

    /// Splits `NAME=VALUE` at the first `=`; nil without one, or without a name.
    public init?(_ text: String) {
        guard let equals = text.unicodeScalars.firstIndex(of: "="), equals != text.startIndex
        else { return nil }
        name = String(text.unicodeScalars[..<equals])
        value = String(text.unicodeScalars[text.unicodeScalars.index(after: equals)...])
    }
}

extension [String] {
    /// The words as a list in a sentence: `a`, `a or b`, `a, b or c`.
    func listed(with conjunction: String) -> String {
        guard let last, count > 1 else { return first ?? "" }
        return dropLast().joined(separator: ", ") + " \(conjunction) \(last)"
    }
}
