import ExpectedFailures
import FoundationEssentials

/// Any JSON value.
///
/// It is written with JSON's own literals: `["type": "array", "items": ["type": "string"]]`.
package enum JSONValue: Hashable, Sendable {
    case null
    case flag(Bool)
    /// A whole number that an Int can hold.
    case integer(Int)
    /// Any other number; infinite when it is beyond the range of a Double.
    case number(Double)
    case text(String)
    case list([JSONValue])
    case object([String: JSONValue])

    /// The value at a path such as `prices.market` or `results.0.name`; nil when there is none.
    package func value(at path: String) -> JSONValue? {
        var value = self
        for step in path.split(separator: ".", omittingEmptySubsequences: false) {
            switch value {
            case .object(let members):
                guard let member = members[String(step)] else { return nil }
                value = member
            case .list(let elements):
                guard let index = Int(step), elements.indices.contains(index) else { return nil }
                value = elements[index]
            default: return nil
            }
        }
        return value
    }

    /// The member of an object; nil when there is none.
    package subscript(member: String) -> JSONValue? {
        if case .object(let members) = self { members[member] } else { nil }
    }

    /// The elements of a list; nil for anything else.
    package var elements: [JSONValue]? {
        if case .list(let elements) = self { elements } else { nil }
    }

    /// The text; nil for anything else.
    package var text: String? { if case .text(let text) = self { text } else { nil } }

    /// A number of either kind; nil for anything else.
    package var double: Double? {
        switch self {
        case .integer(let number): Double(number)
        case .number(let number): number
        default: nil
        }
    }

    /// The value for people: a text unchanged, a number or truth value in JSON's form; nil for
    /// null, lists and objects.
    package var words: String? {
        switch self {
        case .text(let text): text
        case .integer(let number): String(number)
        case .number(let number): String(number)
        case .flag(let flag): String(flag)
        case .null, .list, .object: nil
        }
    }
}

extension JSONValue: ExpressibleByStringLiteral, ExpressibleByBooleanLiteral,
    ExpressibleByIntegerLiteral, ExpressibleByArrayLiteral, ExpressibleByDictionaryLiteral
{
    package init(stringLiteral value: String) { self = .text(value) }
    package init(booleanLiteral value: Bool) { self = .flag(value) }
    package init(integerLiteral value: Int) { self = .integer(value) }
    package init(arrayLiteral elements: JSONValue...) { self = .list(elements) }
    package init(dictionaryLiteral elements: (String, JSONValue)...) {
        self = .object(Dictionary(uniqueKeysWithValues: elements))
    }

    /// A list of texts.
    package static func texts(_ texts: some Sequence<String>) -> JSONValue {
        .list(texts.map(JSONValue.text))
    }
}

extension JSONValue: Codable {
    package init(from decoder: any Decoder) throws {
        // Lists and objects come first: every failed attempt decodes a value again.
        if let members = ofKnownForm({ try decoder.container(keyedBy: Name.self) }) {
            var object: [String: JSONValue] = [:]
            for key in members.allKeys {
                object[key.stringValue] = try members.decode(JSONValue.self, forKey: key)
            }
            self = .object(object)
            return
        }
        if var elements = ofKnownForm({ try decoder.unkeyedContainer() }) {
            var list: [JSONValue] = []
            while !elements.isAtEnd { list.append(try elements.decode(JSONValue.self)) }
            self = .list(list)
            return
        }
        let value = try decoder.singleValueContainer()
        if value.decodeNil() {
            self = .null
        } else if let flag = value.decodeIfMatching(Bool.self) {
            self = .flag(flag)
        } else if let text = value.decodeIfMatching(String.self) {
            self = .text(text)
        } else if let number = value.decodeIfMatching(Int.self) {
            self = .integer(number)
        } else {
            self = .number(value.decodeIfMatching(Double.self) ?? .infinity)
        }
    }

    package func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        switch self {
        case .null: try container.encodeNil()
        case .flag(let flag): try container.encode(flag)
        case .integer(let number): try container.encode(number)
        case .number(let number): try container.encode(number)
        case .text(let text): try container.encode(text)
        case .list(let elements): try container.encode(elements)
        case .object(let members): try container.encode(members)
        }
    }

    /// The JSON text, with sorted keys and without control characters; numbers must be finite.
    package var written: String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        do {
            return SafeJSON.text(try encoder.encode(self))
        } catch {
            preconditionFailure("\(self) can't be written: \(error)")
        }
    }

    private struct Name: CodingKey {
        let stringValue: String
        var intValue: Int? { nil }
        init(stringValue: String) { self.stringValue = stringValue }
        init?(intValue: Int) { nil }
    }
}
