import Glibc

/// The memory of the process that decodes.
public enum ProcessMemory {
    /// Limits this process's address space to 8 GiB, or to three quarters of the machine's memory
    /// where that is less, but to no less than 2 GiB (`setrlimit`, RLIMIT_AS).
    ///
    /// The program's main calls it: if a file makes a decoder request more memory, only this
    /// process fails, while the host and other programs continue.
    public static func limit() {
        let pages = sysconf(Int32(_SC_PHYS_PAGES))
        let pageSize = sysconf(Int32(_SC_PAGESIZE))
        let (memory, overflow) = max(pages, 0).multipliedReportingOverflow(by: max(pageSize, 0))
        let threeQuarters = overflow || memory == 0 ? 8 << 30 : memory / 4 * 3
        let most = rlim_t(min(8 << 30, max(2 << 30, threeQuarters)))
        var limit = rlimit()
        guard getrlimit(__rlimit_resource_t(RLIMIT_AS.rawValue), &limit) == 0, limit.rlim_max > most
        else { return }
        limit.rlim_cur = most
        limit.rlim_max = most
        // If the system refuses, nothing changes; the limits on pixels still hold.
        _ = setrlimit(__rlimit_resource_t(RLIMIT_AS.rawValue), &limit)
    }
}
