import Imaging

/// Cuts the part with a device's label out of a picture, straightens it, and darkens its letters.
struct LabelStep: ProcessingStep {
    /// A kind of device, with its surface and its label's shape.
    private struct Device {
        let name: String
        let surface: String
        /// The label's width divided by its height.
        let ratio: Double
    }

    private static let devices = [
        Device(name: "macbook", surface: "etched", ratio: 8),
        Device(name: "imac", surface: "etched", ratio: 8),
        Device(name: "mac-mini", surface: "etched", ratio: 8),
        Device(name: "iphone", surface: "screen", ratio: 5),
        Device(name: "ipad", surface: "screen", ratio: 5),
        Device(name: "watch", surface: "sticker", ratio: 4),
        Device(name: "accessory", surface: "sticker", ratio: 4),
    ]

    static let device = StepOptionKey(
        choice: "device", of: ["own"] + devices.map(\.name), default: "own",
        help:
            "The kind of device, which determines the surface and the shape of its label; own uses 'surface' and 'ratio'."
    )
    static let surface = StepOptionKey(
        choice: "surface", of: ["auto", "etched", "screen", "sticker", "none"], default: "auto",
        help:
            "The surface under the number, whose grain is removed; auto is the device's own; none leaves the picture as it is."
    )
    static let ratio = StepOptionKey(
        number: "ratio", in: 1...20, default: 5,
        help: "The label's width divided by its height, for a device of your own.")
    static let width = StepOptionKey(
        number: "width", in: 0.1...1, default: 0.9,
        help: "The fraction of the picture's width that the label fills, in the middle.")

    static let declaration = StepDeclaration(
        name: "label", title: "Cut out the label",
        help:
            "Cuts out the middle of the picture in the shape of a device's label, straightens it, and makes its letters dark on white.",
        done: "label cut out",
        options: [device.option, surface.option, ratio.option, width.option])

    private let settings: StepSettings

    init(_ settings: StepSettings) { self.settings = settings }

    func run(on page: StepInput) throws -> StepOutcome {
        let device = Self.devices.first { $0.name == settings[Self.device] }
        let ratio = device?.ratio ?? settings[Self.ratio]
        let named = settings[Self.surface]
        let surface = named == "auto" ? device?.surface ?? "sticker" : named
        let image = page.image
        // A picture with the label's shape shows only the label.
        let isLabel = (0.7...1.4).contains(Double(image.width) / Double(image.height) / ratio)
        let wide = isLabel ? Double(image.width) : Double(image.width) * settings[Self.width]
        let high = wide / ratio
        // The part has room for a tilted label.
        var part = isLabel ? image : Self.middle(of: image, wide, 2 * high)
        guard surface != "none" else {
            part = isLabel ? image : Self.middle(of: image, wide, high)
            return outcome(part, image, "\(part.width) × \(part.height) pixels", lean: nil)
        }
        part = try Self.raised(part, high, surface)
        let lean = LabelLean.degrees(of: part)
        if let lean { part = part.rotated(byDegrees: -lean, fill: 255) }
        if !isLabel { part = Self.middle(of: part, Double(part.width), 1.4 * high) }
        return outcome(
            part, image,
            "\(part.width) × \(part.height) pixels, letters raised from \(surface == "etched" ? "etched metal" : "a \(surface)")",
            lean: lean)
    }

    private func outcome(
        _ part: Raster, _ image: Raster, _ words: String, lean: Double?
    ) -> StepOutcome {
        var measurements = ["width": Double(part.width), "height": Double(part.height)]
        measurements["lean"] = lean
        guard part.bounds != image.bounds || settings[Self.surface] != "none" else {
            return .left(image, "unchanged: the picture is already the label", measurements)
        }
        let turned = lean.map { ", turned by \(rounded(-$0, places: 1))°" } ?? ""
        return .changed(part, "cut to " + words + turned, measurements, moved: .unknown)
    }

    private static func middle(of image: Raster, _ wide: Double, _ high: Double) -> Raster {
        let width = min(image.width, max(1, Int(wide.rounded())))
        let height = min(image.height, max(1, Int(high.rounded())))
        return image.cropped(
            to: PixelRect(
                x: (image.width - width) / 2, y: (image.height - height) / 2, width: width,
                height: height))
    }

    /// The label's letters, dark on white, with the surface's finest grain removed by averaging.
    private static func raised(
        _ part: Raster, _ high: Double, _ surface: String
    ) throws -> Raster {
        let softening: (x: Int, y: Int) =
            switch surface {
            // Metal is brushed along the label.
            case "etched": (0, 1)
            // The grid of a screen and that of the camera produce waves of a few pixels.
            case "screen": (1, 1)
            default: (0, 0)
            }
        // A label has one or two lines, seldom three, so a letter is a quarter of its height.
        return try part.lettersRaised(reach: Int(high / 9), softening: softening)
    }
}

/// Measures the tilt of a label's few lines.
enum LabelLean {
    /// The maximum angle to search, in degrees.
    private static let most = 9.0

    /// The angle by which the lines slope down to the right, in degrees; nil if no angle stands
    /// out.
    ///
    /// Rows are summed along many slopes; at the right slope, the difference between lines and gaps
    /// is largest.
    static func degrees(of gray: Raster) -> Double? {
        let step = max(1, gray.width / 500)
        let (width, height) = (gray.width / step, gray.height / step)
        guard width >= 40, height >= 8 else { return nil }
        var dark = [Int](repeating: 0, count: width * height)
        gray.withBytes { bytes in
            for y in 0..<height {
                for x in 0..<width {
                    dark[y * width + x] = 255 - Int(bytes[y * step * gray.stride + x * step])
                }
            }
        }
        var scores: [(degrees: Double, score: Double)] = []
        for quarter in Int(-most * 4)...Int(most * 4) {
            let degrees = Double(quarter) / 4
            scores.append((degrees, score(dark, width, height: height, degrees: degrees)))
        }
        guard let best = scores.max(by: { $0.score < $1.score }) else { return nil }
        let usual = scores.map(\.score).sorted()[scores.count / 2]
        guard best.score > 1.3 * usual, best.degrees.magnitude < most else { return nil }
        return best.degrees.magnitude < 0.2 ? nil : best.degrees
    }

    private static func score(
        _ dark: [Int], _ width: Int, height: Int, degrees: Double
    ) -> Double {
        // The tangent of a small angle is nearly the angle.
        let slope = degrees * .pi / 180
        var rows = [Int](repeating: 0, count: height)
        let shifts = (0..<width).map { Int((Double($0 - width / 2) * slope).rounded()) }
        for y in 0..<height {
            for x in 0..<width {
                let row = y &- shifts[x]
                if row >= 0, row < height { rows[row] &+= dark[y &* width &+ x] }
            }
        }
        return zip(rows, rows.dropFirst()).reduce(0.0) { sum, pair in
            let step = Double(pair.1 - pair.0)
            return sum + step * step
        }
    }
}
