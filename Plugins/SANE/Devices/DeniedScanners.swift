import CaptureKit

/// USB scanners that this user may not open: drivers leave them out, and the user would not find
/// out why.
struct DeniedScanners {
    var usb: USBDevices

    private static let start = "denied:usb:"

    /// The descriptors of these scanners, without those that SANE has found anyway.
    func descriptors(beside found: [FoundScanner]) -> [DeviceDescriptor] {
        let addresses = Set(found.compactMap { USBAddress(in: $0.name) })
        return usb.deniedScanners().filter { !addresses.contains($0.address) }.map { device in
            DeviceDescriptor(
                id: id(device), name: name(device), vendor: device.names.first, model: nil,
                kind: .scanner, connection: "USB", state: .noPermission, advice: advice(device))
        }
    }

    /// The error of opening one of these scanners; nil for every other id.
    func error(for id: String) -> CaptureError? {
        guard id.hasPrefix(DeniedScanners.start) else { return nil }
        guard let device = usb.deniedScanners().first(where: { self.id($0) == id }) else {
            return CaptureError(
                .noSuchDevice, "There is no scanner '\(id)'",
                advice: "List the devices with: copystand devices")
        }
        return CaptureError(
            .permissionDenied,
            "You have no permission to use '\(name(device))'", advice: advice(device))
    }

    private func id(_ device: USBDevices.Device) -> String {
        "\(DeniedScanners.start)\(device.vendor):\(device.product):\(device.serial ?? device.port)"
    }

    private func name(_ device: USBDevices.Device) -> String {
        device.names.isEmpty
            ? "USB scanner \(device.vendor):\(device.product)"
            : device.names.joined(separator: " ")
    }

    private func advice(_ device: USBDevices.Device) -> String {
        "You have no permission to open \(usb.deviceFile(device.address)). Join the group scanner (sudo usermod -aG scanner \"$USER\", then log in again), or add a udev rule; "
            + "Docs/Scanners.md shows one."
    }
}
