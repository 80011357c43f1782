import CaptureKit
import Synchronization

extension ConformanceRun {
    /// Runs checks one after the other, on a separate thread; every process that the checks started
    /// has ended when the stream ends.
    ///
    /// A check is not applicable if it needs something that an earlier check found missing. If no
    /// one reads the stream anymore, the run ends after the current check.
    ///
    /// - Parameter checks: the checks to run, in this order; all checks by default.
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

/// The result of a check.
public struct CheckResult: Sendable {
    /// The check.
    public let check: ConformanceCheck
    /// The outcome.
    public let outcome: CheckOutcome
    /// The duration of the check.
    public let duration: Duration
}

/// A flag that another thread may set.
private final class Flag: Sendable {
    private let state = Atomic(false)
    func raise() { state.store(true, ordering: .relaxed) }
    var isRaised: Bool { state.load(ordering: .relaxed) }
}
