import Imaging

/// Distinguishes new sides of a sheet from old ones: along a new side, a picture has steps of
/// brightness that an earlier picture of the same place lacks.
struct SideNovelty {
    /// The state of a side.
    enum Side {
        /// An edge that the earlier picture lacks.
        case new
        /// An edge that the earlier picture has too.
        case old
        /// No edge, or none in view.
        case none
    }

    private let before: FrameView
    private let now: FrameView
    /// The brightness of the later picture as a multiple of the earlier picture's.
    private let gain: Float

    /// Places along a side.
    private static let places = 64
    /// The minimum difference that counts as a step, in levels.
    private static let leastStep: Float = 4
    /// The minimum mean of the steps along a side, in levels: those of grain differ in sign.
    private static let leastMean: Float = 2
    /// The part of a side's places at which a step must be seen.
    private static let leastSupport = 0.6
    /// A step counts as new if its earlier strength was less than this part of its present one.
    private static let faded: Float = 0.5
    /// The part of the steps that must be new; the surface below may have had print in some places.
    private static let leastNew = 0.5

    /// The four sides of a quad, the top one first.
    static func sides(of quad: Quad, in pictures: PicturePair) -> [Side] {
        pictures.before.withFrameView { before in
            pictures.now.withFrameView { now in
                SideNovelty(before: before, now: now, gain: Float(pictures.gain)).sides(of: quad)
            }
        }
    }

    private func sides(of quad: Quad) -> [Side] {
        let corners = quad.corners
        return (0..<4).map { side(from: corners[$0], to: corners[($0 + 1) % 4]) }
    }

    private func side(from a: Point, to b: Point) -> Side {
        let length = a.distance(to: b)
        guard length > 0 else { return .none }
        let normal = Point(x: -(b.y - a.y) / length, y: (b.x - a.x) / length)
        var steps: [(now: SIMD3<Float>, before: SIMD3<Float>)] = []
        steps.reserveCapacity(Self.places)
        for place in 0..<Self.places {
            let part = 0.05 + 0.9 * Double(place) / Double(Self.places - 1)
            let foot = Point(x: a.x + part * (b.x - a.x), y: a.y + part * (b.y - a.y))
            guard foot.x > 3, foot.y > 3, foot.x < Double(now.width - 4),
                foot.y < Double(now.height - 4)
            else { continue }
            steps.append((Self.rises(now, foot, normal), Self.rises(before, foot, normal)))
        }
        guard 2 * steps.count >= Self.places else { return .none }
        let sum = steps.reduce(SIMD3<Float>.zero) { $0 + $1.now }
        let sign: Float = sum.sum() < 0 ? -1 : 1
        guard (sign * sum).max() >= Self.leastMean * Float(steps.count) else { return .none }
        var (seen, new) = (0, 0)
        for step in steps {
            let most = (sign * step.now).max()
            guard most > Self.leastStep else { continue }
            seen += 1
            if gain * (sign * step.before).max() < Self.faded * most { new += 1 }
        }
        guard Double(seen) >= Self.leastSupport * Double(steps.count) else { return .none }
        return Double(new) >= Self.leastNew * Double(seen) ? .new : .old
    }

    /// The rise of brightness across a side, inward: a pixel before the side, on it, and a pixel
    /// after it.
    private static func rises(
        _ frame: FrameView, _ foot: Point, _ normal: Point
    ) -> SIMD3<Float> {
        func level(_ across: Double) -> Float {
            frame.level(foot.x + across * normal.x, foot.y + across * normal.y)
        }
        let (outer, inner) = (level(-1), level(1))
        let middle = level(0)
        return SIMD3(middle - level(-2), inner - outer, level(2) - middle)
    }
}
