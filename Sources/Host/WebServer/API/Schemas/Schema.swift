import FileNames

/// The schema of a JSON value (JSON Schema 2020-12), for the description of the API.
///
/// Schemas are next to the routes. Tests use the description to check the server's real answers.
indirect enum Schema: Sendable {
    /// A pattern is a regular expression of ECMA-262.
    case string(description: String? = nil, choices: [String]? = nil, pattern: String? = nil)
    case integer(minimum: Int? = nil, maximum: Int? = nil)
    case number
    case boolean
    case array(Schema)
    /// An object; members not named in `required` may be absent. An open one may have additional
    /// ones.
    case object([(name: String, schema: Schema)], required: [String], isOpen: Bool = false)
    /// An object with any keys, whose values have the same schema.
    case dictionary(Schema)
    case nullable(Schema)
    /// A schema that is limited by further keywords of JSON Schema.
    case limited(Schema, [String: JSONValue])
    /// A reference by name to a schema that is described once.
    case reference(String)
    /// Any value.
    case any

    /// An object with members that it always has, and optional ones.
    static func record(
        _ members: KeyValuePairs<String, Schema> = [:],
        optional: KeyValuePairs<String, Schema> = [:], isOpen: Bool = false
    ) -> Schema {
        .object(
            (Array(members) + Array(optional)).map { ($0.key, $0.value) },
            required: members.map(\.key), isOpen: isOpen)
    }

    /// The largest whole number that every program can hold exactly (RFC 8259, 6): 2⁵³ − 1.
    static let largest = (1 << 53) - 1

    /// A moment as RFC 3339 writes it.
    static let moment = Schema.limited(.string(), ["format": "date-time"])

    /// A number within whole limits, including them.
    static func number(from least: Int, to most: Int) -> Schema {
        .limited(.number, ["minimum": .integer(least), "maximum": .integer(most)])
    }

    /// The range of a number that is described with these keywords.
    static func range(in limits: [String: JSONValue]) -> ClosedRange<Int> {
        func limit(_ name: String) -> Int? {
            if case .integer(let limit) = limits[name] { limit } else { nil }
        }
        return (limit("minimum") ?? -largest)...(limit("maximum") ?? largest)
    }

    /// A list that is not empty.
    static func some(_ element: Schema) -> Schema {
        .limited(.array(element), ["minItems": 1])
    }

    /// An object that has at least one of its members.
    static func anyOf(_ members: KeyValuePairs<String, Schema>) -> Schema {
        .limited(.record(optional: members), ["minProperties": 1])
    }

    /// The schema as JSON.
    var json: JSONValue {
        switch self {
        case .string(let description, let choices, let pattern):
            var members: [String: JSONValue] = ["type": "string"]
            members["description"] = description.map(JSONValue.text)
            members["pattern"] = pattern.map(JSONValue.text)
            members["enum"] = choices.map { .texts($0) }
            return .object(members)
        case .integer(let minimum, let maximum):
            return [
                "type": "integer", "minimum": .integer(minimum ?? -Self.largest),
                "maximum": .integer(maximum ?? Self.largest),
            ]
        case .number: return ["type": "number"]
        case .boolean: return ["type": "boolean"]
        case .array(let element): return ["type": "array", "items": element.json]
        case .object(let described, let required, let isOpen):
            let properties = described.map { ($0.name, $0.schema.json) }
            var members: [String: JSONValue] = [
                "type": "object",
                "properties": .object(Dictionary(uniqueKeysWithValues: properties)),
            ]
            if !required.isEmpty { members["required"] = .texts(required) }
            if !isOpen { members["additionalProperties"] = false }
            return .object(members)
        case .dictionary(let value): return ["type": "object", "additionalProperties": value.json]
        case .limited(let schema, let limits):
            guard case .object(let members) = schema.json else { return schema.json }
            return .object(members.merging(limits) { $1 })
        case .nullable(let schema): return ["anyOf": [schema.json, ["type": "null"]]]
        case .reference(let name): return ["$ref": .text("#/components/schemas/\(name)")]
        case .any: return [:]
        }
    }
}
