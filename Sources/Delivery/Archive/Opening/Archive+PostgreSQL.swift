import ExpectedFailures
import FoundationEssentials
import GuardedFiles
import PostgreSQL

extension Archive {
    /// Makes the store of images that an archive's database describes.
    public typealias ImageStoreMaker =
        @Sendable (ImageSettings) throws(ArchiveError) -> any ImageStore

    /// True if a place is the address of a database, and not a folder.
    public static func isShared(_ place: String) -> Bool { PostgreSQLAddress.isMeant(by: place) }

    /// The images in a folder.
    public static func images(in folder: String) -> any ImageStore { ImageFolder(folder: folder) }

    /// Opens an archive that a PostgreSQL server keeps, and brings one of an older version up to
    /// date where it may be written.
    ///
    /// - Parameters:
    ///   - address: such as `postgresql://db.example/scans`, without a password.
    ///   - access: `create` is the same as `readWrite`: ``make(at:_:)`` makes such an archive.
    ///   - makeStore: makes the store of its images, unless that is a folder.
    /// - Throws: ``ArchiveError``: `missing`, `unreachable`, `notAdmitted`, `newerVersion`,
    ///   `readOnly`.
    public convenience init(
        database address: String, _ access: Access, _ makeStore: ImageStoreMaker
    ) throws(ArchiveError) {
        try self.init(
            database: address, access, steps: PostgreSQLSchema.steps, makeStore)
    }

    convenience init(
        database text: String, _ access: Access, steps: SchemaSteps,
        _ makeStore: ImageStoreMaker
    ) throws(ArchiveError) {
        do {
            let address = try PostgreSQLAddress(text)
            let pool = PostgreSQLPool.shared(address, access)
            let settings = try pool.access { database in
                guard let database = database as? PostgreSQLDatabase else {
                    throw ArchiveError(.refused, "'\(text)' is not a PostgreSQL database.")
                }
                let migrator = PostgreSQLMigrator(address, steps: steps)
                guard let version = try migrator.version(database) else {
                    throw Self.missing(text)
                }
                if version < steps.count {
                    guard access != .readOnly else {
                        throw ArchiveError(
                            .readOnly,
                            "The archive '\(text)' is of an older version (\(version)) and has to be brought up to date first. "
                                + "Any command that writes to it does so.")
                    }
                    try migrator.migrate(database)
                }
                return try Self.settings(in: database, text)
            }
            self.init(
                place: text, images: try Self.store(settings, makeStore), ownFolder: nil,
                connections: pool
            ) { () throws(ArchiveError) in ImageClaims(pool, place: text) }
        } catch { throw .wrapping(error, path: text) }
    }

    /// Makes an archive on a PostgreSQL server, in an existing database.
    ///
    /// - Parameter images: the place for its images, as in ``ImageSettings``.
    /// - Throws: ``ArchiveError``: `refused` when there is one already; errors of the server or
    ///   folder.
    public static func make(
        at text: String, _ images: ImageSettings, _ makeStore: ImageStoreMaker
    ) throws(ArchiveError) {
        do {
            let address = try PostgreSQLAddress(text)
            let store = try store(images, makeStore)
            // A place that can't be written to must not be recorded as that of the images.
            let probe = Array("Copystand tries this store of images.".utf8)
            let hash = ImageHash(of: probe)
            try store.add(probe, as: hash)
            _ = try store.read(hash)
            try store.remove(store.name(of: hash))
            let encoder = JSONEncoder()
            encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
            try PostgreSQLMigrator(address).create(
                PostgreSQLDatabase(address, .readWrite),
                images: String(decoding: try encoder.encode(images), as: UTF8.self))
        } catch { throw .wrapping(error, path: text) }
    }

    private static func settings(
        in database: PostgreSQLDatabase, _ text: String
    ) throws -> ImageSettings {
        guard
            let json = try database.first("SELECT images FROM store", [], { try $0.text(0) }),
            let settings = ofKnownForm({
                try JSONDecoder().decode(ImageSettings.self, from: Data(json.utf8))
            })
        else {
            throw ArchiveError(
                .damaged, "The archive '\(text)' does not say where its images are.")
        }
        return settings
    }

    private static func store(
        _ settings: ImageSettings, _ makeStore: ImageStoreMaker
    ) throws(ArchiveError) -> any ImageStore {
        guard settings.endpoint == nil else { return try makeStore(settings) }
        guard settings.place.hasPrefix("/") else {
            throw ArchiveError(
                .refused,
                "'\(settings.place)' is not a place for images: give a folder's whole path, such as /mnt/scans, or s3://BUCKET/PREFIX."
            )
        }
        let folder = ImageFolder(folder: settings.place)
        try makeFolder(folder.folder)
        try? folder.root().removeLeftovers()
        return folder
    }

    private static func missing(_ text: String) -> ArchiveError {
        ArchiveError(
            .missing,
            "There is no archive in the database '\(text)'. This makes one: copystand archive init '\(text)' --images PLACE"
        )
    }
}
