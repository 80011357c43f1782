import Glibc

/// Seconds since 1970-01-01T00:00:00Z, by the system's clock.
func secondsNow() -> Double {
    var now = timespec()
    clock_gettime(CLOCK_REALTIME, &now)
    return Double(now.tv_sec) + Double(now.tv_nsec) / 1e9
}
