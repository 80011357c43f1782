public import CaptureKit
import Glibc
public import UserFiles

/// The surroundings of a ``CaptureHost``: folders, limits and callbacks.
public struct HostConfiguration: Sendable {
    /// Folders searched for backend manifests, in order; the first usable one of an id wins.
    public var backendFolders: [String]
    /// The folders whose backends are refused if anyone but the user and root can change them.
    public var ownBackendFolders: Set<String> = []
    /// The folder of the host's own program, where backend programs are looked for; nil for no such
    /// folder.
    public var programFolder: String?
    /// The path of the file with the aliases and the default device.
    public var stateFile: String
    /// The reason why the state file can't be used, so that no device has an alias; nil when it can
    /// be used.
    public var stateProblem: UserFileError?
    /// The maximum times that a backend may take for requests.
    public var deadlines = Deadlines()
    /// The limits on the size of a frame.
    public var limits = FrameLimits()
    /// The waits before the host restarts a backend that keeps failing.
    public var backOff = BackOff()
    /// Called with every line that a backend writes, from several threads.
    public var log: @Sendable (BackendLogLine) -> Void = { _ in }
    /// Called when a running backend sees a device come or go; from several threads.
    public var onDeviceChange: @Sendable (_ backend: String, DeviceChange) -> Void = { _, _ in }
    /// Called, from a thread of the backend, when a running backend has failed.
    var onFailure: @Sendable (_ backend: String, HostError) -> Void = { _, _ in }
    /// Called with every message to and from backends, from several threads; it must not block
    /// them.
    package var trace: (@Sendable (TracedMessage) -> Void)?
    /// The place where the host waits for a backend that a developer starts; nil for none.
    public var attach: AttachPoint?
    /// The reason why the host can't wait for a backend, though `COPYSTAND_ATTACH` asks for it; nil
    /// otherwise.
    public var attachProblem: HostError?
    /// Called from any thread with the next step for the developer, when the host waits for a
    /// backend.
    public var onWait: @Sendable (String) -> Void = { _ in }
    /// The clock for deadlines and waits.
    package var clock: any Clock<Duration> = ContinuousClock()

    /// A configuration with the usual deadlines, limits and back-off, and without a log.
    public init(backendFolders: [String], programFolder: String? = nil, stateFile: String) {
        self.backendFolders = backendFolders
        self.programFolder = programFolder
        self.stateFile = stateFile
    }
}

/// The maximum times that a backend may take to answer; the host stops a backend that takes longer.
public struct Deadlines: Sendable {
    /// From the backend's start to its answer to `hello`: 5 s.
    public var hello: Duration = .seconds(5)
    /// For a list of devices: 10 s.
    public var devices: Duration = .seconds(10)
    /// To open a device: 20 s.
    public var open: Duration = .seconds(20)
    /// To list the options, or set one: 10 s.
    public var options: Duration = .seconds(10)
    /// Between two signs of progress during a capture: 60 s.
    public var progress: Duration = .seconds(60)
    /// To end a capture that was canceled: 10 s.
    public var cancel: Duration = .seconds(10)
    /// To close a device: 10 s.
    public var close: Duration = .seconds(10)
    /// To exit after its connection is closed, before a signal ends it: 2 s.
    public var exit: Duration = .seconds(2)

    /// The usual deadlines.
    public init() {}
}

/// The limits on the size of a frame; a larger frame is refused as `tooLarge`.
public struct FrameLimits: Sendable {
    /// The maximum number of pixels of a frame with at most 8 bits per pixel: 600 million, an A0
    /// page at 600 dpi.
    public var pixels = 600_000_000
    /// The maximum number of pixels of any other frame: 400 million, an A3 page at 1,200 dpi.
    public var deepPixels = 400_000_000
    /// The maximum size of an encoded original in bytes: 512 MiB.
    public var originalBytes = 512 << 20

    /// The usual limits.
    public init() {}

    /// The maximum number of pixels of a frame of `format`.
    package func pixels(of format: FrameFormat) -> Int {
        format == .jpeg || format.bitsPerPixel > 8 ? deepPixels : pixels
    }
}

/// The waits before the host restarts a backend that failed: none after the first failure, then
/// twice as long after each further one.
public struct BackOff: Sendable {
    /// The wait after the second failure in a row: 0.2 s.
    public var initial: Duration = .milliseconds(200)
    /// The maximum wait: 5 s.
    public var maximum: Duration = .seconds(5)

    /// The usual back-off.
    public init() {}

    /// The wait after `failures` failures in a row.
    public func delay(afterFailures failures: Int) -> Duration {
        guard failures > 1 else { return .zero }
        var delay = initial
        var left = failures - 2
        while left > 0 && delay < maximum {
            delay *= 2
            left -= 1
        }
        return min(delay, maximum)
    }
}

/// A line that a backend wrote to its output, or sent as a `log` event.
public struct BackendLogLine: Hashable, Sendable {
    /// The backend's id.
    public var backend: String
    /// `debug`, `info`, `warning` or `error`; nil for a line of the backend's output.
    public var level: String?
    /// The line, at most 4,096 bytes.
    public var text: String
}
