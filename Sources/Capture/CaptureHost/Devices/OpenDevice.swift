public import CaptureKit
import ExpectedFailures
import Synchronization

/// An open device: its options and its captures.
///
/// Only one capture runs at a time; the next waits for its end. When the backend's process ends,
/// every call throws the reason, and the device must be opened again.
public final class OpenDevice: Sendable {
    /// The device, as its backend described it when it was opened.
    public let device: ListedDevice
    private let link: BackendLink
    private let handle: Int
    private let limits: FrameLimits
    private let refusesHostPaths: Bool
    private let state = Mutex(State())

    private struct State {
        /// The options as they were last read; nil when they never were.
        var options: [DeviceOption]?
        /// True when an option was set that may have changed other options.
        var isOutdated = false
        /// The task that reads the options ahead of their first use.
        var coming: Task<[DeviceOption], any Error>?
        var session: CaptureSession?
        var isClosed = false
    }

    /// - Parameter refusesHostPaths: true for a device that a user of the network controls; see
    ///   ``CaptureHost/refuseHostPaths()``.
    init(
        _ device: ListedDevice, link: BackendLink, handle: Int, limits: FrameLimits,
        refusesHostPaths: Bool = false
    ) {
        self.refusesHostPaths = refusesHostPaths
        self.device = device
        self.link = link
        self.handle = handle
        self.limits = limits
    }

    /// The same open device with a newer description; replaces this value, which must be unused.
    func known(as device: ListedDevice) -> OpenDevice {
        OpenDevice(
            device, link: link, handle: handle, limits: limits, refusesHostPaths: refusesHostPaths)
    }

    /// True while the backend that holds the device runs and the device was not closed.
    var isUsable: Bool { link.failure == nil && !state.withLock { $0.isClosed } }

    /// Every option with its present value.
    ///
    /// - Throws: ``HostError``.
    public func options() async throws -> [DeviceOption] {
        try checkOpen()
        let line = try await link.request(
            .options, Wire.Handle(handle: handle), deadline: link.deadlines.options)
        var options = try link.decode(Wire.Options.self, line).options
        if let fault = DeviceRules.fault(options) {
            let error = link.nonsense("listed options whose \(fault)")
            link.fail(error)
            throw error
        }
        // A reported press of a button counts even if the button is released before the option is
        // read.
        let changes = link.takeOptionChanges(of: handle)
        for index in options.indices where options[index].sensor == .button {
            if let value = changes[options[index].name] ?? nil, value.isOn {
                options[index].value = value
            }
        }
        if refusesHostPaths {
            // A user who may not choose a path on this machine must not see one either.
            for index in options.indices where options[index].hostPath {
                (options[index].value, options[index].defaultValue) = (nil, nil)
            }
        }
        state.withLock { [options] in ($0.options, $0.isOutdated) = (options, false) }
        return options
    }

    /// Every option as it was last read.
    ///
    /// If an option was set that may have changed others, the options are read again.
    ///
    /// This spares the device from listing all its options again and again while many are set.
    /// Values that the device itself changes, such as that of a sensor, may be outdated.
    ///
    /// - Throws: ``HostError``.
    public func knownOptions() async throws -> [DeviceOption] {
        let hasChanged = link.hasOptionChanges(of: handle)
        let (known, coming) = state.withLock { state in
            defer { state.coming = nil }
            return (state.isOutdated || hasChanged ? nil : state.options, state.coming)
        }
        if let known { return known }
        if let coming { return try await coming.value }
        return try await options()
    }

    /// Requests the options ahead of ``knownOptions()``, so that the device lists them while the
    /// host works on.
    func beginReadingOptions() {
        let coming = Task { try await options() }
        state.withLock { $0.coming = coming }
    }

    /// Sets an option, after checking the value against the option's type.
    ///
    /// - Throws: ``HostError``: `noSuchOption` or `invalidValue`, with the nearest names, before
    ///   the device is asked; `hostPath` for a path that may not be chosen; the device's own error.
    public func set(_ name: String, to value: OptionValue) async throws -> OptionOutcome {
        try checkOpen()
        let checked = try await withOptions { options in
            try OptionRules.check(value, for: settable(name, in: options))
        }
        return try await setUnchecked(name, to: checked)
    }

    /// The option with that name, unless it names a file and may not be set here.
    func settable(_ name: String, in options: [DeviceOption]) throws -> DeviceOption {
        let option = try OptionRules.find(name, in: options)
        guard refusesHostPaths, option.hostPath else { return option }
        throw HostError(
            .hostPath,
            "option '\(name)' names a file or folder of the host's machine, and can't be set over the network",
            advice: "Set it on that machine, with: copystand scan --set \(name)=PATH")
    }

    /// Looks up a value in the options as they were last read.
    ///
    /// If the look-up fails and the options may have changed, reads them and tries again.
    ///
    /// The device itself refuses a value that has become invalid since.
    func withOptions<Result>(
        _ body: ([DeviceOption]) throws -> Result
    ) async throws -> Result {
        let (options, isOutdated) = state.withLock { ($0.options, $0.isOutdated) }
        if let options, isOutdated, let result = reportedLater({ try body(options) }) {
            return result
        }
        let known = try await knownOptions()
        do { return try body(known) } catch let error as HostError
            where error.advice == usualAdvice(error.code, backend: nil)
        {
            throw HostError(
                error.code, error.message,
                advice: "See what it accepts with: copystand options \(device.id)")
        }
    }

