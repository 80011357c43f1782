/// A perspective map of the plane: straight lines stay straight, and any four corners map to any
/// four others.
///
///     let flatten = Homography(from: page, to: Quad(width: 2480, height: 3508))
///     let middle = flatten?.apply(Point(x: 700, y: 400))
///
/// Built with the closed form of Heckbert, "Fundamentals of Texture Mapping and Image Warping"
/// (1989), section 2.2.
public struct Homography: Hashable, Sendable {
    /// The nine numbers, row after row, that take (x, y, 1) to (x′·w, y′·w, w).
    public let matrix: [Double]

    /// The map that leaves every point where it is.
    public static let identity = Homography(unchecked: [1, 0, 0, 0, 1, 0, 0, 0, 1])

    /// The map that takes the corners of one quad to those of another.
    ///
    /// Nil when either quad is not a convex quadrilateral of finite numbers with some area (corners
    /// that coincide, three on a line, crossed sides), because no invertible map of its inside
    /// exists.
    public init?(from source: Quad, to target: Quad) {
        guard source.isConvex, target.isConvex,
            let unsquare = Homography(unchecked: Self.squareTo(source)).inverse
        else { return nil }
        let product = Self.product(Self.squareTo(target), unsquare.matrix)
        guard let normal = Self.normalized(product) else { return nil }
        self.init(unchecked: normal)
    }

    /// The map given by nine numbers, row after row; nil unless they are finite and can be
    /// inverted.
    public init?(matrix: [Double]) {
        guard matrix.count == 9, let normal = Self.normalized(matrix),
            Homography(unchecked: normal).inverse != nil
        else { return nil }
        self.init(unchecked: normal)
    }

    /// A clockwise turn around the middle of a picture, whose size stays the same.
    public static func turn(byDegrees degrees: Double, width: Int, height: Int) -> Homography {
        let (sine, cosine) = Trigonometry.sineCosine(degrees: degrees)
        let (x, y) = (Double(width) / 2, Double(height) / 2)
        return Homography(unchecked: [
            cosine, -sine, x - cosine * x + sine * y,
            sine, cosine, y - sine * x - cosine * y,
            0, 0, 1,
        ])
    }

    private init(unchecked matrix: [Double]) { self.matrix = matrix }

    /// The point to which the map moves a point.
    ///
    /// A point on the map's horizon goes to infinity: its coordinates are then not finite.
    public func apply(_ point: Point) -> Point {
        let m = matrix
        let w = m[6] * point.x + m[7] * point.y + m[8]
        return Point(
            x: (m[0] * point.x + m[1] * point.y + m[2]) / w,
            y: (m[3] * point.x + m[4] * point.y + m[5]) / w)
    }

    /// The points to which the map takes those of a grid with whole coordinates from 0, row after
    /// row.
    ///
    /// - Parameters:
    ///   - width: points in a row.
    ///   - height: rows.
    /// - Returns: `width × height` points; not finite on the map's horizon.
    public func applyToGrid(width: Int, height: Int) -> [Point] {
        let m = matrix
        let (xAcross, yAcross, wAcross) = (m[0], m[3], m[6])
        var points: [Point] = []
        points.reserveCapacity(max(0, width * height))
        for row in 0..<max(0, height) {
            let down = Double(row)
            let (x, y, w) = (m[1] * down + m[2], m[4] * down + m[5], m[7] * down + m[8])
            for column in 0..<max(0, width) {
                let across = Double(column)
                let scale = 1 / (w + wAcross * across)
                points.append(
                    Point(x: (x + xAcross * across) * scale, y: (y + yAcross * across) * scale))
            }
        }
        return points
    }

    /// The quad to which the map moves a quad's corners.
    public func apply(_ quad: Quad) -> Quad {
        Quad(
            topLeft: apply(quad.topLeft), topRight: apply(quad.topRight),
            bottomRight: apply(quad.bottomRight), bottomLeft: apply(quad.bottomLeft))
    }

    /// The inverse map; nil when this map takes the plane to a line.
    public var inverse: Homography? {
        let m = matrix
        let adjugate = [
            m[4] * m[8] - m[5] * m[7], m[2] * m[7] - m[1] * m[8], m[1] * m[5] - m[2] * m[4],
            m[5] * m[6] - m[3] * m[8], m[0] * m[8] - m[2] * m[6], m[2] * m[3] - m[0] * m[5],
            m[3] * m[7] - m[4] * m[6], m[1] * m[6] - m[0] * m[7], m[0] * m[4] - m[1] * m[3],
        ]
        let determinant = m[0] * adjugate[0] + m[1] * adjugate[3] + m[2] * adjugate[6]
        // The determinant is compared with the size of its terms, which cancel each other.
        let scale =
            (m[0] * adjugate[0]).magnitude + (m[1] * adjugate[3]).magnitude
            + (m[2] * adjugate[6]).magnitude
        guard determinant.isFinite, determinant.magnitude > 1e-12 * scale,
            let normal = Self.normalized(adjugate)
        else { return nil }
        return Homography(unchecked: normal)
    }

    /// The map that applies this one first and then `next`.
    public func then(_ next: Homography) -> Homography? {
        Homography(matrix: Self.product(next.matrix, matrix))
    }

    /// The map of the unit square's corners (0,0), (1,0), (1,1), (0,1) to the quad's.
    private static func squareTo(_ quad: Quad) -> [Double] {
        let (a, b, c, d) = (quad.topLeft, quad.topRight, quad.bottomRight, quad.bottomLeft)
        let (dx1, dy1) = (b.x - c.x, b.y - c.y)
        let (dx2, dy2) = (d.x - c.x, d.y - c.y)
        let (sx, sy) = (a.x - b.x + c.x - d.x, a.y - b.y + c.y - d.y)
        let det = dx1 * dy2 - dx2 * dy1
        let g = (sx * dy2 - dx2 * sy) / det
        let h = (dx1 * sy - sx * dy1) / det
        return [
            b.x - a.x + g * b.x, d.x - a.x + h * d.x, a.x,
            b.y - a.y + g * b.y, d.y - a.y + h * d.y, a.y,
            g, h, 1,
        ]
    }

    private static func product(_ a: [Double], _ b: [Double]) -> [Double] {
        (0..<9).map { i in
            let (row, column) = (i / 3 * 3, i % 3)
            return a[row] * b[column] + a[row + 1] * b[column + 3] + a[row + 2] * b[column + 6]
        }
    }

    /// Scales the last number to 1 where it is not tiny, so that equal maps are nearly equal
    /// numbers.
    private static func normalized(_ m: [Double]) -> [Double]? {
        let largest = m.map(\.magnitude).max() ?? 0
        guard m.allSatisfy(\.isFinite), largest > 0 else { return nil }
        let divisor = m[8].magnitude > 1e-9 * largest ? m[8] : largest
        return m.map { $0 / divisor }
    }
}
