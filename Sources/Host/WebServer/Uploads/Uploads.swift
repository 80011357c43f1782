import Delivery
import FileNames
import FoundationEssentials
import GuardedFiles
import ScanService
import Synchronization
import TemporaryFolders

/// Files from clients that no job has claimed yet.
///
/// They are in a folder of the spool under names that the host chooses. The size of each is
/// limited, and the number, bytes and rate of all; unused files are deleted after an hour. Only the
/// file backend, in a separate process, reads their contents.
final class Uploads: Sendable {
    /// The limits of uploads.
    struct Limits: Sendable {
        /// The maximum size of a file in bytes: 256 MiB.
        var file = 256 << 20
        /// The maximum number of bytes of all files that wait or are arriving: 2 GiB.
        var all = 2 << 30
        /// The maximum number of files that wait or are arriving.
        var count = 500
        /// The maximum number of files in any minute.
        var pace = 240
        /// The seconds after which an unused file is deleted.
        var age = 3600.0
    }

    private struct Entry {
        /// The client that sends it; only this one may use it.
        var client: String
        var bytes: Int
        var began: ContinuousClock.Instant
        var isWhole = false
        /// The file's name on the client's machine; nil for none.
        var name: String?
    }

    private struct State {
        var entries: [String: Entry] = [:]
        /// The bytes of all entries.
        var bytes = 0
        /// The folder of the files; nil before the first one.
        var folder: TemporaryFolder?
        /// The start times of uploads in the last minute.
        var recent: [ContinuousClock.Instant] = []

        mutating func remove(_ id: String) {
            if let entry = entries.removeValue(forKey: id) { bytes -= entry.bytes }
        }
    }

    let limits: Limits
    /// The folder in which the files' folder is made.
    private let root: String
    private let state = Mutex(State())
    private let now: @Sendable () -> ContinuousClock.Instant

    /// Uploads in a new folder in the spool's root, which is deleted with the value.
    init(
        root: String, limits: Limits = Limits(),
        now: @escaping @Sendable () -> ContinuousClock.Instant = { .now }
    ) {
        self.root = root
        self.limits = limits
        self.now = now
    }

    /// A path for a file that is about to arrive.
    ///
    /// - Parameters:
    ///   - announced: the announced number of bytes; 0 if unknown.
    ///   - client: the client that sends it.
    /// - Throws: ``Problem`` 429 when too many arrive at once, 507 when too many bytes wait or the
    ///   disk has no space.
    func place(announced: Int = 0, for client: String) throws(Problem) -> (path: String, limit: Int)
    {
        dropOld()
        let moment = now()
        let id = try state.withLock { (state) throws(Problem) -> String in
            state.recent.removeAll { moment - $0 > .seconds(60) }
            guard state.recent.count < limits.pace else {
                throw Problem(
                    429, "too-many-uploads",
                    detail:
                        "More than \(limits.pace) files a minute were sent. Wait a minute, then continue.",
                    retryAfter: 60)
            }
            guard state.entries.count < limits.count, state.bytes < limits.all,
                min(announced, limits.file) <= limits.all - state.bytes
            else {
                throw Problem(
                    507, "uploads-full",
                    detail:
                        "\(state.entries.count) files with \(state.bytes >> 20) MiB wait to be scanned. Scan them, or wait until they are dropped."
                )
            }
            let id = String(UInt64.random(in: 1 << 60 ... .max), radix: 36)
            state.recent.append(moment)
            state.entries[id] = Entry(client: client, bytes: 0, began: moment)
            return id
        }
        do {
            return (try folder() + "/" + id, limits.file)
        } catch {
            state.withLock { $0.remove(id) }
            throw error
        }
    }

    /// The folder of the files, which is made for the first one, or again if it is gone.
    private func folder() throws(Problem) -> String {
        if let known = Self.present(state.withLock(\.folder)) { return known.path }
        do {
            try makePrivateFolder(root)
            let made = try TemporaryFolder("uploads", in: root)
            return state.withLock { state in
                let folder = Self.present(state.folder) ?? made
                state.folder = folder
                return folder.path
            }
        } catch {
            throw Problem(
                507, "spool-unusable",
                detail:
                    "The host can't keep files: \(Problem(error).detail) Make room on its disk, then send it again."
            )
        }
    }

    /// The folder, unless someone has deleted it.
    private static func present(_ folder: TemporaryFolder?) -> TemporaryFolder? {
        folder.flatMap { GuardedFolder.status(at: $0.path) == nil ? nil : $0 }
    }

    /// Counts bytes that are about to be written; false when there would be too many for all files
    /// together.
    func grow(_ path: String, by count: Int) -> Bool {
        let id = Self.id(path)
        return state.withLock { state in
            guard state.entries[id] != nil, count <= limits.all - state.bytes else { return false }
            state.entries[id]?.bytes += count
            state.bytes += count
            return true
        }
    }

    /// Removes the record of an incomplete file, which was deleted.
    func forget(_ path: String) { state.withLock { $0.remove(Self.id(path)) } }

    /// Stores a file that has arrived completely.
    ///
    /// - Parameter name: the file's name on the client's machine; signs that no file of this machine
    ///   may have become hyphens.
    /// - Returns: the file's id for a job's order.
    func keep(_ path: String, bytes: Int, name: String? = nil) throws(Problem) -> String {
        let id = Self.id(path)
        guard bytes > 0 else {
            drop(id)
            throw Problem.invalid(
                "The file is empty. Send a picture or a PDF as the request's body.")
        }
        let safe = name.map(NameTemplate.safe)
        try state.withLock { (state) throws(Problem) in
            guard var entry = state.entries[id] else {
                throw Problem.noSuchThing("upload", id, "It took more than an hour; send it again.")
            }
            state.remove(id)
            (entry.bytes, entry.isWhole) = (bytes, true)
            entry.name = safe.flatMap { $0.isEmpty || $0.hasPrefix(".") ? nil : $0 }
            state.entries[id] = entry
            state.bytes += bytes
        }
        return id
    }

    /// The client's files with these ids in their order, which then belong to a job.
    ///
    /// - Throws: ``Problem`` 404 for a file that is missing or someone else's; all files stay then.
    func take(_ ids: [String], for client: String) throws(Problem) -> [AdoptedFile] {
        try state.withLock { (state) throws(Problem) -> [AdoptedFile] in
            for (index, id) in ids.enumerated() {
                guard let entry = state.entries[id], entry.isWhole, entry.client == client,
                    !ids[..<index].contains(id)
                else {
                    throw Problem.noSuchThing(
                        "upload", id,
                        "Send the file again: what is not scanned within an hour is dropped.")
                }
            }
            let folder = state.folder?.path ?? root
            let files = ids.map {
                AdoptedFile(path: folder + "/" + $0, name: state.entries[$0]?.name)
            }
            for id in ids { state.remove(id) }
            return files
        }
    }

    private static func id(_ path: String) -> String {
        String(path.split(separator: "/").last ?? "")
    }

    private func drop(_ id: String) {
        let folder = state.withLock { state in
            state.remove(id)
            return state.folder
        }
        if let folder { GuardedFolder.removeFile(at: folder.path + "/" + id) }
    }

    /// Deletes files that have waited for too long, and incomplete ones.
    private func dropOld() {
        let moment = now()
        let old = state.withLock { state in
            state.entries.filter { moment - $0.value.began > .seconds(limits.age) }.map(\.key)
        }
        for id in old { drop(id) }
    }
}
