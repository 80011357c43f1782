import CaptureKit
import ContractSupport
import Synchronization
import Testing

@testable import CaptureHost

@Suite struct FindTests {
    static let scanners = FakeBackend(devices: [
        .fake("usb:001", name: "Epson Perfection V39", vendor: "Epson", model: "Perfection V39"),
        .fake("usb:002", name: "Epson DS-530", vendor: "Epson", model: "DS-530"),
        .fake("net", name: "Brother ADS-1700W", vendor: "Brother", model: "ADS-1700W"),
    ])
    static let files = FakeBackend(devices: [.fake("stdin", name: "Standard input", kind: .files)])

    private func bench() throws -> Bench { try Bench(["sane": Self.scanners, "file": Self.files]) }

    @Test(
        "A name that matches only one device finds it",
        arguments: [
            ("sane:usb:001", "sane:usb:001"), ("v39", "sane:usb:001"),
            ("perfection", "sane:usb:001"), ("DS-5", "sane:usb:002"), ("brother", "sane:net"),
            ("Brother ADS-1700W", "sane:net"), ("standard", "file:stdin"),
            ("usb:002", "sane:usb:002"),
        ])
    func finds(_ name: String, _ id: String) async throws {
        let bench = try bench()
        #expect(try await bench.host.find(name).id == id)
        await bench.host.shutdown()
    }

