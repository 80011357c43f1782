import Imaging

/// The straight edges near the four sides of a rectangle that lies upright in the middle of a
/// square picture.
struct LaidSides {
    /// An edge along a side: its distances from the picture's border at the side's start and end,
    /// in pixels, inward.
    struct Edge {
        var start: Double
        var end: Double
        /// The part of the edge's places, 0…1, where brightness or a color has a step in the right
        /// direction.
        var support: Double
        var middle: Double { (start + end) / 2 }
        /// True if the edge is on the rectangle's own side, or almost.
        var isSide: Bool { outward.magnitude < LaidSides.near }
        /// The distance by which the edge is outside the rectangle's side, in pixels.
        var outward: Double { Double(LaidSides.margin) - middle }
    }

    /// The picture's side, and the distance from its border to the rectangle, in pixels.
    static let side = 320
    static let margin = 60
    /// The depth from the picture's border in which edges are looked for, in pixels, and how far an
    /// edge may lean along the side.
    private static let depth = 96
    private static let lean = 10
    /// The pixels along a side that make one place, and the part at each end of the side without
    /// places, since corners are round.
    private static let place = 4
    private static let ends = 20
    /// The levels to which a larger step is limited, and the minimum number of levels with which a
    /// place supports an edge.
    private static let mostStep: Float = 24
    private static let leastStep: Float = 5
    /// The minimum support of an edge that is kept, the number of edges that are kept, and the
    /// pixels between two.
    private static let leastSupport = 0.55
    private static let most = 7
    private static let apart = 3
    /// An edge within this many pixels is on the rectangle's own side.
    private static let near = 3.0

    /// For each side (top, right, bottom, left), its edges, the outermost one first.
    let edges: [[Edge]]

    /// - Parameter picture: a square of ``side`` pixels, gray8 or rgb8.
    init(_ picture: Raster) {
        edges = picture.withBytes { bytes in
            let (channels, stride) = (picture.format.channels, picture.stride)
            return (0..<4).map { side in
                Self.edges(of: side, channels) { along, across, channel in
                    let far = Self.side - 1
                    let (x, y) =
                        switch side {
                        case 0: (along, across)
                        case 1: (far - across, along)
                        case 2: (far - along, far - across)
                        default: (across, far - along)
                        }
                    return Float(bytes[y * stride + x * channels + channel])
                }
            }
        }
    }

    private static func edges(
        of side: Int, _ channels: Int, _ level: (Int, Int, Int) -> Float
    ) -> [Edge] {
        let first = margin + ends
        let places = (Self.side - 2 * first) / place
        var best = [(edge: Edge, strength: Float)?](repeating: nil, count: depth)
        var steps = [Float](repeating: 0, count: depth * places)
        var levels = [Float](repeating: 0, count: (depth + 1) * places)
        for channel in 0..<channels {
            measure(&steps, &levels, places: places) { level(first + $0, $1, channel) }
            for start in 2..<depth - 2 {
                for end in max(2, start - lean)...min(depth - 3, start + lean) {
                    func across(_ at: Int) -> Int {
                        let part = Double(2 * at + 1) / Double(2 * places)
                        return Int((Double(start) + Double(end - start) * part).rounded())
                    }
                    var sum: Float = 0
                    for at in 0..<places {
                        sum += max(-mostStep, min(mostStep, steps[across(at) * places + at]))
                    }
                    let middle = (start + end) / 2
                    let strength = sum.magnitude / Float(places)
                    guard strength > best[middle]?.strength ?? leastStep / 2 else { continue }
                    let sign: Float = sum < 0 ? -1 : 1
                    let seen = (0..<places).count { at in
                        (-1...1).contains {
                            sign * steps[(across(at) + $0) * places + at] >= leastStep
                        }
                    }
                    let edge = Edge(
                        start: outward(start, end), end: outward(end, start),
                        support: Double(seen) / Double(places))
                    best[middle] = (edge, strength)
                }
            }
        }
        return distinct(best)
    }

    /// The steps inward along a side; each place is the mean of some pixels along it.
    ///
    /// - Parameter level: the brightness of a pixel, by its place along the side and across it.
    private static func measure(
        _ steps: inout [Float], _ levels: inout [Float], places: Int,
        _ level: (Int, Int) -> Float
    ) {
        for across in 0...depth {
            for at in 0..<places {
                let sum = (0..<place).reduce(Float(0)) { $0 + level(at * place + $1, across) }
                levels[across * places + at] = sum / Float(place)
            }
        }
        for across in 1..<depth {
            for at in 0..<places {
                steps[across * places + at] =
                    levels[(across + 1) * places + at] - levels[(across - 1) * places + at]
            }
        }
    }

    /// The strongest edges that are apart from each other, from the outermost inward.
    private static func distinct(_ best: [(edge: Edge, strength: Float)?]) -> [Edge] {
        var kept: [(edge: Edge, strength: Float)] = []
        for one in best.compactMap(\.self).sorted(by: { $0.strength > $1.strength })
        where one.edge.support >= leastSupport && kept.count < most {
            if kept.allSatisfy({ ($0.edge.middle - one.edge.middle).magnitude >= Double(apart) }) {
                kept.append(one)
            }
        }
        // A covered or faint side is still where the network found it.
        if !kept.contains(where: \.edge.isSide) {
            let here = Double(margin)
            kept.append((Edge(start: here, end: here, support: 0), 0))
        }
        return kept.map(\.edge).sorted { $0.middle < $1.middle }
    }

    /// The points where the line through two places near a side's ends crosses the picture's
    /// border; steps lie between pixels.
    private static func outward(_ near: Int, _ far: Int) -> Double {
        let beyond = Double(margin + ends) / Double(side - 2 * (margin + ends))
        return Double(near) + 0.5 + Double(near - far) * beyond
    }

    /// The quad with one edge for each side, in pixels of the picture; nil where two edges do not
    /// meet.
    static func quad(_ edges: [Edge]) -> Quad? {
        let far = Double(side)
        let lines = [
            (Point(x: 0, y: edges[0].start), Point(x: far, y: edges[0].end)),
            (Point(x: far - edges[1].start, y: 0), Point(x: far - edges[1].end, y: far)),
            (Point(x: far, y: far - edges[2].start), Point(x: 0, y: far - edges[2].end)),
            (Point(x: edges[3].start, y: far), Point(x: edges[3].end, y: 0)),
        ]
        return Hull.quad(lines)
    }
}
