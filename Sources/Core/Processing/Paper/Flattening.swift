import Imaging

/// A quad cut out of a picture as the rectangle it is.
struct Flattening {
    /// Width of the result in pixels.
    let width: Int
    /// Height of the result in pixels.
    let height: Int
    /// Dots per inch of the result.
    let resolution: Double
    /// The size that was found, such as `A4 (210 × 297 mm)`.
    let summary: String
    private let quad: Quad
    /// The most lines of a side that may show the ground under the sheet.
    private let rim: Int

    /// A sheet on a scanner's glass, whose scale is known: the result keeps it.
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

    /// A photographed sheet: its shape is computed from the perspective and adjusted to a nearby
    /// known size.
    ///
    /// - Parameter paper: the size it has; nil finds it from the shape.
    ///
    /// Nil when its shape is impossible, or not that of the claimed card.
    init?(photographed quad: Quad, in image: Raster, target: Profile.Target, paper: PaperSize?) {
        let sides = quad.sides
        guard let measured = quad.trueAspectRatio(inPictureOf: image.width, by: image.height)
        else { return nil }
        // What does not have the card's shape is not a card; stretching it would falsify it.
        if let paper, target == .card, !paper.fits(aspect: measured) { return nil }
        // A covered or bent corner misleads about the focal length more than cameras differ in it,
        // and so about the shape of a page seen at an angle.
        let typical = quad.trueAspectRatio(
            inPictureOf: image.width, by: image.height, focalLength: Quad.typicalFocalLength)
        let size =
            paper ?? PaperSize.matching(aspect: measured, of: target)
            ?? typical.flatMap { PaperSize.matching(aspect: $0, of: target) }
        let known = size.map { measured >= 1 ? $0.aspect : 1 / $0.aspect }
        // A strip of a few pixels has no shape to speak of.
        guard (0.02...50).contains(measured) else { return nil }
        let aspect = known ?? measured
        // The longer of opposite sides, so that no detail is lost; the other direction follows from
        // the shape.
        var across = max(sides[0], sides[2])
        var down = max(sides[1], sides[3])
        if across / down < aspect { across = down * aspect } else { down = across / aspect }
        // Seen at a very steep angle, a sheet would grow far beyond what the camera saw of it.
        let limit = 2 * Double(image.width) * Double(image.height)
        let shrink = min(1, (limit / (across * down)).squareRoot())
        width = max(1, Int((across * shrink).rounded()))
        height = max(1, Int((down * shrink).rounded()))
        let assumed = AssumedSize(width: width, height: height, target: target, size: size)
        resolution = assumed.resolution
        summary = size?.shown(isWide: width > height) ?? "a page \(assumed.summary)"
        // The pixels on the very edge hold desk as well, and would frame the page with a dark line.
        let sliver = max(1, Self.sliver * quad.diagonal)
        self.quad = quad.inset(by: min(sliver, (sides.min() ?? 0) / 10))
        rim = max(3, Int(2 * sliver))
    }

    /// How far within its sides a photographed sheet is cut, in parts of its diagonal, but at least
    /// a pixel: a third of a millimeter of A4.
    private static let sliver = 0.001

    /// Where ``applied(to:fill:)`` reads pixels; a rim that was cut off afterwards is a few lines
    /// at most.
    func movement(to result: Raster) -> PixelMovement {
        .moved(from: quad, to: Quad(width: result.width, height: result.height))
    }

    /// The rectangle cut out of `image`.
    ///
    /// - Parameter fill: what parts outside the picture become, 0…255.
    func applied(to image: Raster, fill: UInt8 = 255) throws -> Raster {
        var result = try image.warped(from: quad, width: width, height: height, fill: fill)
        result.resolution = resolution
        return result.withoutRim(most: rim)
    }
}

extension Quad {
    /// True when at least three corners are more than 1° off a right angle: a sheet seen at an
    /// angle; a torn or badly cut one has two good corners left.
    var isBentByPerspective: Bool { angles.count { ($0 - 90).magnitude > 1 } >= 3 }

    /// The mean lean of the sides in degrees when the quad is a rectangle seen straight on, nil
    /// when perspective bends it.
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
        // For the few degrees this is used for, a side's rise over its run is its angle.
        let leans = (0..<4).map { index -> Double in
            let (a, b) = (points[index], points[(index + 1) % 4])
            let (dx, dy) = (b.x - a.x, b.y - a.y)
            return index.isMultiple(of: 2) ? dy / dx : -dx / dy
        }
        return leans.reduce(0, +) / 4 * 180 / .pi
    }
}
