import Synchronization
import Testing

@testable import Clocks

@Suite struct ClockTests {
    /// A clock that a test sets.
    private final class SetClock: Clock {
        typealias Instant = ContinuousClock.Instant

        private let start = ContinuousClock.now
        private let offset = Mutex(Duration.zero)

        var now: Instant { start + offset.withLock { $0 } }
        var minimumResolution: Duration { .nanoseconds(1) }
        func advance(_ time: Duration) { offset.withLock { $0 += time } }
        func sleep(until deadline: Instant, tolerance: Duration?) async throws {}
    }

    @Test("A stopwatch counts the time of its clock since it was made")
    func stopwatch() {
        let clock = SetClock()
        clock.advance(.seconds(5))
        let watch = Stopwatch(clock)
        #expect(watch.elapsed == .zero)
        clock.advance(.milliseconds(1500))
        #expect(watch.elapsed == .milliseconds(1500))
        #expect(watch.milliseconds == 1500)
        #expect(Stopwatch(clock).elapsed == .zero)
    }

    @Test("A thread's clock waits for the requested time")
    func thread() {
        let waits = Mutex<[Duration]>([])
        let clock = ThreadClock { wait in waits.withLock { $0.append(wait) } }
        clock.sleep(for: .seconds(2))
        clock.sleep(for: .milliseconds(3))
        #expect(waits.withLock { $0 } == [.seconds(2), .milliseconds(3)])
        let watch = Stopwatch(ContinuousClock())
        ThreadClock.system.sleep(for: .milliseconds(20))
        #expect(watch.elapsed >= .milliseconds(20))
    }

    @Test("A pause ends early, and reports it, when its task is canceled")
    func pause() async {
        #expect(await ContinuousClock().pause(for: .milliseconds(1)))
        let clock: any Clock<Duration> = ContinuousClock()
        let task = Task { await clock.pause(for: .seconds(3_600)) }
        task.cancel()
        #expect(await !task.value)
    }
}
