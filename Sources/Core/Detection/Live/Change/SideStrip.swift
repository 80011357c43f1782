import Imaging

/// The brightness of two pictures across a side of a sheet, from some pixels outside to some
/// inside.
struct SideStrip {
    private let a: Point
    private let b: Point
    private let normal: Point
    /// Places along the side that are in view, 0…1.
    private let parts: [Double]
    /// The levels of both pictures at each place, the outermost pixel first.
    private let now: [Float]
    private let before: [Float]
    private let columns: Int

    /// Places along a side, from this part of its length on.
    private static let (places, first) = (64, 0.02)
    /// Pixels outside the side, and at least as many inside it.
    private static let around = 3
    /// The part of the places that must be in view.
    private static let leastInView = 0.6
    /// The minimum difference that counts as a step, and the limit for larger steps, in levels.
    private static let (leastStep, mostStep) = (Float(4), Float(24))
    /// A step is new if it differs from the earlier one by this part of itself.
    private static let fresh: Float = 0.5
    /// A place is unchanged if its levels differ by less than this part of their variation, and a
    /// side if most of its places are.
    ///
    /// A change of focus is a change.
    private static let (sameLevels, leastUnchanged) = (Float(0.35), 0.75)
    /// The part of a side's places with a step.
    private static let leastSupport = 0.75
    /// The same for an edge whose ends are not known yet, because the adjacent sides move as well.
    private static let leastRoughSupport = 0.6
    /// An edge counts if it has this part of the support of the best one.
    private static let clear = 0.85
    /// The part of a side at each end where half of the places must have a step.
    private static let end = 0.08
    /// The maximum turn of a sheet on the one below, in radians.
    private static let lean = 0.08
    /// The minimum distance of a new edge from the side, and the depth within which the clearest of
    /// the outermost edges is chosen, in pixels.
    private static let (nearest, window) = (2, 5)

    /// The strip along a side from `a` to `b`, clockwise as seen, to this many pixels inside.
    init(_ a: Point, _ b: Point, depth: Int, in pictures: PicturePair) {
        let length = max(a.distance(to: b), 1)
        let normal = Point(x: -(b.y - a.y) / length, y: (b.x - a.x) / length)
        let columns = 2 * Self.around + 1 + max(0, depth + 1 - Self.around)
        var parts: [Double] = []
        var (now, before): ([Float], [Float]) = ([], [])
        let gain = Float(pictures.gain)
        pictures.before.withFrameView { old in
            pictures.now.withFrameView { new in
                let (right, bottom) = (Double(new.width - 3), Double(new.height - 3))
                for place in 0..<Self.places {
                    let part =
                        Self.first + (1 - 2 * Self.first) * Double(place) / Double(Self.places - 1)
                    let foot = Point(x: a.x + part * (b.x - a.x), y: a.y + part * (b.y - a.y))
                    guard foot.x > 3, foot.y > 3, foot.x < right, foot.y < bottom else { continue }
                    parts.append(part)
                    for column in 0..<columns {
                        let across = Double(column - Self.around)
                        let (x, y) = (foot.x + across * normal.x, foot.y + across * normal.y)
                        now.append(new.level(x, y))
                        before.append(gain * old.level(x, y))
                    }
                }
            }
        }
        (self.a, self.b, self.normal, self.columns) = (a, b, normal, columns)
        (self.parts, self.now, self.before) = (parts, now, before)
    }

    private var isInView: Bool {
        Double(parts.count) >= Self.leastInView * Double(Self.places)
    }

    /// True if there is an edge that looks exactly as before.
    var isUnchanged: Bool {
        guard isInView else { return false }
        var (edges, unchanged) = (0, 0)
        let near = 0..<2 * Self.around + 1
        for place in parts.indices {
            let row = place * columns
            guard near.dropFirst().dropLast().contains(where: { step(row + $0).isStep }) else {
                continue
            }
            edges += 1
            let count = Float(near.count)
            let means = near.reduce(SIMD2<Float>()) {
                $0 + SIMD2(now[row + $1], before[row + $1]) / count
            }
            var (variation, difference) = (Float(0), Float(0))
            for column in near {
                let level = now[row + column] - means.x
                variation += level.magnitude
                difference += (level - before[row + column] + means.y).magnitude
            }
            if difference < Self.sameLevels * variation { unchanged += 1 }
        }
        return Double(edges) >= Self.leastSupport * Double(parts.count)
            && Double(unchanged) >= Self.leastUnchanged * Double(edges)
    }

