/// The folder of an archive on this machine: one SQLite file, and a folder of images.
struct OwnFolder: Sendable {
    let path: String
    let images: ImageFolder

    /// The SQLite file.
    var database: String { path + "/archive.sqlite" }
    /// The lock between adding and removing images.
    var lock: String { path + "/images.lock" }
    /// The space that is kept to delete documents on a full disk.
    var reserve: SpaceReserve { SpaceReserve(path: path + "/archive.reserve") }
}
