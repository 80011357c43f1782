public import CaptureKit

/// A device as the host knows it.
public struct ListedDevice: Codable, Hashable, Sendable, Identifiable {
    /// Its name across all backends: `<backend>:<descriptor.id>`.
    public var id: String
    /// The id of its backend.
    public var backend: String
    /// What its backend says about it.
    public var descriptor: DeviceDescriptor
    /// The names its user gave it, sorted.
    public var aliases: [String]
    /// True for the device that is used when none is named.
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
    /// The devices, by backend in the order of their ids.
    public var devices: [ListedDevice]
    /// What went wrong: backends that could not list their devices, and what kept others from
    /// finding some.
    public var problems: [HostError]

    /// A listing of devices and problems.
    public init(devices: [ListedDevice] = [], problems: [HostError] = []) {
        self.devices = devices
        self.problems = problems
    }
}
