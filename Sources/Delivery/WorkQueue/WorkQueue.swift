import ExpectedFailures
public import PostgreSQL

/// Jobs for workers on any machine, in a PostgreSQL database.
///
///     let queue = try WorkQueue(PostgreSQLAddress("postgresql://db/scans"))
///     try queue.add([NewJob(kind: "read", key: "page 12", station: "hall")])
///     for job in try queue.claim(1, of: "read", for: "worker-1") {
///         // …
///         guard try queue.complete(job) else { return }  // another worker has it by now
///     }
///
/// All times are by the server's clock. Calls block. A value is used by one thread at a time, and
/// has a connection of its own.
public final class WorkQueue {
    /// The delays after failures of a job, in seconds.
    public struct Backoff: Hashable, Sendable {
        /// The delay after the first failure; it is doubled after each further one.
        public var first: Double
        /// The maximum, in seconds.
        public var most: Double

        /// Delays of 2 seconds at first and an hour at most, by default.
        public init(first: Double = 2, most: Double = 3_600) {
            self.first = first
            self.most = most
        }
    }

    /// The connection, for results that are committed together with ``complete(_:)``.
    public let database: PostgreSQLConnection
    private let backoff: Backoff

    /// Connects to a queue, and creates its tables if they do not exist.
    ///
    /// - Throws: ``PostgreSQLError``, `SchemaSteps.NewerVersion`.
    public init(_ address: PostgreSQLAddress, backoff: Backoff = Backoff()) throws {
        database = try PostgreSQLConnection(address, purpose: "queue", schema: QueueSchema.name)
        self.backoff = backoff
        try makeTables()
    }

    /// The queue in a connection's database, for jobs and results that are committed together with
    /// other changes on that connection.
    ///
    /// Makes the queue's tables if they do not exist.
    ///
    /// - Throws: ``PostgreSQLError``, `SchemaSteps.NewerVersion`.
    public init(over database: PostgreSQLConnection, backoff: Backoff = Backoff()) throws {
        self.database = database
        self.backoff = backoff
        try makeTables()
    }

    /// Tables of a later version stay as they are, if its steps let older programs continue.
    private func makeTables() throws {
        guard (try QueueSchema.steps.version(database) ?? 0) < QueueSchema.steps.count else {
            return
        }
        if database.isIdle {
            try transaction { _ = try QueueSchema.steps.make(database) }
        } else {
            try QueueSchema.steps.make(database)
        }
    }

    /// Runs `body` in one transaction: all of its changes are made, or none.
    ///
    /// - Throws: the errors of `body`, and ``PostgreSQLError``.
    public func transaction<Value>(_ body: () throws -> Value) throws -> Value {
        try database.script("BEGIN")
        do {
            let value = try body()
            try database.script("COMMIT")
            return value
        } catch {
            cleaningUp { try database.script("ROLLBACK") }
            throw error
        }
    }

    // MARK: Ordering

    /// Adds jobs, and wakes the listening workers.
    ///
    /// A job is not added while an unfinished one has the same kind and key.
    ///
    /// - Returns: the number of new jobs.
    /// - Throws: ``PostgreSQLError``.
    @discardableResult
    public func add(_ jobs: [NewJob]) throws -> Int {
        var added = 0
        for job in jobs {
            added += try database.each(
                """
                INSERT INTO copystand_queue.job (
                    kind, key, station, urgency, payload, attempts, patience, size)
                VALUES ($1, $2, $3, $4, $5, $6, $7, $8)
                ON CONFLICT (kind, key) WHERE state < 2 DO NOTHING
                """,
                [
                    .text(job.kind), .text(job.key), .text(job.station),
                    .integer(job.urgency.rawValue), .text(job.payload),
                    .integer(Int64(max(1, job.attempts))), .real(job.patience),
                    .integer(Int64(max(0, job.size))),
                ])
        }
        // There is one notification for all jobs, because it holds a lock of the whole server
        // during the commit.
        if added > 0 { try database.script("NOTIFY copystand_queue") }
        return added
    }

