import CaptureHost
import Conformance
import ContractSupport
import FoundationEssentials
import Glibc
import Testing

/// Runs the checks of `backend check` with a backend that follows the protocol and with backends
/// that break one rule.
@Suite struct ConformanceTests {
    @Test("A backend that follows every rule passes every check, and none is left out")
    func faultless() async throws {
        let backend = try FaultyBackend("")
        let result = await Findings(patient(backend.program))
        #expect(result.failed == [])
        #expect(result.left == [])
        #expect(result.passed.count == ConformanceCheck.all.count)
    }

    @Test("A backend with one fault fails the check for it, and no other", arguments: FaultCase.all)
    func fault(_ fault: FaultCase) async throws {
        let backend = try FaultyBackend(fault.fault)
        var run = patient(backend.program)
        fault.tune(&run)
        let result = await Findings(run, fault.checks)
        #expect(result.failed == [fault.fails], "\(result.reasons)")
    }

    @Test("Every check has a fault that it finds, and every fault of the backend is tried")
    func everyCheck() {
        #expect(Set(FaultCase.all.map(\.fails)) == Set(ConformanceCheck.all.map(\.id)))
        let others: Set = ["noDevices", "inlineOnly", "startsSlowly"]
        #expect(Set(FaultCase.all.map(\.fault)).union(others) == FaultyBackend.known)
    }

    @Test("Without a device the checks of devices are left out, with the reason, and nothing fails")
    func noDevices() async throws {
        let backend = try FaultyBackend("noDevices")
        let result = await Findings(patient(backend.program))
        #expect(result.failed == [], "\(result.reasons)")
        #expect(result.left.contains("open.answers") && result.left.contains("exit.mid-page"))
        #expect(result.reasons.contains { $0.contains("--device") })
        #expect(result.passed.contains("nonsense.deep"))
    }

    @Test("A backend whose pixels go through the connection is not asked for files")
    func inlineOnly() async throws {
        let backend = try FaultyBackend("inlineOnly")
        let result = await Findings(patient(backend.program))
        #expect(result.failed == [], "\(result.reasons)")
        #expect(
            result.left.sorted() == [
                "buffer.after-done", "buffer.closed", "buffer.inline", "buffer.offset",
                "buffer.rows", "buffer.size", "hello.capabilities",
            ])
    }

    @Test("With a real device, only the harsh checks are left out")
    func real() async throws {
        let backend = try FaultyBackend("")
        var run = patient(backend.program)
        run.isReal = true
        let result = await Findings(run)
        #expect(result.failed == [], "\(result.reasons)")
        let harsh = ConformanceCheck.all.filter(\.isHarsh).map(\.id)
        #expect(!harsh.isEmpty)
        // Checks that need the sample of two pages are omitted too.
        let sampled: Set = ["capture.original", "capture.source", "capture.text"]
        #expect(Set(result.left).subtracting(harsh) == sampled)
        #expect(Set(harsh).isSubset(of: result.left))
    }

    @Test("A slow program, and one that can't start, are reported correctly")
    func starting() async throws {
        let early = ConformanceCheck.all.filter { $0.id == "exit.early" }
        let slow = try FaultyBackend("startsSlowly")
        let result = await Findings(patient(slow.program), early)
        #expect(result.passed == ["exit.early"], "\(result.reasons)")
        let live = ConformanceCheck.all.filter {
            ["hello.answers", "live.offered"].contains($0.id)
        }
        let none = await Findings(ConformanceRun(program: "/nowhere/backend"), live)
        #expect(none.passed == [], "\(none.reasons)")
    }

    @Test("A silent backend is reported with the request")
    func silent() async throws {
        let backend = try FaultyBackend("silent")
        var run = patient(backend.program)
        run.deadlines.hello = .seconds(1)
        let check = try #require(ConformanceCheck.all.first { $0.id == "hello.answers" })
        for await result in run.results(of: [check]) {
            guard case .failed(let expected, let came) = result.outcome else {
                Issue.record("\(result.outcome)")
                continue
            }
            #expect(expected.contains("hello") && came.contains("nothing"))
        }
    }

    @Test("A missing program fails with its path")
    func absent() async throws {
        let check = try #require(ConformanceCheck.all.first)
        for await result in ConformanceRun(program: "/nowhere/backend").results(of: [check]) {
            guard case .failed(_, let came) = result.outcome else {
                Issue.record("\(result.outcome)")
                continue
            }
            #expect(came.contains("/nowhere/backend"))
        }
    }
}

/// The findings of a run of all checks.
struct Findings {
    var passed: [String] = []
    var failed: [String] = []
    /// The checks that were omitted.
    var left: [String] = []
    /// The reasons for the omissions.
    var reasons: [String] = []

    init(_ run: ConformanceRun, _ checks: [ConformanceCheck] = ConformanceCheck.all) async {
        for await result in run.results(of: checks) {
            let id = result.check.id
            switch result.outcome {
            case .passed: passed.append(id)
            case .notApplicable(let reason):
                left.append(id)
                reasons.append("\(id): \(reason)")
            case .failed(let expected, let came):
                failed.append(id)
                reasons.append("\(id): expected \(expected), came \(came)")
            }
        }
    }
}

/// A run with long limits for answers, since the machine may be busy, and short limits for messages
/// that must not come.
func patient(_ program: String, device: String? = nil) -> ConformanceRun {
    var run = ConformanceRun(program: program, device: device, deadlines: .forTests)
    run.silence = .milliseconds(5)
    // A process that is killed during its exit leaves its locks behind.
    run.patience = .seconds(60)
    run.slowness = .milliseconds(20)
    run.cancelPromptness = .seconds(60)
    run.promptness = .seconds(60)
    run.rounds = 5
    return run
}
