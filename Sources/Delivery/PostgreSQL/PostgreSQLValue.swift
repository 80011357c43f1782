/// A value that is bound to a statement's parameter.
public enum PostgreSQLValue: Hashable, Sendable {
    /// The type of a parameter, as its number in the catalog `pg_type`.
    public enum Kind: UInt32, Hashable, Sendable {
        /// `bytea`.
        case bytes = 17
        /// `bigint`.
        case integer = 20
        /// `text`.
        case text = 25
        /// `double precision`.
        case real = 701
    }

    /// No value, of a type.
    case null(Kind)
    /// A `bigint`.
    case integer(Int64)
    /// A `double precision`.
    case real(Double)
    /// A text; U+0000, which PostgreSQL does not accept, is stored as U+FFFD.
    case text(String)
    /// A `bytea`.
    case bytes([UInt8])

    var kind: Kind {
        switch self {
        case .null(let kind): kind
        case .integer: .integer
        case .real: .real
        case .text: .text
        case .bytes: .bytes
        }
    }

    /// The value in the binary form of its type; nil for null.
    var binary: [UInt8]? {
        switch self {
        case .null: nil
        case .integer(let number): bigEndian(UInt64(bitPattern: number))
        case .real(let number): bigEndian(number.bitPattern)
        case .text(let text):
            Array((text.utf8.contains(0) ? text.replacing("\0", with: "\u{FFFD}") : text).utf8)
        case .bytes(let bytes): bytes
        }
    }
}

private func bigEndian(_ number: UInt64) -> [UInt8] {
    withUnsafeBytes(of: number.bigEndian) { Array($0) }
}
