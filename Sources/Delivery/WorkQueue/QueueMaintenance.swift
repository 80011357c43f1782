import PostgreSQL

/// The result of maintaining a queue.
public struct QueueMaintenance: Hashable, Sendable {
    /// The number of jobs of silent workers that wait again.
    public var freed = 0
    /// The number of jobs of silent workers that were given up after their last attempt.
    public var givenUp = 0
    /// The number of finished jobs that were deleted.
    public var deleted = 0
}

extension WorkQueue {
    /// Frees the jobs of workers that are silent, and deletes old finished ones, unless another
    /// process does so now.
    ///
    /// Any process may call it at any time. The process with the server's lock keeps it
    /// as long as its connection lasts. If it is silent for a minute, another one takes its place,
    /// because a stopped process keeps its connection.
    ///
    /// - Parameters:
    ///   - keeping: seconds for which finished jobs stay; a day unless given. Those that were given
    ///     up stay until someone retries or removes them.
    ///   - batch: the number that is deleted in one transaction.
    /// - Returns: nil when another process maintains the queue.
    /// - Throws: `PostgreSQLError`.
    public func maintain(
        keeping: Double = 86_400, batch: Int = 1_000
    ) throws -> QueueMaintenance? {
        let isLeader = try holdsLock()
        let isDue =
            try database.each(
                """
                UPDATE copystand_queue.upkeep SET beat = now()
                WHERE $1 = 1 OR beat NOT BETWEEN now() - interval '60 seconds'
                    AND now() + interval '60 seconds'
                """, [.integer(isLeader ? 1 : 0)]) == 1
        guard isDue else { return nil }
        var done = QueueMaintenance()
        try forgetFuture()
        try database.each(
            """
            UPDATE copystand_queue.job SET
                state = CASE WHEN used >= attempts THEN 3 ELSE 0 END,
                ended = CASE WHEN used >= attempts THEN now() END,
                due = now(), beat = NULL,
                reason = 'The worker ' || worker || ' was silent for more than ' || patience
                    || ' seconds.', worker = NULL
            WHERE id IN (
                SELECT id FROM copystand_queue.job
                WHERE state = 1 AND beat
                    < now() - least(greatest(patience, 1), 86400) * interval '1 second'
                FOR UPDATE SKIP LOCKED)
            RETURNING state
            """
        ) { row in
            if try row.integer(0) == 3 { done.givenUp += 1 } else { done.freed += 1 }
        }
        if done.freed > 0 { try database.script("NOTIFY copystand_queue") }
        while true {
            let count = try database.each(
                """
                DELETE FROM copystand_queue.job WHERE id IN (
                    SELECT id FROM copystand_queue.job
                    WHERE state = 2 AND ended < now() - $1 * interval '1 second'
                    ORDER BY ended LIMIT $2)
                """, [.real(keeping), .integer(Int64(batch))])
            done.deleted += count
            if count < batch { break }
        }
        try database.each(
            "DELETE FROM copystand_queue.machine WHERE beat < now() - interval '7 days'")
        return done
    }

    /// Takes times of the future for the present: the server's clock was ahead when they were
    /// noted, and the times they are compared with would wait until then.
    private func forgetFuture() throws {
        try database.each(
            """
            UPDATE copystand_queue.job SET beat = least(beat, now()), ended = least(ended, now())
            WHERE (state = 1 AND beat > now() + interval '60 seconds')
                OR (state = 2 AND ended > now() + interval '60 seconds')
            """)
        try database.each(
            """
            UPDATE copystand_queue.machine SET beat = now()
            WHERE beat > now() + interval '60 seconds'
            """)
    }

    /// Takes the lock for maintaining the queue; false if another connection has it.
    private func holdsLock() throws -> Bool {
        var isHeld = false
        try database.each(
            """
            SELECT EXISTS (SELECT 1 FROM pg_locks WHERE locktype = 'advisory' AND granted
                AND pid = pg_backend_pid() AND classid = $1 AND objid = $2)
            OR pg_try_advisory_lock($1::int, $2::int)
            """, [.integer(Self.leaderLock.0), .integer(Self.leaderLock.1)]
        ) { isHeld = try $0.integer(0) == 1 }
        return isHeld
    }

    /// "Cpst", and the number of the first lock.
    private static let leaderLock: (Int64, Int64) = (0x4370_7374, 1)
}
