import CTurboJPEG
import CaptureKit
import ContractSupport
import Glibc
import Synchronization
import Testing

@testable import V4L2Backend

/// Tests live capture with a camera that is served for the tests.
@Suite(.needsCamera) struct StreamTests {
    /// A backend with served cameras and short time limits.
    private func backend(_ double: CameraDouble) -> V4L2Backend {
        V4L2Backend(
            folder: double.nodes,
            patience: CameraStream.Patience(first: .seconds(20), next: .seconds(3)))
    }

    private func camera(
        _ double: CameraDouble, _ settings: KeyValuePairs<String, OptionValue> = [:]
    ) async throws -> any CaptureDevice {
        let camera = try await backend(double).open(double.node())
        for (name, value) in settings { _ = try await camera.set(name, to: value) }
        return camera
    }

    private static let live = CaptureRequest(mode: .live, limit: 4)

    /// The number of the clip's frame that has this gray.
    private func number(_ tone: Int) -> Int { Int((Double(tone - 20) / 22).rounded()) }

    private func decoded(_ bytes: [UInt8]) throws -> (size: FrameSize, first: Int) {
        let (pixels, size) = try JPEGStill.decode(bytes)
        return (size, Int(pixels[0]))
    }

    @Test("Motion JPEG comes unchanged and in order, with the times of the camera's clock")
    func motionJPEG() async throws {
        let double = try CameraDouble([["MJPG-64x48@30.bin": Clips.jpeg(64, 48)]])
        let camera = try await camera(double)
        let sink = RecordingSink()
        try await camera.capture(Self.live, into: sink)
        await camera.close()
        #expect(sink.frames.count == 4)
        var before = -1.0
        for frame in sink.frames {
            #expect(frame.description.format == .jpeg)
            let (size, tone) = try decoded(frame.bytes)
            #expect(size == FrameSize(width: 64, height: 48))
            // The bytes are exactly those of one of the clip's pictures.
            #expect(frame.bytes == Clips.picture(64, 48, Clips.tone(number(tone))))
            let time = try #require(frame.description.time)
            #expect(time > before)
            before = time
        }
    }

    @Test(
        "Raw formats come unchanged",
        arguments: [
            ("YUYV", FrameFormat.yuyv, 8 * 6 * 2), ("UYVY", .uyvy, 8 * 6 * 2),
            ("NV12", .nv12, 8 * 9), ("GREY", .gray8, 8 * 6), ("RGB3", .rgb8, 8 * 6 * 3),
        ])
    func raw(_ name: String, _ format: FrameFormat, _ size: Int) async throws {
        let clip = Clips.raw(size) { place, tone in tone &+ UInt8(place % 20) }
        let double = try CameraDouble([["\(name)-8x6@30.bin": clip]])
        let camera = try await camera(double)
        let sink = RecordingSink()
        try await camera.capture(Self.live, into: sink)
        for frame in sink.frames {
            #expect(frame.description.format == format)
            let start = number(Int(frame.bytes[0])) * size
            #expect(frame.bytes == Array(clip[start..<(start + size)]))
        }
        #expect(sink.frames.count == 4)
    }

    @Test("Red and blue are swapped for a camera that has them the other way round")
    func swapped() async throws {
        let clip = Clips.raw(8 * 6 * 3) { place, _ in [10, 20, 30][place % 3] }
        let double = try CameraDouble([["BGR3-8x6@30.bin": clip]])
        let sink = RecordingSink()
        try await camera(double).capture(Self.live, into: sink)
        let frame = try #require(sink.frames.first)
        #expect(frame.description.format == .rgb8)
        #expect(frame.bytes == (0..<48).flatMap { _ in [30, 20, 10] as [UInt8] })
    }

    @Test(
        "libv4lconvert decodes a private format",
        arguments: [CaptureRequest.Mode.live, .pages])
    func converted(_ mode: CaptureRequest.Mode) async throws {
        // The frame is planar 4:2:0 without color. Level 126 in the range 16…235 becomes 128 in
        // 0…255.
        let size = 64 * 48
        let clip = Clips.raw(size * 3 / 2) { place, _ in place < size ? 126 : 128 }
        let double = try CameraDouble([["YU12-64x48@30.bin": clip]])
        let sink = RecordingSink()
        try await camera(double, ["warm-up": .number(0)])
            .capture(CaptureRequest(mode: mode, limit: 2), into: sink)
        #expect(sink.frames.count == 2)
        let frame = try #require(sink.frames.first)
        #expect(frame.description.format == .rgb8)
        #expect(frame.bytes.count == size * 3)
        #expect(frame.bytes.allSatisfy { abs(Int($0) - 128) <= 2 })
    }

