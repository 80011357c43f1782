/// What a JSON value looks like (JSON Schema 2020-12), for the description of the API.
///
/// Made beside the routes, and checked against what the server really answers by tests that are driven from the description.
indirect enum Schema: Sendable {
    case string(description: String? = nil, choices: [String]? = nil)
    case integer(minimum: Int? = nil, maximum: Int? = nil)
    case number
    case boolean
    case array(Schema)
    /// An object; members not named in `required` may be absent. An open one may have others besides.
    case object([(name: String, schema: Schema)], required: [String], isOpen: Bool = false)
    /// An object with any names, whose values look alike.
    case dictionary(Schema)
    case nullable(Schema)
    /// One that is described once, by its name.
    case reference(String)
    /// Anything at all.
    case any

    /// An object all of whose members are there.
    static func record(_ members: [(name: String, schema: Schema)]) -> Schema {
        .object(members, required: members.map(\.name))
    }

    /// Its JSON.
    var json: JSONValue {
        switch self {
        case .string(let description, let choices):
            var members: [(String, JSONValue)] = [("type", "string")]
            if let description { members.append(("description", .string(description))) }
            if let choices { members.append(("enum", .array(choices.map { .string($0) }))) }
            return .object(members)
        case .integer(let minimum, let maximum):
            var members: [(String, JSONValue)] = [("type", "integer")]
            if let minimum { members.append(("minimum", .integer(minimum))) }
            if let maximum { members.append(("maximum", .integer(maximum))) }
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
        case .nullable(let schema):
            return .object([("anyOf", .array([schema.json, .object([("type", "null")])]))])
        case .reference(let name):
            return .object([("$ref", .string("#/components/schemas/\(name)"))])
        case .any: return .object([])
        }
    }
}
