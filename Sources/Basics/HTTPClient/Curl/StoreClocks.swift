import Glibc
import Synchronization

/// The seconds by which object stores' clocks are ahead of this machine's, if that matters: a
/// store refuses a request whose time is a quarter of an hour off.
final class StoreClocks: Sendable {
    private let leads = Mutex<[String: Double]>([:])
    /// Seconds that are no reason for a refusal.
    private static let tolerance = 240.0

    /// The time in seconds since 1970 by the clock of a store.
    func now(at origin: String) -> Double {
        Self.secondsNow + leads.withLock { $0[origin] ?? 0 }
    }

    /// Notes the time in a store's refusal.
    ///
    /// - Returns: true if it was far from ``now(at:)``, so that the request should be repeated.
    func note(_ answer: WebAnswer, from origin: String) -> Bool {
        guard answer.status == 403, let time = answer.headers["date"].flatMap(RetryAfter.date),
            abs(time - now(at: origin)) > Self.tolerance
        else { return false }
        leads.withLock { $0[origin] = time - Self.secondsNow }
        return true
    }

    private static var secondsNow: Double {
        var time = timespec()
        clock_gettime(CLOCK_REALTIME, &time)
        return Double(time.tv_sec)
    }
}
