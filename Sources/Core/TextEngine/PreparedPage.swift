import CLeptonica

/// A picture in the form that the engine reads best, and the way back to the original pixels.
struct PreparedPage {
    let picture: Picture
    /// Dots per inch for the engine, which derives the smallest letters and column gaps from
    /// it; nil lets it guess.
    let resolution: Int?
    /// The shapes that may be letters, in the original's pixels.
    let shapes: LetterShapes
    let width: Int
    let height: Int

    init(_ original: Picture, resolution: Double?, keepsSize: Bool = false) {
        width = original.width
        height = original.height
        shapes = LetterShapes(of: original)
        let scale =
            keepsSize
            ? .one
            : InputScale.best(
                width: width, height: height, resolution: resolution, letters: shapes.medianHeight)
        picture = Self.scaled(original, scale) ?? original
        if let resolution, (InputScale.lowestBelieved...10_000).contains(resolution) {
            self.resolution = Int(resolution * Double(picture.height) / Double(height))
        } else {
            self.resolution = nil
        }
    }

    private static func scaled(_ original: Picture, _ scale: InputScale) -> Picture? {
        guard scale != .one,
            let gray = original.depth == 1
                ? Picture(pixConvert1To8(nil, original.pix, 255, 0)) : original
        else { return nil }
        let (x, y) = (Float(scale.horizontal), Float(scale.vertical))
        // Leptonica uses area averaging below 0.7 and linear interpolation above. Sharpening is
        // left out, because it raises noise.
        return Picture(pixScaleGeneral(gray.pix, x, y, 0, 0))
    }

    /// The corners, in the original's pixels, of the engine's rectangle `left`, `top`, `right`,
    /// `bottom`.
    func quad(left: Int32, top: Int32, right: Int32, bottom: Int32) -> [Double] {
        let left = floorX(left)
        let top = floorY(top)
        let right = max(ceilX(right), left)
        let bottom = max(ceilY(bottom), top)
        return [left, top, right, top, right, bottom, left, bottom].map(Double.init)
    }

    /// The ends of the engine's baseline in the original's pixels.
    func baseline(x1: Int32, y1: Int32, x2: Int32, y2: Int32) -> [Double] {
        [floorX(x1), floorY(y1), floorX(x2), floorY(y2)].map(Double.init)
    }

    private func floorX(_ x: Int32) -> Int { Self.map(x, picture.width, to: width, rounding: 0) }
    private func floorY(_ y: Int32) -> Int { Self.map(y, picture.height, to: height, rounding: 0) }
    private func ceilX(_ x: Int32) -> Int {
        Self.map(x, picture.width, to: width, rounding: picture.width - 1)
    }
    private func ceilY(_ y: Int32) -> Int {
        Self.map(y, picture.height, to: height, rounding: picture.height - 1)
    }

    /// `value` × `whole` ÷ `part`, with `rounding` added before the division, kept within the
    /// picture.
    private static func map(_ value: Int32, _ part: Int, to whole: Int, rounding: Int) -> Int {
        (min(max(Int(value), 0), part) * whole + rounding) / part
    }
}
