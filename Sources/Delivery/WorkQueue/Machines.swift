import PostgreSQL

/// A program that uses the queue, by its own description.
public struct Machine: Hashable, Sendable {
    /// The role of a program that uses the queue.
    public enum Role: String, Hashable, Sendable {
        /// It orders work.
        case station
        /// It does work.
        case worker
    }

    /// Its name, which no other program has.
    public var name: String
    /// The program's role.
    public var role: Role
    /// Its version.
    public var version: String
    /// The amount of its work: the pages that a station keeps until the server has them, or the
    /// jobs that a worker runs.
    public var load: Int
    /// The number of jobs that a worker can run at once; 0 for a station.
    public var places: Int

    /// A program.
    public init(name: String, role: Role, version: String, load: Int, places: Int = 0) {
        self.name = name
        self.role = role
        self.version = version
        self.load = load
        self.places = places
    }
}

/// A program with a recent report.
public struct SeenMachine: Hashable, Sendable {
    /// The program's own report.
    public let machine: Machine
    /// Seconds since its last report.
    public let silence: Double
    /// Seconds for which it has run.
    public let age: Double

    /// Seconds of silence after which a program counts as away; it reports every 15 seconds.
    public static let patience = 60.0

    /// True if it reported within the last minute.
    public var isThere: Bool { silence <= Self.patience }
}

extension WorkQueue {
    /// Reports that a program runs, and its load; to be repeated every 15 seconds.
    ///
    /// - Throws: `PostgreSQLError`.
    public func announce(_ machine: Machine) throws {
        try database.each(
            """
            INSERT INTO copystand_queue.machine AS known (name, role, version, load, places)
            VALUES ($1, $2, $3, $4, $5)
            ON CONFLICT (name) DO UPDATE SET role = excluded.role, version = excluded.version,
                load = excluded.load, places = excluded.places, beat = now()
            """,
            [
                .text(machine.name), .text(machine.role.rawValue), .text(machine.version),
                .integer(Int64(machine.load)), .integer(Int64(machine.places)),
            ])
    }

    /// Reports that a program has ended.
    ///
    /// - Throws: `PostgreSQLError`.
    public func dismiss(_ name: String) throws {
        try database.each(
            "DELETE FROM copystand_queue.machine WHERE name = $1", [.text(name)])
    }

    /// The programs that reported within the last week, by their names.
    ///
    /// - Throws: `PostgreSQLError`.
    public func machines() throws -> [SeenMachine] {
        var seen: [SeenMachine] = []
        try database.each(
            """
            SELECT name, role, version, load, places, extract(epoch FROM now() - beat)::float8,
                extract(epoch FROM now() - began)::float8
            FROM copystand_queue.machine WHERE isfinite(beat) AND isfinite(began) ORDER BY name
            """
        ) { row in
            // A role of a later version is not shown.
            guard let role = Machine.Role(rawValue: try row.text(1)) else { return }
            seen.append(
                SeenMachine(
                    machine: Machine(
                        name: try row.text(0), role: role, version: try row.text(2),
                        load: Int(try row.integer(3)), places: Int(try row.integer(4))),
                    silence: try row.real(5), age: try row.real(6)))
        }
        return seen
    }
}
