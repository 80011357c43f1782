import CaptureKit
import ContractSupport
import Glibc
import Synchronization
import Testing

@testable import CaptureHost

/// Tests live frames in cameras' formats, and frames for which no buffer is free.
@Suite struct LiveTests {
    /// Bytes that depend on the frame and the position.
    private static func pattern(_ count: Int, _ seed: Int) -> [UInt8] {
        (0..<count).map { UInt8(truncatingIfNeeded: $0 &* 31 &+ seed &* 7 &+ 1) }
    }

    private static let frames = [
        FrameDescription(format: .yuyv, width: 6, height: 4, time: 1.25),
        FrameDescription(format: .uyvy, width: 5, height: 3, stride: 16),
        FrameDescription(format: .nv12, width: 7, height: 5, stride: 32, time: 0),
        FrameDescription(format: .gray8, width: 3, height: 2), .small,
    ]

    @Test("Camera frames arrive exactly as sent", arguments: frames)
    func formats(_ frame: FrameDescription) async throws {
        let bytes = Self.pattern(frame.byteCount(rows: frame.height ?? 0), 1)
        let bench = try Bench(
            FakeBackend { _, _, sink in
                let writer = try await sink.begin(frame)
                try await writer.write(bytes)
                try await writer.finish()
            })
        let outcome = await bench.capture(
            try await bench.open(), CaptureRequest(mode: .live, limit: 1))
        #expect(outcome.error == nil)
        let page = try #require(outcome.pages.first)
        #expect(page.description == frame)
        let mapped = try page.mapPixels()
        #expect(mapped.bytes.count == bytes.count)
        #expect(mapped.bytes.elementsEqual(bytes))
        mapped.release()
        await bench.host.shutdown()
    }

    @Test("A JPEG frame has exactly its stated length, in a buffer from a longer one")
    func encoded() async throws {
        let lengths = [900, 3, 1000, 1]
        let frame = FrameDescription(
            format: .jpeg, width: 40, height: 30, capacity: 1000, time: 3.5)
        let bench = try Bench(
            FakeBackend { _, _, sink in
                for (number, length) in lengths.enumerated() {
                    let bytes = Self.pattern(length, number)
                    let writer = try await sink.begin(frame)
                    try await writer.fill(count: 1000) { buffer in
                        buffer.copyBytes(from: bytes)
                        return length
                    }
                    try await writer.finish()
                }
            })
        let device = try await bench.open()
        var seen: [Int] = []
        for try await event in device.capture(
            CaptureRequest(mode: .live, limit: 4), spool: SpoolFolder(path: "/nowhere"),
            whenFull: .wait, ring: 1)
        {
            guard case .page(let page) = event else { continue }
            let mapped = try page.mapPixels()
            #expect(mapped.bytes.elementsEqual(Self.pattern(mapped.bytes.count, seen.count)))
            seen.append(mapped.bytes.count)
            mapped.release()
        }
        #expect(seen == lengths)
        await bench.host.shutdown()
    }

    @Test("The backend's side refuses an empty JPEG frame as damaged")
    func emptyJPEG() async throws {
        let bench = try Bench(
            FakeBackend { _, _, sink in
                let writer = try await sink.begin(
                    FrameDescription(format: .jpeg, width: 4, height: 4, capacity: 10))
                try await writer.finish()
            })
        let outcome = await bench.capture(try await bench.open(), CaptureRequest(mode: .live))
        #expect(outcome.hostError?.code == HostError.Code(.damagedData))
        await bench.host.shutdown()
    }

    @Test(
        "A page can't have a live format",
        arguments: FrameFormat.allCases.filter(\.isLiveOnly))
    func notForPages(_ format: FrameFormat) async throws {
        let bench = try Bench(
            FakeBackend { _, _, sink in
                _ = try await sink.begin(
                    FrameDescription(
                        format: format, width: 4, height: 4, capacity: format == .jpeg ? 9 : nil))
            })
        let outcome = await bench.capture(try await bench.open())
        #expect(outcome.hostError?.code == HostError.Code(.internalFault))
        #expect(outcome.hostError?.message.contains(format.rawValue) == true)
        await bench.host.shutdown()
    }

