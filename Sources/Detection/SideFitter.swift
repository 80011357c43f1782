import Imaging

/// Moves the sides of a rough quad onto the steps from dark to light in the picture at full size.
struct SideFitter {
    private let image: Raster
    /// How far from the rough side a step is looked for, in pixels.
    private let reach: Double
    /// Half the length over which dark and light are averaged.
    private let half: Int

    private static let probes = 48
    /// A step of fewer levels of 255 is no paper's edge.
    private static let leastStep = 10.0
    /// The part of a side's probes that must see its edge, and the mean over all sides.
    private static let leastSideSupport = 0.35
    private static let leastSupport = 0.55

    init(_ image: Raster, reach: Double) {
        self.image = image
        self.reach = max(3, reach)
        half = max(1, Int(reach / 3))
    }

    /// The fitted quad and the mean part of its sides that lies on an edge, 0…1; nil when a side has no edge under it.
    func fit(_ rough: Quad) -> (quad: Quad, support: Double)? {
        let corners = rough.corners
        var lines: [(a: Point, b: Point)] = []
        var support = 0.0
        for i in 0..<4 {
            guard let side = fitSide(from: corners[i], to: corners[(i + 1) % 4]),
                side.support >= Self.leastSideSupport
            else { return nil }
            lines.append((side.a, side.b))
            support += side.support / 4
        }
        guard support >= Self.leastSupport else { return nil }
        // Corner i is where side i − 1 ends and side i begins.
        let fitted = (0..<4).compactMap { i -> Point? in
            let (before, after) = (lines[(i + 3) % 4], lines[i])
            return Hull.intersection(before.a, before.b, after.a, after.b)
        }
        guard fitted.count == 4 else { return nil }
        let quad = Quad(
            topLeft: fitted[0], topRight: fitted[1], bottomRight: fitted[2], bottomLeft: fitted[3])
        return (quad, support)
    }

    private func fitSide(from a: Point, to b: Point) -> (a: Point, b: Point, support: Double)? {
        let length = a.distance(to: b)
        guard length > 8 else { return nil }
        let (ux, uy) = ((b.x - a.x) / length, (b.y - a.y) / length)
        // Corners run clockwise, so the page lies to the right of the way: (−uy, ux) points into it.
        var steps: [(along: Double, across: Double)] = []
        for i in 0..<Self.probes {
            let along = length * (0.06 + 0.88 * (Double(i) + 0.5) / Double(Self.probes))
            let foot = Point(x: a.x + along * ux, y: a.y + along * uy)
            if let across = step(at: foot, inward: Point(x: -uy, y: ux)) {
                steps.append((along, across))
            }
        }
        guard steps.count >= 8, let line = Self.line(through: steps, tolerance: max(1.5, reach / 6))
        else { return nil }
        func point(_ along: Double) -> Point {
            let across = line.offset + line.slope * along
            return Point(x: a.x + along * ux - across * uy, y: a.y + along * uy + across * ux)
        }
        return (point(0), point(length), Double(line.count) / Double(Self.probes))
    }

    /// Where, along a normal, brightness rises most, in pixels inward from `foot`; nil when it rises too little or the place lies outside.
    private func step(at foot: Point, inward: Point) -> Double? {
        let span = Int(reach.rounded(.up)) + half
        var sums = [0.0]
        for k in -span...span {
            guard
                let value = brightness(
                    Point(x: foot.x + Double(k) * inward.x, y: foot.y + Double(k) * inward.y))
            else { return nil }
            sums.append(sums[sums.count - 1] + value)
        }
        // Between sample j − 1 and j: the mean of `half` samples inside less that of `half` samples outside.
        let rises = (half...2 * span + 1 - half).map { j in
            (sums[j + half] - 2 * sums[j] + sums[j - half]) / Double(half)
        }
        guard let top = rises.indices.max(by: { rises[$0] < rises[$1] }),
            rises[top] >= Self.leastStep
        else { return nil }
        var place = Double(top + half) - 0.5 - Double(span)
        if top > 0, top + 1 < rises.count {
            let curve = rises[top - 1] - 2 * rises[top] + rises[top + 1]
            if curve < 0 { place += 0.5 * (rises[top - 1] - rises[top + 1]) / curve }
        }
        return place
    }

    /// A straight line through most of the steps: least squares, repeated with those that lie near.
    private static func line(
        through steps: [(along: Double, across: Double)], tolerance: Double
    ) -> (offset: Double, slope: Double, count: Int)? {
        let sorted = steps.map(\.across).sorted()
        var (offset, slope) = (sorted[sorted.count / 2], 0.0)
        var near: [(along: Double, across: Double)] = []
        // The first rounds take in more, since the rough side may lean.
        for widening in [3.0, 2.0, 1.0, 1.0] {
            near = steps.filter {
                ($0.across - offset - slope * $0.along).magnitude <= widening * tolerance
            }
            guard near.count >= 6 else { return nil }
            let n = Double(near.count)
            let meanX = near.reduce(0) { $0 + $1.along } / n
            let meanY = near.reduce(0) { $0 + $1.across } / n
            let xx = near.reduce(0) { $0 + ($1.along - meanX) * ($1.along - meanX) }
            let xy = near.reduce(0) { $0 + ($1.along - meanX) * ($1.across - meanY) }
            guard xx > 0 else { return nil }
            slope = xy / xx
            offset = meanY - slope * meanX
        }
        return (offset, slope, near.count)
    }

    /// How bright the pixel under a point is, 0…255, by its darkest channel; nil outside the picture.
    private func brightness(_ point: Point) -> Double? {
        guard point.x >= 0, point.y >= 0, point.x < Double(image.width),
            point.y < Double(image.height)
        else { return nil }
        let (x, y) = (Int(point.x), Int(point.y))
        return image.withBytes { bytes in
            let row = y * image.stride
            func deep(_ sample: Int) -> Double {
                Double(bytes.loadUnaligned(fromByteOffset: row + 2 * sample, as: UInt16.self)) / 257
            }
            return switch image.format {
            case .bilevel: bytes[row + x / 8] & (0x80 >> UInt8(x % 8)) == 0 ? 255 : 0
            case .gray8: Double(bytes[row + x])
            case .rgb8:
                Double(min(bytes[row + 3 * x], bytes[row + 3 * x + 1], bytes[row + 3 * x + 2]))
            case .gray16: deep(x)
            case .rgb16: min(deep(3 * x), deep(3 * x + 1), deep(3 * x + 2))
            }
        }
    }
}
