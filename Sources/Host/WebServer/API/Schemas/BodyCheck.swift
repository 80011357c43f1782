import ExpectedFailures
import FileNames
import FoundationEssentials
import Suggestions

/// Checks the numbers and keys in a request's body against its description, before the route uses
/// them.
///
/// This way no route computes with a number outside its range, or ignores a mistyped key.
struct BodyCheck {
    private let root: JSONValue

    /// Reads a body; nil when it is not JSON, which the decoder reports better.
    init?(_ body: [UInt8]) {
        let root = ofKnownForm { try JSONDecoder().decode(JSONValue.self, from: Data(body)) }
        guard let root else { return nil }
        self.root = root
    }

    /// Compares every number and key with its schema.
    ///
    /// - Throws: ``Problem`` that names the field, its value and its range, or the unknown key and
    ///   the nearest known one.
    func check(against schema: Schema) throws(Problem) {
        try Self.check(root, schema, limits: [:], place: [])
    }

    private static func check(
        _ node: JSONValue, _ schema: Schema, limits: [String: JSONValue], place: [String]
    ) throws(Problem) {
        switch (schema, node) {
        case (.limited(let inner, let more), _):
            try check(node, inner, limits: limits.merging(more) { $1 }, place: place)
        case (.nullable(let inner), _):
            try check(node, inner, limits: limits, place: place)
        case (.array(let element), .list(let nodes)):
            for (index, node) in nodes.enumerated() {
                try check(node, element, limits: [:], place: place + [String(index)])
            }
        case (.dictionary(let value), .object(let members)):
            for (name, node) in members.sorted(by: { $0.key < $1.key }) {
                try check(node, value, limits: [:], place: place + [name])
            }
        case (.object(let described, _, let isOpen), .object(let members)):
            if !isOpen { try checkKeys(members.keys, described.map(\.name), place) }
            for (name, schema) in described {
                guard let node = members[name] else { continue }
                try check(node, schema, limits: [:], place: place + [name])
            }
        case (.integer(let minimum, let maximum), .integer),
            (.integer(let minimum, let maximum), .number):
            let range = (minimum ?? -Schema.largest)...(maximum ?? Schema.largest)
            if case .integer(let whole) = node, range.contains(whole) { return }
            throw refusal(place, node, kind: "a whole number", range: range)
        case (.number, .integer), (.number, .number):
            let range = Schema.range(in: limits)
            let bounds = Double(range.lowerBound)...Double(range.upperBound)
            if let number = node.double, bounds.contains(number) { return }
            throw refusal(place, node, kind: "a number", range: range)
        default: break
        }
    }

    private static func checkKeys(
        _ keys: Dictionary<String, JSONValue>.Keys, _ known: [String], _ place: [String]
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
        _ place: [String], _ value: JSONValue, kind: String, range: ClosedRange<Int>
    ) -> Problem {
        let name = place.isEmpty ? "The body" : "'\(place.joined(separator: "."))'"
        let isHuge = value.double == .infinity
        let words = isHuge ? "too large a number" : value.words ?? ""
        return .invalid(
            "\(name) is \(words). Give \(kind) from \(range.lowerBound) to \(range.upperBound).")
    }
}
