/// A source of devices: what a backend program is made of.
///
/// Conform to it, hand the value to ``BackendProgram``, and the host can use your devices. The host
/// calls a backend from one connection; calls on different devices may overlap.
public protocol CaptureBackend: Sendable {
    /// Lists the devices that can be seen now.
    ///
    /// - Throws: ``CaptureError`` when the search fails as a whole; a device that can't be used is
    ///   listed with its state instead.
    func devices(_ query: DeviceQuery) async throws -> [DeviceDescriptor]

    /// Lists the devices as ``devices(_:)`` does, and what kept others from being found; by
    /// default, nothing did.
    ///
    /// - Throws: ``CaptureError`` when the search fails as a whole.
    func findings(_ query: DeviceQuery) async throws -> DeviceFindings

    /// Opens a device by its ``DeviceDescriptor/id``.
    ///
    /// - Throws: ``CaptureError``: `noSuchDevice`, `busy`, `permissionDenied`, `offline`.
    func open(_ id: String) async throws -> any CaptureDevice

    /// Devices that come and go while the backend runs; by default nil, for a backend that does not
    /// watch.
    ///
    /// Called once, after the host has sent hello. The stream's end is not a failure.
    func changes() async -> AsyncStream<DeviceChange>?
}

extension CaptureBackend {
    /// The devices alone.
    public func findings(_ query: DeviceQuery) async throws -> DeviceFindings {
        DeviceFindings(devices: try await devices(query))
    }

    /// No changes are watched.
    public func changes() async -> AsyncStream<DeviceChange>? { nil }
}

/// The devices that were found, and what kept others from being found.
public struct DeviceFindings: Codable, Hashable, Sendable {
    /// The devices that can be seen now.
    public var devices: [DeviceDescriptor]
    /// What went wrong with a part of the search, such as one driver of several.
    public var problems: [CaptureError]

    /// Findings without problems, unless some are given.
    public init(devices: [DeviceDescriptor], problems: [CaptureError] = []) {
        self.devices = devices
        self.problems = problems
    }
}

/// A device that came or went.
public enum DeviceChange: Hashable, Sendable {
    /// A device can be seen now.
    case added(DeviceDescriptor)
    /// Something else is known about a device, such as that it is busy now.
    case changed(DeviceDescriptor)
    /// The device of this ``DeviceDescriptor/id`` can't be seen any more.
    case removed(String)
}

/// What the host requests when it asks for devices.
public struct DeviceQuery: Codable, Hashable, Sendable {
    /// True to list only devices that can be found immediately, without searching the network.
    public var quick: Bool

    /// A query; a full one unless `quick`.
    public init(quick: Bool = false) { self.quick = quick }
}

/// An open device.
///
/// Dropping the last reference does not close it; ``close()`` does.
public protocol CaptureDevice: Sendable {
    /// What the device is; nil by default, when the list of devices says it.
    ///
    /// A backend that opens devices it does not list, such as files by their path, describes them
    /// here.
    var descriptor: DeviceDescriptor? { get }

    /// Every option with its value now.
    func options() async throws -> [DeviceOption]

    /// Sets an option.
    ///
    /// - Throws: ``CaptureError``: `noSuchOption`, `invalidValue`.
    func set(_ option: String, to value: OptionValue) async throws -> OptionOutcome

    /// Captures, handing each frame to `sink` in order, and returns when the source is exhausted or
    /// the limit is reached.
    ///
    /// Cancellation is task cancellation: stop the device, hand over nothing more, throw
    /// `CancellationError`. Frames that were finished before an error is thrown are kept by the
    /// host.
    func capture(_ request: CaptureRequest, into sink: any FrameSink) async throws

    /// Options that change on their own, such as a button or an automatic value; by default nil,
    /// for a device whose options are only read.
    ///
    /// Called once, when the device is open. The stream's end is not a failure.
    func optionChanges() async -> AsyncStream<OptionChange>?

    /// Releases the device. Called once, after every capture has ended.
    func close() async
}

extension CaptureDevice {
    /// By default nil, because the list of devices has it.
    public var descriptor: DeviceDescriptor? { nil }

    /// No changes are reported.
    public func optionChanges() async -> AsyncStream<OptionChange>? { nil }
}

/// An option that has changed without the host.
public struct OptionChange: Hashable, Sendable {
    /// The option's name.
    public var name: String
    /// The value that it has now; nil when the host is to read it.
    public var value: OptionValue?

    /// A change of the option of that name.
    public init(name: String, value: OptionValue?) {
        self.name = name
        self.value = value
    }
}

/// What to capture.
public struct CaptureRequest: Codable, Hashable, Sendable {
    /// The tempo of a capture.
    public enum Mode: String, Codable, Hashable, Sendable {
        /// Pages until the source is empty or `limit` is reached; none may be dropped.
        case pages
        /// Frames at the device's own rate until canceled; the newest matter, so frames are
        /// dropped when the host is busy.
        case live
    }

    /// The tempo.
    public var mode: Mode
    /// The most frames to capture, at least 1; nil for as many as there are.
    public var limit: Int?
    /// Where to continue, as reported to ``FrameSink/reading(_:)``; nil for the start.
    public var after: String?

    /// A request for pages, without a limit, unless specified otherwise.
    public init(mode: Mode = .pages, limit: Int? = nil, after: String? = nil) {
        self.mode = mode
        self.limit = limit
        self.after = after
    }
}
