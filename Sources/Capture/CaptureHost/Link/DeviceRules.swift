package import CaptureKit

/// Checks a backend's descriptions of devices and options.
package enum DeviceRules {
    /// The maximum number of devices, or options, in one answer.
    package static let most = 2000

    /// The maximum length in bytes of the id of a device: a listed one, or one opened by a path.
    private static let longestID = (listed: 1024, opened: 1 << 16)

    /// The error in a description; nil if it is valid.
    ///
    /// - Parameter isOpened: true for a device that was opened by a path, which may be long.
    package static func fault(_ device: DeviceDescriptor, isOpened: Bool = false) -> String? {
        let most = isOpened ? longestID.opened : longestID.listed
        if device.id.isEmpty || !isText(device.id, most) {
            return "id is empty, longer than \(grouped(most)) bytes or has control characters"
        }
        let texts = [
            device.name, device.vendor, device.model, device.connection, device.path,
            device.format, device.advice, device.kind.rawValue,
        ]
        let lists = device.sources + device.controls
        for text in texts.compactMap({ $0 }) + lists where !isText(text) {
            return "text is longer than 1,024 bytes or has control characters"
        }
        if let area = device.maximumArea, !(area.width > 0 && area.height > 0) {
            return "maximum area is \(area.width) × \(area.height) mm"
        }
        return nil
    }

    /// The error in a list of devices; nil if it is valid.
    package static func fault(_ devices: [DeviceDescriptor]) -> String? {
        if devices.count > most { return "number is \(devices.count)" }
        var ids: Set<String> = []
        for device in devices {
            if let fault = fault(device) { return fault }
            if !ids.insert(device.id).inserted { return "id '\(device.id)' appears twice" }
        }
        return nil
    }

    /// The error in a list of options; nil if it is valid.
    package static func fault(_ options: [DeviceOption]) -> String? {
        if options.count > most { return "number is \(options.count)" }
        var names: Set<String> = []
        for option in options {
            let isName = option.name.utf8.allSatisfy { byte in
                (97...122).contains(byte) || (48...57).contains(byte) || byte == UInt8(ascii: "-")
            }
            if !isName || !(1...100).contains(option.name.utf8.count) {
                return
                    "name '\(option.name.prefix(100))' is not lowercase letters, digits and hyphens"
            }
            if !names.insert(option.name).inserted { return "name '\(option.name)' appears twice" }
            if let unit = option.unit, !isText(unit.rawValue, 64) {
                return "unit is longer than 64 bytes or has control characters"
            }
        }
        return nil
    }

    private static func grouped(_ number: Int) -> String {
        "\(number / 1000)," + String(1000 + number % 1000).dropFirst()
    }

    private static func isText(_ text: String, _ most: Int = 1024) -> Bool {
        text.utf8.count <= most
            && text.unicodeScalars.allSatisfy { $0.value >= 32 && $0.value != 127 }
    }
}
