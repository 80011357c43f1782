import CSANE
import CaptureKit

/// A scanner that SANE has found.
struct FoundScanner: Codable, Hashable, Sendable {
    /// SANE's name, such as `epson2:libusb:001:004`; it may change when the scanner is plugged in
    /// again.
    var name: String
    var vendor: String
    var model: String
    /// SANE's words for the kind of device, such as "flatbed scanner".
    var type: String
    /// The permanent name.
    var id: String
    /// How the scanner is attached; nil if unknown.
    var connection: String?

    /// True for a network scanner, which a search of only this machine does not find.
    var isRemote: Bool { connection?.hasPrefix("network") ?? false }

    /// The name under which people know the scanner.
    var title: String {
        let words = [vendor, model].filter { !$0.isEmpty && $0 != "Noname" }
        let title = words.joined(separator: " ")
        return title.isEmpty ? name : title
    }

    /// The scanner's descriptor for the list of devices, with the facts from opening it.
    func descriptor(_ facts: ScannerFacts?) -> DeviceDescriptor {
        DeviceDescriptor(
            id: id, name: printable(title), vendor: vendor.isEmpty ? nil : printable(vendor),
            model: model.isEmpty ? nil : printable(model), kind: .scanner,
            connection: connection.map(printable), sources: facts?.sources ?? [],
            maximumArea: facts?.maximumArea, state: facts?.state ?? .ready, advice: facts?.advice)
    }
}

extension FoundScanner {
    /// Copies a driver's description.
    init(_ device: SANE_Device, id: String, _ connection: String?) {
        let vendor = driverText(device.vendor)
        let type = driverText(device.type)
        self.init(
            name: driverText(device.name),
            // The driver for network printers gives the protocol as their maker, and their address
            // as their type.
            vendor: ["eSCL", "WSD"].contains(vendor) ? "" : vendor,
            model: driverText(device.model), type: type, id: id,
            connection: type.hasPrefix("ip=") ? "network (\(type.dropFirst(3)))" : connection)
    }
}

/// Facts about a scanner that are known only after opening it.
struct ScannerFacts: Codable, Hashable, Sendable {
    var sources: [String] = []
    var maximumArea: AreaInMillimeters?
    var state = DeviceState.ready
    var advice: String?

    /// The facts of a scanner with these options.
    init(_ options: NativeOptions, deviceType: String) {
        sources = SourceSetting(deviceType: deviceType, isAutomatic: false).choices(options)
        maximumArea = ScanArea(options).map {
            AreaInMillimeters(width: $0.maximum.width, height: $0.maximum.height)
        }
    }

    /// The facts of a scanner that could not be opened.
    init(_ error: CaptureError) {
        state =
            switch error.code {
            case .busy: .busy
            case .permissionDenied, .passwordNeeded: .noPermission
            default: .offline
            }
        advice = [error.message + ".", error.advice].compactMap { $0 }.joined(separator: " ")
    }
}

/// `text` without control characters, at most 1,000 bytes.
func printable(_ text: String) -> String {
    var clean = String(
        String.UnicodeScalarView(text.unicodeScalars.filter { $0.value >= 32 && $0.value != 127 }))
    while clean.utf8.count > 1000 { clean.removeLast() }
    return clean
}