    @Test(
        "Impossible frames and lengths stop the backend",
        arguments: [
            (#"format="jpeg""#, "", "capacity"),
            (#"format="jpeg", capacity=1 << 60"#, "", "capacity"),
            (#"format="jpeg", capacity=-5"#, "", "capacity"),
            (#"format="jpeg", capacity=100, stride=40"#, "", "stride"),
            (#"format="yuyv", stride=79"#, "", "stride"),
            (#"format="nv12", stride=10**15"#, "", "stride"),
            (#"format="nv12", height=None"#, "", "height"),
            (#"format="yuyv", time=1e300"#, "", "time"),
            (#"format="jpeg", capacity=100"#, "length=101", "101"),
            (#"format="jpeg", capacity=100"#, "length=0", "0 bytes"),
            (#"format="jpeg", capacity=100"#, "length=-3", "-3"),
            (#"format="jpeg", capacity=100"#, "length=2**62", "bytes"),
            (#"format="jpeg", capacity=100"#, "", "no number of bytes"),
            (#"format="jpeg", capacity=100"#, "length=60", "50 of 60"),
        ])
    func hostile(_ fields: String, _ done: String, _ word: String) async throws {
        let bench = try Bench(
            script: """
                capture = opened()
                frame(capture, 1, \(fields))
                send({"event": "pixels", "capture": capture, "frame": 1}, b"p" * 50)
                send({"event": "done", "capture": capture, "frame": 1, "rows": 30, **dict(\(done))})
                take()
                """)
        let outcome = await bench.capture(try await bench.open(), CaptureRequest(mode: .live))
        let error = try #require(outcome.hostError)
        #expect([.nonsense, .tornPage].contains(error.code))
        #expect(error.message.contains(word), "\(error.message)")
        #expect(outcome.pages.isEmpty)
        await bench.host.shutdown()
    }

    @Test("A page in a live format stops a backend that does not check this itself")
    func hostilePage() async throws {
        let bench = try Bench(
            script: """
                capture = opened()
                frame(capture, 1, format="yuyv")
                take()
                """)
        let outcome = await bench.capture(try await bench.open())
        #expect(outcome.hostError?.code == .nonsense)
        #expect(outcome.hostError?.message.contains("yuyv") == true)
        await bench.host.shutdown()
    }

    @Test("An encoded frame may come inline, in pieces")
    func inlineJPEG() async throws {
        let bench = try Bench(
            script: """
                capture = opened()
                frame(capture, 1, format="jpeg", capacity=100)
                for piece in (b"ab", b"cde"):
                    send({"event": "pixels", "capture": capture, "frame": 1}, piece)
                send({"event": "done", "capture": capture, "frame": 1, "rows": 30, "length": 5})
                send({"answer": capture})
                take()
                """)
        let outcome = await bench.capture(try await bench.open(), CaptureRequest(mode: .live))
        #expect(outcome.error == nil)
        let mapped = try #require(outcome.pages.first).mapPixels()
        #expect(mapped.bytes.elementsEqual(Array("abcde".utf8)))
        mapped.release()
        await bench.host.shutdown()
    }

    @Test("A recording waits for buffers, and every frame comes in order", arguments: [1, 3, 8])
    func waiting(_ ring: Int) async throws {
        let bench = try Bench(FakeBackend { try await Self.send(40, of: $0, into: $2) })
        let device = try await bench.open()
        var held: [CapturedPage] = []
        var seen: [UInt8] = []
        for try await event in device.capture(
            CaptureRequest(mode: .live), spool: SpoolFolder(path: "/nowhere"), whenFull: .wait,
            ring: ring)
        {
            guard case .page(let page) = event else { continue }
            let mapped = try page.mapPixels()
            seen.append(mapped.bytes[0])
            mapped.release()
            held.append(page)
            // If all buffers are held, the backend must wait, so the oldest is released.
            if held.count == ring { held.removeFirst().release() }
        }
        #expect(seen == (1...40).map { UInt8($0) })
        #expect(device.statistics.finished == 40)
        #expect(device.statistics.dropped == 0)
        await bench.host.shutdown()
    }

    @Test("A recording that waits for a buffer can be canceled")
    func cancelWaiting() async throws {
        let bench = try Bench(FakeBackend { try await Self.send(9, of: $0, into: $2) })
        let device = try await bench.open()
        var held: [CapturedPage] = []
        await #expect(throws: CancellationError.self) {
            for try await event in device.capture(
                CaptureRequest(mode: .live), spool: SpoolFolder(path: "/nowhere"),
                whenFull: .wait, ring: 2)
            {
                guard case .page(let page) = event else { continue }
                held.append(page)
                if held.count == 2 { await device.cancelCapture() }
            }
        }
        #expect(held.map(\.number) == [1, 2])
        held = []
        let again = await bench.capture(device, CaptureRequest(mode: .live, limit: 1))
        #expect(again.pages.count == 1)
        await bench.host.shutdown()
    }

    @Test("As many frames can be held as the ring has buffers; others count as dropped")
    func ringSize() async throws {
        let (holding, held) = AsyncStream.makeStream(of: Void.self)
        let bench = try Bench(
            FakeBackend { device, _, sink in
                try await Self.send(8, of: device, into: sink)
                // Now the host holds all eight buffers, and none is free.
                for await _ in holding {}
                for number in 9...13 {
                    let writer = try await sink.begin(.small)
                    #expect(!writer.isWanted, "frame \(number)")
                    try await writer.finish()
                }
            })
        let device = try await bench.open()
        var pages: [CapturedPage] = []
        for try await event in device.capture(
            CaptureRequest(mode: .live), spool: SpoolFolder(path: "/nowhere"), ring: 8)
        {
            guard case .page(let page) = event else { continue }
            pages.append(page)
            if pages.count == 8 { held.finish() }
        }
        #expect(try pages.map { try Self.first($0) } == (1...8).map { UInt8($0) })
        var expected = CaptureStatistics()
        expected.finished = 8
        expected.dropped = 5
        #expect(device.statistics == expected)
        await bench.host.shutdown()
    }

    @Test("Frames may change their size within a live capture")
    func changingSize() async throws {
        let bench = try Bench(
            FakeBackend { _, _, sink in
                for side in [10, 20, 5, 20] {
                    let frame = FrameDescription(format: .gray8, width: side, height: side)
                    let writer = try await sink.begin(frame)
                    try await writer.write([UInt8](repeating: UInt8(side), count: side * side))
                    try await writer.finish()
                }
            })
        let outcome = await bench.capture(
            try await bench.open(), CaptureRequest(mode: .live), window: nil)
        let sizes = try outcome.pages.map { page in
            let mapped = try page.mapPixels()
            defer { mapped.release() }
            #expect(mapped.bytes.allSatisfy { Int($0) == page.description.width })
            return mapped.bytes.count
        }
        #expect(sizes == [100, 400, 25])
        await bench.host.shutdown()
    }

    private static func first(_ page: CapturedPage) throws -> UInt8? {
        let mapped = try page.mapPixels()
        defer { mapped.release() }
        return mapped.bytes.first
    }

    /// Sends frames filled with their numbers.
    private static func send(_ count: Int, of device: FakeDevice, into sink: any FrameSink)
        async throws
    {
        for number in 1...count { try await device.page(number, sink) }
    }
}
