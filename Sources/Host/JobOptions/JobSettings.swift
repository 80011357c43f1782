/// The values that a job's options were given.
///
/// ```swift
/// var settings = JobSettings()
/// settings[.pageTimeout]        // 30, the usual value
/// settings[.splitAt] = ["separator"]
/// ```
public struct JobSettings: Hashable, Sendable {
    private var values: [String: JobOptionValue] = [:]

    /// Settings without a value: every option has its usual one.
    public init() {}

    /// The value of an option: the given one, or the usual one.
    public subscript<Value>(option: JobOption<Value>) -> Value {
        get { values[option.declaration.name].flatMap(Value.init(stored:)) ?? option.usual }
        set { values[option.declaration.name] = newValue.stored }
    }

    /// The value that an option was given; nil for none.
    public subscript(option: JobOptionDeclaration) -> JobOptionValue? {
        get { values[option.name] }
        set { values[option.name] = newValue }
    }

    /// True if an option was given a value.
    public func isGiven<Value>(_ option: JobOption<Value>) -> Bool {
        values[option.declaration.name] != nil
    }

    /// Takes over the values that `other` was given.
    public mutating func merge(_ other: JobSettings) { values.merge(other.values) { $1 } }
}

// MARK: JSON

extension JobSettings {
    /// The settings in a request to the HTTP API; nothing else may set options there.
    ///
    /// - Throws: `DecodingError` for a value of another type.
    public init(request decoder: any Decoder) throws {
        let fields = try decoder.container(keyedBy: Key.self)
        for option in JobOptions.inRequests {
            values[option.name] = try option.value(in: fields, Key(option.name))
        }
    }

    /// Writes the given values that a request can have.
    public func encode(request encoder: any Encoder) throws {
        var fields = encoder.container(keyedBy: Key.self)
        for option in JobOptions.inRequests {
            try fields.encodeIfPresent(values[option.name], forKey: Key(option.name))
        }
    }

    /// The settings in the record of a job, which may be from an older version.
    ///
    /// A number out of its range counts as not given.
    ///
    /// - Throws: `DecodingError` for a value of another type.
    public init(record decoder: any Decoder) throws {
        let fields = try decoder.container(keyedBy: Key.self)
        for option in JobOptions.kept {
            values[option.name] = try option.value(in: fields, Key(option.recordName)).flatMap {
                option.kind.accepts($0) ? $0 : nil
            }
        }
    }

    /// Writes every option with its value, so that a version with other usual values finishes the
    /// job as it was ordered.
    public func encode(record encoder: any Encoder) throws {
        var fields = encoder.container(keyedBy: Key.self)
        for option in JobOptions.kept {
            let value = values[option.name] ?? option.usual
            try fields.encodeIfPresent(value, forKey: Key(option.recordName))
        }
    }

    /// The name of an option.
    private struct Key: CodingKey {
        let stringValue: String
        var intValue: Int? { nil }
        init(_ name: String) { stringValue = name }
        init?(stringValue: String) { self.stringValue = stringValue }
        init?(intValue: Int) { nil }
    }
}

extension JobOptionDeclaration {
    /// The value in an object; nil if it has none.
    fileprivate func value<Name: CodingKey>(
        in fields: KeyedDecodingContainer<Name>, _ key: Name
    ) throws -> JobOptionValue? {
        switch kind {
        case .flag: return try fields.decodeIfPresent(Bool.self, forKey: key).map { .flag($0) }
        case .whole: return try fields.decodeIfPresent(Int.self, forKey: key).map { .whole($0) }
        case .seconds:
            return try fields.decodeIfPresent(Double.self, forKey: key).map { .seconds($0) }
        case .text: return try fields.decodeIfPresent(String.self, forKey: key).map { .text($0) }
        case .texts:
            return try fields.decodeIfPresent([String].self, forKey: key).map { .texts($0) }
        case .choice(let words):
            guard let word = try fields.decodeIfPresent(String.self, forKey: key) else {
                return nil
            }
            guard words.contains(word) else {
                throw DecodingError.dataCorruptedError(
                    forKey: key, in: fields,
                    debugDescription: "it must be \(kind.expectation), not '\(word)'")
            }
            return .text(word)
        }
    }
}
