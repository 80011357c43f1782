import Processing
import ScanService

/// A part of a camera's picture, in shares of its width and height, 0…1.
struct LiveRegion: Codable, Hashable {
    var x: Double
    var y: Double
    var width: Double
    var height: Double

    /// What its JSON looks like.
    static let schema = Schema.record([
        ("x", share), ("y", share), ("width", share), ("height", share),
    ])
    private static let share = Schema.number(from: 0, to: 1)

    /// The region of an order's area; nil for one that isn't given in parts.
    init?(_ area: CaptureArea?) {
        guard case .parts(let x, let y, let width, let height) = area else { return nil }
        (self.x, self.y, self.width, self.height) = (x, y, width, height)
    }

    /// The same for an order.
    ///
    /// - Throws: ``Problem`` when it is empty or reaches beyond the picture.
    func area() throws(Problem) -> CaptureArea {
        let all = [x, y, width, height]
        // Sums of shares may be a hair above 1.
        guard all.allSatisfy({ (0...1).contains($0) }), width >= 0.01, height >= 0.01,
            x + width <= 1.000001, y + height <= 1.000001
        else {
            throw Problem(
                422, "invalid-region", "Region outside the picture",
                "The region is \(x), \(y), \(width), \(height): shares of the picture from 0 to 1 are meant, at least 0.01 wide and high, within it."
            )
        }
        return .parts(x: x, y: y, width: width, height: height)
    }

    /// The same for a watch.
    var part: Profile.Region { Profile.Region(left: x, top: y, width: width, height: height) }
}
