/// A rectangle of whole pixels in a raster.
public struct PixelRect: Hashable, Sendable {
    /// Pixels from the raster's left edge.
    public var x: Int
    /// Pixels from the raster's top edge.
    public var y: Int
    /// Width in pixels.
    public var width: Int
    /// Height in pixels.
    public var height: Int

    /// The rectangle of `width` × `height` pixels whose top left pixel is at `x`, `y`.
    public init(x: Int, y: Int, width: Int, height: Int) {
        self.x = x
        self.y = y
        self.width = width
        self.height = height
    }

    /// The part of the rectangle that is inside another; nil when they share no pixel.
    ///
    /// Any values are safe: sums that overflow count as the far edge of the number range.
    public func intersection(_ other: PixelRect) -> PixelRect? {
        let left = max(x, other.x)
        let top = max(y, other.y)
        let right = min(Self.end(x, width), Self.end(other.x, other.width))
        let bottom = min(Self.end(y, height), Self.end(other.y, other.height))
        guard right > left, bottom > top else { return nil }
        return PixelRect(x: left, y: top, width: right - left, height: bottom - top)
    }

    private static func end(_ start: Int, _ length: Int) -> Int {
        let (sum, overflow) = start.addingReportingOverflow(length)
        return overflow ? (length > 0 ? .max : .min) : sum
    }
}
