/// A backend's description of a device: enough to list the device and to choose it.
public struct DeviceDescriptor: Codable, Hashable, Sendable {
    /// The device's name within its backend, stable across restarts and re-plugging.
    ///
    /// The host shows the device as `<backend>:<id>`. Any text without control characters, 1…1,024
    /// bytes.
    public var id: String
    /// The device's name for people, such as "Epson Perfection V39".
    public var name: String
    /// The maker; nil if unknown.
    public var vendor: String?
    /// The model; nil if unknown.
    public var model: String?
    /// The kind of device.
    public var kind: DeviceKind
    /// The connection of the device, such as "USB" or "network (192.0.2.7)".
    public var connection: String?
    /// The path of the device's file, such as "/dev/video0", if that helps its user.
    public var path: String?
    /// The best format of a camera, such as "MJPEG 1920x1080 at 30 a second".
    public var format: String?
    /// The options that users set most, such as `exposure`, `focus` and `zoom` of a camera; the
    /// device has more.
    public var controls: [String]
    /// The sources pages can come from, such as `flatbed`, `feeder`, `feeder-duplex`, `camera`.
    public var sources: [String]
    /// The maximum area, in millimeters, that the device can capture; nil for a device without such
    /// a limit.
    public var maximumArea: AreaInMillimeters?
    /// The device's availability.
    public var state: DeviceState
    /// The reason why the device can't be used, and what to do; nil when `state` is `ready`.
    public var advice: String?

    /// Describes a device; all but `id`, `name` and `kind` have neutral defaults.
    public init(
        id: String, name: String, vendor: String? = nil, model: String? = nil, kind: DeviceKind,
        connection: String? = nil, path: String? = nil, format: String? = nil,
        controls: [String] = [], sources: [String] = [], maximumArea: AreaInMillimeters? = nil,
        state: DeviceState = .ready, advice: String? = nil
    ) {
        self.id = id
        self.name = name
        self.vendor = vendor
        self.model = model
        self.kind = kind
        self.connection = connection
        self.path = path
        self.format = format
        self.controls = controls
        self.sources = sources
        self.maximumArea = maximumArea
        self.state = state
        self.advice = advice
    }
}

/// The kind of a device, which determines how the host captures.
///
/// The host shows an unknown word unchanged, and treats the device like a scanner.
public struct DeviceKind: RawRepresentable, Codable, Hashable, Sendable {
    /// The word on the wire.
    public let rawValue: String

    /// A kind by its word.
    public init(rawValue: String) { self.rawValue = rawValue }

    /// A scanner: pages arrive slowly, and none may be lost.
    public static let scanner = DeviceKind(rawValue: "scanner")
    /// A camera: frames arrive all the time, and only the newest matters.
    public static let camera = DeviceKind(rawValue: "camera")
    /// Files or folders that are read as pages.
    public static let files = DeviceKind(rawValue: "files")

    /// The words that the protocol has.
    package static let all: [DeviceKind] = [.scanner, .camera, .files]
}

/// The availability of a device.
public enum DeviceState: String, Codable, Hashable, Sendable, CaseIterable {
    /// The device can be opened now.
    case ready
    /// Another program uses the device.
    case busy
    /// The user may not open the device.
    case noPermission
    /// The device is known, but switched off, asleep or out of reach.
    case offline
}

/// A width and height in millimeters.
public struct AreaInMillimeters: Codable, Hashable, Sendable {
    /// Width in millimeters, above 0.
    public var width: Double
    /// Height in millimeters, above 0.
    public var height: Double

    /// An area of `width` × `height` millimeters.
    public init(width: Double, height: Double) {
        self.width = width
        self.height = height
    }
}