    /// Adds a job in place of every earlier one of its kind and key that is not done.
    ///
    /// Their workers can no longer complete them.
    ///
    /// - Throws: ``PostgreSQLError``.
    public func replace(_ job: NewJob) throws {
        try remove(key: job.key, of: job.kind, reason: "It was ordered again.")
        try add([job])
    }

    /// Ends every unfinished job of a kind and key, and ignores its result.
    ///
    /// - Throws: ``PostgreSQLError``.
    public func remove(key: String, of kind: String, reason: String) throws {
        try database.each(
            """
            UPDATE copystand_queue.job
            SET state = 2, ended = now(), beat = NULL, worker = NULL, reason = $3
            WHERE kind = $1 AND key = $2 AND state <> 2
            """, [.text(kind), .text(key), .text(reason)])
    }

    /// Makes this connection receive the notifications for workers.
    ///
    /// - Throws: ``PostgreSQLError``.
    public func listen() throws { try database.script("LISTEN copystand_queue") }

    /// Waits until jobs were added, or the time is over.
    ///
    /// A notification may get lost, so the caller must also check for jobs regularly.
    ///
    /// - Throws: ``PostgreSQLError`` when the connection is lost.
    public func wait(milliseconds: Int) throws {
        _ = try database.notifications(within: milliseconds)
    }

    // MARK: Working

    /// Claims due jobs.
    ///
    /// Jobs that someone waits for come first; then those of the station with the fewest running
    /// jobs; then the oldest.
    ///
    /// - Parameters:
    ///   - count: the maximum number of jobs to claim.
    ///   - worker: a name that no other worker has.
    /// - Throws: ``PostgreSQLError``.
    public func claim(_ count: Int, of kind: String, for worker: String) throws -> [ClaimedJob] {
        var claimed: [ClaimedJob] = []
        try database.each(
            Self.claiming, [.text(kind), .integer(Int64(count)), .text(worker)]
        ) { row in
            claimed.append(
                ClaimedJob(
                    id: try row.integer(0), attempt: try row.integer(1), worker: worker,
                    kind: kind, key: try row.text(2), station: try row.text(3),
                    payload: try row.text(4), patience: Self.patience(try row.real(5)),
                    size: Int(try row.integer(6))))
        }
        return claimed.sorted { $0.id < $1.id }
    }

    /// A patience from 1 second to a day, whatever is in the table: a worker waits for parts of it.
    private static func patience(_ seconds: Double) -> Double {
        seconds.isNaN ? 1 : min(max(seconds, 1), 86_400)
    }

    /// The statement jumps in the index from one station to the next, however many jobs wait.
    ///
    /// No job has to wait for a day: a later time was noted while the server's clock was ahead. A
    /// count that can't grow would keep everyone from every job.
    ///
    /// The common table expression keeps the planner from claiming more jobs than requested.
    private static let claiming = """
        WITH RECURSIVE lane (urgency, station) AS (
            (SELECT urgency, station FROM copystand_queue.job WHERE state = 0 AND kind = $1
                ORDER BY urgency, station LIMIT 1)
            UNION ALL
            SELECT next.urgency, next.station FROM lane, LATERAL (
                SELECT urgency, station FROM copystand_queue.job WHERE state = 0 AND kind = $1
                    AND (urgency, station) > (lane.urgency, lane.station)
                    ORDER BY urgency, station LIMIT 1) AS next
        ), running AS (
            SELECT station, count(*) AS jobs FROM copystand_queue.job WHERE state = 1
            GROUP BY station
        ), turn AS MATERIALIZED (
            SELECT lane.urgency, lane.station FROM lane LEFT JOIN running USING (station)
            ORDER BY lane.urgency, coalesce(running.jobs, 0), random()
        ), chosen AS MATERIALIZED (
            SELECT found.id FROM turn, LATERAL (
                SELECT id FROM copystand_queue.job
                WHERE state = 0 AND kind = $1 AND urgency = turn.urgency
                    AND station = turn.station
                    AND (due <= now() OR due > now() + interval '1 day')
                ORDER BY due, id LIMIT $2 FOR UPDATE SKIP LOCKED) AS found
            LIMIT $2
        )
        UPDATE copystand_queue.job AS job
        SET state = 1, attempt = CASE WHEN attempt < 1000000000000 THEN attempt + 1 ELSE 1 END,
            used = least(used, 1000000) + 1, worker = $3, beat = now(), progress = 0
        FROM chosen WHERE job.id = chosen.id
        RETURNING job.id, job.attempt, job.key, job.station, job.payload, job.patience, job.size
        """

