import Delivery
import FileNames
import FoundationEssentials
import Glibc
import ScanService
import Synchronization

/// Files from clients that no job has claimed yet.
///
/// They are in a folder of the spool under names that the host chooses. The size of each is
/// limited, and the number, bytes and rate of all; unused files are deleted after an hour. Only the
/// file backend, in a separate process, reads their contents.
final class Uploads: Sendable {
    /// The limits of uploads.
    struct Limits: Sendable {
        /// The most bytes of a file: 256 MiB.
        var file = 256 << 20
        /// The most bytes of all files that wait or are arriving: 2 GiB.
        var all = 2 << 30
        /// The most files that wait or are arriving.
        var count = 500
        /// The most files in any minute.
        var pace = 240
        /// The seconds after which an unused file is deleted.
        var age = 3600.0
    }

    private struct Entry {
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
        /// The start times of uploads in the last minute.
        var recent: [ContinuousClock.Instant] = []

        mutating func remove(_ id: String) {
            if let entry = entries.removeValue(forKey: id) { bytes -= entry.bytes }
        }
    }

    /// The beginning of the names of upload folders.
    private static let mark = ".uploads-"

    let limits: Limits
    private let folder: String
    private let state = Mutex(State())
    private let now: @Sendable () -> ContinuousClock.Instant

    /// Uploads in a new folder below the spool's root; deletes the files of ended hosts.
    ///
    /// - Parameter run: the name of this run of the host.
    init(
        root: String, run: String, limits: Limits = Limits(),
        now: @escaping @Sendable () -> ContinuousClock.Instant = { .now }
    ) {
        folder = root + "/" + Self.mark + run + "." + ProcessMark.own.text
        self.limits = limits
        self.now = now
        for name in FileNames.names(in: root) ?? [] where name.hasPrefix(Self.mark) {
            let isLeft = name.split(separator: ".").last.flatMap { ProcessMark($0) }?.isGone
            if isLeft == true { try? FileManager.default.removeItem(atPath: root + "/" + name) }
        }
    }

    /// A path for a file that is about to arrive.
    ///
    /// - Parameter announced: the announced number of bytes; 0 if unknown.
    /// - Throws: ``Problem`` 429 when too many arrive at once, 507 when too many bytes wait or the
    ///   disk has no space.
    func place(announced: Int = 0) throws(Problem) -> (path: String, limit: Int) {
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
            state.entries[id] = Entry(bytes: 0, began: moment)
            return id
        }
        do throws(DeliveryError) {
            try makePrivateFolder(folder)
        } catch {
            state.withLock { $0.remove(id) }
            throw Problem(
                507, "spool-unusable",
                detail:
                    "The host can't keep files: \(error.message) Make room on its disk, then send it again."
            )
        }
        return (path(id), limits.file)
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
        state.withLock { state in
            let began = state.entries[id]?.began ?? now()
            state.remove(id)
            state.entries[id] = Entry(
                bytes: bytes, began: began, isWhole: true,
                name: safe.flatMap { $0.isEmpty || $0.hasPrefix(".") ? nil : $0 })
            state.bytes += bytes
        }
        return id
    }

    /// The files with these ids in their order, which then belong to a job.
    ///
    /// - Throws: ``Problem`` 404 for a missing file; all files stay then.
    func take(_ ids: [String]) throws(Problem) -> [AdoptedFile] {
        try state.withLock { (state) throws(Problem) -> [AdoptedFile] in
            for (index, id) in ids.enumerated() {
                guard state.entries[id]?.isWhole == true, !ids[..<index].contains(id) else {
                    throw Problem.noSuchThing(
                        "upload", id,
                        "Send the file again: what is not scanned within an hour is dropped.")
                }
            }
            let files = ids.map { AdoptedFile(path: path($0), name: state.entries[$0]?.name) }
            for id in ids { state.remove(id) }
            return files
        }
    }

    private func path(_ id: String) -> String { folder + "/" + id }

    private static func id(_ path: String) -> String {
        String(path.split(separator: "/").last ?? "")
    }

    private func drop(_ id: String) {
        state.withLock { $0.remove(id) }
        unlink(path(id))
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
