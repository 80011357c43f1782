public import Documents
import Glibc

/// What has become of pages that the archive took.
public enum PageStanding: Int, Comparable, Sendable {
    /// Each is in a document, with its picture.
    case listed
    /// One is in a document in the trash only.
    case trashed
    /// One is in no document, though a change could be undone; or its picture is not as it was.
    case changed
    /// One is there no more.
    case gone

    /// The better is less.
    public static func < (left: PageStanding, right: PageStanding) -> Bool {
        left.rawValue < right.rawValue
    }
}

extension Archive {
    /// The pages that a document was delivered with, whatever was done with it since.
    ///
    /// - Throws: ``ArchiveError`` `noSuchDocument`, or `damaged`.
    public func deliveredPages(of document: DocumentID) throws(ArchiveError) -> [PageID] {
        do {
            return try access { database in
                try database.read {
                    try HistoryTable(database).load(document.rawValue).original.pages.map(\.id)
                }
            }
        } catch { throw .wrapping(error, path: folder) }
    }

    /// What has become of pages, in whatever document they are now: the worst of all.
    ///
    /// A picture's bytes are counted, not read.
    ///
    /// - Throws: ``ArchiveError``.
    public func standing(of pages: [PageID]) throws(ArchiveError) -> PageStanding {
        do {
            return try access { database in
                try database.read {
                    try pages.map { page in
                        try Self.standing(of: page, database) { image, bytes in
                            var status = stat()
                            return stat(images.path(of: image), &status) == 0
                                && status.st_mode & S_IFMT == S_IFREG
                                && Int64(status.st_size) == bytes
                        }
                    }.max() ?? .gone
                }
            }
        } catch { throw .wrapping(error, path: folder) }
    }

    /// What has become of a page, given what tells whether the file of an image is whole.
    ///
    /// A captured picture is shown by each page that was cut out of it, too.
    static func standing(
        of page: PageID, _ database: Connection, isWhole: (ImageHash, Int64) -> Bool
    ) throws -> PageStanding {
        let found = try database.first(
            """
            WITH shown (page) AS (SELECT ?1 UNION SELECT id FROM page WHERE uncut = ?1)
            SELECT image.hash, image.bytes,
                EXISTS (SELECT 1 FROM leaf WHERE leaf.page IN shown),
                EXISTS (SELECT 1 FROM leaf JOIN document ON document.id = leaf.document
                    WHERE leaf.page IN shown AND document.trashed IS NULL)
            FROM page JOIN image ON image.hash = page.image WHERE page.id = ?1
            """, [.integer(page.rawValue)]
        ) {
            (
                image: ImageHash(bytes: try $0.blob(0)), bytes: try $0.integer(1),
                isInDocument: try $0.integer(2) == 1, isListed: try $0.integer(3) == 1
            )
        }
        guard let found, let image = found.image else { return .gone }
        guard found.isInDocument, isWhole(image, found.bytes) else { return .changed }
        return found.isListed ? .listed : .trashed
    }

    /// Whether every page that a document was delivered with is in a document still.
    ///
    /// It is taken out of the trash for that: whoever delivers it again wants to have it.
    static func isComplete(_ document: Int64, _ database: Connection) throws -> Bool {
        let isTrashed = try database.first(
            "SELECT trashed IS NOT NULL FROM document WHERE id = ?", [.integer(document)]
        ) { try $0.integer(0) == 1 }
        if isTrashed == true { try setTrashed(document, false, database) }
        return try HistoryTable(database).load(document).original.pages.allSatisfy {
            try standing(of: $0.id, database) { _, _ in true } == .listed
        }
    }
}
