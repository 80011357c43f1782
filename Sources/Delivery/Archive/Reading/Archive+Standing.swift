import Documents

/// The state of captured pictures that were added to the archive.
public enum PageStanding: Int, Comparable, Sendable {
    /// Every picture is on a page of a document.
    case listed
    /// One of the pictures is only in a document in the trash.
    case trashed
    /// One of the pictures is in no document, though undoing a change may bring it back, or it has
    /// changed.
    case changed
    /// One of the pictures no longer exists.
    case gone

    /// The better state is less.
    public static func < (left: PageStanding, right: PageStanding) -> Bool {
        left.rawValue < right.rawValue
    }
}

extension Archive {
    /// The captured pictures that a document was delivered with, page by page, whatever was done
    /// with it since; without those that now belong only to others.
    ///
    /// - Throws: ``ArchiveError`` `noSuchDocument`, or `damaged`.
    public func deliveredImages(of document: DocumentID) throws(ArchiveError) -> [ImageHash] {
        do {
            return try access { database in
                try database.read {
                    try Self.deliveredImages(of: database.see(document), database) { page in
                        try !database.isHidden(page)
                    }
                }
            }
        } catch { throw .wrapping(error, path: place) }
    }

    private static func deliveredImages(
        of document: SeenDocument, _ database: any ArchiveDatabase,
        where isWanted: (PageID) throws -> Bool = { _ in true }
    ) throws -> [ImageHash] {
        let pages = try HistoryTable(database).load(document).original.pages
        return try pages.map(\.id).filter(isWanted).map { try PageTable(database).load($0).image }
    }

    /// The state of captured pictures, whichever documents they are in now, of those that the user
    /// sees: the worst one of all.
    ///
    /// They are identified by their bytes, so that pages of another archive are not mistaken for
    /// them. Only the length of a picture's file is checked.
    ///
    /// - Throws: ``ArchiveError``.
    public func standing(of pictures: [ImageHash]) throws(ArchiveError) -> PageStanding {
        do {
            return try access { database in
                try database.read {
                    try Self.counted(pictures).map { picture, count in
                        try Self.standing(of: picture, count, database) { bytes in
                            try images.size(of: picture).map(Int64.init) == bytes
                        }
                    }.max() ?? .gone
                }
            }
        } catch { throw .wrapping(error, path: place) }
    }

    /// The number of times that each picture occurs.
    private static func counted(_ pictures: [ImageHash]) -> [ImageHash: Int64] {
        Dictionary(pictures.map { ($0, 1) }, uniquingKeysWith: +)
    }

    /// A picture's state; pages that were cut out of it count as showing it.
    ///
    /// - Parameters:
    ///   - count: the number of pages that it was delivered for.
    ///   - isWhole: returns whether its file has that many bytes.
    private static func standing(
        of picture: ImageHash, _ count: Int64, _ database: any ArchiveDatabase,
        isWhole: (Int64) throws -> Bool
    ) throws -> PageStanding {
        let found = try database.first(
            """
            WITH captured (page) AS (SELECT id FROM page WHERE image = ?1),
            shown (page) AS (
                SELECT page FROM captured UNION
                SELECT id FROM page WHERE uncut IN (SELECT page FROM captured)
                    OR plain IN (SELECT page FROM captured))
            SELECT bytes, EXISTS (SELECT 1 FROM captured WHERE ?2 IS NULL OR EXISTS (
                    SELECT 1 FROM holding JOIN document ON document.id = holding.document
                    WHERE holding.page = captured.page
                        AND (document.owner IS NULL OR document.owner = ?2))),
                (SELECT count(*) FROM leaf JOIN document ON document.id = leaf.document
                    WHERE leaf.page IN (SELECT page FROM shown)
                        AND (?2 IS NULL OR document.owner IS NULL OR document.owner = ?2)),
                (SELECT count(*) FROM leaf JOIN document ON document.id = leaf.document
                    WHERE leaf.page IN (SELECT page FROM shown) AND document.trashed IS NULL
                        AND (?2 IS NULL OR document.owner IS NULL OR document.owner = ?2))
            FROM image WHERE hash = ?1
            """, [.blob(picture.bytes), database.ownName]
        ) {
            (
                bytes: try $0.integer(0), isKept: try $0.integer(1) == 1,
                inDocuments: try $0.integer(2), listed: try $0.integer(3)
            )
        }
        guard let found, found.isKept else { return .gone }
        guard found.inDocuments >= count, try isWhole(found.bytes) else { return .changed }
        return found.listed >= count ? .listed : .trashed
    }

    /// True if a document was delivered with exactly these pictures, and all are still in a
    /// document.
    ///
    /// It is restored from the trash for that: a repeated delivery means that it is wanted.
    static func isComplete(
        _ document: SeenDocument, _ pictures: [ImageHash], _ database: any ArchiveDatabase
    ) throws -> Bool {
        guard try deliveredImages(of: document, database) == pictures else { return false }
        let isTrashed = try database.first(
            "SELECT trashed IS NOT NULL FROM document WHERE id = ?", [document.value]
        ) { try $0.integer(0) == 1 }
        if isTrashed == true {
            try database.hold([document.id.rawValue])
            try setTrashed(document, false, database)
        }
        return try counted(pictures).allSatisfy { picture, count in
            try standing(of: picture, count, database) { _ in true } == .listed
        }
    }
}
