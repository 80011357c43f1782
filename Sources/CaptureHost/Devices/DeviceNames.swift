import CaptureKit
import Suggestions

/// Finds the device that a user means; knows nothing of processes.
enum DeviceNames {
    /// The devices whose name, model, vendor or id contains `text`, whatever its case; an exact match stands alone.
    static func matches(_ text: String, in devices: [ListedDevice]) -> [ListedDevice] {
        let wanted = text.lowercased()
        let exact = devices.filter { words($0).contains(wanted) }
        if exact.count == 1 { return exact }
        return devices.filter { device in words(device).contains { $0.contains(wanted) } }
    }

    private static func words(_ device: ListedDevice) -> [String] {
        let descriptor = device.descriptor
        let vendorAndModel = [descriptor.vendor, descriptor.model].compactMap { $0 }
        return
            ([device.id, descriptor.id, descriptor.name] + vendorAndModel
            + [vendorAndModel.joined(separator: " ")]).filter { !$0.isEmpty }.map {
                $0.lowercased()
            }
    }

    /// The one device of `listing` that `text` fits.
    static func choose(_ text: String, from listing: DeviceListing) throws -> ListedDevice {
        let found = matches(text, in: listing.devices)
        if let only = found.first, found.count == 1 { return only }
        if !found.isEmpty { throw several("'\(text)' fits several devices", found) }
        let names = listing.devices.flatMap { device in
            device.aliases + [device.id, device.descriptor.name]
                + [device.descriptor.vendor, device.descriptor.model].compactMap { $0 }
        }
        // The words of a name count too: 'epsn' is near 'Epson' though far from 'Epson Perfection V39'.
        let words = names.flatMap { $0.split(separator: " ").map(String.init) }
        let near = didYouMean(text, among: Array(Set(names + words)))
        throw HostError(
            .noSuchDevice, "no device matches '\(text)'" + failed(listing.problems),
            advice: near)
    }

    /// The device to use when none is named and no default is set.
    ///
    /// - Parameter demonstrations: the backends whose devices are made up, and don't count where a real one is there.
    static func only(
        of listing: DeviceListing, demonstrations: Set<String> = []
    ) throws -> ListedDevice {
        let all = listing.devices.filter { $0.descriptor.kind != .files }
        let real = all.filter { !demonstrations.contains($0.backend) }
        let devices = real.isEmpty ? all : real
        if let only = devices.first, devices.count == 1 { return only }
        if !devices.isEmpty { throw several("no device was named, and several are there", devices) }
        throw HostError(
            .noSuchDevice, "no scanner or camera was found" + failed(listing.problems),
            advice: "Switch it on and plug it in, or see what is missing with: copystand doctor")
    }

    /// The one real device of the kind that `text` names, such as "camera"; nil when it names none, or there is none.
    static func only(
        ofKind text: String, in listing: DeviceListing, demonstrations: Set<String>
    ) throws -> ListedDevice? {
        guard let kind = DeviceKind(rawValue: text.lowercased()), kind != .files else { return nil }
        let devices = listing.devices.filter {
            $0.descriptor.kind == kind && !demonstrations.contains($0.backend)
        }
        if devices.count > 1 { throw several("there is more than one \(kind.rawValue)", devices) }
        return devices.first
    }

    private static func several(_ what: String, _ devices: [ListedDevice]) -> HostError {
        let list = devices.prefix(20).map { "\($0.id) (\($0.descriptor.name))" }
        let more = devices.count > 20 ? ", and \(devices.count - 20) more" : ""
        return HostError(.severalDevices, "\(what): \(list.joined(separator: ", "))\(more)")
    }

    private static func failed(_ problems: [HostError]) -> String {
        guard !problems.isEmpty else { return "" }
        return "; not all could be asked: " + problems.map(\.message).joined(separator: "; ")
    }
}
