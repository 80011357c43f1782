import FileNames
import Glibc
import UserFiles

/// A folder for temporary files, which only this user may enter; it is deleted with the value.
///
/// In the folder is a file that this process has locked. However the process ends, the kernel
/// releases the lock, so ``removeOrphans(in:)`` recognizes the folders of killed processes.
///
///     let folder = try TemporaryFolder("pages")
///     … folder.path + "/page.raw" …
public final class TemporaryFolder: Sendable {
    /// The folder's absolute path.
    public let path: String
    private let parent: String
    /// The open marker with the lock.
    private let marker: CInt

    /// The name of the locked file, which shows people whose folder it is.
    static let markerName = ".owner"
    /// The beginning of the names of all such folders.
    static let prefix = "copystand-temporary-"
    /// The first words of every marker.
    static let markerHead = "A temporary folder of Copystand: "

    /// The folder for temporary files: `$TMPDIR`, or else `/tmp`.
    public static var usualParent: String {
        FileNames.variable("TMPDIR").flatMap { $0.hasPrefix("/") ? $0 : nil } ?? "/tmp"
    }

    /// Makes a folder.
    ///
    /// - Parameters:
    ///   - purpose: a word of the folder's name, such as `pages`.
    ///   - parent: the folder that it is made in; ``usualParent`` unless given.
    /// - Throws: ``TemporaryFolderError``.
    public init(
        _ purpose: String, in parent: String = TemporaryFolder.usualParent
    ) throws(TemporaryFolderError) {
        // Another process may take a new folder, which has no locked marker yet, for an orphan.
        for _ in 0..<100 {
            var template = Array("\(parent)/\(Self.prefix)\(purpose)-XXXXXX".utf8CString)
            guard mkdtemp(&template) != nil else { throw TemporaryFolderError(errno, parent) }
            let path = String(
                decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
            if let marker = try Self.mark(path, parent) {
                (self.path, self.parent, self.marker) = (path, parent, marker)
                return
            }
        }
        throw TemporaryFolderError(EAGAIN, parent)
    }

    /// Puts a locked marker into a new folder; nil when the folder was removed meanwhile.
    private static func mark(
        _ path: String, _ parent: String
    ) throws(TemporaryFolderError) -> CInt? {
        let marker = open(
            path + "/" + markerName, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0o600)
        guard marker >= 0 else {
            if errno == ENOENT { return nil }
            throw TemporaryFolderError(errno, parent)
        }
        var about = stat()
        // A file system without locks gives no orphans away, and its folders stay.
        let isTaken = flock(marker, LOCK_EX | LOCK_NB) != 0 && errno == EWOULDBLOCK
        guard !isTaken, fstat(marker, &about) == 0, about.st_nlink > 0 else {
            close(marker)
            return nil
        }
        let words = Array("\(markerHead)pid \(getpid()), \(ProcessMark.own.text)\n".utf8)
        guard write(marker, words, words.count) == words.count else {
            let failure = TemporaryFolderError(errno, parent)
            unlink(path + "/" + markerName)
            rmdir(path)
            close(marker)
            throw failure
        }
        return marker
    }

    /// Deletes the folder with everything in it; later calls do nothing.
    public func remove() { OrphanSearch.remove(path.lastPart, in: parent, expecting: marker) }

    deinit {
        remove()
        // Closing is not enough: a child process that is being started shares the lock until it
        // runs its program.
        flock(marker, LOCK_UN)
        close(marker)
    }

    /// Deletes the folders of this user whose processes have ended.
    ///
    /// Others may write to the parents. So nothing is deleted but real folders that belong to this
    /// user, are closed to others, and have a marker that no process holds; links are not followed.
    ///
    /// - Parameter parents: the folders to look in; unless given, those for temporary files.
    public static func removeOrphans(in parents: [String]? = nil) {
        let usual = [usualParent, "/tmp", "/dev/shm", FileNames.variable("XDG_RUNTIME_DIR")]
        for parent in Set(parents ?? usual.compactMap { $0 }) { OrphanSearch.run(in: parent) }
    }
}

/// The reason why no temporary folder can be made.
public struct TemporaryFolderError: Error, Hashable, Sendable {
    /// The number of the system's error.
    public let number: CInt
    /// The failure, with the folder, and the advice, in whole sentences.
    public let message: String

    init(_ number: CInt, _ parent: String) {
        self.number = number
        message =
            "No temporary folder can be made in \(parent): \(systemReason(number, at: parent)). Make room there, or name "
            + "another folder in TMPDIR."
    }
}

extension String {
    /// The part after the last slash.
    var lastPart: String { split(separator: "/").last.map(String.init) ?? self }
}
