import CaptureKit
import ContractSupport
import FoundationEssentials
import Testing

@testable import CaptureHost

/// Tests options that name files of this machine: they can't be set over the network.
@Suite struct HostPathTests {
    /// A device with an option that names a folder; the device records the values set.
    private static let script = """
        options = [{'name': 'folder', 'type': {'kind': 'text', 'maximumLength': 100}, 'value': \
        '/srv/pages',
                    'defaultValue': '/srv', 'hostPath': True},
                   {'name': 'title', 'type': {'kind': 'text'}, 'value': ''}]
        while True:
            request = take()
            verb = request["verb"]
            if verb == "hello": answer(request, protocol=1, name="bad", version="0")
            elif verb == "devices": answer(request, devices=[{"id": "one", "name": "One", "kind": \
            "scanner"}])
            elif verb == "open": answer(request, handle=1)
            elif verb == "options": answer(request, options=options)
            elif verb == "set": answer(request, value=request["value"])
            else: answer(request)
        """

    @Test(
        "An option that names a file is refused over the network, with any value",
        arguments: ["/etc", "pages", "..", "../pages", "", "%2Fetc", "~", "."])
    func refused(_ value: String) async throws {
        let bench = try Bench(script: Self.script)
        bench.host.refuseHostPaths()
        let device = try await bench.host.open(bench.host.find("bad:one"))
        for work in [
            { _ = try await device.set("folder", to: .text(value)) },
            { _ = try await device.set("folder", toText: value) },
        ] as [() async throws -> Void] {
            await #expect {
                try await work()
            } throws: { error in
                (error as? HostError)?.code == .hostPath
                    && (error as? HostError)?.description.contains("'folder'") == true
            }
        }
        _ = try await device.set("title", toText: "a/b")
        // The present path is not shown either.
        let folder = try #require(try await device.options().first { $0.name == "folder" })
        #expect(folder.hostPath && folder.value == nil && folder.defaultValue == nil)
        await bench.host.shutdown()
    }

    @Test("On the machine itself, such an option is set and shown like any other")
    func local() async throws {
        let bench = try Bench(script: Self.script)
        let device = try await bench.host.open(bench.host.find("bad:one"))
        #expect(try await device.set("folder", toText: "/etc").outcome.value == .text("/etc"))
        let folder = try #require(try await device.options().first { $0.name == "folder" })
        #expect(folder.value == .text("/srv/pages"))
        await bench.host.shutdown()
    }

    @Test("Such an option is refused before a job begins, and the device is free again")
    func prepared() async throws {
        let bench = try Bench(script: Self.script)
        bench.host.refuseHostPaths()
        let device = try await bench.host.find("bad:one")
        await #expect(throws: HostError.self) {
            try await bench.host.prepare(device, toSet: ["title", "folder"])
        }
        try await bench.host.prepare(device, toSet: ["title", "unknown"])
        await bench.host.release(device)
        await bench.host.shutdown()
    }

    @Test("Over the network, only listed and named devices are found")
    func listed() async throws {
        let bench = try Bench([
            "fake": FakeBackend(devices: [.fake("feeder"), .fake("glass")]),
            "file": FakeBackend(devices: []),
        ])
        #expect(try await bench.host.findListed("fake:feeder").id == "fake:feeder")
        #expect(try await bench.host.findListed("glass").id == "fake:glass")
        // The fake backends open any id that begins with a slash, as backends of files do.
        for name in ["fake:/etc/passwd", "file:/etc", "file:/etc/missing"] {
            _ = await bench.host.listDevices()
            await #expect {
                _ = try await bench.host.findListed(name)
            } throws: {
                ($0 as? HostError)?.code == .noSuchDevice
                    && ($0 as? HostError)?.message.contains("no device is called") == true
            }
        }
        try await bench.host.setAlias("desk", for: "fake:/dev/desk")
        #expect(try await bench.host.findListed("desk").id == "fake:/dev/desk")
        #expect(try await bench.host.findListed("fake:/dev/desk").id == "fake:/dev/desk")
        await bench.host.shutdown()
    }
}
