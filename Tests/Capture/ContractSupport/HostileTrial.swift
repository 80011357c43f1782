package import CaptureHost

/// The order for the host in Tests/Capture/HostileHost, with the backend `bad` in a folder beside
/// the backend `good`.
package struct HostileTrial: Codable, Sendable {
    /// The folder of manifests, with the folders `bad` and `good` for pages.
    package var folder: String
    /// The verb up to which the host goes: `hello`, `devices`, `open`, `options`, `set`, `capture`,
    /// `cancel`, `close`.
    package var verb: String
    /// True to capture live frames.
    package var isLive: Bool
    /// The most pages to capture.
    package var limit: Int?
    /// The seconds that `verb` may take; nil for the time that a busy machine needs.
    package var deadline: Double?
    /// A text that every process of the trial has in its environment or its arguments.
    package var mark: String

    package init(
        folder: String, verb: String, isLive: Bool, limit: Int?, deadline: Double?, mark: String
    ) {
        self.folder = folder
        self.verb = verb
        self.isLive = isLive
        self.limit = limit
        self.deadline = deadline
        self.mark = mark
    }
}

/// The result of the trial for the host.
package struct HostileOutcome: Codable, Sendable {
    /// The host's error for its caller; nil for none.
    package var error: HostError?
    /// The host's own errors about `bad` in its log.
    package var log: [String]
    /// The pages that `bad` gave.
    package var pages: [Int]
    /// The pages that `good` gave afterwards.
    package var goodPages: Int
    /// Descriptors that the host has open and had not before.
    package var descriptors: [String]
    /// Processes of the trial that are still there, but for the host and `good`.
    package var processes: [String]

    package init(
        error: HostError?, log: [String], pages: [Int], goodPages: Int, descriptors: [String],
        processes: [String]
    ) {
        self.error = error
        self.log = log
        self.pages = pages
        self.goodPages = goodPages
        self.descriptors = descriptors
        self.processes = processes
    }
}
