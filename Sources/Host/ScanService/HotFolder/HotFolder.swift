public import Delivery
import ExpectedFailures
import FoundationEssentials
import Glibc
import GuardedFiles

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
    var known: [String: Sight] = [:]
    /// The names of links and the like that were reported.
    private var reported: Set<String> = []
    /// The files that were not complete at the last look.
    public private(set) var unfinished: [String] = []
    /// The open folder, into which others may put links and pipes as well as files.
    let root: GuardedFolder
    /// The folder for files while this host imports them, locked as long as this host runs.
    let work: GuardedFolder
    /// The name of that folder, below ``root``.
    let workName: String

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

        init(_ status: stat) {
            size = Int(status.st_size)
            seconds = status.st_mtim.tv_sec
            nanoseconds = status.st_mtim.tv_nsec
            inode = UInt(status.st_ino)
        }

        /// A regular file in a folder; nil for anything else.
        init?(_ name: String, in folder: GuardedFolder) {
            guard let status = folder.file(name) else { return nil }
            self.init(status)
        }

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
        /// The name belongs to something else, such as a link; the second value names it. It is
        /// reported once, and stays.
        case other(String, String)
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
        let mounts = ifSupported {
            try String(contentsOfFile: "/proc/self/mountinfo", encoding: .utf8)
        }
        isOnNetwork = Self.isOnNetwork(path, mounts: mounts ?? "")
        self.stillness = stillness ?? (isOnNetwork ? 15 : 5)
        self.patience = patience
        self.leavesFiles = leavesFiles
        do throws(GuardedFileError) {
            root = try GuardedFolder(path)
            let own = try Self.ownFolder(Self.own, in: root, isOnNetwork)
            for name in [Self.taken, Self.left] {
                _ = try Self.ownFolder(name, in: own, isOnNetwork)
            }
            // A link in their place would be found only once a file is there to be moved.
            for name in ["done", "failed"] where try root.status(name) != nil {
                _ = try Self.ownFolder(name, in: root, isOnNetwork)
            }
            let made = try Self.workFolder(in: own)
            work = made.folder
            workName = Self.own + "/" + made.name
        } catch { throw Self.explained(error) }
        if leavesFiles { forgetGoneFiles() } else { forgetOldMarks() }
    }

    deinit { root.removeEmptyFolder(workName) }

    /// The name of the host's subfolder.
    static let own = ".copystand"
    /// Endings of temporary names for files that are still being written.
    private static let unfinished = [
        ".part", ".partial", ".tmp", ".temp", ".crdownload", ".filepart", ".pd~", "~",
    ]

    /// A subfolder for this host's use; on a network disk, the server decides who owns it.
    static func ownFolder(
        _ name: String, in folder: GuardedFolder, _ isOnNetwork: Bool
    ) throws(GuardedFileError) -> GuardedFolder {
        try folder.ownFolder(name, mode: 0o777, checksOwner: !isOnNetwork)
    }

    /// Makes a locked folder for the files of this host.
    private static func workFolder(
        in own: GuardedFolder
    ) throws(GuardedFileError) -> (folder: GuardedFolder, name: String) {
        // Until it is locked, another host may mistake it for a leftover, and remove it.
        var attempts = 0
        while true {
            attempts += 1
            do throws(GuardedFileError) {
                let made = try own.newFolder("work-", mode: 0o777)
                // A file system without locks has no such hosts.
                let isHeld = flock(made.folder.descriptor, LOCK_EX | LOCK_NB) != 0
                if !(isHeld && errno == EWOULDBLOCK), try own.status(made.name) != nil {
                    return made
                }
            } catch {
                guard error.code == .missing, attempts < 100 else { throw error }
            }
        }
    }

    static func explained(_ error: GuardedFileError) -> DeliveryError {
        switch error.code {
        case .missing:
            DeliveryError(
                .folderMissing,
                "The folder '\(error.path)' does not exist. Make it, or name another one.")
        case .system where error.number != EACCES && error.number != EPERM:
            DeliveryError(.inputOutput, error.message)
        case .system:
            DeliveryError(
                .permissionDenied, "\(error.message) Name a folder that you may write to.")
        case .wrongKind, .notOwn, .tooLarge: DeliveryError(.permissionDenied, error.message)
        }
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
        let entries: [(name: String, status: stat)]
        do throws(GuardedFileError) {
            entries = try self.entries()
            reported.remove(Self.itself)
        } catch {
            // The known files stay known: the folder of a network disk may return.
            guard reported.insert(Self.itself).inserted else { return [] }
            return [.other(Self.itself, "the folder can't be read: \(error.reason)")]
        }
        for (name, status) in entries {
            guard status.st_mode & S_IFMT == S_IFREG else {
                if let other = report(name, status) { found.append(other) }
                continue
            }
            var sight = Sight(status)
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
                case .whole(let name), .broken(let name, _), .other(let name, _): name
                }
            })
        unfinished = seen.filter { !settled.contains($0.key) && !$0.value.isSettled }.map(\.key)
        return found
    }

    /// The entries that the host may import, sorted by name: neither hidden nor temporary files.
    ///
    /// - Throws: ``GuardedFileError`` when the folder can't be read.
    func entries() throws(GuardedFileError) -> [(name: String, status: stat)] {
        try root.names().filter(Self.isMeant).compactMap { name in
            root.entry(name).map { (name, $0) }
        }
    }

    /// The folder's own name in it, for reports.
    private static let itself = "."

    /// A link, pipe, socket or device, at the first look; folders are usual there.
    private func report(_ name: String, _ status: stat) -> Found? {
        let kind = status.st_mode & S_IFMT
        guard kind != S_IFDIR, reported.insert(name).inserted else { return nil }
        return .other(name, "it is \(fileKind(kind)), and only files are read")
    }

    private static func isMeant(_ name: String) -> Bool {
        !name.hasPrefix(".") && !name.hasPrefix("~$")
            && !unfinished.contains { name.lowercased().hasSuffix($0) }
    }

    private func judge(_ name: String, _ sight: inout Sight, _ now: Double) -> Found? {
        let descriptor: Int32
        do throws(GuardedFileError) { descriptor = try root.open(name).descriptor } catch {
            return reportProblem(name, error.message, sight: &sight, now: now)
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

    /// The modification time of a file, in nanoseconds since 1970; 0 for a missing file.
    func written(_ name: String) -> Int {
        guard let sight = known[name] else { return 0 }
        return sight.seconds &* 1_000_000_000 &+ sight.nanoseconds
    }

    /// True if no file needs more work.
    public var isQuiet: Bool { known.values.allSatisfy(\.isSettled) }
}
