import FoundationEssentials
import Suggestions

/// Checks the numbers and keys in a request's body against its description, before the route uses
/// them.
///
/// This way no route computes with a number outside its range, or ignores a mistyped key.
struct BodyCheck {
    private let root: JSONNode

    /// Reads a body; nil when it is not JSON, which the decoder reports better.
    init?(_ body: [UInt8]) {
        guard let root = try? JSONDecoder().decode(JSONNode.self, from: Data(body)) else {
            return nil
        }
        self.root = root
    }

    /// Compares every number and key with its schema.
    ///
    /// - Throws: ``Problem`` that names the field, its value and its range, or the unknown key and
    ///   the nearest known one.
    func check(against schema: Schema) throws(Problem) {
        try Self.check(root, schema, limits: [], place: [])
    }

    private static func check(
        _ node: JSONNode, _ schema: Schema, limits: [(String, JSONValue)], place: [String]
    ) throws(Problem) {
        switch (schema, node) {
        case (.limited(let inner, let more), _):
            try check(node, inner, limits: limits + more, place: place)
        case (.nullable(let inner), _):
            try check(node, inner, limits: limits, place: place)
        case (.array(let element), .array(let nodes)):
            for (index, node) in nodes.enumerated() {
                try check(node, element, limits: [], place: place + [String(index)])
            }
        case (.dictionary(let value), .object(let members)):
            for (name, node) in members.sorted(by: { $0.key < $1.key }) {
                try check(node, value, limits: [], place: place + [name])
            }
        case (.object(let described, _, let isOpen), .object(let members)):
            if !isOpen { try checkKeys(members.keys, described.map(\.name), place) }
            for (name, schema) in described {
                guard let node = members[name] else { continue }
                try check(node, schema, limits: [], place: place + [name])
            }
        case (.integer(let minimum, let maximum), .number(let number)):
            let range = (minimum ?? -Schema.largest)...(maximum ?? Schema.largest)
            guard let whole = number.whole, range.contains(whole) else {
                throw refusal(place, number.text, kind: "a whole number", range: range)
            }
        case (.number, .number(let number)):
            let range = Schema.range(in: limits)
            guard (Double(range.lowerBound)...Double(range.upperBound)).contains(number.value)
            else { throw refusal(place, number.text, kind: "a number", range: range) }
        default: break
        }
    }

    private static func checkKeys(
        _ keys: Dictionary<String, JSONNode>.Keys, _ known: [String], _ place: [String]
    ) throws(Problem) {
        guard let unknown = keys.filter({ !known.contains($0) }).min() else { return }
        let name = (place + [unknown]).joined(separator: ".")
        let advice =
            didYouMean(unknown, among: known)
            ?? "The known ones are: \(known.joined(separator: ", "))."
        throw Problem(
            400, "unknown-key",
            detail: "'\(name)' is not known here. \(advice)")
    }

    private static func refusal(
        _ place: [String], _ value: String, kind: String, range: ClosedRange<Int>
    ) -> Problem {
        let name = place.isEmpty ? "The body" : "'\(place.joined(separator: "."))'"
        return .invalid(
            "\(name) is \(value). Give \(kind) from \(range.lowerBound) to \(range.upperBound).")
    }
}

/// A JSON value; only its numbers and keys are stored.
private enum JSONNode: Decodable {
    case number(JSONNumber)
    case array([JSONNode])
    case object([String: JSONNode])
    /// A text, a truth value or null.
    case other

    init(from decoder: any Decoder) throws {
        if let members = try? decoder.container(keyedBy: Name.self) {
            self = .object(
                Dictionary(
                    try members.allKeys.map {
                        ($0.stringValue, try members.decode(JSONNode.self, forKey: $0))
                    }, uniquingKeysWith: { $1 }))
            return
        }
        if var elements = try? decoder.unkeyedContainer() {
            var nodes: [JSONNode] = []
            while !elements.isAtEnd { nodes.append(try elements.decode(JSONNode.self)) }
            self = .array(nodes)
            return
        }
        let value = try decoder.singleValueContainer()
        if value.decodeNil() || (try? value.decode(Bool.self)) != nil
            || (try? value.decode(String.self)) != nil
        {
            self = .other
        } else {
            // Any other value is a number; one too large for a Double becomes infinite.
            self = .number(
                JSONNumber(
                    whole: try? value.decode(Int.self),
                    value: (try? value.decode(Double.self)) ?? .infinity))
        }
    }

    private struct Name: CodingKey {
        let stringValue: String
        var intValue: Int? { nil }
        init(stringValue: String) { self.stringValue = stringValue }
        init?(intValue: Int) { nil }
    }
}

/// A number of JSON.
private struct JSONNumber {
    /// The number, when it is whole and an Int.
    let whole: Int?
    /// The number as the nearest Double; infinite beyond its range.
    let value: Double

    /// The number for people.
    var text: String {
        whole.map(String.init) ?? (value.isFinite ? "\(value)" : "too large a number")
    }
}
