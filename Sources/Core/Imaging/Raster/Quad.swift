/// A point in a raster: pixels from the top left corner of the top left pixel.
public struct Point: Hashable, Sendable {
    /// Pixels to the right.
    public var x: Double
    /// Pixels down.
    public var y: Double

    /// The point at `x`, `y`.
    public init(x: Double, y: Double) {
        self.x = x
        self.y = y
    }
}

/// Four corners of a page in a picture, clockwise from the page's top left.
public struct Quad: Hashable, Sendable {
    /// The page's top left corner.
    public var topLeft: Point
    /// The page's top right corner.
    public var topRight: Point
    /// The page's bottom right corner.
    public var bottomRight: Point
    /// The page's bottom left corner.
    public var bottomLeft: Point

    /// A quad of four corners in order.
    public init(topLeft: Point, topRight: Point, bottomRight: Point, bottomLeft: Point) {
        self.topLeft = topLeft
        self.topRight = topRight
        self.bottomRight = bottomRight
        self.bottomLeft = bottomLeft
    }

    /// The corners in order: top left, top right, bottom right, bottom left.
    public var corners: [Point] { [topLeft, topRight, bottomRight, bottomLeft] }
}
