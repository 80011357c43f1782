import CTurboJPEG
import CaptureKit
import Testing

@testable import VirtualBackend

/// Tests the camera's frames in the formats of real cameras.
@Suite struct LiveFormatTests {
    private func frame(_ format: String) async throws -> RecordedFrame {
        let sink = try await Bench().capture(
            "camera", ["size": .text("640x480"), "format": .text(format)],
            CaptureRequest(mode: .live, limit: 14))
        return try #require(sink.frames.last)
    }

    @Test(
        "Subsampled frames have the colors of ITU-R BT.601", arguments: ["yuyv", "uyvy", "nv12"])
    func colors(_ format: String) async throws {
        let frame = try await frame(format)
        #expect(frame.description.format.rawValue == format)
        // RGB values of the desk (70, 58, 48) and of the white page, converted by hand.
        for (place, expected) in [((2, 2), [68, 122, 134]), ((320, 440), [235, 128, 128])] {
            let seen = frame.samples(place.0, place.1)
            for (one, other) in zip(seen, expected) { #expect(abs(one - other) <= 1, "\(seen)") }
        }
    }

    @Test("A JPEG frame is a picture of the frame's size that fits its capacity")
    func jpeg() async throws {
        let frame = try await frame("jpeg")
        let capacity = try #require(frame.description.capacity)
        #expect((1...capacity).contains(frame.bytes.count))
        let decoder = tjInitDecompress()
        defer { tjDestroy(decoder) }
        var (width, height, subsampling, space) = (Int32(0), Int32(0), Int32(0), Int32(0))
        var pixels = [UInt8](repeating: 0, count: 640 * 480 * 3)
        var bytes = frame.bytes
        try #require(
            tjDecompressHeader3(
                decoder, &bytes, UInt(bytes.count), &width, &height, &subsampling, &space) == 0)
        try #require((width, height) == (640, 480))
        try #require(
            tjDecompress2(
                decoder, &bytes, UInt(bytes.count), &pixels, 640, 0, 480,
                Int32(TJPF_RGB.rawValue), 0) == 0)
        #expect(zip(pixels[..<3], [70, 58, 48]).allSatisfy { abs(Int($0) - $1) <= 4 })
    }

    @Test("Live frames have a time, and stills are rows whatever the format")
    func times() async throws {
        let bench = Bench()
        let device = try await bench.device(
            "camera",
            ["size": .text("640x480"), "rate": .number(10), "format": .text("nv12")])
        let live = RecordingSink()
        try await device.capture(CaptureRequest(mode: .live, limit: 3), into: live)
        #expect(live.begun.map(\.time) == [0, 0.1, 0.2])
        let still = RecordingSink()
        try await device.capture(CaptureRequest(), into: still)
        #expect(still.begun.map(\.format) == [.rgb8])
        #expect(still.begun.map(\.time) == [nil])
    }

    @Test("An odd frame's last pixels share their colors with themselves")
    func oddSides() throws {
        let samples: [UInt8] = Array(repeating: 255, count: 3 * 9)
        for format in [FrameFormat.yuyv, .uyvy, .nv12] {
            var settings = Settings()
            settings.values["format"] = .text(format.rawValue)
            let form = try #require(LiveForm(settings, width: 3, height: 3))
            var bytes = [UInt8](repeating: 7, count: form.description.byteCount(rows: 3))
            let made = try samples.withUnsafeBytes { source in
                try bytes.withUnsafeMutableBytes { try form.make(source, into: $0) }
            }
            #expect(made == bytes.count)
            let frame = RecordedFrame(description: form.description, bytes: bytes)
            for y in 0..<3 {
                for x in 0..<3 { #expect(frame.samples(x, y) == [235, 128, 128], "\(format)") }
            }
        }
    }
}
