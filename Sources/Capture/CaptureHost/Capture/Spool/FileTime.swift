import Glibc

/// The time when a file was last written (`st_mtim`), in nanoseconds since 1970.
struct FileTime: Codable, Hashable, Sendable {
    let nanoseconds: Int64

    init(_ status: stat) { self.init(status.st_mtim) }

    private init(_ time: timespec) {
        // Nanoseconds end in the year 2262. After that the count starts over, and still
        // distinguishes one time from another.
        nanoseconds = Int64(time.tv_sec) &* 1_000_000_000 &+ Int64(time.tv_nsec)
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

    /// Sets an open file's modification time to this time (`futimens`), and leaves its access time
    /// unchanged; false on failure, with `errno` set.
    func set(on file: Int32) -> Bool {
        // UTIME_OMIT of <sys/stat.h>, a macro that Swift does not see.
        let unchanged = timespec(tv_sec: 0, tv_nsec: (1 << 30) - 2)
        // The system accepts no fraction below 0, so a negative time counts up from the second
        // before it.
        let (whole, part) = nanoseconds.quotientAndRemainder(dividingBy: 1_000_000_000)
        let time =
            part < 0
            ? timespec(tv_sec: Int(whole) - 1, tv_nsec: Int(part) + 1_000_000_000)
            : timespec(tv_sec: Int(whole), tv_nsec: Int(part))
        return futimens(file, [unchanged, time]) == 0
    }
}
