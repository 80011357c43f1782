import CPosix
import Glibc

/// What a backend's process may use; a manifest may ask for more memory and descriptors, or for
/// less of everything.
///
/// In addition, every backend has no descriptors but its own, no core files, no new privileges, and
/// a session of its own.
public struct Confinement: Codable, Hashable, Sendable {
    /// The most private memory it may have, in bytes (`RLIMIT_DATA`).
    public var memory: Int
    /// The most descriptors it may have open (`RLIMIT_NOFILE`); 1,024, beyond which `select` of
    /// older drivers fails.
    public var openFiles: Int
    /// True when it can read the file system, change nothing in it, and reach no other process.
    public var isReadOnly: Bool
    /// False when it can't make sockets.
    public var hasNetwork: Bool
    /// Environment variables that it gets in addition to the usual ones.
    public var environment: [String] = []

    /// The largest file that a backend may write: 16 GiB, beyond any page within the frame limits.
    static let largestFile: UInt64 = 16 << 30

    /// The usual confinement, unless specified otherwise.
    public init(
        memory: Int = Confinement.usualMemory, openFiles: Int = 1024, isReadOnly: Bool = false,
        hasNetwork: Bool = true
    ) {
        self.memory = memory
        self.openFiles = openFiles
        self.isReadOnly = isReadOnly
        self.hasNetwork = hasNetwork
    }

    /// 8 GiB, or three quarters of the machine's memory where that is less, but no less than 2 GiB.
    ///
    /// A page of 400 million pixels takes 2.4 GB at most, and drivers hold one twice.
    public static let usualMemory: Int = {
        let pages = max(0, sysconf(Int32(_SC_PHYS_PAGES)))
        let (memory, overflow) = pages.multipliedReportingOverflow(
            by: max(0, sysconf(Int32(_SC_PAGESIZE))))
        let threeQuarters = overflow || memory == 0 ? 8 << 30 : memory / 4 * 3
        return min(8 << 30, max(2 << 30, threeQuarters))
    }()

    /// The confinement in the terms of the system, without what `support` lacks.
    func system(_ support: SandboxSupport) -> cposix_confinement {
        cposix_confinement(
            memory: UInt64(max(1, memory)), file_size: Confinement.largestFile,
            open_files: UInt64(max(1, openFiles)),
            is_read_only: isReadOnly ? 1 : 0, has_no_network: hasNetwork ? 0 : 1,
            has_landlock: support.landlockVersion != nil ? 1 : 0,
            filters_calls: support.filtersCalls ? 1 : 0,
            tries_namespaces: isReadOnly ? 1 : 0)
    }
}

/// What the running kernel can remove from a backend.
public struct SandboxSupport: Hashable, Sendable {
    /// The version of Landlock's interface; nil where the kernel has none, or it is switched off.
    public var landlockVersion: Int?
    /// True when the kernel filters system calls (seccomp) on this sort of processor.
    public var filtersCalls: Bool
    /// True when a sandbox gets namespaces of its own; nil when this was not tried.
    public var grantsNamespaces: Bool?

    /// What this machine offers.
    public static let current = SandboxSupport(
        landlockVersion: Int(exactly: cposix_landlock_version()).flatMap { $0 > 0 ? $0 : nil },
        filtersCalls: cposix_can_filter_calls() == 1)

    /// What this machine offers, namespaces included; trying those takes a process.
    public static func tried() -> SandboxSupport {
        var support = current
        support.grantsNamespaces = cposix_try_namespaces() == 0
        return support
    }

    /// What a machine may offer.
    public init(landlockVersion: Int?, filtersCalls: Bool, grantsNamespaces: Bool? = nil) {
        self.landlockVersion = landlockVersion
        self.filtersCalls = filtersCalls
        self.grantsNamespaces = grantsNamespaces
    }
}
