/// Finds a name for a scanner that stays when its USB address changes.
///
/// Drivers name a USB scanner by its address (`epson2:libusb:001:004`), which changes each time it
/// is plugged in. Its vendor, product and serial number don't change. A scanner without a serial
/// number is known by its port.
struct ScannerIdentity {
    /// The system's USB devices.
    var usb: USBDevices

    /// The lasting name for SANE's `name`; the name itself if it contains no USB address or
    /// temporary number.
    func id(of name: String) -> String {
        if let scanner = AirscanName(name: name) { return printable(scanner.id) }
        guard let driver = name.split(separator: ":").first,
            let address = USBAddress(in: name), let device = usb.device(at: address)
        else { return printable(name) }
        return "\(driver):usb:\(device.vendor):\(device.product):\(device.serial ?? device.port)"
    }

    /// How a scanner with that SANE name is attached.
    func connection(of name: String) -> String? {
        let parts = name.split(separator: ":", omittingEmptySubsequences: false).map(String.init)
        guard let driver = parts.first else { return nil }
        if driver == "net", parts.count > 2 {
            // An IPv6 address is in brackets.
            if parts[1].hasPrefix("["), let end = name.firstIndex(of: "]") {
                return "network (\(name[name.index(name.startIndex, offsetBy: 5)..<end]))"
            }
            return "network (\(parts[1]))"
        }
        if let host = host(in: name) { return "network (\(host))" }
        if ["airscan", "escl"].contains(driver) { return "network" }
        if USBAddress(in: name) != nil || name.lowercased().contains("usb") { return "USB" }
        if name.contains("/net/") || name.contains("tcp") { return "network" }
        if name.contains("/dev/sg") || name.contains("scsi") { return "SCSI" }
        if name.contains("parport") { return "parallel port" }
        return nil
    }

    /// The host of an address such as `http://192.0.2.7:80/eSCL` in a name.
    private func host(in name: String) -> String? {
        guard let mark = name.firstRange(of: "://") else { return nil }
        let host = name[mark.upperBound...].prefix { $0 != ":" && $0 != "/" }
        return host.isEmpty ? nil : String(host)
    }
}

/// A name from the driver for network printers, such as `airscan:e0:HP LaserJet`: the protocol's
/// letter, a number in the order of the printers' answers, which changes each time, and the
/// printer's own name, which stays.
struct AirscanName: Hashable {
    private static let start = "airscan:"

    /// `e` for eSCL, `w` for WSD.
    var letter: Character
    /// The printer's own name.
    var title: String

    /// Reads the driver's name.
    init?(name: String) { self.init(name) { $0.allSatisfy(\.isHexDigit) && !$0.isEmpty } }

    /// Reads a lasting name, which has no number.
    init?(id: String) { self.init(id) { $0.isEmpty } }

    private init?(_ text: String, _ isNumber: (Substring) -> Bool) {
        guard text.hasPrefix(AirscanName.start) else { return nil }
        let rest = text.dropFirst(AirscanName.start.count)
        guard let colon = rest.firstIndex(of: ":"), let letter = rest.first,
            letter == "e" || letter == "w", isNumber(rest[..<colon].dropFirst())
        else { return nil }
        self.letter = letter
        title = String(rest[rest.index(after: colon)...])
    }

    /// The permanent name.
    var id: String { "\(AirscanName.start)\(letter):\(title)" }

    /// The driver's name of the printer that answered first; most networks have one.
    var likelyName: String { "\(AirscanName.start)\(letter)0:\(title)" }
}

/// A device's place on the USB at present.
struct USBAddress: Hashable, Sendable {
    var bus: Int
    var device: Int

    init(bus: Int, device: Int) {
        self.bus = bus
        self.device = device
    }

    /// Finds the address in a SANE name: `libusb:001:004` as most drivers write it, or `bus1;dev4`.
    init?(in name: String) {
        if let mark = name.firstRange(of: "libusb:") {
            let parts = name[mark.upperBound...].split(separator: ":")
            guard parts.count >= 2, let bus = Int(parts[0]), let device = Int(parts[1]) else {
                return nil
            }
            self.init(bus: bus, device: device)
        } else if let mark = name.firstRange(of: ":bus") {
            let parts = name[mark.upperBound...].split(separator: ";")
            guard parts.count == 2, let bus = Int(parts[0]), parts[1].hasPrefix("dev"),
                let device = Int(parts[1].dropFirst(3))
            else { return nil }
            self.init(bus: bus, device: device)
        } else {
            return nil
        }
    }
}
