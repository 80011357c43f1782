import Imaging

/// Reduces a picture to the colors that its content needs: color, gray, or black and white.
struct ColorStep: ProcessingStep {
    static let mode = StepOptionKey(
        choice: "mode", of: ["auto", "auto-gray", "color", "gray", "bilevel"], default: "auto",
        help:
            "auto decides by what is on the page; auto-gray does too, but never for black and white."
    )

    static let declaration = StepDeclaration(
        name: "color", title: "Color only where needed",
        help:
            "A page with a colored stamp stays colored, one with a photograph becomes gray, and one of print alone black and "
            + "white (by Sauvola's threshold).",
        options: [mode.option])

    private let settings: StepSettings

    init(_ settings: StepSettings) { self.settings = settings }

    func run(on page: StepInput) throws -> StepOutcome {
        let image = page.image
        switch settings[Self.mode] {
        case "color":
            return .left(image, "unchanged: the mode is color, whatever is on the page")
        case "gray": return gray(image, because: "the mode is gray", [:])
        case "bilevel": return try bilevel(image, because: "the mode is bilevel", [:])
        default: break
        }
        guard image.format != .bilevel else {
            return .left(image, "unchanged: black and white already")
        }
        let content = ColorContent(image)
        let measurements = [
            "colored mm²": content.colored, "mid-tone mm²": content.midTones,
        ]
        if content.colored >= 1.5 {
            return .left(
                image, "unchanged: \(rounded(content.colored, places: 1)) mm² of color",
                measurements)
        }
        if settings[Self.mode] == "auto-gray" {
            return gray(image, because: "no color on the page", measurements)
        }
        if content.midTones >= 20 {
            return gray(
                image,
                because: "no color, but \(Int(content.midTones.rounded())) mm² of shades",
                measurements)
        }
        guard (image.plausibleResolution ?? 300) >= 190 else {
            return gray(
                image, because: "too coarse for letters in black and white", measurements)
        }
        return try bilevel(image, because: "only print on the page", measurements)
    }

    private func gray(
        _ image: Raster, because reason: String, _ measurements: [String: Double]
    ) -> StepOutcome {
        guard image.format.channels == 3 else {
            return .left(image, "unchanged: gray already", measurements)
        }
        let deep = image.format == .rgb16
        return .changed(
            image.converted(to: deep ? .gray16 : .gray8), "made gray: \(reason)", measurements)
    }

    private func bilevel(
        _ image: Raster, because reason: String, _ measurements: [String: Double]
    ) throws -> StepOutcome {
        guard image.format != .bilevel else {
            return .left(image, "unchanged: black and white already", measurements)
        }
        return .changed(
            try image.binarized(.sauvola(radius: BinarizeStep.radius(2.1, in: image))),
            "made black and white: \(reason)", measurements)
    }
}

/// The area of color and of shades on a page, in square millimeters.
struct ColorContent {
    /// The area with color that is wider than a letter's fringe.
    let colored: Double
    /// The area with smooth shades between black and white, as in photographs.
    let midTones: Double

    init(_ image: Raster) {
        let long = Double(max(image.width, image.height))
        let known = image.plausibleResolution ?? long / 11.69
        let scale = min(1, 150 / known, 4000 / long)
        let (width, height) = (
            max(1, Int((Double(image.width) * scale).rounded())),
            max(1, Int((Double(image.height) * scale).rounded()))
        )
        let small = image.converted(to: .rgb8).resized(to: width, height, filter: .area)
            .lightEvened(tile: 48)
        var chroma = [UInt8](repeating: 0, count: width * height)
        var luma = chroma
        small.withBytes { bytes in
            for y in 0..<height {
                for x in 0..<width {
                    let at = y * small.stride + 3 * x
                    let (r, g, b) = (bytes[at], bytes[at + 1], bytes[at + 2])
                    chroma[y * width + x] = max(r, g, b) - min(r, g, b)
                    luma[y * width + x] = UInt8((Int(r) * 77 + Int(g) * 150 + Int(b) * 29) >> 8)
                }
            }
        }
        var colors = 0
        var shades = 0
        for y in stride(from: 1, to: height - 1, by: 1) {
            for x in 1..<max(1, width - 1) {
                let at = y * width + x
                // A pixel is not a fringe if its four neighbors are colored too.
                if chroma[at] > 48,
                    min(chroma[at - 1], chroma[at + 1], chroma[at - width], chroma[at + width]) > 32
                {
                    colors += 1
                }
                guard (50..<205).contains(luma[at]) else { continue }
                var least = luma[at]
                var most = luma[at]
                for row in [at - width, at, at + width] {
                    for other in row - 1...row + 1 {
                        least = min(least, luma[other])
                        most = max(most, luma[other])
                    }
                }
                if most - least < 30 { shades += 1 }
            }
        }
        let pixel = 25.4 / (known * scale)
        colored = Double(colors) * pixel * pixel
        midTones = Double(shades) * pixel * pixel
    }
}