    /// True if a new edge runs along the whole side, to both of its ends.
    var isNewToItsEnds: Bool {
        guard isInView else { return false }
        let isNew = parts.indices.map { place in
            (Self.around - 1...Self.around + 1).contains {
                newStep(place * columns + $0) != 0
            }
        }
        func share(_ isMeant: (Double) -> Bool) -> Double {
            let meant = parts.indices.filter { isMeant(parts[$0]) }
            return Double(meant.count { isNew[$0] }) / Double(max(1, meant.count))
        }
        return share { _ in true } >= Self.leastSupport && share { $0 < Self.end } >= 0.5
            && share { $0 > 1 - Self.end } >= 0.5
    }

    /// The ends of the outermost straight edge inside that was not there before; nil for none.
    func newEdge() -> (Point, Point)? {
        let offsets = Self.nearest...max(Self.nearest, columns - Self.around - 2)
        guard isInView, columns > 2 * Self.around + 1 else { return nil }
        let length = a.distance(to: b)
        let lean = max(1, Int(Self.lean * length))
        var edges: [(start: Int, end: Int, support: Int, strength: Float)] = []
        for sign in [Float(-1), 1] {
            let steps = now.indices.map { max(0, sign * newStep($0)) }
            for start in offsets {
                for end in (start - lean...start + lean).clamped(to: offsets) {
                    let (support, strength) = support(of: steps, from: start, to: end)
                    if Double(support) >= Self.leastRoughSupport * Double(parts.count) {
                        edges.append((start, end, support, strength))
                    }
                }
            }
        }
        // A line that crosses an edge has a part of its support.
        let most = Double(edges.map(\.support).max() ?? 0)
        let clear = edges.filter { Double($0.support) >= Self.clear * most }
        let outermost = clear.map { $0.start + $0.end }.min() ?? 0
        let best = clear.filter { $0.start + $0.end <= outermost + 2 * Self.window }
            .max { ($0.support, $0.strength) < ($1.support, $1.strength) }
        guard let best else { return nil }
        func moved(_ point: Point, _ by: Int) -> Point {
            Point(x: point.x + Double(by) * normal.x, y: point.y + Double(by) * normal.y)
        }
        return (moved(a, best.start), moved(b, best.end))
    }

    /// How many places have one of these steps within a pixel of a line, and how strong those on it
    /// are.
    private func support(
        of steps: [Float], from start: Int, to end: Int
    ) -> (places: Int, strength: Float) {
        var (places, strength) = (0, Float(0))
        for place in parts.indices {
            let offset = Double(start) + Double(end - start) * parts[place]
            let middle = place * columns + Self.around + Int(offset.rounded())
            if max(steps[middle - 1], steps[middle], steps[middle + 1]) > 0 { places += 1 }
            strength += steps[middle]
        }
        return (places, strength)
    }

    /// The step at a pixel of the strip, inward, in both pictures; it needs a pixel on each side.
    private func step(_ index: Int) -> (now: Float, before: Float, isStep: Bool) {
        let step = now[index + 1] - now[index - 1]
        return (step, before[index + 1] - before[index - 1], step.magnitude >= Self.leastStep)
    }

    /// The step at a pixel of the strip if it is new, at most the greatest that counts; otherwise
    /// 0.
    private func newStep(_ index: Int) -> Float {
        let column = index % columns
        guard column > 0, column < columns - 1 else { return 0 }
        let step = step(index)
        guard step.isStep, (step.now - step.before).magnitude >= Self.fresh * step.now.magnitude
        else { return 0 }
        return max(-Self.mostStep, min(Self.mostStep, step.now))
    }
}
