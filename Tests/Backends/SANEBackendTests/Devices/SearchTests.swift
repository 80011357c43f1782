import CaptureHost
import CaptureKit
import ContractSupport
import FoundationEssentials
import Glibc
import Synchronization
import Testing

@testable import SANEBackend

/// The parts of the search that need no driver.
@Suite struct SearchPartTests {
    private func write(_ text: String, _ folder: TemporaryFolder, _ name: String) throws {
        let path = folder.file(name)
        let parent = path.split(separator: "/").dropLast().joined(separator: "/")
        try FileManager.default.createDirectory(
            atPath: "/" + parent, withIntermediateDirectories: true)
        try Data(text.utf8).write(to: URL(filePath: path))
    }

    @Test("Drivers are read from the first dll.conf and the first dll.d, each once")
    func drivers() throws {
        let folder = try TemporaryFolder()
        try write("# all\nepson2\n  genesys  # Canon\n\n#hp\nepson2\n../x\n", folder, "b/dll.conf")
        try write("never\n", folder, "c/dll.conf")
        try write("airscan\n", folder, "c/dll.d/airscan")
        try write("backup\n", folder, "c/dll.d/airscan~")
        try write("hidden\n", folder, "c/dll.d/.hidden")
        try write("never\n", folder, "d/dll.d/never")
        let list = DriverList(folders: ["a", "b", "c", "d"].map { folder.file($0) })
        #expect(list.entries.map(\.name) == ["epson2", "genesys", "airscan"])
        #expect(list.file(naming: "airscan") == folder.file("c/dll.d/airscan"))
        #expect(list.file(naming: "hp") == nil)
        #expect(DriverList(folders: ["/nowhere"]).entries.isEmpty)
    }

    @Test(
        "Folders come from the variable, with SANE's own if it is unset or ends in a colon",
        arguments: [
            (nil, [".", "/etc/sane.d"]), ("", [".", "/etc/sane.d"]), ("/a:/b", ["/a", "/b"]),
            ("/a:", ["/a", ".", "/etc/sane.d"]),
        ] as [(String?, [String])])
    func folders(_ variable: String?, _ folders: [String]) {
        #expect(DriverList.folders(variable) == folders)
    }

    @Test("Every line is read as written, in any pieces, and nonsense is ignored")
    func lines() {
        var generator = SeededGenerator(seed: 20)
        let scanner = FoundScanner(
            name: "epson2:libusb:001:004", vendor: "Epson\n", model: "ü\u{1F4E0}", type: "",
            id: "x", connection: "USB")
        let events: [SearchLine.Event] = [
            .found(scanner), .listed, .opening("x"), .done, .refused("why"),
            .crashed(signal: 11), .crashed(signal: nil), .hung, .end,
            .facts("x", ScannerFacts(CaptureError(.busy, "busy", advice: "wait"))),
        ]
        for _ in 0..<200 {
            let lines = (0..<5).map { _ in
                SearchLine("d", events.randomElement(using: &generator) ?? .end)
            }
            let bytes = lines.flatMap(\.bytes)
            var buffer = LineBuffer()
            var read: [SearchLine] = []
            var place = 0
            while place < bytes.count {
                let end = min(bytes.count, place + Int.random(in: 1...40, using: &generator))
                read += buffer.add(bytes[place..<end]).compactMap { SearchLine($0) }
                place = end
            }
            #expect(read == lines)
            var broken = bytes
            for _ in 0..<5 {
                broken[Int.random(in: 0..<broken.count, using: &generator)] = UInt8.random(
                    in: 0...255, using: &generator)
            }
            // There is no crash, and there are never more lines than line feeds.
            var other = LineBuffer()
            let count = other.add(broken).compactMap { SearchLine($0) }.count
            #expect(count <= broken.count { $0 == 10 })
        }
        var endless = LineBuffer()
        #expect(endless.add([UInt8](repeating: 65, count: 2 << 20)).isEmpty)
        #expect(endless.add(SearchLine("d", .end).bytes).count == 1)
    }

    @Test(
        "Only the kernel's and udev's messages about USB devices count",
        arguments: [
            (
                "add@/devices/pci/usb1/1-2|ACTION=add|SUBSYSTEM=usb|DEVTYPE=usb_device|BUSNUM=001",
                true
            ),
            ("remove@/x|ACTION=remove|DEVTYPE=usb_device|SUBSYSTEM=usb", true),
            (
                "libudev|\u{1}\u{2}\u{3}|ACTION=bind|SUBSYSTEM=usb|DEVTYPE=usb_device|libsane_matched=yes",
                true
            ),
            ("add@/x|ACTION=add|SUBSYSTEM=usb|DEVTYPE=usb_interface", false),
            ("add@/x|ACTION=add|SUBSYSTEM=block|DEVTYPE=disk", false),
            ("ACTION=explode|SUBSYSTEM=usb|DEVTYPE=usb_device", false), ("", false), ("|||", false),
        ])
    func messages(_ text: String, _ counts: Bool) {
        let bytes = Array(text.utf8).map { $0 == UInt8(ascii: "|") ? 0 : $0 }
        #expect(DeviceEvents.isAboutUSB(bytes) == counts)
    }

