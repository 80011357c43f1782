import Glibc

/// When a file was last written (`st_mtim`), in nanoseconds since 1970.
struct FileTime: Codable, Hashable, Sendable {
    let nanoseconds: Int64

    init(_ status: stat) { self.init(status.st_mtim) }

    private init(_ time: timespec) {
        nanoseconds = Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec)
    }

    /// The present time (`CLOCK_REALTIME`).
    static var now: FileTime {
        var time = timespec()
        clock_gettime(CLOCK_REALTIME, &time)
        return FileTime(time)
    }

    init(from decoder: any Decoder) throws {
        nanoseconds = try decoder.singleValueContainer().decode(Int64.self)
    }

    func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(nanoseconds)
    }

    /// Gives an open file this time (`futimens`), and leaves when it was read alone; false on failure, with `errno` set.
    func set(on file: Int32) -> Bool {
        // UTIME_OMIT of <sys/stat.h>, a macro that Swift does not see.
        let unchanged = timespec(tv_sec: 0, tv_nsec: (1 << 30) - 2)
        let time = timespec(
            tv_sec: Int(nanoseconds / 1_000_000_000), tv_nsec: Int(nanoseconds % 1_000_000_000))
        return futimens(file, [unchanged, time]) == 0
    }
}
