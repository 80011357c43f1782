import CPostgreSQL

/// The answer to a statement, completely in memory (`PGresult`).
final class PostgreSQLResult {
    fileprivate let handle: OpaquePointer
    fileprivate let operation: String

    init(_ handle: OpaquePointer, operation: String) {
        self.handle = handle
        self.operation = operation
    }

    deinit { PQclear(handle) }

    var status: ExecStatusType { PQresultStatus(handle) }
    var count: Int { Int(PQntuples(handle)) }
    /// The number of rows that the statement changed, inserted, deleted or returned.
    var changes: Int { PQcmdTuples(handle).flatMap { Int(String(cString: $0)) } ?? 0 }

    func field(_ field: Int32) -> String {
        PQresultErrorField(handle, field).map { String(cString: $0) } ?? ""
    }

    func row(_ number: Int) -> PostgreSQLRow { PostgreSQLRow(self, Int32(number)) }
}

/// A row of an answer.
///
/// A column that does not hold the requested type is an error: this program did not make
/// such a table. Columns are counted from 0.
public struct PostgreSQLRow {
    private let result: PostgreSQLResult
    private let row: Int32

    init(_ result: PostgreSQLResult, _ row: Int32) {
        self.result = result
        self.row = row
    }

    /// True if a column has no value.
    public func isNull(_ column: Int32) -> Bool {
        PQgetisnull(result.handle, row, column) != 0
    }

    /// A column of type `bigint`, `integer` or `smallint`, or 0 or 1 of type `boolean`.
    ///
    /// - Throws: ``PostgreSQLError`` for any other type, and for null.
    public func integer(_ column: Int32) throws(PostgreSQLError) -> Int64 {
        let bytes = try bytes(column, of: [16, 20, 21, 23])
        let isNegative = bytes.count > 1 && (bytes.first ?? 0) & 0x80 != 0
        return bytes.reduce(isNegative ? -1 : 0) { $0 << 8 | Int64($1) }
    }

    /// A column of type `double precision` or `bigint`.
    ///
    /// - Throws: ``PostgreSQLError`` for any other type, and for null.
    public func real(_ column: Int32) throws(PostgreSQLError) -> Double {
        if PQftype(result.handle, column) == 20 { return Double(try integer(column)) }
        let bytes = try bytes(column, of: [701])
        return Double(bitPattern: bytes.reduce(0) { $0 << 8 | UInt64($1) })
    }

    /// A column of type `text`, `varchar` or `name`.
    ///
    /// - Throws: ``PostgreSQLError`` for any other type, and for null.
    public func text(_ column: Int32) throws(PostgreSQLError) -> String {
        String(decoding: try bytes(column, of: [19, 25, 1043]), as: UTF8.self)
    }

    /// A column of type `bytea`.
    ///
    /// - Throws: ``PostgreSQLError`` for any other type, and for null.
    public func blob(_ column: Int32) throws(PostgreSQLError) -> [UInt8] {
        Array(try bytes(column, of: [17]))
    }

    private func bytes(
        _ column: Int32, of types: [UInt32]
    ) throws(PostgreSQLError) -> UnsafeRawBufferPointer {
        let type = PQftype(result.handle, column)
        guard types.contains(type), !isNull(column) else {
            throw PostgreSQLError(
                state: "42804",
                message: "column \(column) is \(isNull(column) ? "null" : "of type \(type)")",
                operation: result.operation)
        }
        return UnsafeRawBufferPointer(
            start: PQgetvalue(result.handle, row, column),
            count: Int(PQgetlength(result.handle, row, column)))
    }
}
