import CaptureKit
import FileImportBackend
import Testing

@Suite struct Y4MTests {
    /// A clip of random samples.
    struct Clip: Sendable, CustomTestStringConvertible {
        var form: String
        var width: Int
        var height: Int
        var parameters = ""
        var testDescription: String { "\(form), \(width) × \(height)\(parameters)" }

        var chromaWidth: Int {
            form == "mono" ? 0 : form == "444" ? width : (width + 1) / 2
        }
        var chromaHeight: Int {
            form == "mono" ? 0 : form.hasPrefix("420") ? (height + 1) / 2 : height
        }
        var frameBytes: Int { width * height + 2 * chromaWidth * chromaHeight }
        var header: [UInt8] {
            Array("YUV4MPEG2 W\(width) H\(height) F30000:1001 Ip C\(form)\(parameters)\n".utf8)
        }

        func file(_ frames: [[UInt8]], line: String = "FRAME\n") -> [UInt8] {
            header + frames.flatMap { Array(line.utf8) + $0 }
        }
    }

    /// The protocol's values for a frame, computed pixel by pixel from the planes by ITU-R BT.601:
    /// color in the range 16…235, gray in the range 0…255.
    private static func expected(_ clip: Clip, _ planes: [UInt8]) -> [UInt8] {
        let isFull = clip.parameters.contains("FULL")
        func luma(_ x: Int, _ y: Int) -> UInt8 {
            let value = Double(planes[y * clip.width + min(x, clip.width - 1)])
            if clip.form == "mono" {
                return isFull
                    ? UInt8(value)
                    : UInt8(max(0, min(255, ((value - 16) / 0.219 * 0.255).rounded())))
            }
            return isFull ? UInt8((16 + 219 * value / 255).rounded()) : UInt8(value)
        }
        func color(_ plane: Int, _ x: Int, _ y: Int) -> UInt8 {
            let size = clip.chromaWidth * clip.chromaHeight
            let value = Int(
                planes[clip.width * clip.height + plane * size + y * clip.chromaWidth + x])
            return isFull ? UInt8((128 + 224 * Double(value - 128) / 255).rounded()) : UInt8(value)
        }
        var bytes: [UInt8] = []
        let even = (clip.width + 1) / 2 * 2
        switch clip.form {
        case "mono":
            for y in 0..<clip.height { for x in 0..<clip.width { bytes.append(luma(x, y)) } }
        case "422", "444":
            for y in 0..<clip.height {
                for x in stride(from: 0, to: even, by: 2) {
                    let colors = (0...1).map { plane -> UInt8 in
                        if clip.form == "422" { return color(plane, x / 2, y) }
                        let pair = [x, min(x + 1, clip.width - 1)].map { Int(color(plane, $0, y)) }
                        return UInt8((pair[0] + pair[1] + 1) / 2)
                    }
                    bytes += [luma(x, y), colors[0], luma(x + 1, y), colors[1]]
                }
            }
        default:
            for y in 0..<clip.height { for x in 0..<even { bytes.append(luma(x, y)) } }
            for y in 0..<clip.chromaHeight {
                for x in 0..<clip.chromaWidth { bytes += [color(0, x, y), color(1, x, y)] }
            }
        }
        return bytes
    }

    private static let clips = [
        Clip(form: "420jpeg", width: 8, height: 6), Clip(form: "420mpeg2", width: 7, height: 5),
        Clip(form: "420", width: 1, height: 1),
        Clip(form: "420paldv", width: 6, height: 3, parameters: " XCOLORRANGE=FULL A1:1"),
        Clip(form: "422", width: 8, height: 3), Clip(form: "422", width: 5, height: 2),
        Clip(form: "444", width: 4, height: 3), Clip(form: "444", width: 3, height: 3),
        Clip(form: "mono", width: 5, height: 4),
        Clip(form: "mono", width: 5, height: 4, parameters: " XCOLORRANGE=FULL"),
    ]

