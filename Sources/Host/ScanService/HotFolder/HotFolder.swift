public import Delivery
import FoundationEssentials
import Glibc

/// A folder into which others put files, such as a scanner that pushes by FTP or SMB.
///
/// A file is imported once its size, time and inode have not changed for a while, its format is
/// complete, and no one has it open for writing.
///
///     var folder = try HotFolder("/srv/scans")
///     for file in folder.look(now: seconds) { … }
public final class HotFolder {
    /// The folder.
    public let path: String
    /// Seconds for which a file must not change.
    public let stillness: Double
    /// Seconds after which a file that is still and not complete is given up.
    public let patience: Double
    /// Whether files stay where they are; otherwise they are moved to `done` or `failed`.
    public let leavesFiles: Bool
    /// Whether the folder has to be polled, since the system reports no changes on network file
    /// systems.
    public let isOnNetwork: Bool
    private var known: [String: Sight] = [:]
    /// The files that are still on their way, as last seen.
    public private(set) var unfinished: [String] = []
    /// Where files are while this host works on them.
    private let work: String
    /// Locked for as long as this host lives.
    private let lock: Int32

    /// The state in which a file was last seen.
    struct Sight: Hashable {
        var size: Int
        var seconds: Int
        var nanoseconds: Int
        var inode: UInt
        /// The time since which it has not changed.
        var since = 0.0
        /// Whether it was reported as given up, so that this is reported once.
        var isTold = false
        /// Whether it was taken, and stays where it is.
        var isLeft = false

        /// Whether there is nothing left to do with it.
        var isSettled: Bool { isTold || isLeft }

        func isLike(_ other: Sight) -> Bool {
            size == other.size && seconds == other.seconds && nanoseconds == other.nanoseconds
                && inode == other.inode
        }
    }

    /// A file that needs some action.
    public enum Found: Hashable, Sendable {
        /// The file is complete.
        case whole(String)
        /// It has not changed for long and is incomplete, for a reason.
        case broken(String, String)
    }

    /// Starts watching a folder.
    ///
    /// - Parameters:
    ///   - stillness: nil for 5 s, and 15 s on a network's file system.
    ///   - patience: seconds after which a file that is not complete is given up.
    ///   - leavesFiles: whether files stay where they are.
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

    /// The host's own folder in it.
    static let own = ".copystand"
    /// Names of incomplete files, which are renamed at the end.
    private static let unfinished = [
        ".part", ".partial", ".tmp", ".temp", ".crdownload", ".filepart", ".pd~", "~",
    ]

    static func make(_ path: String) throws(DeliveryError) {
        guard mkdir(path, 0o777) != 0, errno != EEXIST else { return }
        if errno == ENOENT, let end = path.lastIndex(of: "/") {
            throw DeliveryError(
                .folderMissing,
                "The folder '\(path[..<end])' is not there. Make it, or name another one.")
        }
        throw DeliveryError(
            .permissionDenied,
            "The folder '\(path)' can't be made: \(String(cString: strerror(errno))). Name a folder that you may write to."
        )
    }

    /// Whether a folder is on a network file system, or on one in user space that may be one.
    ///
    /// - Parameter mounts: what `/proc/self/mountinfo` says (proc(5)).
    static func isOnNetwork(_ path: String, mounts: String) -> Bool {
        var nearest = (length: -1, kind: "")
        for line in mounts.split(separator: "\n") {
            let fields = line.split(separator: " ")
            guard fields.count > 6, let dash = fields[5...].firstIndex(of: "-"),
                dash + 1 < fields.count
            else { continue }
            let place = fields[4].replacing("\\040", with: " ")
            let isAbove = place == "/" || path == place || path.hasPrefix(place + "/")
            // If there are several mounts on one place, the last one counts.
            guard isAbove, place.utf8.count >= nearest.length else { continue }
            nearest = (place.utf8.count, String(fields[dash + 1]))
        }
        return ["nfs", "cifs", "smb", "fuse", "9p", "afs", "ceph", "glusterfs"].contains {
            nearest.kind.hasPrefix($0)
        }
    }

    /// The files that are ready now.
    ///
    /// - Parameter now: seconds of a monotonic clock.
    /// - Returns: files in the order of their names.
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

