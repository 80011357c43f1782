import FoundationEssentials
import ProgramFiles

/// The schemas of the capture protocol, `Docs/protocol/capture.schema.json`, for messages.
///
/// It supports the part of JSON Schema that the file uses.
struct MessageSchemas: Decodable, Sendable {
    private let definitions: [String: JSONTree]

    private enum CodingKeys: String, CodingKey {
        case definitions = "$defs"
    }

    /// The schemas of the protocol, which are part of the program.
    static let ofProtocol: MessageSchemas = {
        do {
            return try JSONDecoder().decode(
                MessageSchemas.self,
                from: Data(ProgramFiles.bytes(of: "Docs/protocol/capture.schema.json")))
        } catch {
            preconditionFailure("the schemas in the program can't be read: \(error)")
        }
    }()

    /// Events that only the host sends.
    private static let ofHost: Set = ["buffer", "refused"]
    /// The maximum number of faults that are reported for one message.
    private static let most = 5

    /// The mistakes in a message; none for a message without a schema, which a receiver ignores.
    ///
    /// - Parameters:
    ///   - json: the message's line.
    ///   - isFromHost: true for a message from the host.
    ///   - verb: the verb that it answers.
    func faults(_ json: Data, isFromHost: Bool, answering verb: String?) -> [String] {
        guard let message = try? JSONDecoder().decode(JSONTree.self, from: json),
            case .object(let fields) = message
        else { return ["the message is not a JSON object"] }
        if let event = fields["event"]?.text {
            guard Self.ofHost.contains(event) == isFromHost else {
                return ["only the \(isFromHost ? "backend" : "host") sends '\(event)'"]
            }
            return faults(message, as: event)
        }
        if let verb = fields["verb"]?.text {
            return isFromHost ? faults(message, as: verb) : ["only the host sends requests"]
        }
        guard fields["answer"] != nil else {
            return ["the message is not a request, an answer or an event"]
        }
        if fields["error"] != nil { return faults(message, as: "failure") }
        return verb.map { faults(message, as: $0 + "Answer") } ?? []
    }

    private func faults(_ message: JSONTree, as name: String) -> [String] {
        guard let schema = definitions[name] else { return [] }
        var found: [String] = []
        judge(message, schema, at: "", &found)
        return Array(found.prefix(Self.most))
    }

    private func judge(
        _ value: JSONTree, _ schema: JSONTree, at place: String, _ found: inout [String]
    ) {
        guard case .object(let rules) = schema else { return }
        if let name = rules["$ref"]?.text?.split(separator: "/").last {
            guard let schema = definitions[String(name)] else { return }
            return judge(value, schema, at: place, &found)
        }
        let subject = place.isEmpty ? "the message" : place
        if let types = rules["type"]?.texts, !types.contains(where: value.isOf) {
            found.append(
                "\(subject) is \(value.short), not of type \(types.joined(separator: ", "))")
            return
        }
        if let only = rules["const"], only != value {
            found.append("\(subject) is \(value.short), not \(only.short)")
        }
        if case .array(let choices) = rules["enum"], !choices.contains(value) {
            let words = choices.map(\.short).joined(separator: ", ")
            found.append("\(subject) is \(value.short), which is none of \(words)")
        }
        for (name, actual) in value.sizes {
            guard let bound = rules[name]?.number else { continue }
            let isLeast = name.hasPrefix("min")
            if isLeast ? actual < bound : actual > bound {
                let what = value.number == nil ? "has the length" : "is"
                found.append(
                    "\(subject) \(what) \(JSONTree.words(actual)), but at \(isLeast ? "least" : "most") \(JSONTree.words(bound)) is allowed"
                )
            }
        }
        judgeParts(of: value, rules, at: place, &found)
    }

    private func judgeParts(
        of value: JSONTree, _ rules: [String: JSONTree], at place: String, _ found: inout [String]
    ) {
        if case .object(let fields) = value {
            for name in rules["required"]?.texts ?? [] where fields[name] == nil {
                found.append("\(place.isEmpty ? "" : place + ".")\(name) is missing")
            }
            guard case .object(let properties) = rules["properties"] else { return }
            for (name, schema) in properties.sorted(by: { $0.key < $1.key }) {
                guard let field = fields[name] else { continue }
                judge(field, schema, at: place.isEmpty ? name : place + "." + name, &found)
            }
        }
        if case .array(let items) = value, let schema = rules["items"] {
            for (index, item) in items.enumerated() {
                judge(item, schema, at: "\(place)[\(index)]", &found)
            }
        }
    }
}

/// A value of JSON.
indirect enum JSONTree: Decodable, Hashable, Sendable {
    case object([String: JSONTree])
    case array([JSONTree])
    case text(String)
    case number(Double)
    case bool(Bool)
    case null

    init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        if container.decodeNil() {
            self = .null
        } else if let value = try? container.decode(Bool.self) {
            self = .bool(value)
        } else if let value = try? container.decode(Double.self) {
            self = .number(value)
        } else if let value = try? container.decode(String.self) {
            self = .text(value)
        } else if let value = try? container.decode([JSONTree].self) {
            self = .array(value)
        } else {
            self = .object(try container.decode([String: JSONTree].self))
        }
    }

    var text: String? { if case .text(let text) = self { text } else { nil } }
    var number: Double? { if case .number(let number) = self { number } else { nil } }

    /// A text, or the texts of a list.
    var texts: [String]? {
        switch self {
        case .text(let text): [text]
        case .array(let items): items.compactMap(\.text)
        default: nil
        }
    }

    /// The sizes that JSON Schema's rules compare.
    fileprivate var sizes: [(rule: String, actual: Double)] {
        switch self {
        case .number(let number): [("minimum", number), ("maximum", number)]
        case .text(let text):
            [
                ("minLength", Double(text.unicodeScalars.count)),
                ("maxLength", Double(text.unicodeScalars.count)),
            ]
        case .array(let items):
            [("minItems", Double(items.count)), ("maxItems", Double(items.count))]
        default: []
        }
    }

    fileprivate func isOf(_ type: String) -> Bool {
        switch (type, self) {
        case ("object", .object), ("array", .array), ("string", .text), ("number", .number),
            ("boolean", .bool), ("null", .null):
            true
        case ("integer", .number(let number)): number == number.rounded()
        default: false
        }
    }

    /// The value for a sentence.
    fileprivate var short: String {
        switch self {
        case .object: "an object"
        case .array: "a list"
        case .text(let text): "'\(text.prefix(60))'"
        case .number(let number): Self.words(number)
        case .bool(let value): "\(value)"
        case .null: "null"
        }
    }

    fileprivate static func words(_ number: Double) -> String {
        Int(exactly: number).map(String.init) ?? "\(number)"
    }
}
