/// The clock of the devices; tests use one that does not wait.
protocol Pacer: Sendable {
    /// Time since some moment before the capture.
    func now() -> Duration
    /// Waits until `now()` is at least `moment`.
    ///
    /// - Throws: `CancellationError`.
    func sleep(until moment: Duration) async throws
}

/// The pacer of the real program, on the continuous clock.
struct ClockPacer: Pacer {
    private let clock = ContinuousClock()
    private let start = ContinuousClock.now

    func now() -> Duration { clock.now - start }

    func sleep(until moment: Duration) async throws {
        try await clock.sleep(until: start + moment, tolerance: nil)
    }
}
