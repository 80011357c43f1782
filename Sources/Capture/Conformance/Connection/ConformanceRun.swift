import BlockingWork
public import CaptureHost
public import Processes

/// Checks a backend program against the protocol.
///
///     let run = ConformanceRun(program: "/path/to/program", device: "test")
///     for await result in run.results() { print(result.check.id, result.outcome) }
public struct ConformanceRun: Sendable {
    /// The path of the program.
    public var program: String
    /// The device's id within the backend, without the backend's own id; nil for the first device
    /// that is ready.
    public var device: String?
    /// Options to set, in this order, whenever the device is opened; values as a user types them.
    public var settings: [(name: String, value: String)] = []
    /// The maximum times that the backend may take; by default the protocol's deadlines.
    public var deadlines: Deadlines
    /// True for a real device: the checks do nothing that wears it out, and capture few pages.
    public var isReal = false
    /// The rights and limits of the process: those of its manifest, as in a real host.
    public var confinement = Confinement()
    /// The time to wait for messages that must not arrive, after the answers to all requests: 0.2 s
    /// by default.
    public var silence: Duration = .milliseconds(200)

    /// The time after which a process that does not exit between checks is killed, at most the time
    /// in ``deadlines``: 2 s by default.
    public var patience: Duration = .seconds(2)

    /// How long the host lets an announced page wait, and how long it then leaves the page unread:
    /// 1 s each by default.
    public var slowness: Duration = .seconds(1)
    /// The maximum time that a good backend takes to list its devices: 5 s by default.
    public var promptness: Duration = .seconds(5)
    /// The maximum time that a canceled page may continue: 1 s by default.
    public var cancelPromptness: Duration = .seconds(1)
    /// The number of pages that are captured to find growing memory: 200 by default.
    public var rounds = 200

    /// A run with a program; the deadlines are those of the protocol unless given.
    public init(
        program: String, device: String? = nil, deadlines: Deadlines = Deadlines()
    ) {
        self.program = program
        self.device = device
        self.deadlines = deadlines
    }

    /// The reason why the requested device or options can't be used.
    ///
    /// - Returns: `noSuchDevice`, `noSuchOption`, `invalidValue` or the device's own error. Nil
    ///   when nothing is wrong, or when the backend answers so badly that only the checks can find
    ///   out more.
    public func mistake() async -> HostError? {
        guard device != nil || !settings.isEmpty else { return nil }
        return await onOwnThread {
            let context = CheckContext(run: self)
            defer { context.tidyUp() }
            return context.mistake()
        }
    }
}
