import CaptureKit
import Testing

@testable import VirtualBackend

@Suite struct DevicesTests {
    @Test("The backend has a flatbed, a feeder and a camera, all of them ready")
    func listed() async throws {
        let devices = try await Bench().backend.devices(DeviceQuery())
        #expect(devices.map(\.id) == ["flatbed", "feeder", "camera"])
        #expect(devices.map(\.kind) == [.scanner, .scanner, .camera])
        #expect(devices.allSatisfy { $0.state == .ready && $0.advice == nil })
    }

    @Test("The error for a missing device names it")
    func unknown() async throws {
        let error = await #expect(throws: CaptureError.self) {
            try await Bench().backend.open("drum")
        }
        #expect(error?.code == .noSuchDevice)
        #expect(error?.message.contains("'drum'") == true)
    }

    @Test("A device is open for one user at a time, and free again when it is closed")
    func exclusive() async throws {
        let bench = Bench()
        let first = try await bench.backend.open("flatbed")
        let error = await #expect(throws: CaptureError.self) {
            try await bench.backend.open("flatbed")
        }
        #expect(error?.code == .busy)
        _ = try await bench.backend.open("camera")
        await first.close()
        _ = try await bench.backend.open("flatbed")
    }

    @Test("Devices whose folder is missing are listed as offline and stay free")
    func missingFolder() async throws {
        let bench = Bench(["COPYSTAND_VIRTUAL_PAGES": "/nowhere/at/all"])
        let devices = try await bench.backend.devices(DeviceQuery())
        #expect(devices.allSatisfy { $0.state == .offline })
        #expect(devices.first?.advice?.contains("/nowhere/at/all") == true)
        for _ in 0..<2 {
            let error = await #expect(throws: CaptureError.self) {
                try await bench.backend.open("feeder")
            }
            #expect(error?.code == .offline)
        }
    }

    @Test(
        "The fault variable names a verb and optionally the kind of fault",
        arguments: [
            ("devices", VerbFault.Verb.devices, FaultAct.crash), ("open:exit", .open, .exit(3)),
            ("options:hang", .options, .hang), ("open:freeze", .open, .freeze),
            ("devices:garbage", .devices, .garbage), ("devices:noise", .devices, .noise),
            ("options:error", .options, nil),
        ] as [(String, VerbFault.Verb, FaultAct?)])
    func variable(_ text: String, _ verb: VerbFault.Verb, _ act: FaultAct?) throws {
        let fault = try #require(VerbFault(text))
        #expect(fault.verb == verb)
        #expect(fault.act == act)
    }

    @Test(
        "Other texts request no fault",
        arguments: ["", "none", "close", "open:", "open:crash:twice"])
    func noVariable(_ text: String) { #expect(VerbFault(text) == nil) }

    @Test("A verb's fault affects only that verb")
    func verbs() async throws {
        let bench = Bench(["COPYSTAND_VIRTUAL_FAULT": "options:crash"])
        _ = try await bench.backend.devices(DeviceQuery())
        let device = try await bench.backend.open("flatbed")
        await #expect(throws: NotingActuator.Broken(act: .crash)) { try await device.options() }
        #expect(bench.actuator.acts == [.crash])

        let failing = Bench(["COPYSTAND_VIRTUAL_FAULT": "open:error"])
        let error = await #expect(throws: CaptureError.self) {
            try await failing.backend.open("camera")
        }
        #expect(error?.code == .inputOutput)
    }
}