    @Test("The variable sets the patience, within the host's own limit")
    func patience() {
        var quick = SearchRequest()
        quick.apply(patience: SearchPatience(full: .seconds(7)), isQuick: true)
        #expect(quick.patience == 2500)
        var full = SearchRequest()
        full.apply(patience: SearchPatience(full: .milliseconds(600)), isQuick: false)
        #expect(full.patience == 600 && full.wholePatience == 2100)
    }
}

/// A generator whose numbers are the same in every run (SplitMix64).
struct SeededGenerator: RandomNumberGenerator {
    private var state: UInt64
    init(seed: UInt64) { state = seed }

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return mixed ^ (mixed >> 31)
    }
}

extension SANETests {
    /// Searches with drivers that run, hang and crash.
    @Suite(.serialized) struct SearchTests {
        private func write(_ text: String, _ path: String) throws {
            try Data(text.utf8).write(to: URL(filePath: path))
        }

        @Test("Scanners are reported as they are found: a hanging driver delays no others")
        func asFound() async throws {
            let setup = try SANESetup.shared.get()
            let state = try TemporaryFolder()
            let host = try setup.host(
                state, extra: ["FAULT_DISCOVERY": "hang", "COPYSTAND_SANE_PATIENCE": "4000"])
            var told: [String] = []
            for await event in host.deviceEvents(backend: "sane") {
                switch event {
                case .added(let device): told.append(device.descriptor.id)
                case .problem(let problem): told.append(problem.code.rawValue)
                default: break
                }
            }
            #expect(told == ["test:0", "test:1", "hung"])
            await host.shutdown()
        }

        @Test(
            "A driver that crashes or hangs at opening loses only the scanner's details",
            arguments: ["crash-open", "hang-open"])
        func looking(_ fault: String) async throws {
            let setup = try SANESetup.shared.get()
            let state = try TemporaryFolder()
            let list = state.file("list")
            try write("clean|Fault|One|\n\(fault)|Fault|Two|\n", list)
            try write("devices \(list)\n", state.file("fault.conf"))
            let host = try setup.host(
                state,
                extra: [
                    "SANE_CONFIG_DIR": "\(state.path):\(setup.folder.path)",
                    "COPYSTAND_SANE_PATIENCE": "3000",
                ])
            let listing = await host.listDevices(backend: "sane")
            let ids = listing.devices.map(\.descriptor.id)
            #expect(ids == ["fault:clean", "fault:\(fault)", "test:0", "test:1"])
            #expect(listing.devices.first?.descriptor.sources.contains("feeder") == true)
            let problem = try #require(listing.problems.first)
            #expect(problem.code == (fault == "crash-open" ? .crashed : .hung))
            #expect(problem.message.contains("while opening 'fault:\(fault)'"))
            await host.shutdown()
        }

        @Test("A search leaves no files behind, even of a driver that was killed")
        func cleanUp() async throws {
            let setup = try SANESetup.shared.get()
            let state = try TemporaryFolder()
            let runtime = try TemporaryFolder()
            let host = try setup.host(
                state,
                extra: [
                    "FAULT_DISCOVERY": "hang", "COPYSTAND_SANE_PATIENCE": "3000",
                    "XDG_RUNTIME_DIR": runtime.path,
                ])
            #expect(await host.listDevices(backend: "sane").devices.count == 2)
            #expect(runtime.names().isEmpty)
            await host.shutdown()
        }

        @Test(
            "A search program that can't be started, or ends in mid-search, is an error that says so"
        )
        func noProgram() async throws {
            for (program, word) in [("/nowhere", "/nowhere"), ("/bin/true", "search")] {
                let backend = SANEBackend(program: program)
                let error = await #expect(throws: CaptureError.self) {
                    _ = try await backend.devices(DeviceQuery())
                }
                #expect(error?.message.contains(word) == true)
            }
        }

        /// Keeps the changes that a backend reports.
        private final class ChangeLog: Sendable {
            private let changes = Mutex<[DeviceChange]>([])

            init(_ stream: AsyncStream<DeviceChange>) {
                Task { for await change in stream { changes.withLock { $0.append(change) } } }
            }

            /// Waits for the next change of that device, and ignores those before it.
            func next(_ id: String) async throws -> DeviceChange {
                while true {
                    let found = changes.withLock { changes -> DeviceChange? in
                        let index = changes.firstIndex { change in
                            switch change {
                            case .added(let device), .changed(let device): device.id == id
                            case .removed(let removed): removed == id
                            }
                        }
                        return index.map { changes.remove(at: $0) }
                    }
                    if let found { return found }
                    try await Task.sleep(for: .milliseconds(5))
                }
            }
        }

