import Imaging

/// The rectangle that a quad in a picture shows, for cutting it out.
struct Flattening {
    /// Width of the result in pixels.
    let width: Int
    /// Height of the result in pixels.
    let height: Int
    /// Dots per inch of the result.
    let resolution: Double
    /// The size of the sheet, such as `A4 (210 × 297 mm)`.
    let summary: String
    private let quad: Quad
    /// The maximum number of lines along a side that may show the ground under the sheet.
    private let rim: Int

    /// A sheet on a scanner's glass with a known scale, which the result keeps.
    init(scanned quad: Quad, resolution: Double) {
        let sides = quad.sides
        self.quad = quad
        rim = 0
        self.resolution = resolution
        width = max(1, Int(((sides[0] + sides[2]) / 2).rounded()))
        height = max(1, Int(((sides[1] + sides[3]) / 2).rounded()))
        let millimeters = (
            Double(width) / resolution * 25.4, Double(height) / resolution * 25.4
        )
        let size = PaperSize.matching(width: millimeters.0, height: millimeters.1)
        summary =
            size?.shown(isWide: width > height)
            ?? "\(Int(millimeters.0.rounded())) × \(Int(millimeters.1.rounded())) mm"
    }

    /// A photographed sheet, whose shape is computed from the perspective and adjusted to a similar
    /// known size.
    ///
    /// - Parameter paper: the sheet's size; nil to find it from the shape.
    ///
    /// Nil when the shape is impossible, or is not that of the requested card.
    init?(photographed quad: Quad, in image: Raster, target: Profile.Target, paper: PaperSize?) {
        let sides = quad.sides
        guard let measured = quad.trueAspectRatio(inPictureOf: image.width, by: image.height)
        else { return nil }
        // A sheet without the card's shape is not a card, and stretching would falsify it.
        if let paper, target == .card, !paper.fits(aspect: measured) { return nil }
        // For a page seen at an angle, a covered or bent corner gives a focal length that no camera
        // has, and so a wrong shape.
        let typical = quad.trueAspectRatio(
            inPictureOf: image.width, by: image.height, focalLength: Quad.typicalFocalLength)
        let size =
            paper ?? PaperSize.matching(aspect: measured, of: target)
            ?? typical.flatMap { PaperSize.matching(aspect: $0, of: target) }
        let known = size.map { measured >= 1 ? $0.aspect : 1 / $0.aspect }
        // The shape of a strip of a few pixels can't be measured.
        guard (0.02...50).contains(measured) else { return nil }
        let aspect = known ?? measured
        // The longer of two opposite sides is used, so that no detail is lost; the other length
        // follows from the shape.
        var across = max(sides[0], sides[2])
        var down = max(sides[1], sides[3])
        if across / down < aspect { across = down * aspect } else { down = across / aspect }
        // A sheet seen at a very steep angle would become much larger than what the camera saw.
        let limit = 2 * Double(image.width) * Double(image.height)
        let shrink = min(1, (limit / (across * down)).squareRoot())
        width = max(1, Int((across * shrink).rounded()))
        height = max(1, Int((down * shrink).rounded()))
        let assumed = AssumedSize(width: width, height: height, target: target, size: size)
        resolution = assumed.resolution
        summary = size?.shown(isWide: width > height) ?? "a page \(assumed.summary)"
        // The outermost pixels show some desk too, and would frame the page with a dark line.
        let sliver = max(1, Self.sliver * quad.diagonal)
        self.quad = quad.inset(by: min(sliver, (sides.min() ?? 0) / 10))
        rim = max(3, Int(2 * sliver))
    }

    /// The distance inside its sides at which a photographed sheet is cut, as a fraction of its
    /// diagonal, but at least a pixel: a third of a millimeter for A4.
    private static let sliver = 0.001

    /// The map from the picture to the result of ``applied(to:fill:)``; a rim that was cut off
    /// afterward is at most a few lines.
    func movement(to result: Raster) -> PixelMovement {
        .moved(from: quad, to: Quad(width: result.width, height: result.height))
    }

    /// The rectangle cut out of `image`.
    ///
    /// - Parameter fill: the level of parts outside the picture, 0…255.
    func applied(to image: Raster, fill: UInt8 = 255) throws -> Raster {
        var result = try image.warped(from: quad, width: width, height: height, fill: fill)
        result.resolution = resolution
        return result.withoutRim(most: rim)
    }
}

extension Quad {
    /// True when at least three corners are more than 1° off a right angle: a sheet seen at an
    /// angle.
    ///
    /// A torn or badly cut sheet still has two good corners.
    var isBentByPerspective: Bool { angles.count { ($0 - 90).magnitude > 1 } >= 3 }

    /// The mean tilt of the sides in degrees for a rectangle seen straight on; nil when perspective
    /// distorts it.
    ///
    /// Straight on: every corner within 1° of a right angle and opposite sides equal within 1.5 %.
    var leanOfRectangle: Double? {
        let sides = sides
        func alike(_ a: Double, _ b: Double) -> Bool {
            (a - b).magnitude <= max(3, 0.015 * max(a, b))
        }
        guard angles.allSatisfy({ ($0 - 90).magnitude <= 1 }), alike(sides[0], sides[2]),
            alike(sides[1], sides[3])
        else { return nil }
        let points = corners
        // For such a small tilt, a side's rise over its run is its angle.
        let leans = (0..<4).map { index -> Double in
            let (a, b) = (points[index], points[(index + 1) % 4])
            let (dx, dy) = (b.x - a.x, b.y - a.y)
            return index.isMultiple(of: 2) ? dy / dx : -dx / dy
        }
        return leans.reduce(0, +) / 4 * 180 / .pi
    }
}
