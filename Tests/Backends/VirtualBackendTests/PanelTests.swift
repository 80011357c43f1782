import CaptureKit
import FoundationEssentials
import Testing

@testable import VirtualBackend

@Suite struct PanelTests {
    let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private func bench() -> VirtualBackend {
        VirtualBackend(environment: ["COPYSTAND_VIRTUAL_PANEL": folder.path])
    }

    private func put(_ name: String, _ text: String = "") throws {
        try Data(text.utf8).write(to: URL(filePath: folder.path + "/" + name))
    }

    @Test("A press of the button is reported once")
    func button() async throws {
        let device = try await bench().open("flatbed")
        #expect(try await device.option("scan-button")?.value == .bool(false))
        try put("button")
        #expect(try await device.option("scan-button")?.value == .bool(true))
        #expect(try await device.option("scan-button")?.value == .bool(false))
    }

    @Test("Paper that is put in is sensed, and scanned")
    func paper() async throws {
        let device = try await bench().open("feeder")
        _ = try await device.set("pages", to: .integer(0))
        _ = try await device.set("resolution", to: .integer(75))
        #expect(try await device.option("page-loaded")?.value == .bool(false))
        try put("paper", "3\n")
        #expect(try await device.option("page-loaded")?.value == .bool(true))
        let sink = RecordingSink()
        try await device.capture(CaptureRequest(), into: sink)
        #expect(sink.frames.count == 3)
    }

    @Test("A paper file that is still empty adds no sheet")
    func halfWritten() async throws {
        let device = try await bench().open("feeder")
        _ = try await device.set("pages", to: .integer(0))
        _ = try await device.set("resolution", to: .integer(75))
        try put("paper")
        #expect(try await device.option("page-loaded")?.value == .bool(false))
        try put("paper", "2")
        let sink = RecordingSink()
        try await device.capture(CaptureRequest(), into: sink)
        #expect(sink.frames.count == 2)
    }

    @Test("Without a sensor the feeder reports nothing, but can be tried")
    func noSensor() async throws {
        let device = try await bench().open("feeder")
        _ = try await device.set("paper-sensor", to: .bool(false))
        #expect(try await device.option("page-loaded")?.isActive == false)
        #expect(try await device.option("page-loaded")?.sensor == .paper)
    }

    @Test("An unplugged scanner is not listed and not usable until it is back")
    func unplugged() async throws {
        let backend = bench()
        let device = try await backend.open("feeder")
        try put("unplugged")
        #expect(try await backend.devices(DeviceQuery(quick: true)).map(\.id) == ["camera"])
        for use in [
            { _ = try await device.options() },
            { try await device.capture(CaptureRequest(), into: RecordingSink()) },
            { _ = try await backend.open("flatbed") },
        ] {
            let error = await #expect(throws: CaptureError.self) { try await use() }
            #expect(error?.code == .offline)
        }
        try FileManager.default.removeItem(atPath: folder.path + "/unplugged")
        #expect(try await backend.devices(DeviceQuery(quick: true)).count == 3)
        #expect(try await !device.options().isEmpty)
    }
}
