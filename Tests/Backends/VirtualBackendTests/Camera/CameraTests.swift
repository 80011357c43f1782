import CaptureKit
import Testing

@testable import VirtualBackend

@Suite struct CameraTests {
    @Test("A still is one color frame of the chosen size, without a resolution")
    func still() async throws {
        let sink = try await Bench().capture("camera", ["size": .text("640x480")])
        #expect(sink.frames.count == 1)
        let description = try #require(sink.frames.first?.description)
        #expect((description.width, description.height) == (640, 480))
        #expect(description.format == .rgb8)
        #expect(description.resolution == nil)
        // The page is in the middle, with as much desk on its left as on its right.
        let page = (0..<640).filter { sink.frames[0].samples($0, 470 - 30)[0] == 255 }
        let (left, right) = (page.min() ?? 0, page.max() ?? 0)
        #expect(left > 100)
        #expect(abs(left + right - 639) <= 2 * 640 / 100)
    }

    @Test("The virtual desk is dark around a white page that comes to rest")
    func desk() async throws {
        let sink = try await Bench().capture(
            "camera", ["size": .text("640x480"), "rate": .number(30)],
            CaptureRequest(mode: .live, limit: 20))
        #expect(sink.frames.count == 20)
        for frame in sink.frames { #expect(frame.samples(2, 2) == [70, 58, 48]) }
        let bright = sink.frames.map { frame in
            (0..<640).filter { frame.samples($0, 240)[0] == 255 }.min() ?? 640
        }
        #expect(bright[0] > bright[11])
        #expect(Set(bright[12...]).count == 1)
    }

    @Test("Live frames come at their rate")
    func pacing() async throws {
        let bench = Bench()
        let device = try await bench.device(
            "camera", ["size": .text("640x480"), "rate": .number(10)])
        let sink = RecordingSink()
        try await device.capture(CaptureRequest(mode: .live, limit: 5), into: sink)
        #expect(sink.labels == (1...5).map { "frame \($0)" })
        #expect(bench.pacer.slept == [0, 100, 200, 300, 400].map { .milliseconds($0) })
    }

    @Test("A slow host does not get frames whose time has passed")
    func dropping() async throws {
        let bench = Bench()
        let device = try await bench.device(
            "camera", ["size": .text("640x480"), "rate": .number(10)])
        let sink = RecordingSink(onBegin: { bench.pacer.advance(by: .milliseconds(250)) })
        try await device.capture(CaptureRequest(mode: .live, limit: 4), into: sink)
        #expect(sink.labels == ["frame 1", "frame 3", "frame 6", "frame 8"])
    }

    @Test("A live capture runs until it is canceled")
    func cancelled() async throws {
        let device = try await Bench().device("camera", ["size": .text("640x480")])
        let sink = RecordingSink(onWrite: { number in
            if number == 40 { withUnsafeCurrentTask { $0?.cancel() } }
        })
        let capture = Task { try await device.capture(CaptureRequest(mode: .live), into: sink) }
        await #expect(throws: CancellationError.self) { try await capture.value }
        #expect(sink.writes.count == 40)
    }

    @Test("A folder is filmed over and over, or once")
    func folder() async throws {
        let folder = try TemporaryFolder()
        for index in 1...3 {
            try folder.writeGray("\(index).pgm", width: 4, height: 4, UInt8(index))
        }
        let bench = Bench()
        let device = try await bench.device(
            "camera", ["folder": .text(folder.path), "mode": .text("gray")])
        let looping = RecordingSink()
        try await device.capture(CaptureRequest(mode: .live, limit: 7), into: looping)
        #expect(looping.frames.map { $0.bytes[0] } == [1, 2, 3, 1, 2, 3, 1])
        _ = try await device.set("loop", to: .bool(false))
        let once = RecordingSink()
        try await device.capture(CaptureRequest(mode: .live), into: once)
        #expect(once.frames.map { $0.bytes[0] } == [1, 2, 3])
    }

    @Test("Stills continue after the last ones, and end without a loop")
    func stills() async throws {
        let folder = try TemporaryFolder()
        for index in 1...3 {
            try folder.writeGray("\(index).pgm", width: 4, height: 4, UInt8(index))
        }
        let device = try await Bench().device(
            "camera", ["folder": .text(folder.path), "loop": .bool(false)])
        let sink = RecordingSink()
        try await device.capture(CaptureRequest(), into: sink)
        try await device.capture(CaptureRequest(limit: 9), into: sink)
        #expect(sink.labels == ["1.pgm", "2.pgm", "3.pgm"])
        let error = await #expect(throws: CaptureError.self) {
            try await device.capture(CaptureRequest(), into: sink)
        }
        #expect(error?.code == .feederEmpty)
    }

    @Test("Faults affect frames as they affect pages")
    func fault() async throws {
        let bench = Bench()
        let device = try await bench.device(
            "camera",
            ["size": .text("640x480"), "fault": .text("crash"), "fault-page": .integer(3)])
        let sink = RecordingSink()
        await #expect(throws: NotingActuator.Broken(act: .crash)) {
            try await device.capture(CaptureRequest(mode: .live), into: sink)
        }
        #expect(sink.frames.count == 2)
    }
}
