public import Documents
import FileNames
import Glibc
public import UserFiles

/// Documents: their pages and histories, their pictures, and the full-text index over them.
///
///     let archive = try Archive(folder: Archive.standardFolder(environment: environment), .create)
///     for hit in try archive.search("invoice 2291").hits { print(hit.title, hit.page) }
///
/// An archive is kept in a folder of this machine (SQLite and files), or by a PostgreSQL server and
/// a store of images that many machines share. Every call does the same on both.
///
/// Several processes may use an archive at once, and several threads may share one value. Calls
/// block, on disks, the network and other writers' locks: they belong off the cooperative pool.
/// Every error is an ``ArchiveError``.
public final class Archive: Sendable {
    /// The purpose for which an archive is opened.
    public enum Access: Hashable, Sendable {
        /// Read and write; the archive is created if it does not exist.
        case create
        /// Read and write an existing archive.
        case readWrite
        /// Read an existing archive, even in a folder that can't be written.
        case readOnly
    }

    /// The archive's folder, or the address of its database.
    public let place: String
    /// The user: this name is in the history, and owns the added documents.
    public let user: ArchiveUser
    let images: any ImageStore
    /// The archive's folder; nil if a server keeps the archive.
    let ownFolder: OwnFolder?
    private let connections: any DatabaseAccess
    private let hold: @Sendable () throws(ArchiveError) -> any ImageHold

    /// The user's archive: `$XDG_DATA_HOME/copystand`, or else `~/.local/share/copystand`.
    ///
    /// - Throws: `UserFileError` when the user has no such folder.
    public static func standardFolder(
        environment: [String: String]
    ) throws(UserFileError) -> String {
        try UserFolders(environment: environment).usable(.data)
    }

    /// The place of the user's archive: the folder or database address in `COPYSTAND_ARCHIVE`, or
    /// else the standard folder.
    ///
    /// - Throws: `UserFileError` when the user has no such folder.
    public static func standardPlace(
        environment: [String: String]
    ) throws(UserFileError) -> String {
        if let place = environment["COPYSTAND_ARCHIVE"], !place.isEmpty { return place }
        return try standardFolder(environment: environment)
    }

    init(
        place: String, images: any ImageStore, ownFolder: OwnFolder?,
        connections: any DatabaseAccess, user: ArchiveUser = .ofThisProcess,
        hold: @escaping @Sendable () throws(ArchiveError) -> any ImageHold
    ) {
        self.place = place
        self.images = images
        self.ownFolder = ownFolder
        self.user = user
        self.connections = connections
        self.hold = hold
    }

    /// The same archive for another user.
    public func used(by user: ArchiveUser) -> Archive {
        Archive(
            place: place, images: images, ownFolder: ownFolder, connections: connections,
            user: user, hold: hold)
    }

    /// Runs `body` with a connection of the user, while no other thread uses it.
    func access<Value: Sendable>(
        _ body: (any ArchiveDatabase) throws -> Value
    ) throws(ArchiveError) -> Value {
        do {
            return try connections.access { database in
                database.user = user
                return try body(database)
            }
        } catch {
            throw .wrapping(error, path: ownFolder?.database ?? place)
        }
    }

    /// Protects images that are being added from removal until the returned value is released.
    func holdImages() throws(ArchiveError) -> any ImageHold { try hold() }

    /// The archive's folder, for operations that only an archive in a folder supports.
    ///
    /// - Throws: ``ArchiveError`` `refused` if a server keeps the archive.
    func folder(to verb: String) throws(ArchiveError) -> OwnFolder {
        if let ownFolder { return ownFolder }
        throw ArchiveError(
            .refused,
            "Copystand can't \(verb) '\(place)', since a database server keeps that archive. "
                + "Use PostgreSQL's own tools, or copy it: copystand archive copy '\(place)' FOLDER"
        )
    }
}

/// Makes a folder that only its owner can read, and its parents, durably: each is synced into its
/// parent.
package func makeFolder(_ path: String) throws(ArchiveError) {
    guard mkdir(path, 0o700) != 0 else { return try syncFolder(path.parent) }
    switch errno {
    case EEXIST:
        var status = stat()
        guard stat(path, &status) == 0, status.st_mode & S_IFMT == S_IFDIR else {
            throw ArchiveError(
                .folderUnusable, "'\(path)' is not a folder. Name another with --archive.")
        }
    // A parent may exist and still refuse a new folder, as /proc does.
    case ENOENT where path.parent != path && access(path.parent, F_OK) != 0:
        try makeFolder(path.parent)
        try makeFolder(path)
    default: throw .system(errno, "make the folder", path)
    }
}

extension String {
    /// The parent folder of a path.
    var parent: String {
        guard let slash = utf8.lastIndex(of: UInt8(ascii: "/")) else { return "." }
        return slash == startIndex ? "/" : String(self[..<slash])
    }
}
