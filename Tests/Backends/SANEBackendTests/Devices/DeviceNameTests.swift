import CaptureKit
import ContractSupport
import FoundationEssentials
import Glibc
import Testing

@testable import SANEBackend

/// Tests stable device names and scanners without permission, with a made-up list of USB devices.
@Suite struct DeviceNameTests {
    private let folder: TemporaryFolder
    private let usb: USBDevices

    init() throws {
        folder = try TemporaryFolder()
        let kernel = folder.file("sys")
        let files = [
            ("1-2", "4", "04b8", "0142", "X2NX012345"), ("1-3.1", "7", "04a9", "190f", ""),
        ]
        for (port, number, vendor, product, serial) in files {
            for (name, text) in [
                ("busnum", "1"), ("devnum", number), ("idVendor", vendor), ("idProduct", product),
                ("serial", serial), ("manufacturer", "Lamp\u{7}"), ("product", "Scanner"),
            ] where !text.isEmpty {
                let place = "\(kernel)/\(port)"
                try FileManager.default.createDirectory(
                    atPath: place, withIntermediateDirectories: true)
                try Data((text + "\n").utf8).write(to: URL(filePath: "\(place)/\(name)"))
            }
        }
        usb = USBDevices(
            kernelFolder: kernel, udevFolder: folder.file("udev"), deviceFolder: folder.file("dev"))
    }

    @Test(
        "A USB address becomes maker, product and serial number, or the port",
        arguments: [
            ("epson2:libusb:001:004", "epson2:usb:04b8:0142:X2NX012345"),
            ("genesys:libusb:001:007", "genesys:usb:04a9:190f:1-3.1"),
            ("brother4:bus1;dev4", "brother4:usb:04b8:0142:X2NX012345"),
            ("epson2:libusb:002:004", "epson2:libusb:002:004"),
            ("pixma:04A918A2_831026", "pixma:04A918A2_831026"), ("test:0", "test:0"),
            ("airscan:e0:HP LaserJet M28w (3)", "airscan:e:HP LaserJet M28w (3)"),
            ("airscan:w1f:Kyocera: desk", "airscan:w:Kyocera: desk"),
            (
                "airscan:escl:Name:http://192.0.2.7:80/eSCL",
                "airscan:escl:Name:http://192.0.2.7:80/eSCL"
            ),
            ("airscan:e0", "airscan:e0"), ("airscan:e:Name", "airscan:e:Name"),
            ("libusb:", "libusb:"), ("x:libusb:a:b", "x:libusb:a:b"), ("", ""),
        ])
    func lasting(_ name: String, _ id: String) {
        #expect(ScannerIdentity(usb: usb).id(of: name) == id)
    }

    @Test("A network printer's lasting name leads back to the driver's")
    func airscan() {
        #expect(AirscanName(id: "airscan:e:HP: x")?.likelyName == "airscan:e0:HP: x")
        #expect(AirscanName(id: "airscan:e0:HP") == nil)
        #expect(AirscanName(name: "airscan:e:HP") == nil)
        #expect(AirscanName(id: "epson2:e:HP") == nil)
    }

    @Test(
        "The device's name shows its connection",
        arguments: [
            ("epson2:libusb:001:004", "USB"), ("net:scanhost:test:0", "network (scanhost)"),
            ("airscan:e0:HP LaserJet", "network"),
            ("escl:http://192.0.2.7:80", "network (192.0.2.7)"),
            ("net:[fe80::1]:test:0", "network (fe80::1)"),
            ("airscan:escl:Name:http://192.0.2.7:80/eSCL", "network (192.0.2.7)"),
            ("hpaio:/net/officejet?ip=192.0.2.7", "network"), ("hp:/dev/sg2", "SCSI"),
            ("hpaio:/usb/PSC?serial=MY4", "USB"), ("test:0", nil), ("net:", nil), ("", nil),
        ] as [(String, String?)])
    func connection(_ name: String, _ connection: String?) {
        #expect(ScannerIdentity(usb: usb).connection(of: name) == connection)
    }

    @Test("A list of broken USB entries harms nothing")
    func broken() {
        let none = USBDevices(kernelFolder: "/nowhere", udevFolder: "", deviceFolder: "")
        #expect(none.all().isEmpty)
        #expect(none.deniedScanners().isEmpty)
        #expect(usb.all().count == 2)
        #expect(usb.all().first?.names == ["Lamp", "Scanner"])
        #expect(usb.deviceFile(USBAddress(bus: 1, device: 4)).hasSuffix("/001/004"))
    }

    @Test("Opening a scanner that disappeared or never existed gives an error")
    func denied() {
        let denied = DeniedScanners(usb: usb)
        #expect(denied.error(for: "test:0") == nil)
        #expect(denied.error(for: "denied:usb:04b8:0142:X")?.code == .noSuchDevice)
        #expect(denied.descriptors(beside: []).isEmpty)
    }

    @Test("Drivers' names and texts lose control characters and excess length")
    func printableText() {
        #expect(printable("a\u{1b}[31m\nb") == "a[31mb")
        #expect(printable(String(repeating: "ä", count: 900)).utf8.count <= 1000)
    }
}
