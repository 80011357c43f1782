import CSQLite
import Documents
import FoundationEssentials
import Glibc

/// True if two paths refer to the same file.
private func isSameFile(_ one: String, _ other: String) -> Bool {
    var (first, second) = (stat(), stat())
    return stat(one, &first) == 0 && stat(other, &second) == 0 && first.st_ino == second.st_ino
        && first.st_dev == second.st_dev
}

/// The result of recovering a damaged archive.
public struct RecoveryReport: Sendable {
    /// The documents that are now in the new archive, each with its losses in words for users;
    /// complete documents have none.
    public internal(set) var documents: [(id: DocumentID, title: String, losses: [String])] = []
    /// Documents that could not be read at all, by their old numbers.
    public internal(set) var lost: [Int64] = []
}

extension Archive {
    /// Adds what can still be read of a damaged archive to this one, document by document.
    ///
    /// The damaged archive is only read; if its beginning is destroyed, a copy of it is repaired.
    /// Documents get new numbers. Their changes are kept if they can be read; otherwise the
    /// documents are as they were captured.
    ///
    /// - Parameter damaged: The folder of the damaged archive.
    /// - Throws: ``ArchiveError``: `damaged` when nothing can be read from it, `refused` when it is
    ///   this archive, and the errors of adding.
    public func recover(from damaged: String) throws(ArchiveError) -> RecoveryReport {
        try expectWholeSight()
        let path = damaged + "/archive.sqlite"
        let own = try folder(to: "recover into")
        guard !isSameFile(path, own.database) else {
            throw ArchiveError(
                .refused,
                "The archive '\(path)' can't be recovered into itself. Name a new folder: copystand archive recover "
                    + "FOLDER --archive NEW")
        }
        do {
            let images = ImageFolder(folder: damaged + "/images", isInArchive: true)
            try Self.checkFiles(of: path)
            do {
                return try recover(Self.openDamaged(path), images)
            } catch let error as DatabaseError where Self.isDamage(error) {
                if let report = try recover(headless: path, images, in: own) { return report }
                throw ArchiveError(
                    .damaged,
                    "Nothing can be read from '\(path)' anymore (\(error.codeName)). Put a backup in its place; its pictures "
                        + "are still in '\(damaged)/images'.")
            }
        } catch { throw .wrapping(error, path: path) }
    }

    /// The readable rest after the database's beginning was replaced; nil for none.
    private func recover(
        headless path: String, _ images: ImageFolder, in own: OwnFolder
    ) throws -> RecoveryReport? {
        let copy = try RepairedCopy(of: path, in: own.path)
        do {
            let report = try withExtendedLifetime(copy) {
                try recover(Self.openDamaged(copy.path), images)
            }
            return report.documents.isEmpty ? nil : report
        } catch let error as ArchiveError where [.noSpace, .readOnly].contains(error.code) {
            throw error
        } catch { return nil }
    }

    private static func isDamage(_ error: DatabaseError) -> Bool {
        [SQLITE_NOTADB, SQLITE_CORRUPT, SQLITE_ERROR].contains(error.primaryCode)
    }

    private static func openDamaged(_ path: String) throws -> Connection {
        let source = try Connection(path: path, .damaged, patience: 10_000)
        guard try Migrator().version(of: source) == ArchiveSchema.steps.count else {
            throw ArchiveError(
                .refused,
                "The archive '\(path)' is of an older version and can't be recovered by this one.")
        }
        return source
    }

    private func recover(
        _ source: Connection, _ images: ImageFolder
    ) throws -> RecoveryReport {
        var report = RecoveryReport()
        for document in Self.numbers(in: source) {
            do {
                try recover(source.see(document), source, images: images, report: &report)
            } catch let error as ArchiveError
                where error.code == .noSpace || error.code == .readOnly
            {
                throw error
            } catch {
                report.lost.append(document)
            }
        }
        return report
    }

