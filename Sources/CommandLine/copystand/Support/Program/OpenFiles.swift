import Glibc

/// Sets the number of files that the program may have open.
enum OpenFiles {
    /// Raises the limit to 8,192 where the system allows it (`setrlimit`): a host has a descriptor
    /// for each connection, and often a file.
    static func raiseLimit() {
        let kind = __rlimit_resource_t(RLIMIT_NOFILE.rawValue)
        var limit = rlimit()
        guard getrlimit(kind, &limit) == 0, limit.rlim_cur < 8192 else { return }
        limit.rlim_cur = min(8192, limit.rlim_max)
        setrlimit(kind, &limit)
    }
}
