import CaptureHost
import CaptureKit

/// What checks work with: processes of the backend, and what is known about it so far.
///
/// Checks that leave a process as they found it share one; the others start their own.
final class CheckBench {
    let run: ConformanceRun
    /// What one check has found and others judge too.
    var findings = Findings()
    private var talks: [Talk] = []
    private var common: Talk?
    private var current: ConformanceCheck?
    private var failed: Set<String> = []

    init(run: ConformanceRun) { self.run = run }

    var deadlines: Deadlines { run.deadlines }

    /// Makes a check.
    func make(_ check: ConformanceCheck) -> CheckOutcome {
        if run.isReal && check.isHarsh {
            return .notApplicable("it is not run with a real device")
        }
        current = check
        let outcome = outcome(of: check)
        if outcome != .passed {
            // What a check interrupted is not usable for the next one.
            tidyUp()
        } else {
            for talk in talks where talk !== common { end(talk) }
            talks.removeAll { $0 !== common }
        }
        if case .failed = outcome { failed.insert(check.id) }
        return outcome
    }

    private func outcome(of check: ConformanceCheck) -> CheckOutcome {
        do {
            try check.body(self)
            return .passed
        } catch let failure as CheckFailure {
            return .failed(expected: failure.expected, came: failure.came)
        } catch let reason as NotApplicable {
            return .notApplicable(reason.reason)
        } catch let refusal as OptionRefused {
            // Reported before the checks begin; here the device has changed since.
            return .notApplicable("an option can't be set as requested: \(refusal.error.message)")
        } catch let error as WireError {
            return .failed(expected: "messages that can be read", came: error.message)
        } catch {
            return .failed(expected: "no failure", came: "\(error)")
        }
    }

    /// What most checks begin with: when the check whose matter it is has failed, the others can't
    /// be made.
    func needs(_ id: String) throws {
        if current?.id != id && failed.contains(id) {
            throw NotApplicable("it needs what '\(id)' found missing")
        }
    }

    /// A fresh process of the backend, to which nothing was sent.
    func start() throws -> Talk {
        let talk = try Talk(
            program: run.program, confinement: run.confinement, deadlines: deadlines)
        talks.append(talk)
        return talk
    }

    /// A fresh process that has answered `hello`.
    func greeted() throws -> Talk {
        try needs("hello.answers")
        if !talks.isEmpty { try needs("clients.two") }
        let talk = try start()
        let number = try talk.ask(
            .hello, Wire.Hello(protocol: captureProtocolVersion, host: "copystand"))
        let answer = try talk.answer(number, "hello", within: deadlines.hello)
        try accepted(answer, "hello")
        findings.hello = findings.hello ?? (try? answer.line.decode(Wire.HelloAnswer.self))
        return talk
    }

    /// The process that checks share.
    func talk() throws -> Talk {
        if let common { return common }
        let talk = try greeted()
        common = talk
        return talk
    }

    /// What the backend can do beyond the minimum.
    func capabilities() throws -> [String] {
        if findings.hello == nil { _ = try talk() }
        return findings.hello?.capabilities ?? []
    }

    /// Ends every process.
    func tidyUp() {
        for talk in talks { end(talk) }
        talks = []
        common = nil
    }

    private func end(_ talk: Talk) {
        talk.hangUp()
        talk.process.stop(patience: min(deadlines.exit, run.patience))
    }
}

/// What is known about a backend, so that not every check needs to ask again.
struct Findings {
    var hello: Wire.HelloAnswer?
    /// The device that is tried.
    var device: Result<DeviceDescriptor, NotApplicable>?
    /// What came of setting each option.
    var settings: Result<[SeenSetting], any Error>?
    /// Captures that several checks judge.
    var samples: [Way: Result<SeenCapture, any Error>] = [:]
    var live: Result<SeenCapture, any Error>?
}
