/// An error from a PostgreSQL server, or the reason why it could not be asked.
public struct PostgreSQLError: Error, Hashable, Sendable {
    /// The kind of error, by the possible remedy.
    public enum Kind: Hashable, Sendable {
        /// There is no connection, or it was lost: try again later.
        case unreachable
        /// Another transaction was in the way: run the whole transaction again.
        case conflict
        /// The server is busy, or a lock was not free in time: try again.
        case busy
        /// The name or password is not accepted.
        case notAdmitted
        /// The role may not do it, or the server only reads, as a standby does.
        case forbidden
        /// The database, the schema or a table does not exist.
        case missing
        /// No space is left on the server.
        case noSpace
        /// The server found its files damaged.
        case damaged
        /// A row that must be unique exists already, or a row that is referred to does not exist.
        case constraint
        /// Anything else, such as a statement that the server does not understand.
        case other
    }

    /// The five characters of SQLSTATE, such as `40001`; empty if the server did not answer.
    public let state: String
    /// The server's message, or libpq's.
    public let message: String
    /// The statement's first line, or another action, such as "connect".
    public let operation: String

    /// The kind of the error, by its SQLSTATE (PostgreSQL's documentation, appendix A).
    public var kind: Kind {
        switch state {
        case "": .unreachable
        case "40001", "40P01": .conflict
        case "53300", "55P03", "57014": .busy
        case "28000", "28P01": .notAdmitted
        case "42501", "25006": .forbidden
        case "3D000", "3F000", "42P01", "42883": .missing
        case "53100": .noSpace
        case "XX001", "XX002": .damaged
        // The server is going down, or coming up.
        case "57P01", "57P02", "57P03": .unreachable
        case _ where state.hasPrefix("08"): .unreachable
        case _ where state.hasPrefix("23"): .constraint
        default: .other
        }
    }
}
