/// The core of a backend program: finds devices and opens them.
///
/// Conform to this protocol and pass the value to ``BackendProgram``; the host can then use your
/// devices. The host calls a backend from one connection; calls on different devices may overlap.
public protocol CaptureBackend: Sendable {
    /// Lists the devices that can be seen now.
    ///
    /// - Throws: ``CaptureError`` when the whole search fails; a device that can't be used is
    ///   listed with its state instead.
    func devices(_ query: DeviceQuery) async throws -> [DeviceDescriptor]

    /// Lists the devices as ``devices(_:)`` does, with the problems that kept others from being
    /// found; by default without problems.
    ///
    /// - Throws: ``CaptureError`` when the whole search fails.
    func findings(_ query: DeviceQuery) async throws -> DeviceFindings

    /// Opens a device by its ``DeviceDescriptor/id``.
    ///
    /// - Throws: ``CaptureError``: `noSuchDevice`, `busy`, `permissionDenied`, `offline`.
    func open(_ id: String) async throws -> any CaptureDevice

    /// The changes of devices while the backend runs; by default nil, for a backend that does not
    /// notice changes.
    ///
    /// The host calls this once, after `hello`. The stream's end is not a failure.
    func changes() async -> AsyncStream<DeviceChange>?
}

extension CaptureBackend {
    /// The default: the devices, without problems.
    public func findings(_ query: DeviceQuery) async throws -> DeviceFindings {
        DeviceFindings(devices: try await devices(query))
    }

    /// The default: no changes are reported.
    public func changes() async -> AsyncStream<DeviceChange>? { nil }
}

/// The devices that were found, and the problems that kept others from being found.
public struct DeviceFindings: Codable, Hashable, Sendable {
    /// The devices that can be seen now.
    public var devices: [DeviceDescriptor]
    /// The failures of parts of the search, such as one driver of several.
    public var problems: [CaptureError]

    /// Findings; without problems unless some are given.
    public init(devices: [DeviceDescriptor], problems: [CaptureError] = []) {
        self.devices = devices
        self.problems = problems
    }
}

/// A change of a device: it appeared, disappeared, or has a new state.
public enum DeviceChange: Hashable, Sendable {
    /// The device was found.
    case added(DeviceDescriptor)
    /// The device has a new description, such as another state.
    case changed(DeviceDescriptor)
    /// The device with this ``DeviceDescriptor/id`` is gone.
    case removed(String)
}

/// An open device.
///
/// Dropping the last reference does not close it; ``close()`` does.
public protocol CaptureDevice: Sendable {
    /// The device's description; nil by default, when the list of devices contains it.
    ///
    /// A backend that opens unlisted devices describes them here, such as files by their path.
    var descriptor: DeviceDescriptor? { get }

    /// Every option with its present value.
    func options() async throws -> [DeviceOption]

    /// Sets an option.
    ///
    /// - Throws: ``CaptureError``: `noSuchOption`, `invalidValue`.
    func set(_ option: String, to value: OptionValue) async throws -> OptionOutcome

    /// Captures frames, passing each to `sink` in order, and returns when there are no more or the
    /// limit is reached.
    ///
    /// When the task is canceled, stop the device, pass no more frames, and throw
    /// `CancellationError`. The host keeps the frames that were finished before an error.
    func capture(_ request: CaptureRequest, into sink: any FrameSink) async throws

    /// Options that change by themselves, such as a button or an automatic value; by default nil,
    /// for a device whose options are only read.
    ///
    /// The host calls this once, when the device is open. The stream's end is not a failure.
    func optionChanges() async -> AsyncStream<OptionChange>?

    /// Releases the device. The host calls this once, after every capture has ended.
    func close() async
}

extension CaptureDevice {
    /// The default: nil, because the list of devices describes the device.
    public var descriptor: DeviceDescriptor? { nil }

    /// The default: no changes are reported.
    public func optionChanges() async -> AsyncStream<OptionChange>? { nil }
}

/// A change of an option that the host did not cause.
public struct OptionChange: Hashable, Sendable {
    /// The option's name.
    public var name: String
    /// The option's present value; nil if the host must read it.
    public var value: OptionValue?

    /// A change of the option called `name`.
    public init(name: String, value: OptionValue?) {
        self.name = name
        self.value = value
    }
}

/// The frames to capture: their mode and number.
public struct CaptureRequest: Codable, Hashable, Sendable {
    /// How frames arrive: one page after the other, or live.
    public enum Mode: String, Codable, Hashable, Sendable {
        /// Pages until the source is empty or `limit` is reached; none may be dropped.
        case pages
        /// Frames at the device's own rate until canceled; the newest matter, so frames are
        /// dropped when the host is busy.
        case live
    }

    /// How frames arrive.
    public var mode: Mode
    /// The maximum number of frames to capture, at least 1; nil for no limit.
    public var limit: Int?
    /// The place at which to continue, as reported to ``FrameSink/reading(_:)``; nil for the start.
    public var after: String?

    /// A request for pages, without a limit, unless specified otherwise.
    public init(mode: Mode = .pages, limit: Int? = nil, after: String? = nil) {
        self.mode = mode
        self.limit = limit
        self.after = after
    }
}
