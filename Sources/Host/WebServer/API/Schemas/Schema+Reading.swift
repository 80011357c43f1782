import ExpectedFailures
import Listings
import ScanService

/// A type that describes its JSON.
protocol Described {
    /// The schema of its JSON.
    static var schema: Schema { get }
}

extension LiveRegion: Described {}
extension ScanRequest.Watch: Described {}
extension DeviceSettings: Described {
    /// Texts by the options' names; none of them may name a file.
    static let schema = Schema.dictionary(.string(pattern: "^[^/]*$"))
}

extension Schema {
    /// A property of a value that its Swift type does not express.
    enum Detail {
        /// The meaning of the value.
        case description(String)
        /// The range of a number.
        case range(ClosedRange<Int>)
        /// The possible texts.
        case choices([String])
        /// A list with at least one element.
        case notEmpty
        /// The value may be null.
        case nullable
    }

    /// The schema of the objects that a type reads.
    ///
    /// The type's initializer runs with a recorder, and each requested key becomes a member with
    /// the requested type.
    ///
    /// - Parameters:
    ///   - type: the type that is read.
    ///   - details: further properties of the values, by key.
    ///   - isNullable: whether every member may be null.
    static func read<Value: Decodable, Key: CodingKey & Hashable>(
        by type: Value.Type, _ details: [Key: Detail], isNullable: Bool = false
    ) -> Schema {
        let members = members(readBy: type, details)
        return .object(
            members.map { ($0.name, isNullable ? .nullable($0.schema) : $0.schema) },
            required: [])
    }

    /// The members of the objects that `type` reads, as for ``read(by:_:isNullable:)``.
    static func members<Value: Decodable, Key: CodingKey & Hashable>(
        readBy type: Value.Type, _ details: [Key: Detail]
    ) -> [(name: String, schema: Schema)] {
        let recorder = KeyRecorder()
        // Every key is absent, so the initializer fails only at a required key; later keys are then
        // missing.
        ofKnownForm { _ = try type.init(from: recorder) }
        let byName = Dictionary(uniqueKeysWithValues: details.map { ($0.stringValue, $1) })
        return recorder.members.map { name, schema in
            (name, byName[name].map { schema.with($0) } ?? schema)
        }
    }

    private func with(_ detail: Detail) -> Schema {
        switch (detail, self) {
        case (.description(let text), .string): .string(description: text)
        case (.choices(let choices), .string): .string(choices: choices)
        case (.range(let range), .integer):
            .integer(minimum: range.lowerBound, maximum: range.upperBound)
        case (.range(let range), .number): .number(from: range.lowerBound, to: range.upperBound)
        case (.notEmpty, .array(let element)): .some(element)
        case (.nullable, _): .nullable(self)
        default: preconditionFailure("\(detail) does not fit \(self)")
        }
    }

    /// The schema of a value of that type.
    fileprivate static func of(_ type: any Decodable.Type) -> Schema {
        if let described = type as? any Described.Type { return described.schema }
        if let choices = type as? any (CaseIterable & RawRepresentable).Type {
            return .string(choices: names(choices))
        }
        switch type {
        case is Bool.Type: return .boolean
        case is Int.Type: return .integer()
        case is Double.Type: return .number
        case is String.Type: return .string()
        case is [String].Type: return .array(.string())
        case is [String: String].Type: return .dictionary(.string())
        default: preconditionFailure("\(type) has no schema; let it be Described")
        }
    }

    private static func names<Choice: CaseIterable & RawRepresentable>(
        _ type: Choice.Type
    ) -> [String] {
        type.allCases.map { "\($0.rawValue)" }
    }
}

/// A decoder of an empty object, which records the requested keys.
private final class KeyRecorder: Decoder {
    var members: [(name: String, schema: Schema)] = []
    let codingPath: [any CodingKey] = []
    let userInfo: [CodingUserInfoKey: Any] = [:]

    func container<Key: CodingKey>(keyedBy type: Key.Type) -> KeyedDecodingContainer<Key> {
        KeyedDecodingContainer(RecordedKeys(recorder: self))
    }

    func unkeyedContainer() throws -> any UnkeyedDecodingContainer { throw Self.absent }
    func singleValueContainer() throws -> any SingleValueDecodingContainer { throw Self.absent }

    static var absent: DecodingError {
        .dataCorrupted(.init(codingPath: [], debugDescription: "there is no value"))
    }
}

private struct RecordedKeys<Key: CodingKey>: KeyedDecodingContainerProtocol {
    let recorder: KeyRecorder
    let codingPath: [any CodingKey] = []
    let allKeys: [Key] = []

    private func record(_ type: any Decodable.Type, _ key: Key) {
        recorder.members.append((key.stringValue, .of(type)))
    }

    func contains(_ key: Key) -> Bool { false }
    func decodeNil(forKey key: Key) -> Bool { true }

    func decodeIfPresent(_ type: Bool.Type, forKey key: Key) -> Bool? {
        record(type, key)
        return nil
    }
    func decodeIfPresent(_ type: Int.Type, forKey key: Key) -> Int? {
        record(type, key)
        return nil
    }
    func decodeIfPresent(_ type: Double.Type, forKey key: Key) -> Double? {
        record(type, key)
        return nil
    }
    func decodeIfPresent(_ type: String.Type, forKey key: Key) -> String? {
        record(type, key)
        return nil
    }
    func decodeIfPresent<Value: Decodable>(_ type: Value.Type, forKey key: Key) -> Value? {
        record(type, key)
        return nil
    }

    func decode<Value: Decodable>(_ type: Value.Type, forKey key: Key) throws -> Value {
        throw KeyRecorder.absent
    }
    func nestedContainer<Nested: CodingKey>(
        keyedBy type: Nested.Type, forKey key: Key
    ) throws -> KeyedDecodingContainer<Nested> { throw KeyRecorder.absent }
    func nestedUnkeyedContainer(forKey key: Key) throws -> any UnkeyedDecodingContainer {
        throw KeyRecorder.absent
    }
    func superDecoder() throws -> any Decoder { throw KeyRecorder.absent }
    func superDecoder(forKey key: Key) throws -> any Decoder { throw KeyRecorder.absent }
}
