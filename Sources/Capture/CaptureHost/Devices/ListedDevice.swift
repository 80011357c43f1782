public import CaptureKit

/// A device as the host knows it.
public struct ListedDevice: Codable, Hashable, Sendable, Identifiable {
    /// The device's id across all backends: `<backend>:<descriptor.id>`.
    public var id: String
    /// The id of the device's backend.
    public var backend: String
    /// The backend's description of the device.
    public var descriptor: DeviceDescriptor
    /// The device's aliases, sorted.
    public var aliases: [String]
    /// True for the default device.
    public var isDefault: Bool

    /// Describes a device of a backend.
    public init(
        backend: String, descriptor: DeviceDescriptor, aliases: [String] = [],
        isDefault: Bool = false
    ) {
        id = backend + ":" + descriptor.id
        self.backend = backend
        self.descriptor = descriptor
        self.aliases = aliases
        self.isDefault = isDefault
    }
}

/// The devices that were found, and why some backends could not list theirs.
public struct DeviceListing: Codable, Hashable, Sendable {
    /// The devices, sorted by the ids of their backends.
    public var devices: [ListedDevice]
    /// The reasons why a backend could not list its devices, or not all of them.
    public var problems: [HostError]

    /// A listing of devices and problems.
    public init(devices: [ListedDevice] = [], problems: [HostError] = []) {
        self.devices = devices
        self.problems = problems
    }
}
