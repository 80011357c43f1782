/// A JSON text, from which only some values are read.
enum JSONAnswer: Hashable, Sendable {
    case null
    case bool(Bool)
    case integer(Int)
    case number(Double)
    case text(String)
    case list([JSONAnswer])
    case object([String: JSONAnswer])

    /// The value at a path such as `prices.market` or `results.0.name`; nil when there is none.
    func value(at path: String) -> JSONAnswer? {
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

    /// The value for people: a text unchanged, a number or truth value in JSON's form; nil for
    /// null, lists and objects.
    var words: String? {
        switch self {
        case .text(let text): text
        case .integer(let number): String(number)
        case .number(let number): String(number)
        case .bool(let value): String(value)
        case .null, .list, .object: nil
        }
    }

    /// The same value without secrets in texts, names and numbers.
    func redacted(by secrets: SecretRedactor) -> JSONAnswer {
        guard !secrets.isEmpty else { return self }
        switch self {
        case .text(let text): return .text(secrets.redacted(text))
        case .integer, .number:
            // A number that merely contains the same digits stays a number, so that no document's
            // number is changed.
            let safe = secrets.redacted(words ?? "")
            return safe == SecretRedactor.replacement ? .text(safe) : self
        case .list(let elements): return .list(elements.map { $0.redacted(by: secrets) })
        case .object(let members):
            return .object(
                Dictionary(
                    members.map { (secrets.redacted($0.key), $0.value.redacted(by: secrets)) },
                    uniquingKeysWith: { $1 }))
        case .null, .bool: return self
        }
    }

    /// The elements of a list; nil for anything else.
    var elements: [JSONAnswer]? { if case .list(let elements) = self { elements } else { nil } }

    /// The text; nil for anything else.
    var text: String? { if case .text(let text) = self { text } else { nil } }

    /// The member of an object; nil when there is none.
    subscript(member: String) -> JSONAnswer? {
        if case .object(let members) = self { members[member] } else { nil }
    }
}