    @Test("Frames arrive like a camera's, each with its time", arguments: clips)
    func forms(clip: Clip) async throws {
        let scratch = try Scratch()
        var noise = Noise(seed: 81)
        let frames = (0..<3).map { _ in noise.bytes(clip.frameBytes) }
        let path = try scratch.file("clip.y4m", clip.file(frames))
        let pages = try await record(path, mode: .live).pages
        #expect(pages.count == 3)
        let format: FrameFormat =
            clip.form == "mono" ? .gray8 : clip.form.hasPrefix("420") ? .nv12 : .yuyv
        for (number, page) in pages.enumerated() {
            #expect(page.description.format == format)
            #expect(page.description.width == clip.width && page.description.height == clip.height)
            #expect(page.description.label == "clip.y4m, frame \(number + 1)")
            let time = try #require(page.description.time)
            #expect(abs(time - Double(number) * 1001 / 30_000) < 1e-9)
            #expect(mismatch(page.bytes, Self.expected(clip, frames[number])) == nil)
        }
    }

    @Test("The option 'rate' sets the frame rate, and a limit ends the clip early")
    func rate() async throws {
        let scratch = try Scratch()
        let clip = Clip(form: "mono", width: 2, height: 2)
        let path = try scratch.file(
            "clip.y4m", clip.file(Array(repeating: [1, 2, 3, 4], count: 5), line: "FRAME Ip\n"))
        let pages = try await record(path, ["rate": .number(2)], mode: .live, limit: 3).pages
        #expect(pages.map(\.description.time) == [0, 0.5, 1])
    }

    @Test(
        "A clip without a frame rate has 12 frames a second", arguments: ["", " F0:0", " F1"])
    func noRate(parameter: String) async throws {
        let scratch = try Scratch()
        let bytes = Array("YUV4MPEG2 W1 H1 Cmono\(parameter)\nFRAME\n1FRAME\n2".utf8)
        let pages = try await record(try scratch.file("c", bytes), mode: .live).pages
        #expect(pages.map(\.description.time) == [0, 1 / 12.0])
    }

    @Test(
        "A truncated clip ends with its last complete frame, and reports it", arguments: 1...17)
    func cut(bytes: Int) async throws {
        let scratch = try Scratch()
        let clip = Clip(form: "420jpeg", width: 4, height: 2)
        var file = clip.file(Array(repeating: Array(1...12), count: 3))
        file.removeLast(bytes)
        let path = try scratch.file("clip.y4m", file)
        let recording = try await record(path, mode: .live)
        #expect(recording.pages.count == 2)
        #expect(recording.skips.map(\.code) == [.damagedData])
    }

    @Test("Data without a frame's header is reported after the frames before")
    func garbage() async throws {
        let scratch = try Scratch()
        let clip = Clip(form: "mono", width: 2, height: 1)
        let path = try scratch.file(
            "clip.y4m", clip.file([[1, 2], [3, 4]]) + Array("FRAMES\n56FRAME\n78".utf8))
        let sink = RecordingSink()
        let error = try await failure(path, mode: .live, sink: sink)
        #expect(error.code == .damagedData && error.message.contains("no frame begins at byte"))
        #expect(sink.recording.pages.count == 2 && sink.recording.unfinished == 0)
    }

    @Test(
        "Impossible headers are refused before memory is allocated",
        arguments: [
            ("W0 H4", "damagedData"), ("W-4 H4", "damagedData"), ("H4", "damagedData"),
            ("W4", "damagedData"), ("W4 H99999999999999999999", "damagedData"),
            ("W65536 H1", "tooLarge"), ("W60000 H60000", "tooLarge"),
            ("W999999999 H999999999", "tooLarge"), ("W4 H4 C420p10", "unsupported"),
            ("W4 H4 C444alpha", "unsupported"), ("W4 H4 C\u{1B}[31m", "unsupported"),
            ("W4 H4 " + String(repeating: "X", count: 5_000), "damagedData"), ("", "damagedData"),
        ])
    func hostileHeaders(parameters: String, code: String) async throws {
        let scratch = try Scratch()
        let path = try scratch.file(
            "clip.y4m", Array("YUV4MPEG2 \(parameters)\nFRAME\n0123456789".utf8))
        let error = try await failure(path, mode: .live)
        #expect(error.code.rawValue == code)
        #expect(!error.message.contains("\u{1B}"))
    }

    @Test("A clip without a frame is an error")
    func empty() async throws {
        let scratch = try Scratch()
        let clip = Clip(form: "mono", width: 2, height: 1)
        let error = try await failure(try scratch.file("c.y4m", clip.header), mode: .live)
        #expect(error.code == .damagedData && error.message.contains("no whole frame"))
    }
}
