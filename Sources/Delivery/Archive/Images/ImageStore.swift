/// Stores an archive's pictures and imported files, each under the SHA-256 of its bytes.
///
/// A file appears under its name complete and durable, or not at all. The same bytes are kept once,
/// and files are never changed. Calls block.
public protocol ImageStore: Sendable {
    /// The store's place, for people: a folder's path, or a bucket's address.
    var place: String { get }

    /// Puts a file's bytes into the store, durably, unless it has them already.
    ///
    /// - Parameter hash: their SHA-256.
    /// - Throws: ``ArchiveError``.
    /// - Precondition: an ``ImageHold`` knows of them until a transaction that names the image is
    ///   committed.
    func add(_ bytes: [UInt8], as hash: ImageHash) throws(ArchiveError)

    /// Puts a copy of a file into the store, durably, with only one piece in memory at a time.
    ///
    /// - Parameter willAdd: gets the file's hash and length first.
    /// - Returns: the hash and the length.
    /// - Throws: ``ArchiveError``, even when the file changes meanwhile.
    func add(
        fileAt path: String, _ willAdd: (ImageHash, Int) throws(ArchiveError) -> Void
    ) throws(ArchiveError) -> (hash: ImageHash, bytes: Int)

    /// The bytes of an image.
    ///
    /// - Throws: ``ArchiveError`` `damaged` when the file is missing or does not match its name.
    func read(_ hash: ImageHash) throws(ArchiveError) -> [UInt8]

    /// An image as an open file, which the caller closes, and its size in bytes. Its content
    /// matches its name.
    ///
    /// - Throws: ``ArchiveError`` `damaged`.
    func open(_ hash: ImageHash) throws(ArchiveError) -> (descriptor: Int32, count: Int)

    /// The path of a file whose content matches its name, only for reading. It exists at least as
    /// long as this value.
    ///
    /// - Throws: ``ArchiveError`` `damaged`.
    func checkedPath(of hash: ImageHash) throws(ArchiveError) -> String

    /// The fault of an image's file, if it is missing or does not match its name; nil for none.
    func fault(of hash: ImageHash) -> String?

    /// An image's size in bytes; nil when its file does not exist.
    ///
    /// - Throws: ``ArchiveError`` when the size can't be found out.
    func size(of hash: ImageHash) throws(ArchiveError) -> Int?

    /// Calls `body` with every file in the store, in no particular order.
    ///
    /// - Throws: ``ArchiveError``, and the errors of `body`.
    func eachFile(_ body: (StoredImage) throws(ArchiveError) -> Void) throws(ArchiveError)

    /// The store's name for the file of an image.
    func name(of hash: ImageHash) -> String

    /// Removes the file of that name, if it exists.
    ///
    /// - Throws: ``ArchiveError``.
    func remove(_ name: String) throws(ArchiveError)
}

/// A file in a store of images.
public struct StoredImage: Hashable, Sendable {
    /// The store's name for the file: a path, or a key.
    public let name: String
    /// The hash in its name; nil for anything else, such as the remains of an interrupted addition.
    public let hash: ImageHash?
    /// The file's size in bytes.
    public let bytes: Int
    /// The seconds since the file was written, by the store's clock.
    public let age: Double

    /// A file.
    public init(name: String, hash: ImageHash?, bytes: Int, age: Double) {
        self.name = name
        self.hash = hash
        self.bytes = bytes
        self.age = age
    }
}

/// Protects images that no transaction has named yet from removal, as long as the value exists.
protocol ImageHold: AnyObject, Sendable {
    /// Notes images that are about to be put into the store.
    func note(_ images: [NewImage]) throws(ArchiveError)
}