        @Test(
            "The device list follows plugging and unplugging, without disturbing a scan",
            .timeLimit(.minutes(1)))
        func hotPlug() async throws {
            let setup = try SANESetup.shared.get()
            let state = try TemporaryFolder()
            let list = state.file("list")
            try write("clean|Fault|One|\nbusy|Fault|Two|\n", list)
            let backend = setup.backend
            // Opening the device writes fault.conf.
            await (try setup.open("fault:clean", "devices \(list)\n")).close()
            let changes = ChangeLog(try #require(await backend.changes()))
            let first = try await backend.devices(DeviceQuery()).map(\.id)
            #expect(first.prefix(2) == ["fault:busy", "fault:clean"])
            let device = try await setup.open("fault:clean", "devices \(list)\n")
            try write("clean|Fault|One|\nnew|Fault|Three|\n", list)
            ScannerCatalog.shared.devicesMayHaveChanged()
            // While a device is open, the earlier list is returned.
            #expect(try await backend.devices(DeviceQuery()).map(\.id) == first)
            let sink = RecordingSink()
            try await device.capture(CaptureRequest(limit: 2), into: sink)
            #expect(sink.frames.count == 2)
            await device.close()
            while try await changes.next("fault:busy") != .removed("fault:busy") {}
            guard case .added(let added) = try await changes.next("fault:new") else {
                Issue.record("the new scanner was not announced")
                return
            }
            #expect(added.model == "Three")
            let now = try await backend.devices(DeviceQuery()).map(\.id)
            #expect(now.prefix(2) == ["fault:clean", "fault:new"])
            try write("", list)
            ScannerCatalog.shared.devicesMayHaveChanged()
            while try await changes.next("fault:new") != .removed("fault:new") {}
            await (try setup.open("test:0")).close()
        }

        /// True if the system lets this process send messages as udev does.
        private static var canAnnounce: Bool { announce() }

        /// Announces a new USB device to all listeners, as udev does.
        @discardableResult private static func announce() -> Bool {
            let program = """
                import socket
                s = socket.socket(socket.AF_NETLINK, socket.SOCK_RAW, 15)
                s.sendto(b"libudev\\0ACTION=add\\0SUBSYSTEM=usb\\0DEVTYPE=usb_device\\0", (0, 2))
                """
            return (try? run("python3 -c '\(program)' 2>/dev/null"))?.status == 0
        }

        @Test(
            "A newly connected scanner appears to followers, without another search",
            .enabled(
                if: canAnnounce, "needs the right to send what udev sends: run the tests as root"),
            .timeLimit(.minutes(1)))
        func plugged() async throws {
            let setup = try SANESetup.shared.get()
            let state = try TemporaryFolder()
            let list = state.file("list")
            try write("clean|Fault|One|\n", list)
            try write("devices \(list)\n", state.file("fault.conf"))
            let host = try setup.host(
                state, extra: ["SANE_CONFIG_DIR": "\(state.path):\(setup.folder.path)"])
            var told: [String] = []
            for await event in host.followDevices(backend: "sane", every: .seconds(3600)) {
                switch event {
                case .added(let device): told.append("+" + device.descriptor.id)
                case .removed(let id): told.append("-" + id)
                case .answered where told.count == 3:
                    try write("other|Fault|Two|\n", list)
                    Self.announce()
                default: break
                }
                if told.count == 5 { break }
            }
            #expect(Set(told.prefix(3)) == ["+fault:clean", "+test:0", "+test:1"])
            #expect(Set(told.suffix(2)) == ["-sane:fault:clean", "+fault:other"])
            await host.shutdown()
        }

        @Test("A scanner in another port keeps its name, and is opened by it")
        func lastingName() async throws {
            let setup = try SANESetup.shared.get()
            let state = try TemporaryFolder()
            func plug(_ port: String, _ address: Int) throws {
                try? FileManager.default.removeItem(atPath: state.file("sys"))
                let folder = state.file("sys/\(port)")
                try FileManager.default.createDirectory(
                    atPath: folder, withIntermediateDirectories: true)
                for (name, text) in [
                    ("busnum", "1"), ("devnum", "\(address)"), ("idVendor", "04b8"),
                    ("idProduct", "0142"), ("serial", "X2NX012345"),
                ] { try write(text + "\n", folder + "/" + name) }
                let number = address < 10 ? "00\(address)" : "0\(address)"
                try write("libusb:001:\(number)|Epson|V39|flatbed scanner\n", state.file("list"))
            }
            try plug("1-2", 4)
            try setup.configure("devices \(state.file("list"))\n")
            let usb = USBDevices(
                kernelFolder: state.file("sys"), udevFolder: state.file("udev"),
                deviceFolder: state.file("dev"))
            let backend = SANEBackend(search: ScannerSearch(program: SANESetup.program, usb: usb))
            let id = "fault:usb:04b8:0142:X2NX012345"
            #expect(try await backend.devices(DeviceQuery()).map(\.id).contains(id))
            for (port, address) in [("1-2", 4), ("3-1.4", 11)] {
                try plug(port, address)
                let device = try await backend.open(id)
                #expect(device.descriptor?.id == id)
                #expect(device.descriptor?.name == "Epson V39")
                await device.close()
            }
            try write("", state.file("list"))
            let error = await #expect(throws: CaptureError.self) { _ = try await backend.open(id) }
            #expect(error?.code == .noSuchDevice)
            #expect(error?.advice?.isEmpty == false)
            await (try setup.open("test:0")).close()
        }
    }
}
