import Imaging

/// Judges whether a quad's corners are round, as those of trading, bank and ID cards are.
///
/// A page on a larger sheet looks like a card's print within its border: a frame within a frame.
/// But only the card's own corners are round, with the desk visible beside them.
struct RoundCorners {
    let frame: FrameView

    /// A card's radius, in parts of its shorter side: 3.2 mm of 54 mm to 63 mm.
    private static let radius = 0.052
    /// The places of samples on the line from the corner inward, of the desk beside the corner and
    /// of the card, in radii along each side; the arc crosses this line at 0.29.
    private static let outside = [-0.7, -0.5, -0.35]
    private static let inside = [0.75, 0.95, 1.15]
    private static let between = [0.06, 0.13, 0.2, 0.27, 0.34]
    /// Samples to the left and right of the line, in radii.
    private static let beside = [-0.08, 0, 0.08]
    /// The minimum difference between desk and card, in levels; with less, a corner can't be
    /// measured.
    private static let leastContrast: Float = 14
    /// The minimum degree at which a corner counts as round.
    private static let leastDegree = 0.5
    /// The minimum radius, in pixels, that can be measured.
    private static let leastRadius = 4.0

    /// The number of round corners, 0…4.
    func count(of quad: Quad) -> Int {
        degrees(of: quad).count { $0 ?? 0 >= Self.leastDegree }
    }

    /// The roundness of each corner, from 0 for a sharp one to 1 for a card's; nil where it can't
    /// be measured.
    private func degrees(of quad: Quad) -> [Double?] {
        let corners = quad.corners
        let radius = Self.radius * (quad.sides.min() ?? 0)
        guard radius >= Self.leastRadius else { return [nil, nil, nil, nil] }
        return (0..<4).map { at in
            degree(
                at: corners[at], toward: corners[(at + 1) % 4], and: corners[(at + 3) % 4], radius)
        }
    }

    /// The roundness of the corner between two others.
    private func degree(
        at corner: Point, toward next: Point, and before: Point, _ radius: Double
    ) -> Double? {
        func unit(_ other: Point) -> Point {
            let length = max(corner.distance(to: other), 1e-9)
            return Point(x: (other.x - corner.x) / length, y: (other.y - corner.y) / length)
        }
        let (a, b) = (unit(next), unit(before))
        // The center of the arc is one radius away along each side.
        let inward = Point(x: (a.x + b.x) * radius, y: (a.y + b.y) * radius)
        let across = Point(x: (a.x - b.x) * radius, y: (a.y - b.y) * radius)
        func mean(_ places: [Double]) -> SIMD3<Float>? {
            var sum = SIMD3<Float>()
            for along in places {
                for aside in Self.beside {
                    let x = corner.x + along * inward.x + aside * across.x
                    let y = corner.y + along * inward.y + aside * across.y
                    guard x >= 0, y >= 0, x < Double(frame.width), y < Double(frame.height)
                    else { return nil }
                    sum += frame.color(x, y)
                }
            }
            return sum / Float(places.count * Self.beside.count)
        }
        guard let desk = mean(Self.outside), let card = mean(Self.inside),
            let rim = mean(Self.between)
        else { return nil }
        let way = desk - card
        let length = (way * way).sum()
        guard length >= Self.leastContrast * Self.leastContrast else { return nil }
        let part = ((rim - card) * way).sum() / length
        return Double(min(1, max(0, part)))
    }
}
