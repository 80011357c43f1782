import CaptureKit
import Glibc

/// The USB devices of the system, as the kernel and udev describe them.
struct USBDevices: Codable, Hashable, Sendable {
    /// The kernel's folder of USB devices.
    var kernelFolder = "/sys/bus/usb/devices"
    /// udev's folder with the results of its rules.
    var udevFolder = "/run/udev/data"
    /// The folder of the devices' own files.
    var deviceFolder = "/dev/bus/usb"

    /// A USB device.
    struct Device: Hashable {
        /// The hexadecimal numbers of maker and product, such as `04b8` and `0142`.
        var vendor: String
        var product: String
        var serial: String?
        /// The device's port, such as `1-2.4`.
        var port: String
        var address: USBAddress
        /// The names that the device reports for its maker and for itself.
        var names: [String]
    }

    /// Every device that is plugged in.
    func all() -> [Device] { folderNames(kernelFolder).compactMap(device) }

    /// The device at that address.
    func device(at address: USBAddress) -> Device? { all().first { $0.address == address } }

    /// Scanners by the rules of SANE's udev file (`libsane_matched`) whose device file this user
    /// may not open.
    func deniedScanners() -> [Device] {
        all().filter { device in
            let file = deviceFile(device.address)
            var status = stat()
            guard stat(file, &status) == 0, access(file, R_OK | W_OK) != 0 else { return false }
            // udev names a character device's file by its numbers, as in `c189:3`.
            let number = status.st_rdev
            let major = (number >> 8) & 0xfff
            let minor = (number & 0xff) | ((number >> 12) & 0xfff00)
            let notes = text(udevFolder + "/c\(major):\(minor)") ?? ""
            return notes.contains("libsane_matched=yes")
        }
    }

    /// The file of a device.
    func deviceFile(_ address: USBAddress) -> String {
        func padded(_ number: Int) -> String {
            String(repeating: "0", count: max(0, 3 - String(number).count)) + String(number)
        }
        return "\(deviceFolder)/\(padded(address.bus))/\(padded(address.device))"
    }

    private func device(_ port: String) -> Device? {
        let folder = kernelFolder + "/" + port + "/"
        guard let bus = text(folder + "busnum").flatMap({ Int($0) }),
            let number = text(folder + "devnum").flatMap({ Int($0) }),
            let vendor = text(folder + "idVendor"), let product = text(folder + "idProduct")
        else { return nil }
        let serial = text(folder + "serial").map(printable)
        let names = ["manufacturer", "product"].compactMap { text(folder + $0).map(printable) }
        return Device(
            vendor: vendor, product: product, serial: serial?.isEmpty == false ? serial : nil,
            port: port, address: USBAddress(bus: bus, device: number), names: names)
    }

    /// A small file's text without the line's end.
    private func text(_ path: String) -> String? {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { return nil }
        defer { close(descriptor) }
        var bytes = [UInt8](repeating: 0, count: 8192)
        let count = bytes.withUnsafeMutableBytes { read(descriptor, $0.baseAddress, $0.count) }
        guard count >= 0 else { return nil }
        var text = String(decoding: bytes.prefix(count), as: UTF8.self)
        while text.last?.isWhitespace == true { text.removeLast() }
        return text
    }
}
