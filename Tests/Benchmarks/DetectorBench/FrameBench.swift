import Detection
import Imaging

/// Measures the time of one detection in a camera frame.
struct FrameBench {
    private let jpeg: [UInt8]
    private let rounds = 60

    init(_ photo: String) throws { jpeg = try Bench.bytes(photo) }

    func run() throws {
        let color = try Raster.decodedJPEG(from: jpeg).converted(to: .rgb8)
        let gray = color.converted(to: .gray8)
        print("\(color.width) × \(color.height), milliseconds of one core, median of \(rounds)")
        let start = Bench.milliseconds()
        _ = try NetworkPageDetector().detect(in: gray)
        row("the first detection of the process", [Bench.milliseconds() - start])
        try measure("luma") { try $0.detect(in: gray) }
        let frame = yuyv(gray)
        try measure("YUYV") { detector in
            try frame.withUnsafeBytes { bytes in
                try FrameView.yuyv(bytes, width: gray.width, height: gray.height)
                    .flatMap { try detector.detect(in: $0) }
            }
        }
        try measure("RGB") { try $0.detect(in: color) }
        try measure("Motion JPEG, decoded at a quarter") { detector in
            var reader = LumaReader(longSide: max(color.width, color.height) / 4)
            try jpeg.withUnsafeBytes {
                try reader.read(
                    CameraFrame(
                        format: .jpeg, width: color.width, height: color.height, stride: 0,
                        bytes: $0))
            }
            return try detector.detect(in: reader.luma)
        }
    }

    private func measure(
        _ name: String, _ body: (NetworkPageDetector) throws -> DetectedPage?
    ) throws {
        for refines in [true, false] {
            var detector = NetworkPageDetector()
            detector.refinesSides = refines
            var times: [Double] = []
            for _ in 0..<rounds {
                let start = Bench.milliseconds()
                _ = try body(detector)
                times.append(Bench.milliseconds() - start)
            }
            row(name + (refines ? "" : ", sides not refined"), times)
        }
    }

    private func row(_ name: String, _ times: [Double]) {
        print("| \(name) | \(Bench.text(times.sorted()[times.count / 2])) |")
    }

    private func yuyv(_ gray: Raster) -> [UInt8] {
        var frame = [UInt8](repeating: 128, count: 2 * gray.width * gray.height)
        gray.withBytes { bytes in
            for y in 0..<gray.height {
                for x in 0..<gray.width {
                    frame[2 * (y * gray.width + x)] = bytes[y * gray.stride + x]
                }
            }
        }
        return frame
    }
}
