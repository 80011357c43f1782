import CaptureHost
import CaptureKit

/// What `devices --json` prints: its own type, so that its keys stay when the host's types change.
struct DevicesJSON: Encodable {
    /// The devices in the order of their backends.
    var devices: [Device]
    /// Why some backends could not tell theirs.
    var problems: [Problem]

    init(_ listing: DeviceListing) {
        devices = listing.devices.map(Device.init)
        problems = listing.problems.map(Problem.init)
    }

    /// One device; absent keys are unknown.
    struct Device: Encodable {
        var id: String
        var backend: String
        var name: String
        var vendor: String?
        var model: String?
        var kind: DeviceKind
        var connection: String?
        var sources: [String]
        var maximumArea: AreaInMillimetres?
        var state: DeviceState
        var advice: String?
        var aliases: [String]
        var isDefault: Bool

        init(_ device: ListedDevice) {
            id = device.id
            backend = device.backend
            name = device.descriptor.name
            vendor = device.descriptor.vendor
            model = device.descriptor.model
            kind = device.descriptor.kind
            connection = device.descriptor.connection
            sources = device.descriptor.sources
            maximumArea = device.descriptor.maximumArea
            state = device.descriptor.state
            advice = device.descriptor.advice
            aliases = device.aliases
            isDefault = device.isDefault
        }
    }

    /// One failure.
    struct Problem: Encodable {
        var backend: String?
        var code: String
        var message: String
        var advice: String?

        init(_ error: HostError) {
            backend = error.backend
            code = error.code.rawValue
            message = error.message
            advice = error.advice
        }
    }
}
