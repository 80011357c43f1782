public import CaptureKit
import Synchronization

/// A device that is open: its options, and what it captures.
///
/// One capture runs at a time; the next waits for the end of the one before. When the backend's
/// process ends, every call throws the reason, and the device must be opened again.
public final class OpenDevice: Sendable {
    /// The device, as its backend described it when it was opened.
    public let device: ListedDevice
    private let link: BackendLink
    private let handle: Int
    private let limits: FrameLimits
    private let refusesHostPaths: Bool
    private let state = Mutex(State())

    private struct State {
        /// The options as they were last read.
        var options: [DeviceOption]?
        /// True when something that was set since may have changed others.
        var isOutdated = false
        /// The options, if they were requested before anyone needed them.
        var coming: Task<[DeviceOption], any Error>?
        var session: CaptureSession?
        var isClosed = false
    }

    /// - Parameter refusesHostPaths: true for a device that is used over the network; see
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

    /// The same open device with what is known about it by now; replaces this one, which no one has
    /// used yet.
    func known(as device: ListedDevice) -> OpenDevice {
        OpenDevice(
            device, link: link, handle: handle, limits: limits, refusesHostPaths: refusesHostPaths)
    }

    /// True while the backend that holds the device runs and the device was not closed.
    var isUsable: Bool { link.failure == nil && !state.withLock { $0.isClosed } }

    /// Every option with its value now.
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
        // A press that was reported is not lost when the button is released before it is read.
        let changes = link.takeOptionChanges(of: handle)
        for index in options.indices where options[index].sensor == .button {
            if let value = changes[options[index].name] ?? nil, value.isOn {
                options[index].value = value
            }
        }
        if refusesHostPaths {
            // A user who may not choose a path of this machine does not see one either.
            for index in options.indices where options[index].hostPath {
                (options[index].value, options[index].defaultValue) = (nil, nil)
            }
        }
        state.withLock { [options] in ($0.options, $0.isOutdated) = (options, false) }
        return options
    }

    /// Every option as it was last read; read again where something that was set since may have
    /// changed others.
    ///
    /// When many settings are made, this saves the device from listing all of its options again and
    /// again. Values that the device changes on its own, such as a sensor, may be older.
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

    /// Asks for the options ahead of ``knownOptions()``, so that the device lists them while the
    /// host does something else.
    func beginReadingOptions() {
        let coming = Task { try await options() }
        state.withLock { $0.coming = coming }
    }

    /// Sets an option, once the value has been checked against the option's type.
    ///
    /// - Throws: ``HostError``: `noSuchOption` or `invalidValue`, with the nearest names, before
    ///   the device is asked; `hostPath` for a path that may not be chosen; what the device
    ///   answers.
    public func set(_ name: String, to value: OptionValue) async throws -> OptionOutcome {
        try checkOpen()
        let checked = try await withOptions { options in
            try OptionRules.check(value, for: settable(name, in: options))
        }
        return try await setUnchecked(name, to: checked)
    }

    /// The option of that name, unless it names a file and may not be set here.
    func settable(_ name: String, in options: [DeviceOption]) throws -> DeviceOption {
        let option = try OptionRules.find(name, in: options)
        guard refusesHostPaths, option.hostPath else { return option }
        throw HostError(
            .hostPath,
            "option '\(name)' names a file or folder of the host's machine, and can't be set over the network",
            advice: "Set it on that machine, with: copystand scan --set \(name)=PATH")
    }

    /// Looks something up in the options that were read last.
    ///
    /// If that fails and they may have changed, reads them and tries again.
    ///
    /// The device itself refuses a value that is no longer allowed.
    func withOptions<Result>(
        _ body: ([DeviceOption]) throws -> Result
    ) async throws -> Result {
        let (options, isOutdated) = state.withLock { ($0.options, $0.isOutdated) }
        if let options, isOutdated, let result = try? body(options) { return result }
        let known = try await knownOptions()
        do { return try body(known) } catch let error as HostError
            where error.advice == usualAdvice(error.code, backend: nil)
        {
            throw HostError(
                error.code, error.message,
                advice: "See what it accepts with: copystand options \(device.id)")
        }
    }

    /// Sets an option without the host's own checks, as the contract tests do to see the backend's.
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

    /// The option of a name.
    ///
    /// - Throws: ``HostError`` `noSuchOption`, with the nearest name.
    public static func option(_ name: String, among options: [DeviceOption]) throws -> DeviceOption
    {
        try OptionRules.find(name, in: options)
    }

    /// Reads a value from what a user typed: yes, no, on, off for toggles; numbers; names of
    /// choices in any case.
    ///
    /// - Throws: ``HostError`` `invalidValue`, which says what the option accepts.
    public static func parse(_ text: String, for option: DeviceOption) throws -> OptionValue {
        try OptionRules.parse(text, for: option)
    }

    /// Captures into a folder; the capture begins when the stream is made.
    ///
    /// Pages come in order, each once it is whole and on the disk; when the capture fails, the
    /// pages before that come first and then the stream throws. Canceling the task that reads the
    /// stream, or dropping it, cancels the capture: the stream ends immediately, and pages that
    /// were not read yet stay in the folder. To get those too, call ``cancelCapture()`` instead.
    ///
    /// - Parameters:
    ///   - request: how many frames, and in which mode.
    ///   - spool: the folder for pages; live frames stay in memory.
    ///   - window: the most pages captured and not yet released, at least 1, before the device must
    ///     wait; nil for no limit. Live frames are held back by `ring` instead.
    ///   - whenFull: what happens to a live frame when no buffer is free.
    ///   - ring: how many buffers live frames take turns in, 1…64; as many frames can be held at a
    ///     time.
    ///   - room: the bytes to be left free in a page's file before its pixels, at most 1,048,576,
    ///     so that the file can get the header of a format without being written again; a backend
    ///     that can't leave room gives pages without it. See ``CapturedPage/room``.
    ///   - patience: how long the backend may make no progress before it is stopped; nil for
    ///     the usual deadline.
    /// - Returns: the events; it throws ``HostError``, or `CancellationError` after
    ///   ``cancelCapture()``.
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

    /// What the current or last capture has given so far; all zero before the first.
    public var statistics: CaptureStatistics {
        state.withLock { $0.session }?.statistics ?? CaptureStatistics()
    }

    /// What the current or last capture has reported as being read; nil for a backend that reports
    /// nothing.
    public var reading: ReadingPlace? {
        state.withLock { $0.session }?.state.withLock { $0.reading }
    }

    /// Stops a running capture; its stream yields the pages that are finished and then throws
    /// `CancellationError`.
    ///
    /// Returns when the backend has stopped, or was stopped.
    public func cancelCapture() async {
        guard let session = state.withLock({ $0.session }) else { return }
        session.cancel()
        await session.waitUntilOver()
    }

    /// Cancels a running capture and gives the device back; a second call does nothing.
    public func close() async {
        let wasClosed = state.withLock { state in
            defer { state.isClosed = true }
            return state.isClosed
        }
        guard !wasClosed else { return }
        await cancelCapture()
        guard link.failure == nil else { return }
        // A backend that can't close a device gives it back when it ends.
        _ = try? await link.request(
            .close, Wire.Handle(handle: handle), deadline: link.deadlines.close)
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