    /// Every number that a document has or may have had.
    static func numbers(in source: Connection) -> [Int64] {
        let all = salvaged {
            try source.all("SELECT id FROM document ORDER BY id", [], { try $0.integer(0) })
        }
        if let all { return all }
        // A damaged table can't be walked, so each number is tried separately.
        let ways: [SQLText] = [
            "SELECT seq FROM sqlite_sequence WHERE name = 'document'",
            "SELECT max(id) FROM document", "SELECT max(document) FROM holding",
            "SELECT max(document) FROM leaf",
        ]
        let highest =
            ways.compactMap { way in
                salvaged { try source.first(way, [], { $0.isNull(0) ? 0 : try $0.integer(0) }) }
            }.max() ?? 0
        return highest > 0 ? Array(1...min(highest, mostNumbers)) : []
    }

    /// The maximum number of numbers to try, since a damaged one may be any.
    static let mostNumbers: Int64 = 10_000_000

    private func recover(
        _ document: SeenDocument, _ source: Connection, images: ImageFolder,
        report: inout RecoveryReport
    ) throws {
        var losses: [String] = []
        let summary = salvaged { try Self.summary(document, source) }
        guard let review = Self.review(document, source, &losses) else {
            if summary != nil { report.lost.append(document.id.rawValue) }
            return
        }
        let addition = try begin(
            DocumentInfo(
                title: review.title, created: summary?.created ?? secondsNow(),
                language: summary?.language,
                isTitleGiven: salvaged { try Self.isTitleGiven(document, source) } == true
                    || salvaged { try HistoryTable(source).load(document).original.title }
                        != review.title,
                user: summary.map { ArchiveUser(name: $0.owner, station: user.station) },
                isImported: true))
        var kept: [ReviewedPage] = []
        for (index, page) in review.pages.enumerated() {
            let number = index + review.firstNumber
            do {
                try addition.add(
                    recovered(
                        page, as: kept.count + 1, number, source: source, images: images,
                        losses: &losses))
                kept.append(page)
            } catch let error as ArchiveError where error.code != .damaged {
                throw error
            } catch {
                let reason = (error as? ArchiveError)?.message ?? "\(error)"
                losses.append("Page \(number) is lost: \(reason)")
            }
        }
        guard !kept.isEmpty else {
            addition.cancel()
            report.lost.append(document.id.rawValue)
            return
        }
        let id = try addition.finish()
        try repeatChanges(review, kept, on: id)
        if summary?.trashed != nil { try trash(id) }
        do { try copyDeliveries(of: document, source, to: id) } catch {
            losses.append("The record of its deliveries is lost.")
        }
        do { try copyHistory(of: document, source, to: id) } catch {
            losses.append("The record of who did what with it is lost.")
        }
        report.documents.append((id, review.title, losses))
    }

    /// A page for the new archive, with all that can still be read of it.
    ///
    /// - Parameters:
    ///   - place: its number in the recovered document.
    ///   - number: its number for people, in messages.
    private func recovered(
        _ page: ReviewedPage, as place: Int, _ number: Int, source: Connection,
        images: ImageFolder, losses: inout [String]
    ) throws -> NewPage {
        let table = PageTable(source)
        let row = try table.load(page.id)
        let uncut = row.uncut.flatMap { whole in
            salvaged {
                try self.uncut(
                    whole.page, whole.turn, table: table, source: source, images: images)
            }
        }
        if row.uncut != nil, uncut == nil {
            losses.append("The picture that page \(number) was cut from is lost.")
        }
        return NewPage(
            page: Page(
                number: place, width: row.width, height: row.height,
                resolution: row.resolution,
                text: salvaged { try table.text(page) },
                provenance: row.provenance, problems: row.problems),
            picture: try picture(row, images), uncut: uncut,
            original: try original(
                page.id, number, source: source, images: images, losses: &losses))
    }

    /// Makes the changes again that led to a document's state.
    private func repeatChanges(
        _ review: Review, _ kept: [ReviewedPage], on id: DocumentID
    ) throws {
        let made = try self.document(id, withText: false).review
        var actions: [ReviewAction] = [.setType(review.type), .setNote(review.note)]
        actions += review.tags.map { .addTag($0) }
        actions += review.fields.map {
            .setField(name: $0.name, value: $0.value, source: $0.source)
        }
        for (page, old) in zip(made.pages, kept) where old.frame != page.frame {
            if let crop = old.frame.crop { actions.append(.crop(page: page.id, to: crop)) }
            actions.append(.rotate(pages: [page.id], by: old.frame.turn))
        }
        for entry in review.entries { actions.append(.addEntry(page: nil, fields: entry.fields)) }
        try perform(actions, on: id)
    }

