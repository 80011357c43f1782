import CaptureKit
import ContractSupport
import Testing

@testable import V4L2Backend

/// Tests grabbers: several connectors, digital signals, and ranges of samples.
@Suite struct InputTests {
    private static let clips = [
        "YUYV-64x48@30.bin": Clips.yuyv(64, 48), "YUYV-32x24@30.bin": Clips.yuyv(32, 24),
    ]

    private func open(_ double: CameraDouble) async throws -> any CaptureDevice {
        let camera = try await V4L2Backend(folder: double.nodes).open(double.node())
        return camera
    }

    private func option(_ name: String, _ camera: any CaptureDevice) async throws -> DeviceOption? {
        try await camera.options().first { $0.name == name }
    }

    private func sizeOfStill(_ camera: any CaptureDevice) async throws -> [Int?] {
        _ = try await camera.set("warm-up", to: .number(0))
        let sink = RecordingSink()
        try await camera.capture(CaptureRequest(), into: sink)
        let frame = try #require(sink.frames.first)
        return [frame.description.width, frame.description.height]
    }

    @Test("A camera with one connector has no options for inputs or timings", .needsCamera)
    func single() async throws {
        let double = try CameraDouble([Self.clips])
        let camera = try await open(double)
        #expect(try await option("input", camera) == nil)
        #expect(try await option("timings", camera) == nil)
        #expect(try await sizeOfStill(camera) == [64, 48])
    }

