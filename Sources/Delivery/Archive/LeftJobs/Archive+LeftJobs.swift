import PostgreSQL
public import WorkQueue

extension Archive {
    /// Begins to leave a captured job to workers.
    ///
    /// - Parameters:
    ///   - name: the job's name; the archive knows its document by it.
    ///   - owner: the name of the one who will own its document; nil for everyone.
    /// - Throws: ``ArchiveError``: `refused` where no server has the archive.
    public func beginLeaving(_ name: String, of owner: String?) throws(ArchiveError) -> Leaving {
        try Leaving(self, name: name, owner: owner)
    }

    /// The names of the left jobs whose documents the user will see.
    ///
    /// - Throws: ``ArchiveError``.
    public func visibleLeftJobs() throws(ArchiveError) -> Set<String> {
        guard Self.isShared(place) else { return [] }
        return try access { database in
            Set(
                try database.all(
                    "SELECT name FROM left_job WHERE ?1 IS NULL OR owner IS NULL OR owner = ?1",
                    [database.ownName]
                ) { try $0.text(0) })
        }
    }

    /// The job of that name that is left to workers; nil if the user will not see its documents.
    ///
    /// - Throws: ``ArchiveError``.
    public func leftJob(_ name: String) throws(ArchiveError) -> LeftJob? {
        guard Self.isShared(place) else { return nil }
        return try access { database in
            try database.read {
                let order = try database.first(
                    """
                    SELECT work FROM left_job
                    WHERE name = ?1 AND (?2 IS NULL OR owner IS NULL OR owner = ?2)
                    """, [.text(name), database.ownName]
                ) { try $0.text(0) }
                guard let order else { return nil }
                let pages = try database.all(
                    """
                    SELECT note, picture, media, original FROM left_page WHERE job = ?
                    ORDER BY position
                    """, [.text(name)]
                ) { row in
                    guard let picture = ImageHash(bytes: try row.blob(1)) else {
                        throw ArchiveError(
                            .damaged, "The picture of a page of the job '\(name)' has no name.")
                    }
                    return LeftJob.Page(
                        note: try row.text(0), picture: picture, media: try row.text(2),
                        original: row.isNull(3) ? nil : ImageHash(bytes: try row.blob(3)))
                }
                return LeftJob(name: name, order: order, pages: pages)
            }
        }
    }

    /// The bytes of a file of a left page.
    ///
    /// - Throws: ``ArchiveError`` `damaged` when it is missing or does not match its hash.
    public func leftFile(_ hash: ImageHash) throws(ArchiveError) -> [UInt8] {
        try images.read(hash)
    }

    /// Ends a left job after all of its documents were added.
    ///
    /// - Throws: ``ArchiveError`` `changedMeanwhile` when another worker has it.
    public func complete(_ job: ClaimedJob) throws(ArchiveError) {
        try access { database in
            try database.write {
                try Self.confirm(LeftJobClaim(job, isLastDocument: true), database)
            }
        }
    }

    /// Removes a left job and its captured pages, which nobody has processed.
    ///
    /// - Returns: false when there is none of that name whose documents the user will see.
    /// - Throws: ``ArchiveError``.
    public func discardLeftJob(_ name: String) throws(ArchiveError) -> Bool {
        try access { database in
            guard let connection = (database as? PostgreSQLDatabase)?.connection else {
                return false
            }
            let queue = try WorkQueue(over: connection)
            return try database.write {
                try database.run(
                    """
                    DELETE FROM left_job
                    WHERE name = ?1 AND (?2 IS NULL OR owner IS NULL OR owner = ?2)
                    """, [.text(name), database.ownName])
                let isRemoved = database.changes > 0
                // A job that was given up may be only in the queue.
                if isRemoved || database.ownerFilter == nil {
                    try queue.remove(key: name, of: LeftJob.kind, reason: "It was discarded.")
                }
                return isRemoved
            }
        }
    }

    /// Checks in a transaction that a claim still holds, and ends the job with its last document.
    static func confirm(_ claim: LeftJobClaim, _ database: any ArchiveDatabase) throws {
        guard let connection = (database as? PostgreSQLDatabase)?.connection else {
            throw ArchiveError(.refused, "Only an archive on a server has left jobs.")
        }
        let queue = try WorkQueue(over: connection)
        let holds =
            try claim.isLastDocument ? queue.complete(claim.job) : queue.hold(claim.job)
        guard holds else {
            throw ArchiveError(
                .changedMeanwhile,
                "The worker of the job '\(claim.job.key)' was silent for too long, so another worker has the job. Nothing was added."
            )
        }
        guard claim.isLastDocument else { return }
        try database.run("DELETE FROM left_job WHERE name = ?", [.text(claim.job.key)])
    }

    /// The space that the database and the images take; nil where no server has the archive.
    ///
    /// - Throws: ``ArchiveError``.
    public func space() throws(ArchiveError) -> ArchiveSpace? {
        guard Self.isShared(place) else { return nil }
        return try access { database in
            let bytes = try database.first(Self.sizes) { (try $0.int(0), try $0.int(1)) }
            return bytes.map {
                ArchiveSpace(database: $0.0, images: $0.1, imagePlace: images.place)
            }
        }
    }

    /// If there are many images, one in a hundred is measured.
    private static let sizes: SQLText = """
        SELECT pg_database_size(current_database()),
            least(CASE WHEN known.rows < 100000 THEN (SELECT coalesce(sum(bytes), 0) FROM image)
            ELSE (SELECT (avg(bytes) * known.rows)::numeric FROM image TABLESAMPLE SYSTEM (1)) END,
                1000000000000000000)::bigint
        FROM (SELECT reltuples::float8 AS rows FROM pg_class WHERE oid = 'image'::regclass) AS known
        """
}
