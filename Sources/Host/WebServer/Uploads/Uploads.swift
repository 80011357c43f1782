import Delivery
import FileNames
import FoundationEssentials
import Glibc
import Synchronization

/// Files that clients have sent and no job has taken yet.
///
/// They are in a folder of the spool under names that the host chooses. Each is limited in size,
/// and all together in number, bytes and pace; those not used after an hour are deleted. Only the
/// file backend, in its own process, reads their contents.
final class Uploads: Sendable {
    /// What clients may send.
    struct Limits: Sendable {
        /// Bytes of one file: 256 MiB.
        var file = 256 << 20
        /// Bytes of all files that wait or are arriving: 2 GiB.
        var all = 2 << 30
        /// Files that wait or are arriving.
        var count = 500
        /// Files in any minute.
        var pace = 240
        /// Seconds after which an unused file is deleted.
        var age = 3600.0
    }

    private struct Entry {
        var bytes: Int
        var began: ContinuousClock.Instant
        var isWhole = false
    }

    private struct State {
        var entries: [String: Entry] = [:]
        /// The bytes of all entries.
        var bytes = 0
        /// The times at which files of the last minute were begun.
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

    /// Uploads in a folder of their own below the spool's root; what ended runs of a host have left
    /// is deleted.
    ///
    /// - Parameter run: names this run of the host.
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

    /// A place for a file that is about to arrive.
    ///
    /// - Parameter announced: how many bytes it claims to have; 0 if unknown.
    /// - Throws: ``Problem`` 429 when too many arrive at the same time, 507 when too much waits or
    ///   there is no room on the disk.
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

    /// Counts bytes of a file that are about to be written; false when they are too many for all
    /// files together.
    func grow(_ path: String, by count: Int) -> Bool {
        let id = Self.id(path)
        return state.withLock { state in
            guard state.entries[id] != nil, count <= limits.all - state.bytes else { return false }
            state.entries[id]?.bytes += count
            state.bytes += count
            return true
        }
    }

    /// Forgets a file that did not come in full, and was removed.
    func forget(_ path: String) { state.withLock { $0.remove(Self.id(path)) } }

    /// Keeps a file that has come in full.
    ///
    /// - Returns: the name by which a job's order knows it.
    func keep(_ path: String, bytes: Int) throws(Problem) -> String {
        let id = Self.id(path)
        guard bytes > 0 else {
            drop(id)
            throw Problem.invalid(
                "The file is empty. Send a picture or a PDF as the request's body.")
        }
        state.withLock { state in
            let began = state.entries[id]?.began ?? now()
            state.remove(id)
            state.entries[id] = Entry(bytes: bytes, began: began, isWhole: true)
            state.bytes += bytes
        }
        return id
    }

    /// The files of these names, in their order, which now belong to a job.
    ///
    /// - Throws: ``Problem`` 404 for one that is not there; then all of them stay.
    func take(_ ids: [String]) throws(Problem) -> [String] {
        try state.withLock { (state) throws(Problem) in
            for (index, id) in ids.enumerated() {
                guard state.entries[id]?.isWhole == true, !ids[..<index].contains(id) else {
                    throw Problem.noSuchThing(
                        "upload", id,
                        "Send the file again: what is not scanned within an hour is dropped.")
                }
            }
            for id in ids { state.remove(id) }
        }
        return ids.map(path)
    }

    private func path(_ id: String) -> String { folder + "/" + id }

    private static func id(_ path: String) -> String {
        String(path.split(separator: "/").last ?? "")
    }

    private func drop(_ id: String) {
        state.withLock { $0.remove(id) }
        unlink(path(id))
    }

    /// Deletes what has waited for too long, and uploads that never finished.
    private func dropOld() {
        let moment = now()
        let old = state.withLock { state in
            state.entries.filter { moment - $0.value.began > .seconds(limits.age) }.map(\.key)
        }
        for id in old { drop(id) }
    }
}
