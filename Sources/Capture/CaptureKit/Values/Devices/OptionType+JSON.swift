extension OptionType: Codable {
    private enum Keys: String, CodingKey {
        case kind, minimum, maximum, step, choices, maximumLength
    }

    private enum Kind: String, Codable, CaseIterable {
        case toggle, integer, number, integerChoice, text, choice, button

        init(from decoder: any Decoder) throws { self = try word(from: decoder) }
    }

    /// The kinds that the protocol has.
    package static let kinds = Kind.allCases.map(\.rawValue)

    /// The kind of a type, without its other fields.
    package struct KindOnly: Decodable {
        /// The kind's word, which may be outside ``kinds``.
        package let kind: String
    }

    /// Reads an object such as `{"kind":"integer","minimum":75,"maximum":600}`; a range needs both
    /// ends.
    public init(from decoder: any Decoder) throws {
        let fields = try decoder.container(keyedBy: Keys.self)
        switch try fields.decode(Kind.self, forKey: .kind) {
        case .toggle: self = .toggle
        case .button: self = .button
        case .integer:
            // The host computes with a range's ends; no device needs numbers beyond ±2⁵³.
            self = .integer(
                range: try OptionType.range(Int.self, in: fields)?
                    .clamped(to: -(1 << 53)...(1 << 53)),
                step: try OptionType.step(Int.self, in: fields))
        case .number:
            self = .number(
                range: try OptionType.range(Double.self, in: fields)?.clamped(to: -1e15...1e15),
                step: try OptionType.step(Double.self, in: fields))
        case .integerChoice:
            self = .integerChoice(try OptionType.choices(Int.self, in: fields))
        case .choice:
            self = .choice(try OptionType.choices(String.self, in: fields))
        case .text:
            let length = try fields.decodeIfPresent(Int.self, forKey: .maximumLength)
            guard length ?? 0 >= 0 else {
                throw OptionType.corrupted(.maximumLength, in: fields, "is below 0")
            }
            self = .text(maximumLength: length)
        }
    }

    /// Writes the object that ``init(from:)`` reads.
    public func encode(to encoder: any Encoder) throws {
        var fields = encoder.container(keyedBy: Keys.self)
        switch self {
        case .toggle: try fields.encode(Kind.toggle, forKey: .kind)
        case .button: try fields.encode(Kind.button, forKey: .kind)
        case .integer(let range, let step):
            try fields.encode(Kind.integer, forKey: .kind)
            try fields.encodeIfPresent(range?.lowerBound, forKey: .minimum)
            try fields.encodeIfPresent(range?.upperBound, forKey: .maximum)
            try fields.encodeIfPresent(step, forKey: .step)
        case .number(let range, let step):
            try fields.encode(Kind.number, forKey: .kind)
            try fields.encodeIfPresent(range?.lowerBound, forKey: .minimum)
            try fields.encodeIfPresent(range?.upperBound, forKey: .maximum)
            try fields.encodeIfPresent(step, forKey: .step)
        case .integerChoice(let choices):
            try fields.encode(Kind.integerChoice, forKey: .kind)
            try fields.encode(choices, forKey: .choices)
        case .choice(let choices):
            try fields.encode(Kind.choice, forKey: .kind)
            try fields.encode(choices, forKey: .choices)
        case .text(let maximumLength):
            try fields.encode(Kind.text, forKey: .kind)
            try fields.encodeIfPresent(maximumLength, forKey: .maximumLength)
        }
    }

    private static func range<Number: Comparable & Decodable>(
        _ type: Number.Type, in fields: KeyedDecodingContainer<Keys>
    ) throws -> ClosedRange<Number>? {
        let minimum = try fields.decodeIfPresent(Number.self, forKey: .minimum)
        let maximum = try fields.decodeIfPresent(Number.self, forKey: .maximum)
        guard minimum != nil || maximum != nil else { return nil }
        guard let minimum, let maximum, minimum <= maximum else {
            throw corrupted(.maximum, in: fields, "is absent, or below the minimum")
        }
        return minimum...maximum
    }

    private static func step<Number: Numeric & Comparable & Decodable>(
        _ type: Number.Type, in fields: KeyedDecodingContainer<Keys>
    ) throws -> Number? {
        let step = try fields.decodeIfPresent(Number.self, forKey: .step)
        if let step, step <= 0 { throw corrupted(.step, in: fields, "is not above 0") }
        return step
    }

    private static func choices<Value: Decodable>(
        _ type: Value.Type, in fields: KeyedDecodingContainer<Keys>
    ) throws -> [Value] {
        let choices = try fields.decode([Value].self, forKey: .choices)
        if choices.isEmpty { throw corrupted(.choices, in: fields, "is empty") }
        return choices
    }

    private static func corrupted(
        _ key: Keys, in fields: KeyedDecodingContainer<Keys>, _ reason: String
    ) -> DecodingError {
        .dataCorruptedError(forKey: key, in: fields, debugDescription: "\(key.rawValue) \(reason)")
    }
}
