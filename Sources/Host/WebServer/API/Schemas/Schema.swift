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
    case limited(Schema, [(String, JSONValue)])
    /// A reference by name to a schema that is described once.
    case reference(String)
    /// Any value.
    case any

    /// An object with required members only.
    static func record(_ members: [(name: String, schema: Schema)]) -> Schema {
        .object(members, required: members.map(\.name))
    }

    /// The largest whole number that every program can hold exactly (RFC 8259, 6): 2⁵³ − 1.
    static let largest = (1 << 53) - 1

    /// A moment as RFC 3339 writes it.
    static let moment = Schema.limited(.string(), [("format", "date-time")])

    /// A number within whole limits, including them.
    static func number(from least: Int, to most: Int) -> Schema {
        .limited(.number, [("minimum", .integer(least)), ("maximum", .integer(most))])
    }

    /// The range of a number that is described with these keywords.
    static func range(in limits: [(String, JSONValue)]) -> ClosedRange<Int> {
        func limit(_ name: String) -> Int? {
            for case (name, .integer(let value)) in limits { return value }
            return nil
        }
        return (limit("minimum") ?? -largest)...(limit("maximum") ?? largest)
    }

    /// A list that is not empty.
    static func some(_ element: Schema) -> Schema {
        .limited(.array(element), [("minItems", .integer(1))])
    }

    /// An object that has at least one of its members.
    static func anyOf(_ members: [(name: String, schema: Schema)]) -> Schema {
        .limited(.object(members, required: []), [("minProperties", .integer(1))])
    }

    /// The schema as JSON.
    var json: JSONValue {
        switch self {
        case .string(let description, let choices, let pattern):
            var members: [(String, JSONValue)] = [("type", "string")]
            if let description { members.append(("description", .string(description))) }
            if let pattern { members.append(("pattern", .string(pattern))) }
            if let choices { members.append(("enum", .array(choices.map { .string($0) }))) }
            return .object(members)
        case .integer(let minimum, let maximum):
            var members: [(String, JSONValue)] = [("type", "integer")]
            members.append(("minimum", .integer(minimum ?? -Self.largest)))
            members.append(("maximum", .integer(maximum ?? Self.largest)))
            return .object(members)
        case .number: return .object([("type", "number")])
        case .boolean: return .object([("type", "boolean")])
        case .array(let element): return .object([("type", "array"), ("items", element.json)])
        case .object(let members, let required, let isOpen):
            var object: [(String, JSONValue)] = [
                ("type", "object"),
                ("properties", .object(members.map { ($0.name, $0.schema.json) })),
            ]
            if !required.isEmpty {
                object.append(("required", .array(required.map { .string($0) })))
            }
            if !isOpen { object.append(("additionalProperties", .boolean(false))) }
            return .object(object)
        case .dictionary(let value):
            return .object([("type", "object"), ("additionalProperties", value.json)])
        case .limited(let schema, let limits):
            guard case .object(let members) = schema.json else { return schema.json }
            return .object(members + limits)
        case .nullable(let schema):
            return .object([("anyOf", .array([schema.json, .object([("type", "null")])]))])
        case .reference(let name):
            return .object([("$ref", .string("#/components/schemas/\(name)"))])
        case .any: return .object([])
        }
    }
}
