import CaptureHost
import CaptureKit
import ExpectedFailures
import Processes

/// The means of checks: processes of the backend, and the findings about it so far.
///
/// Checks that don't change the state of a process share one process; the others start their own.
final class CheckContext {
    let run: ConformanceRun
    /// Findings of one check that others reuse.
    var findings = Findings()
    private var connections: [CheckConnection] = []
    private var common: CheckConnection?
    private var current: ConformanceCheck?
    private var failed: Set<String> = []

    init(run: ConformanceRun) { self.run = run }

    var deadlines: Deadlines { run.deadlines }

    /// Runs a check.
    func make(_ check: ConformanceCheck) -> CheckOutcome {
        if run.isReal && check.isHarsh {
            return .notApplicable("it is not run with a real device")
        }
        current = check
        let outcome = outcome(of: check)
        if outcome != .passed {
            // An interrupted conversation can't be used for the next check.
            tidyUp()
        } else {
            for connection in connections where connection !== common { end(connection) }
            connections.removeAll { $0 !== common }
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
            // The user learns of such an option before the checks begin, so here the device has
            // changed since then.
            return .notApplicable("an option can't be set as requested: \(refusal.error.message)")
        } catch let error as WireError {
            return .failed(expected: "messages that can be read", came: error.message)
        } catch {
            return .failed(expected: "no failure", came: "\(error)")
        }
    }

    /// Most checks begin with this call: a check can't run if an earlier check found that a needed
    /// feature is missing.
    func needs(_ id: String) throws {
        if current?.id != id && failed.contains(id) {
            throw NotApplicable("it needs something that '\(id)' found missing")
        }
    }

    /// A new process of the backend, to which no message was sent yet.
    func start() throws -> CheckConnection {
        let connection = try CheckConnection(
            program: run.program, confinement: run.confinement, deadlines: deadlines)
        connections.append(connection)
        return connection
    }

    /// A new process that has answered `hello`.
    func greeted() throws -> CheckConnection {
        try needs("hello.answers")
        if !connections.isEmpty { try needs("clients.two") }
        let connection = try start()
        let number = try connection.ask(
            .hello, Wire.Hello(protocol: captureProtocolVersion, host: "copystand"))
        let answer = try connection.answer(number, "hello", within: deadlines.hello)
        try accepted(answer, "hello")
        findings.hello =
            findings.hello ?? ofKnownForm { try answer.line.decode(Wire.HelloAnswer.self) }
        return connection
    }

    /// The process that checks share.
    func connection() throws -> CheckConnection {
        if let common { return common }
        let connection = try greeted()
        common = connection
        return connection
    }

    /// The names of the backend's optional abilities.
    func capabilities() throws -> [String] {
        if findings.hello == nil { _ = try connection() }
        return findings.hello?.capabilities ?? []
    }

    /// Ends every process.
    func tidyUp() {
        for connection in connections { end(connection) }
        connections = []
        common = nil
    }

    private func end(_ connection: CheckConnection) {
        connection.hangUp()
        connection.process.stop(patience: min(deadlines.exit, run.patience))
    }
}

/// The findings about a backend, stored so that not every check needs to ask again.
struct Findings {
    var hello: Wire.HelloAnswer?
    /// The device to test.
    var device: Result<DeviceDescriptor, NotApplicable>?
    /// The outcome of setting each option.
    var settings: Result<[SeenSetting], any Error>?
    /// Captures that several checks judge.
    var samples: [Way: Result<SeenCapture, any Error>] = [:]
    var live: Result<SeenCapture, any Error>?
    /// The pages of each mode and depth.
    var modes: [SeenMode] = []
    /// True if the program crashes when the host goes away, once that is known.
    var crashesAtExit: Bool?
    /// True if the device has reported that it has no live view.
    var hasNoLiveView = false
    /// The time from the announcement of the first live frame to the announcement of the last.
    var liveTime = Duration.zero
}
