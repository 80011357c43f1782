import PostgreSQL

/// A row of a result, readable until the next one is asked for.
///
/// Columns are counted from 0.
/// A column that does not hold the requested type is an error: the database is not what
/// this program wrote.
struct Row {
    private enum Source {
        case sqlite(SQLiteRow)
        case postgresql(PostgreSQLRow)
    }

    private let source: Source

    init(_ row: SQLiteRow) { source = .sqlite(row) }
    init(_ row: PostgreSQLRow) { source = .postgresql(row) }

    func isNull(_ column: Int32) -> Bool {
        switch source {
        case .sqlite(let row): row.isNull(column)
        case .postgresql(let row): row.isNull(column)
        }
    }

    func integer(_ column: Int32) throws -> Int64 {
        switch source {
        case .sqlite(let row): try row.integer(column)
        case .postgresql(let row): try row.integer(column)
        }
    }

    func int(_ column: Int32) throws -> Int { Int(try integer(column)) }

    /// A number; one that is not finite, which this program never writes, is 0: JSON can't have it.
    func real(_ column: Int32) throws -> Double {
        let number =
            switch source {
            case .sqlite(let row): try row.real(column)
            case .postgresql(let row): try row.real(column)
            }
        return number.isFinite ? number : 0
    }

    func text(_ column: Int32) throws -> String {
        switch source {
        case .sqlite(let row): try row.text(column)
        case .postgresql(let row): try row.text(column)
        }
    }

    func blob(_ column: Int32) throws -> [UInt8] {
        switch source {
        case .sqlite(let row): try row.blob(column)
        case .postgresql(let row): try row.blob(column)
        }
    }

    /// The value of a column that may be null.
    func optional<Value>(_ column: Int32, _ read: (Int32) throws -> Value) rethrows -> Value? {
        isNull(column) ? nil : try read(column)
    }
}
