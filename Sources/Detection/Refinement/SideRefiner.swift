import Imaging

/// Moves the sides of a quad onto the steps of brightness in the picture at full size, to parts of a pixel.
///
/// Across each side, at many places along it, brightness is sampled; all straight lines near the side vote with the steps they pass over (a Hough transform of two offsets), the best is fitted
/// by weighted least squares, and neighbouring lines are intersected. A side moves only when most of its places see a step of the same direction, and stays where its
/// edge is not straight: the network's line is better there.
struct SideRefiner {
    let frame: FrameView

    /// How far from a side its edge is looked for, as a part of the picture's longer side.
    private static let reach = 0.012
    /// Places along a side, and probes across it to either side of the middle one.
    private static let places = 64
    private static let probes = 12
    private static let offsets = 2 * probes + 1
    /// Steps of more levels than this count no more: print has the strongest.
    private static let mostStep: Float = 24
    /// How much a line at the end of the reach is held back.
    private static let prior: Float = 0.35
    /// The part of a side's places in view at which a step must be seen, in levels.
    private static let leastSupport = 0.5
    private static let leastStep: Float = 4
    /// The part of a side's places that must be in view.
    private static let leastInView = 0.4
    /// Sides shorter than this, in pixels, are left as they are.
    private static let leastLength = 40.0

    /// The refined corners: on the outer edge of a border, where print within the paper has one.
    func refined(_ quad: Quad) -> Quad {
        let reach = Self.reach * Double(max(frame.width, frame.height))
        let sharp = refined(quad, reach: reach)
        guard let outer = PaperBorder(frame: frame).found(around: sharp, rough: quad) else {
            return sharp
        }
        return refined(outer.quad, reach: min(reach, PaperBorder.reach * outer.width))
    }

    private func refined(_ quad: Quad, reach: Double) -> Quad {
        let corners = quad.corners
        guard quad.sides.allSatisfy({ $0 >= Self.leastLength }) else { return quad }
        let lines = (0..<4).map { i -> (Point, Point) in
            side(from: corners[i], to: corners[(i + 1) % 4], reach)
        }
        let moved = (0..<4).map { i -> Point in
            let (before, after) = (lines[(i + 3) % 4], lines[i])
            guard let crossing = Hull.intersection(before.0, before.1, after.0, after.1),
                crossing.distance(to: corners[i]) < 3 * reach
            else { return corners[i] }
            return crossing
        }
        let result = Quad(
            topLeft: moved[0], topRight: moved[1], bottomRight: moved[2], bottomLeft: moved[3])
        return result.isConvex ? result : quad
    }

    private func side(from a: Point, to b: Point, _ reach: Double) -> (Point, Point) {
        let length = a.distance(to: b)
        let step = max(1, reach / Double(Self.probes))
        let along = Point(x: (b.x - a.x) / length, y: (b.y - a.y) / length)
        let normal = Point(x: -along.y, y: along.x)
        let count = Self.places * Self.offsets
        return withUnsafeTemporaryAllocation(of: Float.self, capacity: count) { rises in
            var inView = [Bool](repeating: false, count: Self.places)
            for place in 0..<Self.places {
                let part = Self.part(place)
                let foot = Point(x: a.x + part * (b.x - a.x), y: a.y + part * (b.y - a.y))
                let row = UnsafeMutableBufferPointer(
                    rebasing: rises[place * Self.offsets..<(place + 1) * Self.offsets])
                inView[place] =
                    foot.x > 2 && foot.y > 2 && foot.x < Double(frame.width - 3)
                    && foot.y < Double(frame.height - 3)
                if inView[place] {
                    sample(
                        foot, along: along, normal: normal, step: step, blur: 0.004 * length,
                        into: row)
                } else {
                    row.update(repeating: 0)
                }
            }
            let seen = inView.count { $0 }
            guard Double(seen) >= Self.leastInView * Double(Self.places),
                let line = EdgeVote(
                    rises: UnsafeBufferPointer(rises), offsets: Self.offsets, places: Self.places,
                    part: Self.part, mostStep: Self.mostStep, prior: Self.prior
                ).line(inView: inView, leastStep: Self.leastStep, leastSupport: Self.leastSupport)
            else { return (a, b) }
            func moved(_ point: Point, _ probe: Double) -> Point {
                let by = (probe - Double(Self.probes)) * step
                return Point(x: point.x + by * normal.x, y: point.y + by * normal.y)
            }
            return (moved(a, line.start), moved(b, line.end))
        }
    }

    /// How far along the side a place lies, 0…1.
    private static func part(_ place: Int) -> Double {
        0.05 + 0.9 * Double(place) / Double(places - 1)
    }

    /// How much brightness rises at each probe across the side, going inward, smoothed a little along it.
    private func sample(
        _ foot: Point, along: Point, normal: Point, step: Double, blur: Double,
        into rises: UnsafeMutableBufferPointer<Float>
    ) {
        withUnsafeTemporaryAllocation(of: Float.self, capacity: Self.offsets + 2) { levels in
            for i in 0..<Self.offsets + 2 {
                let across = Double(i - Self.probes - 1) * step
                let (x, y) = (foot.x + across * normal.x, foot.y + across * normal.y)
                levels[i] =
                    frame.level(x - blur * along.x, y - blur * along.y) + frame.level(x, y)
                    + frame.level(x + blur * along.x, y + blur * along.y)
            }
            for i in 0..<Self.offsets { rises[i] = (levels[i + 2] - levels[i]) / 3 }
        }
    }
}
