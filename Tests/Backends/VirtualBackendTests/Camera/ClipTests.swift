import CaptureKit
import Testing

@testable import VirtualBackend

@Suite struct ClipTests {
    private func clip(_ header: String, frames: [[UInt8]]) -> [UInt8] {
        [UInt8]("YUV4MPEG2 \(header)\n".utf8) + frames.flatMap { [UInt8]("FRAME\n".utf8) + $0 }
    }

    private func play(
        _ bytes: [UInt8], mode: String, limit: Int?, loop: Bool = false
    ) async throws -> RecordingSink {
        let folder = try TemporaryFolder()
        let path = try folder.write("a.y4m", bytes)
        return try await Bench().capture(
            "camera", ["clip": .text(path), "mode": .text(mode), "loop": .bool(loop)],
            CaptureRequest(mode: .live, limit: limit))
    }

    @Test("A gray clip plays frame by frame; 16…235 becomes 0…255")
    func gray() async throws {
        let bytes = clip("W2 H1 F10:1 Cmono", frames: [[16, 235], [126, 10], [240, 16]])
        let sink = try await play(bytes, mode: "gray", limit: nil)
        #expect(sink.frames.map(\.bytes) == [[0, 255], [128, 0], [255, 0]])
        #expect(sink.labels == ["a.y4m, frame 1", "a.y4m, frame 2", "a.y4m, frame 3"])
    }

    @Test("A clip loops when it is asked to")
    func loops() async throws {
        let bytes = clip("W1 H1 Cmono XCOLORRANGE=FULL", frames: [[1], [2]])
        let sink = try await play(bytes, mode: "gray", limit: 5, loop: true)
        #expect(sink.frames.map(\.bytes) == [[1], [2], [1], [2], [1]])
    }

    /// The 75 % and 100 % bars' published Y'CbCr values (ITU-R BT.601, 8 bits).
    @Test(
        "Primary colors come out of their Y'CbCr values",
        arguments: [
            ([81, 90, 240], [255, 0, 0]), ([145, 54, 34], [0, 255, 0]),
            ([41, 240, 110], [0, 0, 255]),
            ([210, 16, 146], [255, 255, 0]), ([235, 128, 128], [255, 255, 255]),
            ([16, 128, 128], [0, 0, 0]),
        ] as [([UInt8], [Int])])
    func colors(_ yuv: [UInt8], _ rgb: [Int]) async throws {
        for (form, count) in [("420jpeg", (9, 4)), ("422", (9, 6)), ("444", (9, 9))] {
            let planes =
                [UInt8](repeating: yuv[0], count: count.0)
                + [UInt8](repeating: yuv[1], count: count.1)
                + [UInt8](repeating: yuv[2], count: count.1)
            let sink = try await play(
                clip("W3 H3 C\(form)", frames: [planes]), mode: "color", limit: 1)
            let frame = try #require(sink.frames.first)
            for (x, y) in [(0, 0), (2, 0), (1, 1), (2, 2)] {
                for (got, wanted) in zip(frame.samples(x, y), rgb) {
                    #expect(abs(got - wanted) <= 2)
                }
            }
        }
    }

    @Test("A truncated last frame is left out")
    func cutShort() async throws {
        let bytes = clip("W4 H1 Cmono", frames: [[16, 16, 16, 16], [16, 16]])
        #expect(try await play(bytes, mode: "gray", limit: nil).frames.count == 1)
    }

    @Test(
        "A file that is not a clip is refused, with its name and the reason",
        arguments: [
            "", "JPEG", "YUV4MPEG2 W4\n", "YUV4MPEG2 W0 H4\n", "YUV4MPEG2 W4 H-4\n",
            "YUV4MPEG2 W4 H4 C420p10\n", "YUV4MPEG2 W4 H1 Cmono\nFRAME\nab",
            "YUV4MPEG2 W1 H1 Cmono\nFRAMED\na",
            "YUV4MPEG2 W99999999999999999999 H4\n", "YUV4MPEG2 W65536 H1\n",
        ])
    func refused(_ text: String) async throws {
        let folder = try TemporaryFolder()
        let path = try folder.write("odd.y4m", [UInt8](text.utf8))
        let device = try await Bench().device("camera")
        let error = await #expect(throws: CaptureError.self) {
            try await device.set("clip", to: .text(path))
        }
        #expect(error?.code == .invalidValue)
        #expect(error?.message.contains("odd.y4m") == true)
        #expect(try await device.option("clip")?.value == .text(""))
    }

    @Test("Frames of too many pixels are refused")
    func tooLarge() async throws {
        let error = #expect(throws: CaptureError.self) {
            try VideoHeader.layout("YUV4MPEG2 W65535 H65535", name: "a.y4m")
        }
        #expect(error?.code == .tooLarge)
    }

    @Test("A damaged clip is refused, or has other pixels")
    func damage() async throws {
        let folder = try TemporaryFolder()
        let whole = clip(
            "W8 H4 F10:1 C420jpeg", frames: (0..<3).map { [UInt8](repeating: $0, count: 48) })
        var generator = SplitMix(11)
        for _ in 0..<300 {
            var bytes = whole
            for _ in 0..<Int.random(in: 1...4, using: &generator) {
                bytes[Int.random(in: 0..<bytes.count, using: &generator)] =
                    UInt8.random(in: 0...255, using: &generator)
            }
            bytes.removeLast(Int.random(in: 0...bytes.count / 2, using: &generator))
            let path = try folder.write("a.y4m", bytes)
            do {
                let clip = try VideoClip(path: path)
                #expect(clip.count > 0)
                for index in 0..<clip.count {
                    let frame = try clip.frame(index)
                    #expect(frame.planes.count == clip.layout.frameBytes)
                    var row = [UInt8](repeating: 0, count: 3 * frame.width)
                    row.withUnsafeMutableBufferPointer {
                        frame.row(frame.height - 1, color: true, into: $0)
                    }
                }
            } catch let error as CaptureError {
                #expect([.invalidValue, .tooLarge].contains(error.code))
            }
        }
    }
}