    /// Sets an option without the host's checks, so that a test sees the backend's own.
    package func setUnchecked(_ name: String, to value: OptionValue) async throws -> OptionOutcome {
        let line = try await link.request(
            .set, Wire.Set(handle: handle, option: name, value: value),
            deadline: link.deadlines.options)
        let outcome = try link.decode(OptionOutcome.self, line)
        state.withLock { state in
            // Setting one option may change which others are active, and their ranges.
            if outcome.reloadOptions { state.isOutdated = true }
            guard let value = outcome.value,
                let index = state.options?.firstIndex(where: { $0.name == name })
            else { return }
            state.options?[index].value = value
        }
        return outcome
    }

    /// The option with that name.
    ///
    /// - Throws: ``HostError`` `noSuchOption`, with the nearest name.
    public static func option(_ name: String, among options: [DeviceOption]) throws -> DeviceOption
    {
        try OptionRules.find(name, in: options)
    }

    /// Reads a value that a user typed: yes, no, on, off for toggles; numbers; names of choices in
    /// any case.
    ///
    /// - Throws: ``HostError`` `invalidValue`, with the values that the option accepts.
    public static func parse(_ text: String, for option: DeviceOption) throws -> OptionValue {
        try OptionRules.parse(text, for: option)
    }

    /// Captures into a folder.
    ///
    /// The capture begins with the call, not with the first read of the stream.
    ///
    /// The stream yields the pages in order, each once it is complete and on the disk. A failed
    /// capture yields its finished pages before the stream throws. Canceling the task that reads
    /// the stream, or dropping the stream, cancels the capture: the stream ends immediately, and
    /// unread pages stay in the folder. To get those too, call ``cancelCapture()`` instead.
    ///
    /// - Parameters:
    ///   - request: the number of frames, and the mode.
    ///   - spool: the folder for pages; live frames stay in memory.
    ///   - window: the maximum number of pages, at least 1, that may be captured and not released
    ///     before the device must wait; nil for no limit. Live frames have the limit of `ring`
    ///     instead.
    ///   - whenFull: the treatment of a live frame when no buffer is free.
    ///   - ring: the number of buffers, 1…64, that live frames use in turn; as many frames can be
    ///     held at once.
    ///   - room: the bytes, at most 1,048,576, to leave free in a page's file before its pixels. A
    ///     format's header fits there, so that the file need not be written again. A backend that
    ///     can't leave room gives pages without it. See ``CapturedPage/room``.
    ///   - patience: the time without progress after which the backend is stopped; nil for the
    ///     deadline of the configuration.
    /// - Returns: the events; the stream throws
    ///   ``HostError``, or `CancellationError` after ``cancelCapture()``.
    public func capture(
        _ request: CaptureRequest, spool: SpoolFolder, window: Int? = nil,
        whenFull: WhenFull = .drop, ring: Int = 3, room: Int = 0, patience: Duration? = nil
    ) -> AsyncThrowingStream<CaptureEvent, any Error> {
        AsyncThrowingStream { continuation in
            let session = CaptureSession(
                link: link,
                settings: CaptureSession.Settings(
                    handle: handle, request: request, spool: spool,
                    window: window.map { max(1, $0) }, whenFull: whenFull,
                    ring: min(max(1, ring), 64), room: min(max(0, room), CapturedPage.mostRoom),
                    limits: limits, patience: patience),
                continuation: continuation)
            let (before, isClosed) = state.withLock { state in
                defer { state.session = session }
                return (state.session, state.isClosed)
            }
            if isClosed {
                return session.end(.failure(closedError))
            }
            continuation.onTermination = { reason in
                if case .cancelled = reason { session.cancel() }
            }
            Task {
                await before?.waitUntilOver()
                session.start()
            }
        }
    }

    /// The numbers of frames of the current or last capture; all zero before the first capture.
    public var statistics: CaptureStatistics {
        state.withLock { $0.session }?.statistics ?? CaptureStatistics()
    }

    /// The place where the current or last capture reads; nil for a backend that reports none.
    public var reading: ReadingPlace? {
        state.withLock { $0.session }?.state.withLock { $0.reading }
    }

    /// Stops a running capture; its stream yields the finished pages and then throws
    /// `CancellationError`.
    ///
    /// Returns when the backend has stopped the capture, or was itself stopped.
    public func cancelCapture() async {
        guard let session = state.withLock({ $0.session }) else { return }
        session.cancel()
        await session.waitUntilOver()
    }

    /// Cancels a running capture and closes the device; a second call does nothing.
    public func close() async {
        let wasClosed = state.withLock { state in
            defer { state.isClosed = true }
            return state.isClosed
        }
        guard !wasClosed else { return }
        await cancelCapture()
        guard link.failure == nil else { return }
        // A backend that can't close a device releases it when its process ends.
        await ifStillThere {
            try await link.request(
                .close, Wire.Handle(handle: handle), deadline: link.deadlines.close)
        }
    }

    private func checkOpen() throws {
        if state.withLock({ $0.isClosed }) { throw closedError }
    }

    private var closedError: HostError {
        HostError(
            .closed, "the device '\(device.id)' was closed", advice: "Open it again",
            backend: device.backend)
    }
}
