import ExpectedFailures
import FileNames
import FoundationEssentials
import ProgramFiles

/// The schemas of the capture protocol, `Docs/protocol/capture.schema.json`, for messages.
///
/// It supports the part of JSON Schema that the file uses.
struct MessageSchemas: Decodable, Sendable {
    private let definitions: [String: JSONValue]

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
        guard let message = ofKnownForm({ try JSONDecoder().decode(JSONValue.self, from: json) }),
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

    private func faults(_ message: JSONValue, as name: String) -> [String] {
        guard let schema = definitions[name] else { return [] }
        var found: [String] = []
        judge(message, schema, at: "", &found)
        return Array(found.prefix(Self.most))
    }

    private func judge(
        _ value: JSONValue, _ schema: JSONValue, at place: String, _ found: inout [String]
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
        if case .list(let choices) = rules["enum"], !choices.contains(value) {
            let words = choices.map(\.short).joined(separator: ", ")
            found.append("\(subject) is \(value.short), which is none of \(words)")
        }
        for (name, actual) in value.sizes {
            guard let bound = rules[name]?.double else { continue }
            let isLeast = name.hasPrefix("min")
            if isLeast ? actual < bound : actual > bound {
                let what = value.double == nil ? "has the length" : "is"
                found.append(
                    "\(subject) \(what) \(JSONValue.words(actual)), but at \(isLeast ? "least" : "most") \(JSONValue.words(bound)) is allowed"
                )
            }
        }
        judgeParts(of: value, rules, at: place, &found)
    }

    private func judgeParts(
        of value: JSONValue, _ rules: [String: JSONValue], at place: String, _ found: inout [String]
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
        if case .list(let items) = value, let schema = rules["items"] {
            for (index, item) in items.enumerated() {
                judge(item, schema, at: "\(place)[\(index)]", &found)
            }
        }
    }
}

extension JSONValue {
    /// A text, or the texts of a list.
    fileprivate var texts: [String]? {
        switch self {
        case .text(let text): [text]
        case .list(let items): items.compactMap(\.text)
        default: nil
        }
    }

    /// The sizes that JSON Schema's rules compare.
    fileprivate var sizes: [(rule: String, actual: Double)] {
        switch self {
        case .integer, .number: ["minimum", "maximum"].map { ($0, double ?? 0) }
        case .text(let text):
            [
                ("minLength", Double(text.unicodeScalars.count)),
                ("maxLength", Double(text.unicodeScalars.count)),
            ]
        case .list(let items):
            [("minItems", Double(items.count)), ("maxItems", Double(items.count))]
        default: []
        }
    }

    fileprivate func isOf(_ type: String) -> Bool {
        switch (type, self) {
        case ("object", .object), ("array", .list), ("string", .text), ("number", .integer),
            ("number", .number), ("integer", .integer), ("boolean", .flag), ("null", .null):
            true
        case ("integer", .number(let number)): number == number.rounded()
        default: false
        }
    }

    /// The value for a sentence.
    fileprivate var short: String {
        switch self {
        case .object: "an object"
        case .list: "a list"
        case .text(let text): "'\(text.prefix(60))'"
        case .integer, .number: Self.words(double ?? 0)
        case .flag(let value): "\(value)"
        case .null: "null"
        }
    }

    fileprivate static func words(_ number: Double) -> String {
        Int(exactly: number).map(String.init) ?? "\(number)"
    }
}
