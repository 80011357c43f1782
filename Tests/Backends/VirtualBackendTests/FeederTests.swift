import CaptureKit
import Testing

@testable import VirtualBackend

@Suite struct FeederTests {
    @Test("The feeder gives its pages in order until it is empty, and then reports that")
    func untilEmpty() async throws {
        let bench = Bench()
        let device = try await bench.device(
            "feeder", ["resolution": .integer(75), "pages": .integer(3)])
        let sink = RecordingSink()
        try await device.capture(CaptureRequest(), into: sink)
        #expect(sink.labels == ["sheet 1", "sheet 2", "sheet 3"])
        let error = await #expect(throws: CaptureError.self) {
            try await device.capture(CaptureRequest(), into: sink)
        }
        #expect(error?.code == .feederEmpty)
        #expect(error?.message == "The feeder is empty")
        #expect(sink.frames.count == 3)
        _ = try await device.set("pages", to: .integer(1))
        try await device.capture(CaptureRequest(), into: sink)
        #expect(sink.frames.count == 4)
    }

    @Test("A limit leaves the rest in the feeder")
    func limit() async throws {
        let device = try await Bench().device(
            "feeder", ["resolution": .integer(75), "pages": .integer(5)])
        let sink = RecordingSink()
        try await device.capture(CaptureRequest(limit: 2), into: sink)
        #expect(sink.labels == ["sheet 1", "sheet 2"])
        try await device.capture(CaptureRequest(), into: sink)
        #expect(sink.labels.suffix(3) == ["sheet 3", "sheet 4", "sheet 5"])
    }

    @Test("Duplex gives front and back; a back that was not captured is not given later")
    func duplex() async throws {
        let device = try await Bench().device(
            "feeder",
            ["resolution": .integer(75), "pages": .integer(3), "source": .text("feeder-duplex")])
        let sink = RecordingSink()
        try await device.capture(CaptureRequest(limit: 3), into: sink)
        #expect(sink.labels == ["sheet 1, front", "sheet 1, back", "sheet 2, front"])
        try await device.capture(CaptureRequest(), into: sink)
        #expect(sink.labels.suffix(2) == ["sheet 3, front", "sheet 3, back"])
    }

    @Test("The glass holds one sheet, whatever the limit", arguments: [nil, 1, 7])
    func glass(_ limit: Int?) async throws {
        let flatbed = try await Bench().capture(
            "flatbed", ["resolution": .integer(75)], CaptureRequest(limit: limit))
        let feeder = try await Bench().capture(
            "feeder", ["resolution": .integer(75), "source": .text("flatbed")],
            CaptureRequest(limit: limit))
        #expect(flatbed.frames.count == 1)
        #expect(feeder.frames.count == 1)
    }

    @Test("A limit below one and a live capture are refused")
    func refused() async throws {
        let device = try await Bench().device("feeder")
        let none = await #expect(throws: CaptureError.self) {
            try await device.capture(CaptureRequest(limit: 0), into: RecordingSink())
        }
        #expect(none?.code == .invalidValue)
        let live = await #expect(throws: CaptureError.self) {
            try await device.capture(CaptureRequest(mode: .live), into: RecordingSink())
        }
        #expect(live?.code == .unsupported)
    }

    @Test("Canceling in the middle of a page stops it: no more bytes, no finished frame")
    func cancelled() async throws {
        let device = try await Bench().device("feeder")
        let sink = RecordingSink(onWrite: { number in
            if number == 3 { withUnsafeCurrentTask { $0?.cancel() } }
        })
        let capture = Task { try await device.capture(CaptureRequest(), into: sink) }
        await #expect(throws: CancellationError.self) { try await capture.value }
        #expect(sink.writes.count == 3)
        #expect(sink.frames.isEmpty)
        // The device is free again.
        try await device.capture(CaptureRequest(limit: 1), into: RecordingSink())
    }

    @Test("A second capture while one runs is refused as busy")
    func busy() async throws {
        let device = try await Bench().device("flatbed", ["resolution": .integer(75)])
        let codes = Noted()
        let sink = NestingSink(device: device, codes: codes)
        try await device.capture(CaptureRequest(), into: sink)
        #expect(codes.all == [.busy])
    }
}
