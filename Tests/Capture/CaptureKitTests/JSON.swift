import FoundationEssentials

/// Any JSON value.
enum JSON: Decodable, Equatable {
    case object([String: JSON])
    case array([JSON])
    case text(String)
    case number(Double)
    case bool(Bool)
    case null

    init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        if let value = try? container.decode([String: JSON].self) {
            self = .object(value)
        } else if let value = try? container.decode([JSON].self) {
            self = .array(value)
        } else if let value = try? container.decode(Bool.self) {
            self = .bool(value)
        } else if let value = try? container.decode(Double.self) {
            self = .number(value)
        } else if let value = try? container.decode(String.self) {
            self = .text(value)
        } else {
            self = .null
        }
    }

    /// The value as JSON.
    var text: String {
        switch self {
        case .object(let fields):
            "{" + fields.map { "\(JSON.text($0.key).text):\($0.value.text)" }.joined(separator: ",")
                + "}"
        case .array(let values): "[" + values.map(\.text).joined(separator: ",") + "]"
        case .text(let text):
            (try? JSONEncoder().encode(text)).map { String(decoding: $0, as: UTF8.self) } ?? ""
        case .number(let number):
            number == number.rounded() ? "\(Int(number))" : "\(number)"
        case .bool(let bool): "\(bool)"
        case .null: "null"
        }
    }
}
