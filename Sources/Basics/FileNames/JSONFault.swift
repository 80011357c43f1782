import FoundationEssentials

/// The reason why JSON could not be decoded, as a phrase for people, such as "'order.sources' is
/// missing".
///
/// - Parameter error: an error of a decoder; any other error describes itself.
public func jsonFault(_ error: any Error) -> String {
    func place(_ path: [any CodingKey]) -> String {
        let parts = path.map { $0.intValue.map { "\($0 + 1)" } ?? $0.stringValue }
        return parts.isEmpty ? "the file" : "'\(parts.joined(separator: "."))'"
    }
    switch error {
    case DecodingError.keyNotFound(let key, let context):
        return "\(place(context.codingPath + [key])) is missing"
    case DecodingError.valueNotFound(_, let context):
        return "\(place(context.codingPath)) has no value"
    case DecodingError.typeMismatch(let type, let context):
        return "\(place(context.codingPath)) must be \(words(for: type))"
    case DecodingError.dataCorrupted(let context) where context.codingPath.isEmpty:
        return "it is not JSON"
    case DecodingError.dataCorrupted(let context):
        return "\(place(context.codingPath)) has a value that is not allowed"
    default: return "\(error)"
    }
}

private func words(for type: Any.Type) -> String {
    switch type {
    case is Bool.Type: "true or false"
    case is String.Type: "a text"
    case is any BinaryInteger.Type: "a whole number"
    case is any BinaryFloatingPoint.Type: "a number"
    case is [Any].Type: "a list"
    default: "of another type"
    }
}
