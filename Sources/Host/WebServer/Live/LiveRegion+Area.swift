import Listings
import Processing
import ScanService

extension LiveRegion {
    /// The schema of the JSON.
    static let schema = Schema.record(["x": share, "y": share, "width": share, "height": share])
    private static let share = Schema.number(from: 0, to: 1)

    /// The region as the area of an order.
    ///
    /// - Throws: ``Problem`` when it is empty or reaches beyond the picture.
    func area() throws(Problem) -> CaptureArea {
        let all = [x, y, width, height]
        // Rounding may make sums of fractions slightly larger than 1.
        guard all.allSatisfy({ (0...1).contains($0) }), width >= 0.01, height >= 0.01,
            x + width <= 1.000001, y + height <= 1.000001
        else {
            throw Problem(
                422, "invalid-region",
                detail:
                    "The region is \(x), \(y), \(width), \(height): it must lie within the picture, in fractions of it from 0 to 1, and be at least 0.01 wide and tall."
            )
        }
        return .parts(x: x, y: y, width: width, height: height)
    }

    /// The region as the area of a watch.
    var part: Profile.Region { Profile.Region(left: x, top: y, width: width, height: height) }
}
