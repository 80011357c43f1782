/// One thing that the capture protocol asks of a backend, with the code that checks it.
public struct ConformanceCheck: Sendable {
    /// How serious a failure is.
    public enum Severity: String, Codable, Sendable, CaseIterable {
        /// A backend that fails it breaks the protocol; the host would stop it.
        case must
        /// A backend that fails it works, but is less useful than it could be.
        case should
    }

    /// Its lasting name, such as `hello.newer-host`; the part before the dot is its group.
    public let id: String
    /// What a backend that passes it does, as a sentence without a period.
    public let title: String
    /// How serious a failure is.
    public let severity: Severity
    /// The heading of Docs/developers/CaptureProtocol.md that has the rule.
    public let section: String
    /// True when it wears a device out, empties its feeder, presses its buttons or leaves it in the
    /// middle of a page, so that it is not made with a real one.
    public let isHarsh: Bool
    let body: @Sendable (CheckContext) throws -> Void

    init(
        _ id: String, _ severity: Severity, section: String, title: String,
        isHarsh: Bool = false, body: @escaping @Sendable (CheckContext) throws -> Void
    ) {
        self.id = id
        self.severity = severity
        self.section = section
        self.title = title
        self.isHarsh = isHarsh
        self.body = body
    }

    /// The group of checks to which it belongs, such as `hello`.
    public var group: String { String(id.prefix { $0 != "." }) }

    /// Every check, in the order in which they are made.
    public static let all: [ConformanceCheck] =
        helloChecks + messageChecks + nonsenseChecks + deviceChecks + openChecks + optionChecks
        + setChecks + captureChecks + bufferChecks + liveChecks + cancelChecks
        + conversationChecks + exitChecks + enduranceChecks + clientChecks
}

/// The outcome of a check.
public enum CheckOutcome: Hashable, Sendable {
    /// The backend does what is asked.
    case passed
    /// It does not: what was expected, and what came instead.
    case failed(expected: String, came: String)
    /// The check can't be made with this backend, device or run, for this reason.
    case notApplicable(String)
}

/// A backend deviates from the protocol.
struct CheckFailure: Error {
    let expected: String
    let came: String

    init(_ expected: String, came: String) {
        self.expected = expected
        self.came = came
    }
}

/// A check can't be made.
struct NotApplicable: Error {
    let reason: String
    init(_ reason: String) { self.reason = reason }
}
