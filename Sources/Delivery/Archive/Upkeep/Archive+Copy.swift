import Documents

/// The result of copying an archive.
public struct CopyReport: Hashable, Sendable {
    /// The number of documents that were copied now.
    public internal(set) var documents = 0
    /// The number of documents that an earlier run had copied already.
    public internal(set) var known = 0
    /// The number of pictures and imported files of the copied documents, each compared with its
    /// hash.
    public internal(set) var images = 0
}

extension Archive {
    /// Copies all documents with their histories, and the entries of the archive's history, into
    /// another archive, which has no documents of its own.
    ///
    /// Each document is copied in one transaction, after its pictures. After an interruption, run
    /// the copy again: documents that were copied already are left as they are, unless they have
    /// changed since.
    ///
    /// - Parameter progress: is called with the number of copied documents, and that of all.
    /// - Throws:
    ///   ``ArchiveError``: `refused` when the other archive has documents of its own, `damaged` for
    ///   a picture that does not match its hash.
    public func copy(
        into target: Archive, _ progress: (Int, Int) -> Void = { _, _ in }
    ) throws(ArchiveError) -> CopyReport {
        try expectWholeSight()
        try target.expectWholeSight()
        let here = try versions()
        let there = try target.versions()
        if let stranger = there.keys.filter({ here[$0] == nil }).min() {
            throw ArchiveError(
                .refused,
                "The archive '\(target.place)' has a document (\(stranger)) that '\(place)' lacks. Copy into an archive of its own."
            )
        }
        var report = CopyReport()
        for (index, id) in here.keys.sorted().enumerated() {
            if there[id] == here[id] {
                report.known += 1
            } else {
                report.images += try copy(id, into: target)
                report.documents += 1
            }
            progress(index + 1, here.count)
        }
        try copyHistory(into: target)
        try target.access { try $0.noteKeys() }
        return report
    }

    /// Copies the entries of the history that the other archive lacks.
    private func copyHistory(into target: Archive) throws(ArchiveError) {
        var last: Int64 = 0
        while true {
            let rows = try access { [last] in try CopiedTable.audit.rows(of: .integer(last), $0) }
            guard case .integer(let next)? = rows.last?[0] else { return }
            try target.access { database in
                try database.write { try CopiedTable.audit.write(rows, database) }
            }
            last = next
        }
    }

    /// The version of each document.
    private func versions() throws(ArchiveError) -> [Int64: DocumentVersion] {
        let rows = try access { database in
            try database.all("SELECT id, changed, trashed, done FROM document") { row in
                (
                    try row.integer(0),
                    DocumentVersion(
                        changed: try row.real(1),
                        trashed: try row.optional(2) { try row.real($0) }, done: try row.int(3))
                )
            }
        }
        // A damaged table may have a row twice.
        return Dictionary(rows, uniquingKeysWith: { $1 })
    }

    /// Copies a document; returns the number of its images.
    private func copy(_ id: Int64, into target: Archive) throws(ArchiveError) -> Int {
        let (document, pages, images, others) = try access { database in
            try database.read {
                let key = try database.see(id).value
                return (
                    try CopiedTable.document.rows(of: key, database),
                    try CopiedTable.page.rows(of: key, database),
                    try CopiedTable.image.rows(of: key, database),
                    try CopiedTable.others.map { try $0.rows(of: key, database) }
                )
            }
        }
        let hold = try target.holdImages()
        for row in images { try copyImage(row, into: target, hold) }
        try target.access { database in
            let keys = pages.compactMap { row in
                if case .integer(let key) = row[0] { key } else { nil }
            }
            try database.makeRoom(pages: keys)
            if case .real(let created)? = document.first?[5] {
                try database.makeRoom(created: created)
            }
            try database.write {
                try database.run("DELETE FROM document WHERE id = ?", [.integer(id)])
                try CopiedTable.document.write(document, database)
                try CopiedTable.image.write(images, database)
                try CopiedTable.page.write(pages, database)
                for (table, rows) in zip(CopiedTable.others, others) {
                    try table.write(rows, database)
                }
                let copied = try database.see(id)
                let review = try HistoryTable(database).load(copied).current
                try Self.writer(copied, database).update(from: nil, to: review)
            }
        }
        withExtendedLifetime(hold) {}
        return images.count
    }

    private func copyImage(
        _ row: [SQLValue], into target: Archive, _ hold: any ImageHold
    ) throws(ArchiveError) {
        guard case .blob(let bytes) = row[0], let hash = ImageHash(bytes: bytes),
            case .integer(let count) = row[1], case .text(let media) = row[2]
        else { return }
        try hold.note([NewImage(hash: hash, bytes: Int(count), media: media)])
        // Reading compares the bytes with the hash.
        if try target.images.size(of: hash) != Int(count) {
            try target.images.add(images.read(hash), as: hash)
        }
    }
}
