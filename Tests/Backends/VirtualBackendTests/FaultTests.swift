import CaptureKit
import Testing

@testable import VirtualBackend

@Suite struct FaultTests {
    private let three: KeyValuePairs<String, OptionValue> = [
        "resolution": .integer(75), "pages": .integer(3), "fault-page": .integer(2),
    ]

    private func run(_ fault: String, _ bench: Bench, _ sink: RecordingSink) async throws {
        let device = try await bench.device("feeder", three)
        _ = try await device.set("fault", to: .text(fault))
        try await device.capture(CaptureRequest(), into: sink)
    }

    @Test(
        "A fault of the paper path is an error with the page; the page before is kept",
        arguments: [
            ("jam", CaptureError.Code.jammed, 2), ("cover-open", .coverOpen, 1),
            ("double-feed", .doubleFeed, 1),
        ])
    func paper(_ fault: String, _ code: CaptureError.Code, _ begun: Int) async throws {
        let sink = RecordingSink()
        let error = await #expect(throws: CaptureError.self) { try await run(fault, Bench(), sink) }
        #expect(error?.code == code)
        #expect(error?.message.contains("page 2") == true)
        #expect(sink.frames.count == 1)
        #expect(sink.begun.count == begun)
    }

    @Test(
        "A fault of the process happens on its page: before it, or halfway",
        arguments: [
            ("crash", FaultAct.crash, true), ("exit", .exit(3), false), ("torn", .exit(0), true),
            ("hang", .hang, true), ("freeze", .freeze, true),
        ])
    func process(_ fault: String, _ act: FaultAct, _ inMiddle: Bool) async throws {
        let bench = Bench()
        let sink = RecordingSink()
        await #expect(throws: NotingActuator.Broken(act: act)) { try await run(fault, bench, sink) }
        #expect(bench.actuator.acts == [act])
        #expect(sink.frames.count == 1)
        let sent: Int = sink.writes.reduce(0, +)
        let second = inMiddle ? 620 * 438 : 0
        #expect(sent == 620 * 877 + second)
    }

    @Test(
        "Garbage and noise are sent once, and the pages follow",
        arguments: [FaultAct.garbage, .noise])
    func disturbance(_ act: FaultAct) async throws {
        let bench = Bench()
        let sink = RecordingSink()
        try await run(act == .garbage ? "garbage" : "noise", bench, sink)
        #expect(bench.actuator.acts == [act])
        #expect(sink.frames.count == 3)
    }

    @Test(
        "Wrong sizes are announced and sent, so that the host must notice",
        arguments: [
            ("wrong-size", CaptureError.Code.damagedData), ("oversized", .internalFault),
            ("huge", .tooLarge),
        ])
    func sizes(_ fault: String, _ code: CaptureError.Code) async throws {
        let sink = RecordingSink()
        let error = await #expect(throws: CaptureError.self) { try await run(fault, Bench(), sink) }
        #expect(error?.code == code)
        #expect(sink.frames.count == 1)
        let announced = try #require(sink.begun.last)
        switch fault {
        case "wrong-size": #expect(announced.height == 977)
        case "huge":
            #expect((announced.width, announced.height) == (60_000, 60_000))
            #expect(announced.stride == 60_000)
        default:
            let sent: Int = sink.writes.reduce(0, +)
            #expect(sent == 620 * (2 * 877 + 1))
        }
    }

    @Test("A skipped page is reported, and the others arrive")
    func skip() async throws {
        let sink = RecordingSink()
        try await run("skip", Bench(), sink)
        #expect(sink.labels == ["sheet 1", "sheet 3"])
        #expect(sink.skipped.map(\.label) == ["sheet 2"])
        #expect(sink.skipped.first?.error.code == .damagedData)
    }

    @Test("Slow rows wait their time each, beginning with their page")
    func slow() async throws {
        let bench = Bench()
        let sink = RecordingSink()
        let device = try await bench.device(
            "feeder",
            [
                "resolution": .integer(75), "area-height": .number(10), "pages": .integer(3),
                "fault": .text("slow"), "fault-page": .integer(2), "row-delay": .integer(40),
            ])
        try await device.capture(CaptureRequest(), into: sink)
        // 10 mm at 75 dpi are 30 rows.
        #expect(sink.frames.count == 3)
        #expect(bench.pacer.slept == (1...60).map { .milliseconds(40 * $0) })
    }

    @Test("Without a fault, nothing is simulated")
    func none() async throws {
        let bench = Bench()
        let sink = RecordingSink()
        try await run("none", bench, sink)
        #expect(sink.frames.count == 3)
        #expect(bench.actuator.acts.isEmpty)
        #expect(bench.pacer.slept.isEmpty)
    }
}
