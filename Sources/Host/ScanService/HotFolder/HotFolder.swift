public import Delivery
import FoundationEssentials
import Glibc

/// A folder for files from other machines, such as a scanner that pushes by FTP or SMB.
///
/// A file is imported once its size, time and inode have not changed for a while, its format is
/// complete, and no program has it open for writing.
///
///     var folder = try HotFolder("/srv/scans")
///     for file in folder.look(now: seconds) { … }
public final class HotFolder {
    /// The path of the folder.
    public let path: String
    /// The seconds for which a file must not change.
    public let stillness: Double
    /// The seconds after which an unchanged, incomplete file is given up.
    public let patience: Double
    /// True if files stay where they are; otherwise they are moved to `done` or `failed`.
    public let leavesFiles: Bool
    /// True if the folder has to be polled, since the system reports no changes on network file
    /// systems.
    public let isOnNetwork: Bool
    private var known: [String: Sight] = [:]
    /// The files that were not complete at the last look.
    public private(set) var unfinished: [String] = []
    /// The folder for files while this host imports them.
    private let work: String
    /// The descriptor of a file that is locked as long as this host runs.
    private let lock: Int32

    /// The state of a file at the last look.
    struct Sight: Hashable {
        var size: Int
        var seconds: Int
        var nanoseconds: Int
        var inode: UInt
        /// The time since which the file has not changed.
        var since = 0.0
        /// True if the file was reported as given up, which happens only once.
        var isReported = false
        /// True if the file was imported and stays in the folder.
        var isLeft = false

        /// True if the file needs no more work.
        var isSettled: Bool { isReported || isLeft }

        func isLike(_ other: Sight) -> Bool {
            size == other.size && seconds == other.seconds && nanoseconds == other.nanoseconds
                && inode == other.inode
        }
    }

    /// A file that needs an action.
    public enum Found: Hashable, Sendable {
        /// The file is complete.
        case whole(String)
        /// The file has not changed for long and is incomplete; the second value is the reason.
        case broken(String, String)
    }