    @Test(
        "Another connector is chosen by its name, and has the sizes of its signal", .needsCamera)
    func inputs() async throws {
        let double = try CameraDouble([
            Self.clips.merging(["hdmi": Array("32x24".utf8)]) { $1 }
        ])
        let camera = try await open(double)
        let input = try #require(try await option("input", camera))
        #expect(input.type == .choice(["Camera 1", "HDMI"]))
        #expect(input.value == .text("Camera 1"))
        let outcome = try await camera.set("input", to: .text("HDMI"))
        #expect(outcome.reloadOptions)
        #expect(try await option("size", camera)?.type == .choice(["32x24"]))
        let timings = try #require(try await option("timings", camera))
        #expect(timings.type == .choice(["automatic", "64x48p60", "32x24p30"]))
        #expect(timings.value == .text("automatic"))
        #expect(try await sizeOfStill(camera) == [32, 24])
        await #expect(throws: CaptureError.self) {
            _ = try await camera.set("input", to: .text("S-Video"))
        }
    }

    @Test("A changed signal is followed, unless the user chose timings", .needsCamera)
    func signal() async throws {
        let double = try CameraDouble([
            Self.clips.merging(["hdmi": Array("32x24".utf8)]) { $1 }
        ])
        let camera = try await open(double)
        _ = try await camera.set("input", to: .text("HDMI"))
        try double.write("64x48", to: "hdmi")
        #expect(try await sizeOfStill(camera) == [64, 48])
        _ = try await camera.set("timings", to: .text("32x24p30"))
        #expect(try await option("timings", camera)?.value == .text("32x24p30"))
        #expect(try await sizeOfStill(camera) == [32, 24])
        _ = try await camera.set("timings", to: .text("automatic"))
        #expect(try await sizeOfStill(camera) == [64, 48])
    }

    @Test("A connector without a signal reports this, and another can be chosen", .needsCamera)
    func silence() async throws {
        let double = try CameraDouble([Self.clips.merging(["hdmi": []]) { $1 }])
        let camera = try await open(double)
        _ = try await camera.set("input", to: .text("HDMI"))
        let error = await #expect(throws: CaptureError.self) {
            try await camera.capture(CaptureRequest(), into: RecordingSink())
        }
        #expect(error?.code == .offline)
        #expect(error?.message.contains("HDMI") == true)
        _ = try await camera.set("input", to: .text("Camera 1"))
        #expect(try await sizeOfStill(camera) == [64, 48])
    }

    // MARK: Ranges of samples

    /// Y, Cb and Cr of a color with red, green and blue in the range 0…1, by the definitions in
    /// ITU-R BT.601 and BT.709.
    private static func sample(
        _ color: [Double], weights: (red: Double, blue: Double), isFull: Bool
    ) -> [UInt8] {
        let (r, g, b) = (color[0], color[1], color[2])
        let y = weights.red * r + (1 - weights.red - weights.blue) * g + weights.blue * b
        let (cb, cr) = ((b - y) / 2 / (1 - weights.blue), (r - y) / 2 / (1 - weights.red))
        return isFull
            ? [y * 255, 128 + cb * 255, 128 + cr * 255].map {
                UInt8(min(max($0.rounded(), 0), 255))
            }
            : [16 + y * 219, 128 + cb * 224, 128 + cr * 224].map { UInt8($0.rounded()) }
    }

    private static let colors: [[Double]] = [
        [0, 0, 0], [1, 1, 1], [0.5, 0.5, 0.5], [0.8, 0.2, 0.1], [0.1, 0.7, 0.3], [0.2, 0.3, 0.9],
        [0.9, 0.85, 0.7],
    ]

    @Test(
        "Live frames are as the protocol promises, whatever the camera's numbers mean",
        .needsCamera,
        arguments: [("YUYV", "full", ""), ("UYVY", "full", "709"), ("NV12", "limited", "709")])
    func live(_ format: String, _ range: String, _ matrix: String) async throws {
        let weights = matrix == "709" ? (red: 0.2126, blue: 0.0722) : (red: 0.299, blue: 0.114)
        for color in Self.colors {
            let given = Self.sample(color, weights: weights, isFull: range == "full")
            let wanted = Self.sample(color, weights: (0.299, 0.114), isFull: false)
            let double = try CameraDouble([
                [
                    "\(format)-16x8@30.bin": Self.frame(format, given),
                    "range": Array(range.utf8), "colors": Array(matrix.utf8),
                ]
            ])
            let sink = RecordingSink()
            try await open(double).capture(CaptureRequest(mode: .live, limit: 1), into: sink)
            let bytes = try #require(sink.frames.first).bytes
            for (got, want) in zip(bytes, Self.frame(format, wanted)) {
                #expect((Int(got) - Int(want)).magnitude <= 1, "\(color) of \(given)")
            }
        }
    }

    /// A frame of 16 × 8 pixels of one color.
    private static func frame(_ format: String, _ sample: [UInt8]) -> [UInt8] {
        let (y, cb, cr) = (sample[0], sample[1], sample[2])
        func repeated(_ few: [UInt8], _ times: Int) -> [UInt8] { (0..<times).flatMap { _ in few } }
        return switch format {
        case "YUYV": repeated([y, cb, y, cr], 64)
        case "UYVY": repeated([cb, y, cr, y], 64)
        default: repeated([y], 128) + repeated([cb, cr], 32)
        }
    }

    @Test(
        "Gray and colors with limited range are stretched to full range", .needsCamera,
        arguments: ["GREY", "RGB3", "BGR3"])
    func limited(_ format: String) async throws {
        let bytesPerPixel = format == "GREY" ? 1 : 3
        let pixels = [UInt8](arrayLiteral: 16, 235, 126, 16, 235, 126)
        let double = try CameraDouble([
            [
                "\(format)-2x\(bytesPerPixel == 1 ? 3 : 1)@30.bin": pixels,
                "range": Array("limited".utf8),
            ]
        ])
        let camera = try await open(double)
        let wanted: [UInt8] =
            format == "BGR3" ? [128, 255, 0, 128, 255, 0] : [0, 255, 128, 0, 255, 128]
        _ = try await camera.set("warm-up", to: .number(0))
        for mode in [CaptureRequest.Mode.live, .pages] {
            let sink = RecordingSink()
            try await camera.capture(CaptureRequest(mode: mode, limit: 1), into: sink)
            #expect(sink.frames.first?.bytes == wanted)
        }
    }
}