    /// The imported file that a page comes from, if it can still be read.
    private func original(
        _ page: PageID, _ number: Int, source: Connection, images: ImageFolder,
        losses: inout [String]
    ) throws -> (path: String, page: FilePage)? {
        do {
            guard let (file, known) = try OriginTable(source).load(page) else { return nil }
            return (try images.checkedPath(of: file), known)
        } catch {
            losses.append("The file that page \(number) was imported from is lost.")
            return nil
        }
    }

    private func picture(
        _ row: CapturedRow, _ images: ImageFolder
    ) throws(ArchiveError) -> PagePicture {
        PagePicture(
            image: try images.read(row.image), media: row.media,
            thumbnail: row.thumbnail.flatMap { hash in salvaged { try images.read(hash) } })
    }

    private func uncut(
        _ page: PageID, _ turn: PageTurn, table: PageTable, source: Connection,
        images: ImageFolder
    ) throws -> NewPage.Uncut {
        let row = try table.load(page)
        let known = salvaged { try OriginTable(source).load(page)?.page }
        return NewPage.Uncut(
            picture: try picture(row, images), width: row.width, height: row.height,
            resolution: row.resolution, turn: turn,
            text: try table.storedText(page).flatMap(PageTextCoding.decode),
            showsFilePage: known?.likeness == .same, addedText: known?.addedText)
    }

    /// Copies a document's receipts and the job it came from.
    private func copyDeliveries(
        of document: SeenDocument, _ source: Connection, to new: DocumentID
    ) throws {
        let receipts = try Self.receipts(document, source)
        let jobs = try source.all(
            "SELECT job, pages FROM delivery WHERE document = ?", [document.value]
        ) { (job: try $0.text(0), pages: try $0.integer(1)) }
        try access { database in
            try database.write {
                let made = try database.see(new)
                for (job, pages) in jobs {
                    try database.run(
                        "INSERT OR IGNORE INTO delivery (job, pages, document) VALUES (?, ?, ?)",
                        [.text(job), .integer(pages), made.value])
                }
                for receipt in receipts { try Self.insert(receipt, made, database) }
            }
        }
    }

    /// Copies the entries of a document's history, under its new number.
    private func copyHistory(
        of document: SeenDocument, _ source: Connection, to new: DocumentID
    ) throws {
        let rows = try source.all(
            "SELECT made, name, station, action, detail, title FROM audit WHERE document = ? ORDER BY id",
            [document.value]
        ) { row -> [SQLValue] in
            [
                .real(try row.real(0)), .text(try row.optional(1) { try row.text($0) }),
                .text(try row.text(2)), .text(try row.text(3)),
                .text(try row.optional(4) { try row.text($0) }), .text(try row.text(5)),
                .integer(new.rawValue),
            ]
        }
        try access { database in
            try database.write {
                for row in rows {
                    try database.run(
                        """
                        INSERT INTO audit (made, name, station, action, detail, title, document)
                        VALUES (?, ?, ?, ?, ?, ?, ?)
                        """, row)
                }
            }
        }
    }

    /// A document's state: from its history, else its original, or else the pages that it is known
    /// to hold.
    private static func review(
        _ document: SeenDocument, _ source: Connection, _ losses: inout [String]
    ) -> Review? {
        let history = salvaged { try HistoryTable(source).load(document) }
        if let history { return history.current }
        losses.append("The changes to it are lost.")
        let original = salvaged { () -> Review? in
            let text = try source.first(
                "SELECT original FROM document WHERE id = ?", [document.value],
                { try $0.text(0) })
            return try text.map {
                try JSONDecoder().decode(Review.self, from: Data($0.utf8))
            }
        }
        if let original { return original }
        losses.append("Its title is lost.")
        let held = salvaged {
            try source.all(
                """
                SELECT page.id, page.width, page.height FROM holding
                JOIN page ON page.id = holding.page
                WHERE holding.document = ? ORDER BY page.id
                """, [document.value]
            ) {
                ReviewedPage(
                    id: PageID(rawValue: try $0.integer(0)), width: try $0.int(1),
                    height: try $0.int(2))
            }
        }
        guard let held, !held.isEmpty else { return nil }
        return Review(title: "Recovered document \(document.id)", pages: held)
    }
}