    /// Starts watching a folder.
    ///
    /// - Parameters:
    ///   - stillness: the seconds for which a file must not change; nil for 5 s, and 15 s on a
    ///     network file system.
    ///   - patience: the seconds after which an incomplete file is given up.
    ///   - leavesFiles: whether files stay in the folder.
    /// - Throws: `DeliveryError`: `folderMissing`, `permissionDenied`.
    public init(
        _ path: String, stillness: Double? = nil, patience: Double = 600, leavesFiles: Bool = false
    ) throws(DeliveryError) {
        self.path = path
        let mounts = (try? String(contentsOfFile: "/proc/self/mountinfo", encoding: .utf8)) ?? ""
        isOnNetwork = Self.isOnNetwork(path, mounts: mounts)
        self.stillness = stillness ?? (isOnNetwork ? 15 : 5)
        self.patience = patience
        self.leavesFiles = leavesFiles
        let own = path + "/" + Self.own
        try Self.make(own)
        var template = Array((own + "/work-XXXXXX").utf8CString)
        guard mkdtemp(&template) != nil else {
            throw DeliveryError(
                .permissionDenied,
                "No folder can be made in '\(own)': \(String(cString: strerror(errno)))")
        }
        work = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
        lock = open(work, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        _ = flock(lock, LOCK_EX | LOCK_NB)
        try Self.make(own + "/" + Self.taken)
        try Self.make(own + "/" + Self.left)
        if leavesFiles { forgetGoneFiles() } else { forgetOldMarks() }
    }

    deinit {
        rmdir(work)
        close(lock)
    }

    /// The name of the host's subfolder.
    static let own = ".copystand"
    /// Endings of temporary names for files that are still being written.
    private static let unfinished = [
        ".part", ".partial", ".tmp", ".temp", ".crdownload", ".filepart", ".pd~", "~",
    ]

    static func make(_ path: String) throws(DeliveryError) {
        guard mkdir(path, 0o777) != 0, errno != EEXIST else { return }
        if errno == ENOENT, let end = path.lastIndex(of: "/") {
            throw DeliveryError(
                .folderMissing,
                "The folder '\(path[..<end])' does not exist. Make it, or name another one.")
        }
        throw DeliveryError(
            .permissionDenied,
            "The folder '\(path)' can't be made: \(String(cString: strerror(errno))). Name a folder that you may write to."
        )
    }

    /// True if a folder is on a network file system, or on one in user space that may use the
    /// network.
    ///
    /// - Parameter mounts: the contents of `/proc/self/mountinfo` (proc(5)).
    static func isOnNetwork(_ path: String, mounts: String) -> Bool {
        var nearest = (length: -1, kind: "")
        for line in mounts.split(separator: "\n") {
            let fields = line.split(separator: " ")
            guard fields.count > 6, let dash = fields[5...].firstIndex(of: "-"),
                dash + 1 < fields.count
            else { continue }
            let place = fields[4].replacing("\\040", with: " ")
            let isAbove = place == "/" || path == place || path.hasPrefix(place + "/")
            // Of several mounts at the same place, the last one counts.
            guard isAbove, place.utf8.count >= nearest.length else { continue }
            nearest = (place.utf8.count, String(fields[dash + 1]))
        }
        return ["nfs", "cifs", "smb", "fuse", "9p", "afs", "ceph", "glusterfs"].contains {
            nearest.kind.hasPrefix($0)
        }
    }

    /// The files that are ready for an action.
    ///
    /// - Parameter now: the seconds of a monotonic clock.
    /// - Returns: the files in the order of their names.
    public func look(now: Double) -> [Found] {
        var seen: [String: Sight] = [:]
        var found: [Found] = []
        for (name, current) in sights() {
            var sight = current
            sight.since = now
            if let old = known[name], old.isLike(sight) { sight = old }
            if !sight.isLeft, now - sight.since >= stillness {
                sight.isLeft = leavesFiles && wasLeft(name, sight)
                if !sight.isLeft, let what = judge(name, &sight, now) { found.append(what) }
            }
            seen[name] = sight
        }
        known = seen
        let settled = Set(
            found.map { found in
                switch found {
                case .whole(let name), .broken(let name, _): name
                }
            })
        unfinished = seen.filter { !settled.contains($0.key) && !$0.value.isSettled }.map(\.key)
        return found
    }

    /// The importable files with their present state, in the order of their names.
    func sights() -> [(name: String, sight: Sight)] {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: path)) ?? []
        return names.sorted().filter(Self.isMeant).compactMap { name in
            var status = stat()
            guard lstat(path + "/" + name, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
                return nil
            }
            let sight = Sight(
                size: Int(status.st_size), seconds: status.st_mtim.tv_sec,
                nanoseconds: status.st_mtim.tv_nsec, inode: UInt(status.st_ino))
            return (name, sight)
        }
    }

    private static func isMeant(_ name: String) -> Bool {
        !name.hasPrefix(".") && !name.hasPrefix("~$")
            && !unfinished.contains { name.lowercased().hasSuffix($0) }
    }

    private func judge(_ name: String, _ sight: inout Sight, _ now: Double) -> Found? {
        // A link could lead out of the folder, and a pipe would block.
        let descriptor = open(path + "/" + name, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC)
        guard descriptor >= 0 else {
            return reportProblem(name, String(cString: strerror(errno)), sight: &sight, now: now)
        }
        defer { close(descriptor) }
        if Self.isHeld(descriptor) { return nil }
        switch Wholeness(descriptor, size: sight.size) {
        case .whole: return .whole(name)
        case .partial(let why): return reportProblem(name, why, sight: &sight, now: now)
        }
    }

    private func reportProblem(_ name: String, _ why: String, sight: inout Sight, now: Double)
        -> Found?
    {
        guard now - sight.since >= patience, !sight.isReported else { return nil }
        sight.isReported = true
        return .broken(name, why)
    }

    /// True if the file is open for writing; the system then grants no lease (fcntl(2),
    /// `F_SETLEASE`).
    private static func isHeld(_ descriptor: Int32) -> Bool {
        let setLease: Int32 = 1024
        if fcntl(descriptor, setLease, Int32(F_RDLCK)) == 0 {
            _ = fcntl(descriptor, setLease, Int32(F_UNLCK))
            return false
        }
        // Some file systems have no leases, and other users' files can't be checked.
        return errno == EAGAIN
    }

    /// Claims the files of a document: the host that claims the first one gets them all.
    ///
    /// - Returns: the files' new paths; nil when another host was faster.
    public func claim(_ names: [String]) -> [String]? {
        guard let first = names.first, let path = claim(first) else { return nil }
        return [path] + names.dropFirst().compactMap { claim($0) }
    }

    /// The modification time of a file, in nanoseconds since 1970; 0 for a missing file.
    func written(_ name: String) -> Int {
        guard let sight = known[name] else { return 0 }
        return sight.seconds &* 1_000_000_000 &+ sight.nanoseconds
    }

    /// Claims a file: the host that renames or marks it gets it.
    ///
    /// - Returns: the file's new path; nil when another host was faster.
    public func claim(_ name: String) -> String? {
        let target = work + "/" + name
        guard access(target, F_OK) != 0 else { return nil }
        guard leavesFiles else { return rename(path + "/" + name, target) == 0 ? target : nil }
        guard let sight = known[name], borrow(name, sight, at: target) else { return nil }
        known[name]?.isLeft = true
        return target
    }

    /// The files that were claimed by hosts that no longer run.
    public func leftovers() -> [String] {
        let own = path + "/" + Self.own
        let names = (try? FileManager.default.contentsOfDirectory(atPath: own)) ?? []
        var files: [String] = []
        for name in names.sorted() where name.hasPrefix("work-") && own + "/" + name != work {
            let folder = own + "/" + name
            let descriptor = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
            guard descriptor >= 0 else { continue }
            defer { close(descriptor) }
            guard flock(descriptor, LOCK_EX | LOCK_NB) == 0 else { continue }
            let left = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
            files += left.sorted().map { folder + "/" + $0 }
            if left.isEmpty { rmdir(folder) }
        }
        return files
    }

    /// True if no file needs more work.
    public var isQuiet: Bool { known.values.allSatisfy(\.isSettled) }

    /// Moves an imported file to `done` or `failed`, under an unused name.
    ///
    /// In a folder that leaves files, the file stays.
    ///
    /// - Parameter reason: why the file could not be read; it is written to a text file in
    ///   `failed`. Nil for success.
    /// - Returns: the file's new path; nil when the file is gone.
    /// - Throws: `DeliveryError` when the folder is missing and can't be made.
    @discardableResult
    public func settle(_ claimed: String, reason: String?) throws(DeliveryError) -> String? {
        // A person may put a failed file back to try it again.
        if reason != nil { unmark(claimed) }
        if leavesFiles { return try giveBack(claimed, reason: reason) }
        return try put(claimed, into: reason == nil ? "done" : "failed", words: reason)
    }

    /// Moves an imported file to one of the folders, with a text file beside it.
    func put(
        _ claimed: String, into name: String, words: String?
    ) throws(DeliveryError) -> String? {
        let folder = path + "/" + name
        try Self.make(folder)
        let place = move(claimed, folder + "/" + String(claimed.split(separator: "/").last ?? ""))
        if let words, let place {
            try? Data((words + "\n").utf8).write(to: URL(filePath: place + ".txt"))
        }
        return place
    }

    /// Renames without replacing a file; an existing name gets `-2`, `-3`.
    private func move(_ source: String, _ target: String) -> String? {
        let name = target.split(separator: "/").last ?? ""
        let ending = name.dropFirst().lastIndex(of: ".").map { String(name[$0...]) } ?? ""
        for number in 1...10_000 {
            let path =
                number == 1 ? target : "\(target.dropLast(ending.count))-\(number)\(ending)"
            // Making a link fails for an existing name, which a rename would replace.
            if link(source, path) == 0 { return unlink(source) == 0 ? path : nil }
            if errno == EEXIST { continue }
            // Some file systems have no links.
            guard errno == EPERM || errno == ENOTSUP || errno == ENOSYS || errno == EMLINK,
                access(path, F_OK) != 0
            else { return nil }
            return rename(source, path) == 0 ? path : nil
        }
        return nil
    }
}
