/// A value that is bound to a statement's parameter.
enum SQLValue: Hashable {
    /// A parameter's type, which PostgreSQL needs even for a null value.
    enum Kind: Hashable { case integer, real, text, blob }

    case null(Kind)
    case integer(Int64)
    case real(Double)
    case text(String)
    case blob([UInt8])

    static func integer(_ value: Int) -> SQLValue { .integer(Int64(value)) }
    static func text(_ value: String?) -> SQLValue { value.map { .text($0) } ?? .null(.text) }
    static func blob(_ value: [UInt8]?) -> SQLValue { value.map { .blob($0) } ?? .null(.blob) }
    static func integer(_ value: Int?) -> SQLValue {
        value.map { .integer(Int64($0)) } ?? .null(.integer)
    }
    /// A number; one that is not finite has no place in the schema and becomes 0.
    static func real(_ value: Double?) -> SQLValue {
        value.map { .real($0.isFinite ? $0 : 0) } ?? .null(.real)
    }
}
