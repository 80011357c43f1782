extension Quad {
    /// The corners of a picture of `width` × `height` pixels.
    public init(width: Int, height: Int) {
        let (right, bottom) = (Double(width), Double(height))
        self.init(
            topLeft: Point(x: 0, y: 0), topRight: Point(x: right, y: 0),
            bottomRight: Point(x: right, y: bottom), bottomLeft: Point(x: 0, y: bottom))
    }

    /// The area in square pixels, by the shoelace formula; never negative.
    ///
    /// Meaningless for a quad whose sides cross.
    public var area: Double { signedArea.magnitude }

    /// The area, negative when the corners run counterclockwise as seen.
    var signedArea: Double {
        let diagonal1 = bottomRight - topLeft
        let diagonal2 = bottomLeft - topRight
        return 0.5 * diagonal1.cross(diagonal2)
    }

    /// True when all corners are finite, no three are on a line and no sides cross.
    ///
    /// Either direction of the corners counts. Corners within a billionth of the quad's size of a
    /// line count as on it.
    public var isConvex: Bool {
        let points = corners
        guard points.allSatisfy({ $0.x.isFinite && $0.y.isFinite }) else { return false }
        let size = max(topLeft.distance(to: bottomRight), topRight.distance(to: bottomLeft))
        let turns = (0..<4).map { (i: Int) -> Double in
            let side: Point = points[(i + 1) % 4] - points[i]
            let next: Point = points[(i + 2) % 4] - points[(i + 1) % 4]
            return side.cross(next)
        }
        let least = 1e-9 * size * size
        return turns.allSatisfy { $0 > least } || turns.allSatisfy { $0 < -least }
    }

    /// The longer of the two diagonals in pixels.
    public var diagonal: Double {
        max(topLeft.distance(to: bottomRight), topRight.distance(to: bottomLeft))
    }

    /// The lengths of the four sides in pixels: top, right, bottom, left.
    public var sides: [Double] {
        let points = corners
        return (0..<4).map { points[$0].distance(to: points[($0 + 1) % 4]) }
    }

    /// The convex quad with each side moved inward by `distance` pixels.
    ///
    /// - Precondition: `distance` is less than half of the shortest distance between two opposite
    ///   sides; otherwise, sides cross.
    public func inset(by distance: Double) -> Quad {
        let points = corners
        let moved = (0..<4).map { (i: Int) -> Point in
            let here = points[i]
            let next: Point = points[(i + 1) % 4] - here
            let last: Point = points[(i + 3) % 4] - here
            let (nextLength, lastLength) = (
                next.dot(next).squareRoot(), last.dot(last).squareRoot()
            )
            // The step along each side after which the other side is `distance` away.
            let step = distance / next.cross(last).magnitude
            return Point(
                x: here.x + step * (next.x * lastLength + last.x * nextLength),
                y: here.y + step * (next.y * lastLength + last.y * nextLength))
        }
        return Quad(
            topLeft: moved[0], topRight: moved[1], bottomRight: moved[2], bottomLeft: moved[3])
    }

    /// The inner angles in degrees, 0…180: at the top left, top right, bottom right and bottom
    /// left.
    ///
    /// Defined for a convex quad, where they add up to 360.
    public var angles: [Double] {
        let points = corners
        return (0..<4).map { (i: Int) -> Double in
            let before: Point = points[(i + 3) % 4] - points[i]
            let after: Point = points[(i + 1) % 4] - points[i]
            return Trigonometry.degrees(y: after.cross(before).magnitude, x: after.dot(before))
        }
    }

    /// The mean of the four corners.
    public var center: Point {
        let sum = corners.reduce(Point(x: 0, y: 0)) { Point(x: $0.x + $1.x, y: $0.y + $1.y) }
        return Point(x: sum.x / 4, y: sum.y / 4)
    }

    /// The distance of a point inside a convex quad from the line of the nearest side, in pixels;
    /// negative outside.
    public func depth(of point: Point) -> Double {
        let inward = signedArea < 0 ? -1.0 : 1
        let corners = corners
        var least = Double.infinity
        for i in 0..<4 {
            let side: Point = corners[(i + 1) % 4] - corners[i]
            let length = corners[i].distance(to: corners[(i + 1) % 4])
            guard length > 0 else { continue }
            least = min(least, inward * side.cross(point - corners[i]) / length)
        }
        return least
    }

    /// The quad with every coordinate multiplied, as when its picture is resized.
    public func scaled(x: Double, y: Double) -> Quad {
        func scaled(_ point: Point) -> Point { Point(x: point.x * x, y: point.y * y) }
        return Quad(
            topLeft: scaled(topLeft), topRight: scaled(topRight),
            bottomRight: scaled(bottomRight), bottomLeft: scaled(bottomLeft))
    }

    /// The smallest rectangle of whole pixels that holds the quad, clipped to a picture; nil when
    /// they share no pixel.
    public func boundingBox(in bounds: PixelRect) -> PixelRect? {
        let xs = corners.map(\.x)
        let ys = corners.map(\.y)
        guard (xs + ys).allSatisfy({ $0.magnitude < 1e15 }) else { return nil }
        let left = Int(xs.min()!.rounded(.down))
        let top = Int(ys.min()!.rounded(.down))
        let right = Int(xs.max()!.rounded(.up))
        let bottom = Int(ys.max()!.rounded(.up))
        return PixelRect(x: left, y: top, width: right - left, height: bottom - top)
            .intersection(bounds)
    }
}

extension Point {
    /// The distance to another point in pixels.
    public func distance(to other: Point) -> Double {
        let (dx, dy) = (other.x - x, other.y - y)
        return (dx * dx + dy * dy).squareRoot()
    }

    static func - (a: Point, b: Point) -> Point { Point(x: a.x - b.x, y: a.y - b.y) }

    func cross(_ other: Point) -> Double { x * other.y - y * other.x }

    func dot(_ other: Point) -> Double { x * other.x + y * other.y }
}
