/// A rectangle on a page: pixels of the page's picture, from its top left corner.
public struct Box: Codable, Hashable, Sendable {
    /// Pixels from the left edge.
    public var x: Int
    /// Pixels from the top edge.
    public var y: Int
    /// Width in pixels.
    public var width: Int
    /// Height in pixels.
    public var height: Int

    /// A rectangle of `width` × `height` pixels at `x`, `y`.
    public init(x: Int, y: Int, width: Int, height: Int) {
        self.x = x
        self.y = y
        self.width = width
        self.height = height
    }

    /// The range of a rectangle's numbers, which keeps their sums within an integer's range.
    private static let places = -1_000_000_000...1_000_000_000

    /// Reads a rectangle; refuses one outside the range.
    public init(from decoder: any Decoder) throws {
        let fields = try decoder.container(keyedBy: CodingKeys.self)
        x = try fields.decode(.x, in: Self.places)
        y = try fields.decode(.y, in: Self.places)
        width = try fields.decode(.width, in: Self.places)
        height = try fields.decode(.height, in: Self.places)
    }
}

extension Box {
    /// The smallest rectangle around some others; nil for none.
    public init?(around boxes: [Box]) {
        guard let left = boxes.map(\.x).min(), let top = boxes.map(\.y).min(),
            let right = boxes.map(\.right).max(), let bottom = boxes.map(\.bottom).max()
        else { return nil }
        self.init(x: left, y: top, width: right - left, height: bottom - top)
    }

    /// True if sums of the rectangle's numbers stay in range.
    public var isInRange: Bool {
        [x, y, width, height].allSatisfy(Self.places.contains)
    }

    /// The first column of pixels to the right of the rectangle.
    public var right: Int { x + width }
    /// The first row of pixels below the rectangle.
    public var bottom: Int { y + height }
    /// The middle of the rectangle's height, in pixels from the picture's top edge.
    public var middle: Double { Double(y) + Double(height) / 2 }
}
