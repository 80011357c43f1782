/// One rule of the capture protocol for backends, with the code that checks it.
public struct ConformanceCheck: Sendable {
    /// The severity of a failed check.
    public enum Severity: String, Codable, Sendable, CaseIterable {
        /// A backend that fails the check breaks the protocol; a host would stop it.
        case must
        /// A backend that fails the check works, but is less useful than it could be.
        case should
    }

    /// The check's permanent name, such as `hello.newer-host`; the part before the dot is its
    /// group.
    public let id: String
    /// The behavior of a backend that passes, as a sentence without a period.
    public let title: String
    /// The severity of a failed check.
    public let severity: Severity
    /// The heading of Docs/developers/CaptureProtocol.md that has the rule.
    public let section: String
    /// True when the check wears a device out, empties its feeder, presses its buttons or stops it
    /// in the middle of a page; such a check is not made with a real device.
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

    /// The check's group, such as `hello`.
    public var group: String { String(id.prefix { $0 != "." }) }

    /// Every check, in the order of a run.
    public static let all: [ConformanceCheck] =
        helloChecks + messageChecks + nonsenseChecks + deviceChecks + openChecks + optionChecks
        + setChecks + captureChecks + bufferChecks + liveChecks + cancelChecks
        + conversationChecks + exitChecks + enduranceChecks + clientChecks
}

/// The outcome of a check.
public enum CheckOutcome: Hashable, Sendable {
    /// The backend follows the rule.
    case passed
    /// The backend breaks the rule: what was expected, and what was received instead.
    case failed(expected: String, came: String)
    /// The check can't be made with this backend, device or run; the text gives the reason.
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
