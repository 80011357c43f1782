import Glibc

/// A clock for code that blocks its thread; tests replace it with one that does not wait.
package struct ThreadClock: Sendable {
    private let pause: @Sendable (Duration) -> Void

    /// A clock that waits by calling `pause`.
    package init(pause: @escaping @Sendable (Duration) -> Void) { self.pause = pause }

    /// The machine's own clock.
    package static let system = ThreadClock {
        usleep(UInt32(clamping: Int64($0 / .microseconds(1))))
    }

    /// Blocks the calling thread for `duration`.
    package func sleep(for duration: Duration) { pause(duration) }
}