    /// The files to take, in the order of their names, as they are now.
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
        // A link would lead out of the folder, and a pipe would block.
        let descriptor = open(path + "/" + name, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC)
        guard descriptor >= 0 else {
            return tell(name, String(cString: strerror(errno)), sight: &sight, now: now)
        }
        defer { close(descriptor) }
        if Self.isHeld(descriptor) { return nil }
        switch Wholeness(descriptor, size: sight.size) {
        case .whole: return .whole(name)
        case .partial(let why): return tell(name, why, sight: &sight, now: now)
        }
    }

    private func tell(_ name: String, _ why: String, sight: inout Sight, now: Double) -> Found? {
        guard now - sight.since >= patience, !sight.isTold else { return nil }
        sight.isTold = true
        return .broken(name, why)
    }

    /// Whether the file is open for writing: then no lease is granted (fcntl(2),
    /// `F_SETLEASE`).
    private static func isHeld(_ descriptor: Int32) -> Bool {
        let setLease: Int32 = 1024
        if fcntl(descriptor, setLease, Int32(F_RDLCK)) == 0 {
            _ = fcntl(descriptor, setLease, Int32(F_UNLCK))
            return false
        }
        // File systems without leases, and other users' files, can't be checked.
        return errno == EAGAIN
    }

    /// Takes the files of a document, so that no other host does: the one that takes the first has
    /// them all.
    ///
    /// - Returns: their paths from now on; nil when another was faster.
    public func claim(_ names: [String]) -> [String]? {
        guard let first = names.first, let path = claim(first) else { return nil }
        return [path] + names.dropFirst().compactMap { claim($0) }
    }

    /// When a file was last written, in nanoseconds since 1970; 0 for one that is gone.
    func written(_ name: String) -> Int {
        guard let sight = known[name] else { return 0 }
        return sight.seconds &* 1_000_000_000 &+ sight.nanoseconds
    }

    /// Takes a file, so that no other host does: the one that renames or marks it has it.
    ///
    /// - Returns: its path from now on; nil when another was faster.
    public func claim(_ name: String) -> String? {
        let target = work + "/" + name
        guard access(target, F_OK) != 0 else { return nil }
        guard leavesFiles else { return rename(path + "/" + name, target) == 0 ? target : nil }
        guard let sight = known[name], borrow(name, sight, at: target) else { return nil }
        known[name]?.isLeft = true
        return target
    }

    /// The files taken by a host that no longer runs.
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

    /// Whether nothing is left that may need work.
    public var isQuiet: Bool { known.values.allSatisfy(\.isSettled) }

    /// Moves a file that was taken to `done` or `failed`, under a name that is free.
    ///
    /// Where files stay, it stays where it is.
    ///
    /// - Parameter reason: why it could not be read; written to a text file in `failed`. Nil for
    ///   one that was read.
    /// - Returns: where it is now; nil when it is gone.
    /// - Throws: `DeliveryError` when there is no such folder and it can't be created.
    @discardableResult
    public func settle(_ claimed: String, reason: String?) throws(DeliveryError) -> String? {
        // A file that is put back is to be tried again.
        if reason != nil { unmark(claimed) }
        if leavesFiles { return try giveBack(claimed, reason: reason) }
        return try put(claimed, into: reason == nil ? "done" : "failed", words: reason)
    }

    /// Moves a file that was taken to one of the folders, with a text file next to it.
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

    /// Renames without replacing; a taken name is followed by `-2`, `-3`.
    private func move(_ source: String, _ target: String) -> String? {
        let name = target.split(separator: "/").last ?? ""
        let ending = name.dropFirst().lastIndex(of: ".").map { String(name[$0...]) } ?? ""
        for number in 1...10_000 {
            let path =
                number == 1 ? target : "\(target.dropLast(ending.count))-\(number)\(ending)"
            // A link fails where something is in the way, which a rename would replace.
            if link(source, path) == 0 { return unlink(source) == 0 ? path : nil }
            if errno == EEXIST { continue }
            // Not every file system has links.
            guard errno == EPERM || errno == ENOTSUP || errno == ENOSYS || errno == EMLINK,
                access(path, F_OK) != 0
            else { return nil }
            return rename(source, path) == 0 ? path : nil
        }
        return nil
    }
}
