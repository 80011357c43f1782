import FileNames

extension JSONValue {
    /// The same value without secrets in texts, names and numbers.
    func redacted(by secrets: SecretRedactor) -> JSONValue {
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
        case .null, .flag: return self
        }
    }
}
