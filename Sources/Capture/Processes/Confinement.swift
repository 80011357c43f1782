import CPosix
import Glibc

/// The rights and limits of a child process.
///
/// A manifest may ask for more memory and descriptors, or for fewer rights.
///
/// In addition, every process has only its own descriptors, makes no core files, gains no
/// privileges, and has a session of its own.
public struct Confinement: Codable, Hashable, Sendable {
    /// The maximum private memory of the process, in bytes (`RLIMIT_DATA`).
    public var memory: Int
    /// The maximum number of open descriptors (`RLIMIT_NOFILE`); 1,024 unless given, because
    /// `select` in older drivers fails beyond that.
    public var openFiles: Int
    /// True when the process may read the file system, but change nothing in it, and reaches no
    /// other process.
    public var isReadOnly: Bool
    /// False when the process can't make sockets.
    public var hasNetwork: Bool
    /// Names of environment variables that the process gets in addition to the usual ones.
    public var environment: [String] = []

    /// The maximum size of a file that a backend may write: 16 GiB, more than any page within the
    /// frame limits needs.
    static let largestFile: UInt64 = 16 << 30

    /// The usual confinement, except for the given values.
    public init(
        memory: Int = Confinement.usualMemory, openFiles: Int = 1024, isReadOnly: Bool = false,
        hasNetwork: Bool = true
    ) {
        self.memory = memory
        self.openFiles = openFiles
        self.isReadOnly = isReadOnly
        self.hasNetwork = hasNetwork
    }

    /// 8 GiB, or three quarters of the machine's memory if that is less, but at least 2 GiB.
    ///
    /// A page of 400 million pixels takes at most 2.4 GB, and some drivers hold it twice.
    public static let usualMemory: Int = {
        let pages = max(0, sysconf(Int32(_SC_PHYS_PAGES)))
        let (memory, overflow) = pages.multipliedReportingOverflow(
            by: max(0, sysconf(Int32(_SC_PAGESIZE))))
        let threeQuarters = overflow || memory == 0 ? 8 << 30 : memory / 4 * 3
        return min(8 << 30, max(2 << 30, threeQuarters))
    }()

    /// The confinement in the system's terms, without the features that `support` lacks.
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

/// The kernel's features for confining a process.
public struct SandboxSupport: Hashable, Sendable {
    /// The version of Landlock's interface; nil where the kernel lacks it or has switched it off.
    public var landlockVersion: Int?
    /// True when the kernel filters system calls (seccomp) on this type of processor.
    public var filtersCalls: Bool
    /// True when a sandbox gets namespaces of its own; nil when this was not tried.
    public var grantsNamespaces: Bool?

    /// The features of this machine, except for namespaces.
    public static let current = SandboxSupport(
        landlockVersion: Int(exactly: cposix_landlock_version()).flatMap { $0 > 0 ? $0 : nil },
        filtersCalls: cposix_can_filter_calls() == 1)

    /// The features of this machine, with namespaces; trying those takes a process.
    public static func tried() -> SandboxSupport {
        var support = current
        support.grantsNamespaces = cposix_try_namespaces() == 0
        return support
    }

    /// The features of a machine.
    public init(landlockVersion: Int?, filtersCalls: Bool, grantsNamespaces: Bool? = nil) {
        self.landlockVersion = landlockVersion
        self.filtersCalls = filtersCalls
        self.grantsNamespaces = grantsNamespaces
    }
}
