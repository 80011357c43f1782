import CaptureKit
import Suggestions

/// Finds the device that a user means, in a list of devices.
enum DeviceNames {
    /// The devices whose name, model, vendor or id contains `text` in any case; an exact match is
    /// the only result.
    ///
    /// - Parameter demonstrations: the backends whose devices are virtual. Their pages are not
    ///   real, so the text must also name the backend, as in "virtual camera".
    static func matches(
        _ text: String, in devices: [ListedDevice], demonstrations: Set<String> = []
    ) -> [ListedDevice] {
        let wanted = text.lowercased()
        let meant = devices.filter {
            !demonstrations.contains($0.backend) || wanted.contains($0.backend.lowercased())
        }
        let exact = meant.filter { words($0).contains(wanted) }
        if exact.count == 1 { return exact }
        return meant.filter { device in words(device).contains { $0.contains(wanted) } }
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

    /// The one device in `listing` that matches `text`: a name, or "camera" or "scanner" for the
    /// only real one.
    static func choose(
        _ text: String, from listing: DeviceListing, demonstrations: Set<String> = []
    ) throws -> ListedDevice {
        let found = matches(text, in: listing.devices, demonstrations: demonstrations)
        let named = DeviceKind(rawValue: text.lowercased())
        if let kind = [DeviceKind.scanner, .camera].first(where: { $0 == named }) {
            // "scanner" may mean a camera if there is no real scanner.
            let isThere = listing.devices.contains {
                $0.descriptor.kind == kind && !demonstrations.contains($0.backend)
            }
            if isThere || found.isEmpty { return try only(of: [kind], in: listing, demonstrations) }
        }
        if let only = found.first, found.count == 1 { return only }
        if !found.isEmpty { throw several("'\(text)' matches several devices", found) }
        if let madeUp = matches(text, in: listing.devices).first {
            throw HostError(
                .noSuchDevice, "no device matches '\(text)'" + failed(listing.problems),
                advice: "List the devices with: copystand devices. " + naming(madeUp))
        }
        let names = listing.devices.flatMap { device in
            // The message shows a virtual device's full id, which a user needs to choose it.
            demonstrations.contains(device.backend)
                ? device.aliases + [device.id]
                : device.aliases + [device.id, device.descriptor.name]
                    + [device.descriptor.vendor, device.descriptor.model].compactMap { $0 }
        }
        // Single words of a name count too: 'epsn' is near 'Epson', though far from 'Epson
        // Perfection V39'.
        let words = names.flatMap { $0.split(separator: " ").map(String.init) }
        let near = didYouMean(text, among: Array(Set(names + words)))
        throw HostError(
            .noSuchDevice, "no device matches '\(text)'" + failed(listing.problems),
            advice: near)
    }

    /// The device to use when the user names none and no default is set: the only real scanner or
    /// camera.
    ///
    /// - Parameter demonstrations: the backends whose devices are virtual and must be named.
    static func only(
        of listing: DeviceListing, demonstrations: Set<String> = []
    ) throws -> ListedDevice {
        try only(of: [.scanner, .camera], in: listing, demonstrations)
    }

    private static func only(
        of kinds: [DeviceKind], in listing: DeviceListing, _ demonstrations: Set<String>
    ) throws -> ListedDevice {
        let all = listing.devices.filter { kinds.contains($0.descriptor.kind) }
        let devices = all.filter { !demonstrations.contains($0.backend) }
        if let only = devices.first, devices.count == 1 { return only }
        let what = kinds.map(\.rawValue).joined(separator: " or ")
        if !devices.isEmpty {
            throw several(
                kinds.count == 1
                    ? "there is more than one \(what)"
                    : "no device was named, and there are several", devices)
        }
        let advice = "Switch it on and plug it in, or see what is missing with: copystand doctor"
        throw HostError(
            .noSuchDevice, "no \(what) was found" + failed(listing.problems),
            advice: all.first.map { advice + ". " + naming($0) } ?? advice)
    }

    private static func naming(_ madeUp: ListedDevice) -> String {
        "To try things out, use a virtual device: -d \(madeUp.id)"
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
