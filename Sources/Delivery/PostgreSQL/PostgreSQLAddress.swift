import CPostgreSQL

/// The address of a database, such as `postgresql://db.example/scans`.
///
/// Missing parts come from the usual places of libpq: `PGUSER`, `~/.pgpass`, a service file.
public struct PostgreSQLAddress: Hashable, Sendable, CustomStringConvertible {
    /// The address as it was given.
    public let description: String

    /// True if a text should be such an address, because it begins with `postgresql://` or
    /// `postgres://`.
    public static func isMeant(by text: String) -> Bool {
        ["postgresql://", "postgres://"].contains(where: text.hasPrefix)
    }

    /// Reads an address, with `PQconninfoParse`.
    ///
    /// - Throws: ``PostgreSQLError`` for one that libpq does not understand, and for one with a
    ///   password: addresses are shown in lists of processes, logs and receipts.
    public init(_ text: String) throws(PostgreSQLError) {
        try PostgreSQLConnection.load()
        // libpq's message may quote the address, so it is not shown.
        var message: UnsafeMutablePointer<CChar>?
        guard Self.isMeant(by: text), !text.utf8.contains(0),
            let options = PQconninfoParse(text, &message)
        else {
            if let message { PQfreemem(message) }
            throw PostgreSQLError(
                state: "08001",
                message: "the address is not that of a database, such as postgresql://host/name",
                operation: "connect")
        }
        defer { PQconninfoFree(options) }
        var option = options
        while let keyword = option.pointee.keyword {
            if ["password", "sslpassword"].contains(String(cString: keyword)),
                option.pointee.val != nil
            {
                throw PostgreSQLError(
                    state: "08001",
                    message: "the address holds a password, which others could see there; "
                        + "put it into ~/.pgpass, as HOST:PORT:DATABASE:USER:PASSWORD",
                    operation: "connect")
            }
            option += 1
        }
        description = text
    }

    /// The address with those settings of libpq that it does not contain itself.
    func text(with settings: [String]) -> String {
        let query = description.firstIndex(of: "?").map { description[$0...].dropFirst() } ?? ""
        let given = Set(query.split(separator: "&").compactMap { $0.split(separator: "=").first })
        let missing = settings.filter { setting in
            !given.contains(setting.prefix { $0 != "=" })
        }
        let mark = description.hasSuffix("?") ? "" : query.isEmpty ? "?" : "&"
        return description + mark + missing.joined(separator: "&")
    }
}
