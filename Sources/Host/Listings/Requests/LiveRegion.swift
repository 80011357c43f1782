package import ScanService

/// A part of a camera's picture, in fractions of its width and height, 0…1.
package struct LiveRegion: Codable, Hashable, Sendable {
    package var x: Double
    package var y: Double
    package var width: Double
    package var height: Double

    /// The region of an order's area; nil for an area that is not given in fractions.
    package init?(_ area: CaptureArea?) {
        guard case .parts(let x, let y, let width, let height) = area else { return nil }
        (self.x, self.y, self.width, self.height) = (x, y, width, height)
    }
}
