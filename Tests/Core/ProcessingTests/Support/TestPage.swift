import Imaging

/// Pictures of pages with known properties.
enum TestPage {
    /// An A4 page of text at 150 dpi, gray, exactly upright and straight.
    static func letter() throws -> Raster {
        try bilevelLetter().converted(to: .gray8)
    }

    /// The same letter in black and white.
    static func bilevelLetter() throws -> Raster {
        var page = try Raster.decoded(from: PackageResources.letter_png)
        page.resolution = 150
        return page
    }

    /// `page` turned by any angle about its center, clockwise when viewed, on white.
    static func turned(_ page: Raster, clockwise degrees: Double) throws -> Raster {
        let (sine, cosine) = sinCos(degrees)
        let (x, y) = (Double(page.width) / 2, Double(page.height) / 2)
        // The y axis points down, so this matrix turns clockwise when viewed.
        let matrix = [
            cosine, -sine, x - cosine * x + sine * y, sine, cosine, y - sine * x - cosine * y, 0, 0,
            1,
        ]
        guard let map = Homography(matrix: matrix) else { throw ImagingError(.unsupported, "map") }
        var turned = page.warped(by: map, width: page.width, height: page.height)
        turned.resolution = page.resolution
        return turned
    }

    /// A picture of `width` × `height` that shows `page` with its corners at `quad`, and
    /// `background` elsewhere.
    static func picture(
        _ width: Int, _ height: Int, resolution: Double?, page: Raster, at quad: Quad,
        noise: Int = 2, background: (Int, Int) -> Int
    ) -> Raster {
        let map = Homography(from: Quad(width: page.width, height: page.height), to: quad)!
        let laid = page.warped(by: map, width: width, height: height, fill: 0)
        // A white page at the same place distinguishes the sheet from its surroundings.
        var white = page
        white.withMutableBytes { _ = $0.initializeMemory(as: UInt8.self, repeating: 255) }
        let mask = white.warped(by: map, width: width, height: height, fill: 0)
        var random = SeededGenerator(seed: 11)
        var result = laid
        result.resolution = resolution
        let stride = laid.stride
        mask.withBytes { mask in
            result.withMutableBytes { bytes in
                for y in 0..<height {
                    for x in 0..<width {
                        let index = y * stride + x
                        let share = Int(mask[index])
                        var level = Int(bytes[index]) + background(x, y) * (255 - share) / 255
                        level +=
                            Int(truncatingIfNeeded: random.next() % UInt64(2 * noise + 1)) - noise
                        bytes[index] = UInt8(clamping: level)
                    }
                }
            }
        }
        return result
    }

    /// Sine and cosine by their series, which is sufficient for small angles.
    static func sinCos(_ degrees: Double) -> (Double, Double) {
        let x = degrees * .pi / 180
        let sine = x - x * x * x / 6 + x * x * x * x * x / 120
        return (sine, (1 - sine * sine).squareRoot())
    }

    /// A rectangle turned clockwise about its center.
    static func rectangle(
        x: Double, y: Double, width: Double, height: Double, clockwise degrees: Double = 0
    ) -> Quad {
        let (sine, cosine) = sinCos(degrees)
        let (cx, cy) = (x + width / 2, y + height / 2)
        func corner(_ dx: Double, _ dy: Double) -> Point {
            Point(
                x: cx + cosine * dx * width / 2 - sine * dy * height / 2,
                y: cy + sine * dx * width / 2 + cosine * dy * height / 2)
        }
        return Quad(
            topLeft: corner(-1, -1), topRight: corner(1, -1), bottomRight: corner(1, 1),
            bottomLeft: corner(-1, 1))
    }
}
