extension Raster {
    /// A photographed rectangle made flat: the inside of a quad, stretched to `width` × `height`
    /// pixels.
    ///
    /// - Parameters:
    ///   - quad: the rectangle's corners in this picture.
    ///   - width: the result's width in pixels, at least 1.
    ///   - height: the result's height in pixels, at least 1.
    ///   - fill: the level of the quad's parts outside the picture, 0 (black)…255 (white).
    /// - Throws: `unsupported` when the quad is not convex.
    public func warped(
        from quad: Quad, width: Int, height: Int, fill: UInt8 = 255
    ) throws(ImagingError) -> Raster {
        guard let map = Homography(from: quad, to: Quad(width: width, height: height)) else {
            throw ImagingError(
                .unsupported,
                "The corners \(quad.corners.map { "(\($0.x), \($0.y))" }.joined(separator: ", ")) do not form a convex quadrilateral. Give the four corners in order around the page."
            )
        }
        return warped(by: map, width: width, height: height, fill: fill)
    }

    /// The picture seen through a perspective map.
    ///
    /// Pixels are interpolated bilinearly. Where the map shrinks, the picture is first reduced with
    /// area averaging, so that fine detail becomes gray instead of noise. The result has no
    /// resolution, since the map has no information about paper. Bilevel stays bilevel.
    ///
    /// - Parameters:
    ///   - map: the map from points of this picture to points of the result.
    ///   - width: the result's width in pixels, at least 1.
    ///   - height: the result's height in pixels, at least 1.
    ///   - fill: the level of areas outside the picture, 0 (black)…255 (white).
    public func warped(
        by map: Homography, width: Int, height: Int, fill: UInt8 = 255
    ) -> Raster {
        guard let back = map.inverse else {
            // A homography from its public initializers can always be inverted.
            return self
        }
        var source = self
        var matrix = back.matrix
        let factor = Self.shrinkage(of: back, width: width, height: height)
        if factor >= 1.5 {
            let reducedWidth = max(1, Int((Double(self.width) / factor).rounded()))
            let reducedHeight = max(1, Int((Double(self.height) / factor).rounded()))
            source = resized(to: reducedWidth, reducedHeight, filter: .area)
            let x = Double(reducedWidth) / Double(self.width)
            let y = Double(reducedHeight) / Double(self.height)
            for i in 0..<3 {
                matrix[i] *= x
                matrix[3 + i] *= y
            }
        }
        // Places beyond the horizon have a negative divisor: that of the result's middle must be
        // positive.
        let divisor = matrix[6] * Double(width) / 2 + matrix[7] * Double(height) / 2 + matrix[8]
        if divisor < 0 { matrix = matrix.map { -$0 } }
        var result = source.sampled(through: matrix, width: width, height: height, fill: fill)
        if format == .bilevel { result = result.converted(to: .bilevel) }
        result.resolution = nil
        return result
    }

    /// The pixels of the picture that one pixel of the result covers along a line, at the place
    /// with the fewest; 1 when unclear.
    private static func shrinkage(of back: Homography, width: Int, height: Int) -> Double {
        let (w, h) = (Double(width), Double(height))
        let places = [
            (0.5, 0.5), (w - 0.5, 0.5), (0.5, h - 0.5), (w - 0.5, h - 0.5), (w / 2, h / 2),
        ]
        let scales = places.map { x, y -> Double in
            let here = back.apply(Point(x: x, y: y))
            let across = here.distance(to: back.apply(Point(x: x + 0.5, y: y))) * 2
            let down = here.distance(to: back.apply(Point(x: x, y: y + 0.5))) * 2
            return min(across, down)
        }
        let least = scales.min() ?? 1
        return least.isFinite ? least : 1
    }
}
