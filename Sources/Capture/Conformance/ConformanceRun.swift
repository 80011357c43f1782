public import CaptureHost
import CaptureKit
import Synchronization

/// Makes the checks of a backend program.
///
///     let run = ConformanceRun(program: "/path/to/program", device: "test")
///     for await result in run.results() { print(result.check.id, result.outcome) }
public struct ConformanceRun: Sendable {
    /// The path of the program.
    public var program: String
    /// The id of the device within the backend, without the backend's own; nil for the first that
    /// is ready.
    public var device: String?
    /// Options to set, in this order, whenever the device is opened, as a user types them.
    public var settings: [(name: String, value: String)] = []
    /// How long the backend may take; the protocol's own deadlines unless given.
    public var deadlines: Deadlines
    /// True for a real device: the checks do nothing that wears it out, and capture few pages.
    public var isReal = false
    /// What its process may use: as much as its manifest says, as in a real host.
    public var confinement = Confinement()
    /// How long to listen for what must not come, once everything that was asked is answered: 0.2
    /// s.
    public var silence: Duration = .milliseconds(200)

    /// How long a process may take to exit between checks before it is killed, at most what
    /// ``deadlines`` allow: 2 s.
    public var patience: Duration = .seconds(2)

    /// How long the host lets an announced page wait, and then how long it leaves the page unread:
    /// 1 s each.
    public var slowness: Duration = .seconds(1)
    /// How long a list of devices should take: 5 s.
    public var promptness: Duration = .seconds(5)
    /// How long a canceled page may continue to its end: 1 s.
    public var cancelPromptness: Duration = .seconds(1)
    /// How many pages are captured to see whether memory grows: 200.
    public var rounds = 200

    /// A run with a program, with the protocol's deadlines unless specified otherwise.
    public init(
        program: String, device: String? = nil, deadlines: Deadlines = Deadlines()
    ) {
        self.program = program
        self.device = device
        self.deadlines = deadlines
    }

    /// Why the requested device or options can't be used.
    ///
    /// - Returns: `noSuchDevice`, `noSuchOption`, `invalidValue` or the device's own error; nil
    ///   when nothing is wrong with them, or when the backend answers so badly that only the checks
    ///   can find out.
    public func mistake() async -> HostError? {
        guard device != nil || !settings.isEmpty else { return nil }
        return await withCheckedContinuation { continuation in
            startThread("conformance") {
                let context = CheckContext(run: self)
                defer { context.tidyUp() }
                continuation.resume(returning: context.mistake())
            }
        }
    }

    /// Makes checks one after the other, on a thread of its own; every process that it started is
    /// gone at the end.
    ///
    /// A check that needs what an earlier one has found missing is not applicable. Stopping to read
    /// ends the run after the current check.
    ///
    /// - Parameter checks: those to run, in this order; all of them unless given.
    public func results(
        of checks: [ConformanceCheck] = ConformanceCheck.all
    ) -> AsyncStream<CheckResult> {
        AsyncStream { results in
            let flag = Flag()
            results.onTermination = { _ in flag.raise() }
            startThread("conformance") {
                let context = CheckContext(run: self)
                for check in checks where !flag.isRaised {
                    let start = ContinuousClock.now
                    let outcome = context.make(check)
                    results.yield(
                        CheckResult(check: check, outcome: outcome, duration: .now - start))
                }
                context.tidyUp()
                results.finish()
            }
        }
    }
}

/// A check that was made.
public struct CheckResult: Sendable {
    /// Which.
    public let check: ConformanceCheck
    /// Its outcome.
    public let outcome: CheckOutcome
    /// How long it took.
    public let duration: Duration
}

/// A flag that another thread may set.
private final class Flag: Sendable {
    private let state = Atomic(false)
    func raise() { state.store(true, ordering: .relaxed) }
    var isRaised: Bool { state.load(ordering: .relaxed) }
}
