public import CaptureHost
import CaptureKit

/// Makes the checks of a backend program, each with a fresh process of it.
///
///     let run = ConformanceRun(program: "/path/to/program", device: "test")
///     for check in ConformanceCheck.all { print(check.id, await run.outcome(of: check)) }
public struct ConformanceRun: Sendable {
    /// The path of the program.
    public var program: String
    /// The id of the device within the backend, without the backend's own; nil for the first that is ready.
    public var device: String?
    /// How long the backend may take; the protocol's own deadlines unless given.
    public var deadlines: Deadlines

    /// A run with a program, with the protocol's deadlines unless told otherwise.
    public init(
        program: String, device: String? = nil, deadlines: Deadlines = Deadlines()
    ) {
        self.program = program
        self.device = device
        self.deadlines = deadlines
    }

    /// Makes one check, on a thread of its own; every process that it started is gone afterwards.
    public func outcome(of check: ConformanceCheck) async -> CheckOutcome {
        await withCheckedContinuation { continuation in
            startThread("conformance") { continuation.resume(returning: outcomeNow(of: check)) }
        }
    }

    private func outcomeNow(of check: ConformanceCheck) -> CheckOutcome {
        let bench = CheckBench(run: self)
        defer { bench.tidyUp() }
        do {
            try check.body(bench)
            return .passed
        } catch let failure as CheckFailure {
            return .failed(expected: failure.expected, came: failure.came)
        } catch let reason as NotApplicable {
            return .notApplicable(reason.reason)
        } catch let error as WireError {
            return .failed(expected: "messages that can be read", came: error.message)
        } catch {
            return .failed(expected: "no failure", came: "\(error)")
        }
    }
}