    @Test(
        "The error for a name without a match suggests what the user may have meant",
        arguments: [
            ("epson", HostError.Code.severalDevices, "sane:usb:001 (Epson Perfection V39)"),
            ("epsn", .noSuchDevice, "Did you mean 'Epson'?"),
            ("Perfektion", .noSuchDevice, "Did you mean 'Perfection'?"),
            ("zzzzzzzz", .noSuchDevice, "copystand devices"),
            ("sane:usb:003", .noSuchDevice, "Did you mean 'sane:usb:001'"),
            ("", .severalDevices, "matches several"),
        ])
    func misses(_ name: String, _ code: HostError.Code, _ words: String) async throws {
        let bench = try bench()
        await #expect {
            _ = try await bench.host.find(name)
        } throws: { error in
            guard let error = error as? HostError else { return false }
            return error.code == code && error.description.contains(words)
        }
        await bench.host.shutdown()
    }

    @Test("Without a name, the only scanner or camera is used; files don't count")
    func only() async throws {
        let one = try Bench(["sane": FakeBackend(devices: [.fake("x")]), "file": Self.files])
        #expect(try await one.host.find(nil).id == "sane:x")
        await one.host.shutdown()

        let several = try bench()
        await #expect { _ = try await several.host.find(nil) } throws: {
            ($0 as? HostError)?.code == .severalDevices
                && ($0 as? HostError)?.message.contains("sane:net") == true
        }
        await several.host.shutdown()

        let none = try Bench(["file": Self.files])
        await #expect { _ = try await none.host.find(nil) } throws: {
            ($0 as? HostError)?.code == .noSuchDevice
        }
        await none.host.shutdown()
    }

    @Test("Virtual devices don't count beside real ones, and are used if there are no others")
    func demonstrations() throws {
        func listed(_ backend: String, _ id: String) -> ListedDevice {
            ListedDevice(
                backend: backend,
                descriptor: DeviceDescriptor(id: id, name: id, kind: .scanner))
        }
        let both = DeviceListing(devices: [listed("virtual", "flatbed"), listed("sane", "x")])
        #expect(try DeviceNames.only(of: both, demonstrations: ["virtual"]).id == "sane:x")
        #expect(throws: HostError.self) { try DeviceNames.only(of: both) }
        let madeUp = DeviceListing(devices: [listed("virtual", "flatbed")])
        #expect {
            try DeviceNames.only(of: madeUp, demonstrations: ["virtual"])
        } throws: { error in
            let error = error as? HostError
            return error?.code == .noSuchDevice
                && error?.message == "no scanner or camera was found"
                && error?.advice?.contains("-d virtual:flatbed") == true
        }
    }

    @Test("'camera' or 'scanner' means the only real device of that kind, never a virtual one")
    func kinds() throws {
        func listed(_ backend: String, _ id: String, _ kind: DeviceKind) -> ListedDevice {
            ListedDevice(
                backend: backend, descriptor: DeviceDescriptor(id: id, name: id, kind: kind))
        }
        func chosen(_ text: String, _ devices: [ListedDevice]) throws -> String {
            try DeviceNames.choose(
                text, from: DeviceListing(devices: devices), demonstrations: ["virtual"]
            ).id
        }
        let madeUp = listed("virtual", "camera", .camera)
        let scanner = listed("sane", "x", .scanner)
        let real = listed("v4l2", "C920", .camera)
        #expect(try chosen("camera", [madeUp, scanner, real]) == "v4l2:C920")
        #expect(try chosen("Scanner", [madeUp, scanner, real]) == "sane:x")
        #expect(try chosen("C920", [real]) == "v4l2:C920")
        #expect { try chosen("camera", [real, listed("v4l2", "other", .camera)]) } throws: {
            ($0 as? HostError)?.code == .severalDevices
        }
        for text in ["camera", "cam"] {
            #expect("\(text) without a real one") {
                try chosen(text, [madeUp, scanner])
            } throws: { error in
                let error = error as? HostError
                return error?.code == .noSuchDevice
                    && error?.advice?.contains("use a virtual device: -d virtual:camera") == true
            }
        }
        // A kind's name can be part of a device's name if there is no device of that kind.
        #expect(
            try chosen("scanner", [listed("v4l2", "Book Scanner", .camera)]) == "v4l2:Book Scanner")
    }

    @Test("A virtual device is found only if its backend is named too")
    func namedDemonstrations() throws {
        let camera = ListedDevice(
            backend: "virtual",
            descriptor: DeviceDescriptor(id: "camera", name: "Virtual camera", kind: .camera))
        for text in ["virtual", "Virtual camera", "virtual:camera"] {
            let found = DeviceNames.matches(text, in: [camera], demonstrations: ["virtual"])
            #expect(found == [camera], "\(text)")
        }
        #expect(DeviceNames.matches("camera", in: [camera], demonstrations: ["virtual"]).isEmpty)
    }

    @Test("An unlisted device is opened by its id, with its own description")
    func unlisted() async throws {
        let bench = try bench()
        let found = try await bench.host.find("file:/a/b.pdf")
        #expect(found.id == "file:/a/b.pdf")
        #expect(found.descriptor.name == "the file /a/b.pdf")
        #expect(found.descriptor.kind == .files)
        let device = try await bench.host.open(found)
        #expect(await bench.capture(device).pages.count == 3)
        await #expect { _ = try await bench.host.find("file:/a/missing") } throws: {
            ($0 as? HostError)?.message == "there is no '/a/missing'"
        }
        await bench.host.shutdown()
    }

    @Test("An alias and the default device are stored and listed")
    func names() async throws {
        let bench = try bench()
        try await bench.host.setAlias("desk", for: "sane:net")
        try await bench.host.setDefault("sane:usb:002")
        #expect(try await bench.host.find("desk").id == "sane:net")
        #expect(try await bench.host.find(nil).id == "sane:usb:002")
        let listing = await bench.host.listDevices(backend: "sane")
        #expect(listing.devices.filter(\.isDefault).map(\.id) == ["sane:usb:002"])
        #expect(listing.devices.first { $0.id == "sane:net" }?.aliases == ["desk"])
        try await bench.host.removeAlias("desk")
        try await bench.host.setDefault(nil)
        #expect(
            try DeviceRegistry(path: bench.folder.file("config/devices.json")).read() == .init())
        await #expect { try await bench.host.removeAlias("desk") } throws: {
            ($0 as? HostError)?.code == .badAlias
        }
        await bench.host.shutdown()
    }

    @Test("The error names a default device that is not connected")
    func absentDefault() async throws {
        let bench = try bench()
        try await bench.host.setDefault("sane:gone")
        await #expect { _ = try await bench.host.find(nil) } throws: {
            ($0 as? HostError)?.code == .defaultAbsent
                && ($0 as? HostError)?.message.contains("'sane:gone'") == true
        }
        await bench.host.shutdown()
    }

    @Test(
        "Invalid aliases are refused",
        arguments: ["", "a:b", "a\nb", String(repeating: "x", count: 101)])
    func badAliases(_ alias: String) async throws {
        let bench = try bench()
        await #expect { try await bench.host.setAlias(alias, for: "sane:net") } throws: {
            ($0 as? HostError)?.code == .badAlias
        }
        await #expect { try await bench.host.setAlias("good", for: "snae:net") } throws: {
            ($0 as? HostError)?.description.contains("Did you mean 'sane'?") == true
        }
        #expect(bench.folder.names() == [])
    }

    @Test("A damaged file of names is not overwritten")
    func damagedBook() async throws {
        let folder = try TemporaryFolder()
        let path = folder.file("devices.json")
        Bench.write("{\"default\": 7", to: path)
        let bench = try Bench(["sane": Self.scanners]) { $0.stateFile = path }
        await #expect { try await bench.host.setDefault("sane:net") } throws: {
            ($0 as? HostError)?.code == .stateFile
        }
        #expect(Bench.read(path) == Array("{\"default\": 7".utf8))
        let listing = await bench.host.listDevices()
        #expect(listing.devices.count == 3)
        #expect(listing.problems.map(\.code) == [.stateFile])
        await bench.host.shutdown()
    }

    @Test("The error for an unknown backend suggests the nearest one")
    func unknownBackend() async throws {
        let bench = try bench()
        let listing = await bench.host.listDevices(backend: "snae")
        #expect(listing.problems.map(\.code) == [.noSuchBackend])
        #expect(listing.problems.first?.advice == "Did you mean 'sane'?")
        await bench.host.shutdown()
    }

    @Test("Only the requested backend is started")
    func startsOnlyOne() async throws {
        let scripts = try TemporaryFolder()
        for id in ["one", "two"] {
            try Bench.install(
                "open(sys.argv[0] + '.ran', 'w').close(); opened()", id: id, in: scripts)
        }
        let bench = try Bench([:]) { $0.backendFolders = [scripts.path] }
        let listing = await bench.host.listDevices(backend: "one")
        #expect(listing.devices.map(\.id) == ["one:d"])
        await bench.host.shutdown()
        #expect(scripts.names().filter { $0.hasSuffix(".ran") } == ["one.py.ran"])
    }

    @Test(
        "A device opened right after a listing is described as listed"
    )
    func opensAtOnce() async throws {
        let bench = try bench()
        let found = try await bench.host.find("file:stdin", opens: true)
        #expect(found.descriptor.kind == .files && found.descriptor.name == "Standard input")
        let open = try await bench.host.open(found)
        #expect(open.device == found)
        let path = try await bench.host.find("file:/a/path", opens: true)
        #expect(path.descriptor.name == "the file /a/path")
        await #expect {
            _ = try await bench.host.find("sane:usb:003", opens: true)
        } throws: { error in
            (error as? HostError)?.description.contains("Did you mean 'sane:usb:001'") == true
        }
        await bench.host.shutdown()
    }

    @Test("A device that is not used after all is closed, and one in use is not")
    func released() async throws {
        let backend = FakeBackend()
        let bench = try Bench(backend)
        let found = try await bench.host.find("fake:feeder", opens: true)
        await bench.host.release(found)
        #expect(backend.closes.withLock { $0 } == 1)
        let taken = try await bench.host.open(bench.host.find("fake:feeder", opens: true))
        await bench.host.release(taken.device)
        #expect(backend.closes.withLock { $0 } == 1)
        #expect(try await taken.options().isEmpty == false)
        await bench.host.shutdown()
    }
}
