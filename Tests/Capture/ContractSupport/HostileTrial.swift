package import CaptureHost

/// The trial for the host in Tests/Capture/HostileHost, with the backend `bad` in a folder beside
/// the backend `good`.
package struct HostileTrial: Codable, Sendable {
    /// The folder of manifests, with the folders `bad` and `good` for pages.
    package var folder: String
    /// The verb up to which the host goes: `hello`, `devices`, `open`, `options`, `set`, `capture`,
    /// `cancel`, `close`.
    package var verb: String
    /// True to capture live frames.
    package var isLive: Bool
    /// The maximum number of pages to capture.
    package var limit: Int?
    /// The seconds that `verb` may take; nil for a limit that suits a busy machine.
    package var deadline: Double?
    /// A text in the environment or the arguments of every process of the trial.
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
    /// The error that the host returns to its caller; nil for none.
    package var error: HostError?
    /// The host's log messages about errors of `bad`.
    package var log: [String]
    /// The numbers of the pages from `bad`.
    package var pages: [Int]
    /// The numbers of the pages that `good` gave afterward.
    package var goodPages: Int
    /// The host's open descriptors that were not open before.
    package var descriptors: [String]
    /// The remaining processes of the trial except the host and `good`.
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
