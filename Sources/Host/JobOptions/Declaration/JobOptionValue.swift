/// The value of a job's option, in one of the forms that options have.
public enum JobOptionValue: Hashable, Sendable {
    /// On or off.
    case flag(Bool)
    /// A whole number.
    case whole(Int)
    /// A number of seconds.
    case seconds(Double)
    /// A text, or one of several words.
    case text(String)
    /// Several texts, in the order given.
    case texts([String])

    /// The value for people, as the command line takes it; several texts with commas.
    public var words: String {
        switch self {
        case .flag(let isOn): isOn ? "on" : "off"
        case .whole(let number): "\(number)"
        case .seconds(let number): TimeText.text(number)
        case .text(let text): text
        case .texts(let texts): texts.joined(separator: ", ")
        }
    }
}

extension JobOptionValue: Encodable {
    /// Writes the plain value, without its form.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        switch self {
        case .flag(let isOn): try container.encode(isOn)
        case .whole(let number): try container.encode(number)
        case .seconds(let number): try container.encode(number)
        case .text(let text): try container.encode(text)
        case .texts(let texts): try container.encode(texts)
        }
    }
}

/// A Swift type for an option's values; ``JobOption`` converts them through it.
public protocol JobOptionStorable: Sendable {
    /// The value for storage; nil if there is none.
    var stored: JobOptionValue? { get }
    /// The value from its stored form; nil for any other form.
    init?(stored: JobOptionValue)
}

extension Bool: JobOptionStorable {
    /// The flag.
    public var stored: JobOptionValue? { .flag(self) }
    /// The state of a flag.
    public init?(stored: JobOptionValue) {
        guard case .flag(let isOn) = stored else { return nil }
        self = isOn
    }
}

extension Int: JobOptionStorable {
    /// The whole number.
    public var stored: JobOptionValue? { .whole(self) }
    /// A whole number.
    public init?(stored: JobOptionValue) {
        guard case .whole(let number) = stored else { return nil }
        self = number
    }
}

extension Double: JobOptionStorable {
    /// The number of seconds.
    public var stored: JobOptionValue? { .seconds(self) }
    /// A number of seconds.
    public init?(stored: JobOptionValue) {
        guard case .seconds(let number) = stored else { return nil }
        self = number
    }
}

extension String: JobOptionStorable {
    /// The text.
    public var stored: JobOptionValue? { .text(self) }
    /// A text.
    public init?(stored: JobOptionValue) {
        guard case .text(let text) = stored else { return nil }
        self = text
    }
}

extension [String]: JobOptionStorable {
    /// The texts.
    public var stored: JobOptionValue? { .texts(self) }
    /// Several texts.
    public init?(stored: JobOptionValue) {
        guard case .texts(let texts) = stored else { return nil }
        self = texts
    }
}

extension Optional: JobOptionStorable where Wrapped: JobOptionStorable {
    /// The value, if there is one.
    public var stored: JobOptionValue? { self?.stored }
    /// A present value.
    public init?(stored: JobOptionValue) {
        guard let value = Wrapped(stored: stored) else { return nil }
        self = value
    }
}

/// One of several words, as an enumeration of them.
public protocol JobOptionChoice: JobOptionStorable, CaseIterable, RawRepresentable
where RawValue == String {}

extension JobOptionChoice {
    /// The word.
    public var stored: JobOptionValue? { .text(rawValue) }
    /// The choice with that word.
    public init?(stored: JobOptionValue) {
        guard case .text(let word) = stored else { return nil }
        self.init(rawValue: word)
    }
}
