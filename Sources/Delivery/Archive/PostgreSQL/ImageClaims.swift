import PostgreSQL
import Synchronization

/// Keeps images that are being added from being removed by another machine: their rows are written
/// first, with the time by the server's clock.
///
/// An image that no page names is removed once its row is a day old, under that row's lock; so a
/// process that adds it waits, and then puts it into the store again.
final class ImageClaims: ImageHold {
    private let connections: any DatabaseAccess
    private let place: String
    /// The noted images, and when their rows were last touched, in seconds since 1970.
    private let noted = Mutex((hashes: Set<NewImage>(), touched: 0.0))
    /// The seconds after which rows are touched again.
    private static let freshness = 3_600.0

    init(_ connections: any DatabaseAccess, place: String) {
        self.connections = connections
        self.place = place
    }

    func note(_ images: [NewImage]) throws(ArchiveError) {
        let now = secondsNow()
        let all = noted.withLock { noted in
            noted.hashes.formUnion(images)
            // If the clock was set back, the rows are touched again.
            let isFresh = abs(now - noted.touched) < Self.freshness
            if !isFresh { noted.touched = now }
            return isFresh ? images : Array(noted.hashes)
        }
        do {
            try connections.access { database in
                for image in all {
                    try database.run(
                        """
                        INSERT INTO image (hash, bytes, media) VALUES (?, ?, ?)
                        ON CONFLICT (hash) DO UPDATE SET touched = now()
                        WHERE image.touched < now() - interval '10 minutes'
                        """,
                        [
                            .blob(image.hash.bytes), .integer(image.bytes), .text(image.media),
                        ])
                }
            }
        } catch { throw .wrapping(error, path: place) }
    }
}
