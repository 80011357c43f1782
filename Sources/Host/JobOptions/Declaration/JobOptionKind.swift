/// The values that an option takes.
public enum JobOptionKind: Hashable, Sendable {
    /// On or off.
    case flag
    /// A whole number within a range.
    case whole(ClosedRange<Int>)
    /// A time within a range of whole seconds.
    case seconds(ClosedRange<Int>)
    /// One of several words.
    case choice([String])
    /// Any text; an empty one is not a value unless `mayBeEmpty`.
    case text(mayBeEmpty: Bool)
    /// Several texts, none of them empty.
    case texts

    /// The name of the kind, for programs that show options.
    public var name: String {
        switch self {
        case .flag: "flag"
        case .whole: "whole"
        case .seconds: "seconds"
        case .choice: "choice"
        case .text: "text"
        case .texts: "texts"
        }
    }

    /// The names of all kinds.
    public static let names = [
        Self.flag, .whole(0...0), .seconds(0...0), .choice([]), .text(mayBeEmpty: true), .texts,
    ].map(\.name)

    /// The words of a choice; nil for another kind.
    public var choices: [String]? {
        if case .choice(let words) = self { words } else { nil }
    }

    /// The minimum and the maximum; nil for another kind.
    public var range: ClosedRange<Int>? {
        switch self {
        case .whole(let range), .seconds(let range): range
        case .flag, .choice, .text, .texts: nil
        }
    }

    /// The expected value in words, to follow "takes" or "must be".
    public var expectation: String {
        switch self {
        case .flag: "true or false"
        case .whole(let range):
            "a whole number from \(range.lowerBound) to \(range.upperBound)"
        case .seconds(let range):
            "a time from \(TimeText.text(range.lowerBound)) to "
                + "\(TimeText.text(range.upperBound)), such as 90s or 5m"
        case .choice(let words): "one of \(words.joined(separator: ", "))"
        case .text(mayBeEmpty: true): "any text"
        case .text(mayBeEmpty: false), .texts: "a value that is not empty"
        }
    }

    /// True if an option of this kind can have that value.
    public func accepts(_ value: JobOptionValue) -> Bool {
        switch (self, value) {
        case (.flag, .flag), (.text, .text), (.texts, .texts): true
        case (.whole(let range), .whole(let number)): range.contains(number)
        case (.seconds(let range), .seconds(let number)):
            (Double(range.lowerBound)...Double(range.upperBound)).contains(number)
        case (.choice(let words), .text(let word)): words.contains(word)
        default: false
        }
    }

    /// The value that words of a command line stand for; nil if they are not accepted.
    ///
    /// - Parameter words: none for a flag; several only for ``texts``.
    public func value(of words: [String]) -> JobOptionValue? {
        let value: JobOptionValue? =
            switch self {
            case .flag: .flag(true)
            case .whole: words.last.flatMap { Int($0) }.map(JobOptionValue.whole)
            case .seconds: words.last.flatMap(TimeText.seconds).map(JobOptionValue.seconds)
            case .choice, .text: words.last.map(JobOptionValue.text)
            case .texts: .texts(words)
            }
        return value.flatMap { accepts($0) ? $0 : nil }
    }
}