    @Test("The camera uses the chosen format, size and rate")
    func settings() async throws {
        let double = try CameraDouble([
            [
                "MJPG-64x48@30,15.bin": Clips.jpeg(64, 48),
                "YUYV-32x24@30,10.bin": Clips.yuyv(32, 24),
                "YUYV-64x48@10.bin": Clips.yuyv(64, 48),
            ]
        ])
        let camera = try await camera(double)
        let sink = RecordingSink()
        try await camera.capture(Self.live, into: sink)
        #expect(sink.frames.first?.description.format == .jpeg)
        _ = try await camera.set("size", to: .text("32x24"))
        #expect(try await camera.set("rate", to: .number(5.0 * 2)).value == .number(10))
        let small = RecordingSink()
        try await camera.capture(Self.live, into: small)
        #expect(small.frames.map(\.description.format) == Array(repeating: .yuyv, count: 4))
        #expect(small.frames.map(\.description.width) == [32, 32, 32, 32])
        let times = small.frames.compactMap(\.description.time)
        // Frames come a tenth of a second apart, or a multiple of it if a slow machine missed some.
        for (one, other) in zip(times, times.dropFirst()) {
            let periods = (other - one) * 10
            #expect(periods >= 0.9 && abs(periods - periods.rounded()) < 0.01)
        }
        _ = try await camera.set("format", to: .text("MJPEG"))
        let options = try await camera.options()
        #expect(options.first { $0.name == "size" }?.value == .text("64x48"))
        await #expect { _ = try await camera.set("size", to: .text("32x24")) } throws: {
            ($0 as? CaptureError)?.code == .invalidValue
        }
    }

    @Test("A slow host gets the newest frame, and no old ones")
    func newest() async throws {
        let double = try CameraDouble([["MJPG-64x48@30.bin": Clips.jpeg(64, 48)]])
        let sink = RecordingSink(onFrame: { _ in usleep(200_000) })
        try await camera(double).capture(Self.live, into: sink)
        let times = sink.frames.compactMap(\.description.time)
        for (one, other) in zip(times, times.dropFirst()) { #expect(other - one > 0.1) }
    }

    @Test("Frames without a free buffer are not copied, and do not count")
    func unwanted() async throws {
        let double = try CameraDouble([["GREY-8x6@60.bin": Clips.raw(48) { $1 }]])
        let asked = Counter()
        let sink = RecordingSink(wants: { _ in asked.next() % 2 == 0 })
        try await camera(double).capture(Self.live, into: sink)
        #expect(sink.frames.count == 4)
        #expect(asked.value >= 7)
    }

    @Test("A canceled capture ends, and the camera can film again")
    func cancel() async throws {
        let double = try CameraDouble([["MJPG-64x48@30.bin": Clips.jpeg(64, 48)]])
        let camera = try await camera(double)
        let (started, start) = AsyncStream.makeStream(of: Void.self)
        let sink = RecordingSink(onFrame: { _ in start.finish() })
        let capture = Task { try await camera.capture(CaptureRequest(mode: .live), into: sink) }
        for await _ in started {}
        await #expect { try await camera.capture(Self.live, into: sink) } throws: {
            ($0 as? CaptureError)?.code == .busy
        }
        capture.cancel()
        await #expect(throws: CancellationError.self) { try await capture.value }
        let again = RecordingSink()
        try await camera.capture(Self.live, into: again)
        #expect(again.frames.count == 4)
    }

    // MARK: Faults

    @Test("A camera unplugged during filming is offline, after its frames so far")
    func unplugged() async throws {
        let double = try CameraDouble([["MJPG-64x48@30.bin": Clips.jpeg(64, 48)]])
        let camera = try await camera(double)
        let sink = RecordingSink(onFrame: { if $0 == 3 { try double.begin("unplugged") } })
        let error = await #expect(throws: CaptureError.self) {
            try await camera.capture(CaptureRequest(mode: .live), into: sink)
        }
        #expect(error?.code == .offline)
        #expect(sink.frames.count >= 3)
        await #expect { _ = try await self.camera(double) } throws: {
            [.noSuchDevice, .offline].contains(($0 as? CaptureError)?.code)
        }
        await camera.close()
        double.end("unplugged")
        let again = RecordingSink()
        try await captureOnceFree(double, into: again)
        #expect(again.frames.count == 4)
    }

    /// FUSE is notified of a closed file only after `close` has returned, so the device may be busy
    /// for a moment longer.
    private func captureOnceFree(_ double: CameraDouble, into sink: RecordingSink) async throws {
        for _ in 0..<200 {
            do {
                return try await camera(double).capture(Self.live, into: sink)
            } catch let error as CaptureError where error.code == .busy {
                try await Task.sleep(for: .milliseconds(50))
            }
        }
        try await camera(double).capture(Self.live, into: sink)
    }

    @Test("A camera that becomes silent gives a separate error")
    func stalled() async throws {
        let double = try CameraDouble([["MJPG-64x48@30.bin": Clips.jpeg(64, 48)]])
        let camera = try await camera(double)
        let sink = RecordingSink(onFrame: { if $0 == 2 { try double.begin("stalled") } })
        let error = await #expect(throws: CaptureError.self) {
            try await camera.capture(CaptureRequest(mode: .live), into: sink)
        }
        #expect(error?.code.rawValue == "stalled")
        #expect(error?.message.contains("no frame") == true)
        double.end("stalled")
        let again = RecordingSink()
        try await camera.capture(Self.live, into: again)
        #expect(again.frames.count == 4)
    }

    @Test(
        "Damaged frames are dropped; if no good ones come, that is reported",
        arguments: ["corrupt", "cut"])
    func damaged(_ fault: String) async throws {
        let double = try CameraDouble([["MJPG-64x48@30.bin": Clips.jpeg(64, 48)]])
        let camera = try await camera(double)
        let sink = RecordingSink(onFrame: { if $0 == 2 { try double.begin(fault) } })
        let error = await #expect(throws: CaptureError.self) {
            try await camera.capture(CaptureRequest(mode: .live), into: sink)
        }
        #expect(error?.code.rawValue == "stalled")
        #expect(error?.message.contains("damaged") == true)
        for frame in sink.frames { _ = try decoded(frame.bytes) }
    }

    @Test("Damaged frames among good ones are left out and reported", .needsCamera)
    func damagedAmongGood() async throws {
        let double = try CameraDouble([["MJPG-64x48@30.bin": Clips.jpeg(64, 48)]])
        let camera = try await camera(double)
        let sink = RecordingSink(onFrame: { count in
            if count == 2 {
                try double.begin("corrupt")
                usleep(300_000)
                double.end("corrupt")
            }
        })
        try await camera.capture(CaptureRequest(mode: .live, limit: 4), into: sink)
        #expect(sink.frames.count == 4)
        #expect(!sink.skipped.isEmpty && sink.skipped.allSatisfy { $0.code == .damagedData })
    }

    @Test("Pictures without an end mark get one", .needsCamera)
    func withoutEnd() async throws {
        let picture = Clips.jpeg(64, 48)
        let double = try CameraDouble([["MJPG-64x48@30.bin": Array(picture.dropLast(2))]])
        let camera = try await camera(double)
        _ = try await camera.set("warm-up", to: .number(0))
        for request in [Self.live, CaptureRequest(limit: 1)] {
            let sink = RecordingSink()
            try await camera.capture(request, into: sink)
            let frame = try #require(sink.frames.first)
            let bytes = frame.original?.bytes ?? frame.bytes
            #expect(bytes.suffix(2) == [0xff, 0xd9])
            _ = try decoded(bytes)
        }
    }

    @Test("Raw frames with too few bytes are dropped")
    func cutRaw() async throws {
        let double = try CameraDouble([["YUYV-32x24@30.bin": Clips.yuyv(32, 24)]])
        let camera = try await camera(double)
        let sink = RecordingSink(onFrame: { count in
            if count == 2 { try double.begin("cut") }
        })
        let error = await #expect(throws: CaptureError.self) {
            try await camera.capture(CaptureRequest(mode: .live), into: sink)
        }
        #expect(error?.message.contains("damaged") == true)
        #expect(sink.frames.allSatisfy { $0.bytes.count == 32 * 24 * 2 })
    }

    @Test("A driver that loses frames with their buffers does not end the stream")
    func lossy() async throws {
        let double = try CameraDouble([["MJPG-64x48@60.bin": Clips.jpeg(64, 48)]])
        try double.begin("lossy")
        let sink = RecordingSink()
        // More frames than there are buffers: each lost one must have come back.
        try await camera(double).capture(CaptureRequest(mode: .live, limit: 12), into: sink)
        #expect(sink.frames.count == 12)
    }

    @Test("A camera in use by another program is busy, in the list and at opening")
    func busy() async throws {
        let double = try CameraDouble([["MJPG-64x48@30.bin": Clips.jpeg(64, 48)]])
        try double.begin("busy")
        let listed = try await backend(double).devices(DeviceQuery())
        #expect(listed.map(\.state) == [.busy])
        #expect(listed.first?.advice?.isEmpty == false)
        await #expect { _ = try await self.camera(double) } throws: {
            ($0 as? CaptureError)?.code == .busy
        }
    }

    @Test("A camera that another program opens meanwhile is busy when a capture starts")
    func taken() async throws {
        let double = try CameraDouble([["MJPG-64x48@30.bin": Clips.jpeg(64, 48)]])
        let first = try await camera(double)
        let other = try await camera(double)
        let (started, start) = AsyncStream.makeStream(of: Void.self)
        let sink = RecordingSink(onFrame: { _ in start.finish() })
        let capture = Task { try await first.capture(CaptureRequest(mode: .live), into: sink) }
        for await _ in started {}
        await #expect {
            try await other.capture(Self.live, into: RecordingSink())
        } throws: { error in
            (error as? CaptureError)?.code == .busy
        }
        capture.cancel()
        await #expect(throws: CancellationError.self) { try await capture.value }
        let free = RecordingSink()
        try await other.capture(Self.live, into: free)
        #expect(free.frames.count == 4)
    }
}

/// Counts calls.
final class Counter: Sendable {
    private let state = Mutex(0)
    var value: Int { state.withLock { $0 } }
    func next() -> Int {
        state.withLock { count in
            count += 1
            return count - 1
        }
    }
}
