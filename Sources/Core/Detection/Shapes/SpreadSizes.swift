import Glibc
import Imaging

/// The apparent size of objects of one kind on a table, depending on their place in the picture.
///
/// Under a tilted camera, nearer objects look larger: the logarithm of a side's length is a plane
/// over the picture.
struct SpreadSizes {
    private let long: PlaneFit
    private let short: PlaneFit

    /// The difference of a side's length from the expected one, and from the opposite side's, that
    /// costs no penalty; in differences of logarithms.
    private static let free = 0.03
    private static let skew = 0.06

    /// - Parameter quads: the objects, some of which may be wrong; at least one.
    init(_ quads: [Quad]) {
        func fit(_ length: (Quad) -> Double) -> PlaneFit {
            PlaneFit(quads.map { ($0.center, log(length($0))) })
        }
        long = fit(\.longSide)
        short = fit(\.shortSide)
    }

    /// The deviation of a quad's sides from the expected ones at its place; 0 for a quad that fits.
    func misfit(_ quad: Quad) -> Double {
        func beyond(_ value: Double, _ free: Double) -> Double { max(0, abs(value) - free) }
        let sides = quad.sides
        let lean =
            abs(log(sides[0] / sides[2])) + abs(log(sides[1] / sides[3]))
        return beyond(log(quad.longSide) - long.value(at: quad.center), Self.free)
            + beyond(log(quad.shortSide) - short.value(at: quad.center), Self.free)
            + beyond(lean, Self.skew) / 2
    }
}

extension Quad {
    /// The longer and the shorter of the mean lengths of opposite sides.
    var longSide: Double { max(sides[0] + sides[2], sides[1] + sides[3]) / 2 }
    var shortSide: Double { min(sides[0] + sides[2], sides[1] + sides[3]) / 2 }
}
