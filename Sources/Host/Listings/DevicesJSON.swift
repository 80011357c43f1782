public import CaptureHost
import CaptureKit
import FileNames

/// A list of devices for the command `devices --json` and the HTTP API.
///
/// It is a separate type, so that its keys stay when the host's types change.
public struct DevicesJSON: Codable, Sendable {
    /// The devices, sorted by backend.
    var devices: [Device]
    /// The reasons why some backends could not list their devices.
    var problems: [Problem]

    /// The listing's JSON.
    public init(_ listing: DeviceListing) {
        devices = listing.devices.map(Device.init)
        problems = listing.problems.map(Problem.init)
    }

    /// The listing after `clean` has changed every text that may name a path on the host, for users
    /// of other machines.
    package func cleaned(_ clean: (String) -> String) -> DevicesJSON {
        var result = self
        result.devices = devices.map { $0.cleaned(clean) }
        result.problems = problems.map { $0.cleaned(clean) }
        return result
    }

    /// The listing that the JSON describes.
    package var listing: DeviceListing {
        DeviceListing(
            devices: devices.map(\.listed),
            problems: problems.map {
                HostError(
                    HostError.Code(rawValue: $0.code), $0.message, advice: $0.advice,
                    backend: $0.backend)
            })
    }

    /// A device; keys of unknown values are absent.
    public struct Device: Codable, Sendable {
        var id: String
        var backend: String
        var name: String
        var vendor: String?
        var model: String?
        var kind: DeviceKind
        var connection: String?
        var path: String?
        var format: String?
        var controls: [String]?
        var sources: [String]
        var maximumArea: AreaInMillimeters?
        var state: DeviceState
        var advice: String?
        var aliases: [String]
        var isDefault: Bool

        /// The device's JSON.
        public init(_ device: ListedDevice) {
            id = device.id
            backend = device.backend
            name = device.descriptor.name
            vendor = device.descriptor.vendor
            model = device.descriptor.model
            kind = device.descriptor.kind
            connection = device.descriptor.connection
            path = device.descriptor.path
            format = device.descriptor.format
            controls = device.descriptor.controls.isEmpty ? nil : device.descriptor.controls
            sources = device.descriptor.sources
            maximumArea = device.descriptor.maximumArea
            state = device.descriptor.state
            advice = device.descriptor.advice
            aliases = device.aliases
            isDefault = device.isDefault
        }

        /// The device without paths on the host, except of the system's own files for devices.
        package func cleaned(_ clean: (String) -> String) -> Device {
            var result = self
            if kind == .files { result.id = PlaceNames.name(of: id) }
            result.name = clean(name)
            result.path = path.map { $0.hasPrefix("/dev/") ? $0 : PlaceNames.name(of: $0) }
            result.advice = advice.map(clean)
            return result
        }

        /// The device that the JSON describes.
        fileprivate var listed: ListedDevice {
            let prefix = backend + ":"
            return ListedDevice(
                backend: backend,
                descriptor: DeviceDescriptor(
                    id: id.hasPrefix(prefix) ? String(id.dropFirst(prefix.count)) : id, name: name,
                    vendor: vendor, model: model, kind: kind, connection: connection,
                    path: path, format: format, controls: controls ?? [], sources: sources,
                    maximumArea: maximumArea, state: state, advice: advice),
                aliases: aliases, isDefault: isDefault)
        }
    }

    /// One failure.
    public struct Problem: Codable, Sendable {
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

        fileprivate func cleaned(_ clean: (String) -> String) -> Problem {
            var result = self
            result.message = clean(message)
            result.advice = advice.map(clean)
            return result
        }
    }
}

/// A line of `devices --follow --json`, or a device event of the HTTP API.
public struct DeviceEventJSON: Encodable, Sendable {
    var event: String
    var device: DevicesJSON.Device?
    var id: String?
    var problem: DevicesJSON.Problem?

    /// The event after every backend has answered once.
    public static let listed = DeviceEventJSON(event: "listed")

    private init(event: String) { self.event = event }

    /// The event for users of other machines: see ``DevicesJSON/cleaned(_:)``.
    package func cleaned(_ clean: (String) -> String) -> DeviceEventJSON {
        var result = self
        result.device = device?.cleaned(clean)
        result.problem = problem?.cleaned(clean)
        return result
    }

    /// The line for an event; nil for an event without a line.
    public init?(_ event: DeviceEvent) {
        switch event {
        case .added(let device):
            self.init(event: "added")
            self.device = DevicesJSON.Device(device)
        case .changed(let device):
            self.init(event: "changed")
            self.device = DevicesJSON.Device(device)
        case .removed(let id):
            self.init(event: "removed")
            self.id = id
        case .problem(let problem):
            self.init(event: "problem")
            self.problem = DevicesJSON.Problem(problem)
        case .answered: return nil
        }
    }
}