    /// Reports that a job is being worked on.
    ///
    /// - Parameter progress: how much is done, for example in pages.
    /// - Returns: false when the job is no longer this worker's, so that its result would be
    ///   refused.
    /// - Throws: ``PostgreSQLError``.
    public func beat(_ job: ClaimedJob, progress: Int) throws -> Bool {
        try database.each(
            """
            UPDATE copystand_queue.job SET beat = now(), progress = $4
            WHERE id = $1 AND attempt = $2 AND worker = $3 AND state = 1
            """, fence(job) + [.integer(Int64(progress))]) == 1
    }

    /// Reports that a job is done.
    ///
    /// Call this in a transaction of ``database``, together with writing the results.
    ///
    /// - Returns: false when the job is no longer this worker's; then the transaction must be
    ///   rolled back.
    /// - Throws: ``PostgreSQLError``.
    public func complete(_ job: ClaimedJob) throws -> Bool {
        try database.each(
            """
            UPDATE copystand_queue.job SET state = 2, ended = now(), beat = NULL, reason = NULL
            WHERE id = $1 AND attempt = $2 AND worker = $3 AND state = 1
            """, fence(job)) == 1
    }

    /// Keeps others from claiming a job until the transaction of ``database`` ends.
    ///
    /// - Returns: false when it is no longer this worker's.
    /// - Throws: ``PostgreSQLError``.
    public func hold(_ job: ClaimedJob) throws -> Bool {
        try database.each(
            """
            SELECT 1 FROM copystand_queue.job
            WHERE id = $1 AND attempt = $2 AND worker = $3 AND state = 1 FOR UPDATE
            """, fence(job)) == 1
    }

    /// Returns an unfinished job to the queue: another worker gets it next, and the attempt does
    /// not count.
    ///
    /// - Returns: false when it is no longer this worker's.
    /// - Throws: ``PostgreSQLError``.
    public func giveBack(_ job: ClaimedJob) throws -> Bool {
        let isGiven =
            try database.each(
                """
                UPDATE copystand_queue.job
                SET state = 0, used = used - 1, due = now(), beat = NULL, worker = NULL
                WHERE id = $1 AND attempt = $2 AND worker = $3 AND state = 1
                """, fence(job)) == 1
        if isGiven { try database.script("NOTIFY copystand_queue") }
        return isGiven
    }

    /// Reports that an attempt failed: the job is tried again later, or given up after the last.
    ///
    /// - Parameter reason: for people.
    /// - Returns: false when the job is no longer this worker's.
    /// - Throws: ``PostgreSQLError``.
    public func fail(_ job: ClaimedJob, reason: String) throws -> Bool {
        try database.each(
            """
            UPDATE copystand_queue.job SET
                state = CASE WHEN used >= attempts THEN 3 ELSE 0 END,
                ended = CASE WHEN used >= attempts THEN now() END,
                due = now() + least($6, $5 * 2 ^ least(used - 1, 40)) * (0.5 + random())
                    * interval '1 second',
                beat = NULL, worker = NULL, reason = $4
            WHERE id = $1 AND attempt = $2 AND worker = $3 AND state = 1
            """, fence(job) + [.text(reason), .real(backoff.first), .real(backoff.most)]) == 1
    }

    private func fence(_ job: ClaimedJob) -> [PostgreSQLValue] {
        [.integer(job.id), .integer(job.attempt), .text(job.worker)]
    }
}
