import FoundationEssentials
import PostgreSQL

// The contents of a queue, for people.
extension WorkQueue {
    /// The sizes, such as pages, of the jobs that wait before a waiting job of the same kind; nil
    /// when it does not wait.
    ///
    /// This is an estimate, since stations take turns. Only 10,000 jobs are counted.
    ///
    /// - Throws: `PostgreSQLError`.
    public func sizeBefore(key: String, of kind: String) throws -> Int? {
        var before: Int?
        try database.each(
            """
            SELECT (SELECT least(coalesce(sum(size), 0), 1000000000000)::bigint FROM (
                SELECT other.size FROM copystand_queue.job AS other
                WHERE other.state = 0 AND other.kind = mine.kind
                    AND (other.urgency, other.due, other.id) < (mine.urgency, mine.due, mine.id)
                LIMIT 10000) AS first)
            FROM copystand_queue.job AS mine
            WHERE mine.kind = $1 AND mine.key = $2 AND mine.state = 0
            """, [.text(kind), .text(key)]
        ) { before = Int(try $0.integer(0)) }
        return before
    }

    /// The unfinished jobs of a kind: running ones, waiting ones in order, and those given up.
    ///
    /// - Parameters:
    ///   - first: the maximum number of jobs of all.
    ///   - keys: the jobs that are listed even if they are not among the first.
    /// - Throws: `PostgreSQLError`.
    public func unfinished(
        of kind: String, first: Int, and keys: [String] = []
    ) throws -> [QueuedJob] {
        var jobs: [QueuedJob] = []
        try database.each(
            Self.listing,
            [.text(kind), .integer(Int64(first)), .text(keys.joined(separator: "\n"))]
        ) { row in
            let state: QueuedJob.State =
                switch try row.integer(3) {
                case 0: .waiting(before: Int(try row.integer(4)))
                case 1: .running(done: Int(try row.integer(5)))
                default: .givenUp(reason: try row.text(6))
                }
            jobs.append(
                QueuedJob(
                    key: try row.text(0), station: try row.text(1),
                    size: Int(try row.integer(2)), state: state))
        }
        return jobs
    }

    private static let listing = """
        SELECT key, station, size, state, before, least(progress, size), coalesce(reason, '')
        FROM (
            SELECT key, station, size, state, progress, reason, row_number() OVER line AS place,
                least(coalesce(sum(size) FILTER (WHERE state = 0)
                    OVER (line ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING), 0),
                    1000000000000)::bigint AS before
            FROM copystand_queue.job WHERE kind = $1 AND state <> 2
            WINDOW line AS (
                ORDER BY CASE state WHEN 1 THEN 0 WHEN 0 THEN 1 ELSE 2 END, urgency, due, id)
        ) AS live
        WHERE place <= $2 OR key = ANY (string_to_array($3, E'\\n')) ORDER BY place
        """

    /// The contents of the queue.
    ///
    /// - Parameter keys: the keys of the jobs that are counted; nil for all.
    /// - Throws: `PostgreSQLError`.
    public func status(of keys: Set<String>? = nil) throws -> QueueStatus {
        let list = try keys.map {
            String(decoding: try JSONEncoder().encode($0.sorted()), as: UTF8.self)
        }
        let wanted = [list.map { PostgreSQLValue.text($0) } ?? .null(.text)]
        var status = QueueStatus()
        try database.each(
            """
            SELECT count(*) FILTER (WHERE state = 0), count(*) FILTER (WHERE state = 1),
                count(*) FILTER (WHERE state = 3),
                extract(epoch FROM now() - min(made)
                    FILTER (WHERE state = 0 AND isfinite(made)))::float8,
                least(coalesce(sum(size) FILTER (WHERE state = 0), 0), 1000000000000)::bigint,
                least(coalesce(sum(greatest(size::numeric - progress, 0))
                    FILTER (WHERE state = 1), 0), 1000000000000)::bigint
            FROM copystand_queue.job WHERE state <> 2 AND ($1 IS NULL
                OR key IN (SELECT value FROM jsonb_array_elements_text($1::jsonb)))
            """, wanted
        ) { row in
            status.waiting = Int(try row.integer(0))
            status.running = Int(try row.integer(1))
            status.dead = Int(try row.integer(2))
            status.oldest = row.isNull(3) ? nil : try row.real(3)
            status.waitingSize = Int(try row.integer(4))
            status.runningSize = Int(try row.integer(5))
        }
        try database.each(
            """
            SELECT DISTINCT worker FROM copystand_queue.job WHERE state = 1 AND ($1 IS NULL
                OR key IN (SELECT value FROM jsonb_array_elements_text($1::jsonb)))
            ORDER BY worker
            """, wanted
        ) { status.workers.append(try $0.text(0)) }
        return status
    }

    /// The jobs that were given up, the newest first.
    ///
    /// - Throws: `PostgreSQLError`.
    public func deadJobs(limit: Int = 100) throws -> [DeadJob] {
        var dead: [DeadJob] = []
        try database.each(
            """
            SELECT id, kind, key, used, coalesce(reason, ''), station, size
            FROM copystand_queue.job WHERE state = 3 ORDER BY id DESC LIMIT $1
            """, [.integer(Int64(limit))]
        ) { row in
            dead.append(
                DeadJob(
                    id: try row.integer(0), kind: try row.text(1), key: try row.text(2),
                    station: try row.text(5), size: Int(try row.integer(6)),
                    attempts: Int(try row.integer(3)), reason: try row.text(4)))
        }
        return dead
    }

    /// Retries a job that was given up, with the attempts of a new one.
    ///
    /// - Returns: false when there is no such job, or an unfinished one has the same kind and key.
    /// - Throws: `PostgreSQLError`.
    public func retry(_ id: Int64) throws -> Bool {
        do {
            let isAgain =
                try database.each(
                    """
                    UPDATE copystand_queue.job
                    SET state = 0, used = 0, due = now(), ended = NULL
                    WHERE id = $1 AND state = 3
                    """, [.integer(id)]) == 1
            if isAgain { try database.script("NOTIFY copystand_queue") }
            return isAgain
        } catch let error as PostgreSQLError where error.kind == .constraint {
            return false
        }
    }
}
