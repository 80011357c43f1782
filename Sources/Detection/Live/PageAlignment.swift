/// How the contents of one signature lie on those of another: a small shift, turn and stretch.
///
/// Corners that are found of one page a second time, after it was pushed or on a pile, may be off by a tenth of its side; the signature is then of the same contents a little
/// elsewhere. Blocks of a quarter of the side are sought near their place, and of their shifts an affine map is made to which most of them agree.
struct PageAlignment: Sendable {
    /// Across: the shift in cells, and how it grows with the distance from the middle across and down.
    private let across: (Double, Double, Double)
    /// The same down.
    private let down: (Double, Double, Double)

    private static let side = PageSignature.side
    /// Cells of a side of the blocks that are sought.
    private static let block = 16
    /// Cells from one of them to the next.
    private static let step = 8
    /// Cells that a block may lie elsewhere.
    private static let reach = 6
    /// The correlation from which a block counts as found.
    private static let leastLikeness: Float = 0.6
    /// Cells by which a block's shift may differ from what the others say.
    private static let tolerance = 1.0
    /// The fewest blocks that make a map.
    private static let leastBlocks = 8

    /// The map from `old` to `new`, both of `side` × `side` cells; nil when too few of the blocks are found again.
    init?(from old: [Float], to new: [Float]) {
        var matches: [Match] = []
        for top in stride(from: 0, through: Self.side - Self.block, by: Self.step) {
            for left in stride(from: 0, through: Self.side - Self.block, by: Self.step) {
                if let match = Self.match(old, new, top, left) { matches.append(match) }
            }
        }
        guard let fit = Self.agreed(matches) else { return nil }
        (across, down) = fit
    }

    /// `new` as it would be where `old` is, and which cells of it are known.
    func applied(to new: [Float]) -> (cells: [Float], isKnown: [Bool]) {
        let middle = Double(Self.side) / 2
        var cells = [Float](repeating: 0, count: new.count)
        var isKnown = [Bool](repeating: false, count: new.count)
        for y in 0..<Self.side {
            for x in 0..<Self.side {
                let (u, v) = (Double(x) + 0.5 - middle, Double(y) + 0.5 - middle)
                let fromX = Double(x) + across.0 + across.1 * u + across.2 * v
                let fromY = Double(y) + down.0 + down.1 * u + down.2 * v
                guard fromX >= 0, fromY >= 0, fromX < Double(Self.side - 1),
                    fromY < Double(Self.side - 1)
                else { continue }
                let (left, top) = (Int(fromX), Int(fromY))
                let (p, q) = (Float(fromX - Double(left)), Float(fromY - Double(top)))
                let at = top * Self.side + left
                let upper = new[at] + p * (new[at + 1] - new[at])
                let under = at + Self.side
                let lower = new[under] + p * (new[under + 1] - new[under])
                cells[y * Self.side + x] = upper + q * (lower - upper)
                isKnown[y * Self.side + x] = true
            }
        }
        return (cells, isKnown)
    }

    // MARK: Making

    /// A block that was found, its place from the middle and its shift.
    private struct Match {
        var u: Double
        var v: Double
        var dx: Double
        var dy: Double
    }

    private static func match(
        _ old: [Float], _ new: [Float], _ top: Int, _ left: Int
    ) -> Match? {
        let energy = product(old, top, left, old, top, left)
        let floor = PageSignature.leastSpread * PageSignature.leastSpread
        guard energy >= floor * Float(block * block) else { return nil }
        var best: (likeness: Float, dx: Int, dy: Int) = (leastLikeness, 0, 0)
        var isFound = false
        for dy in -reach...reach where (0...(side - block)).contains(top + dy) {
            for dx in -reach...reach where (0...(side - block)).contains(left + dx) {
                let other = product(new, top + dy, left + dx, new, top + dy, left + dx)
                guard other > 0 else { continue }
                let likeness =
                    product(old, top, left, new, top + dy, left + dx)
                    / (energy * other).squareRoot()
                if likeness > best.likeness {
                    best = (likeness, dx, dy)
                    isFound = true
                }
            }
        }
        guard isFound else { return nil }
        let middle = Double(block - side) / 2
        return Match(
            u: Double(left) + middle, v: Double(top) + middle, dx: Double(best.dx),
            dy: Double(best.dy))
    }

    private static func product(
        _ a: [Float], _ topA: Int, _ leftA: Int, _ b: [Float], _ topB: Int, _ leftB: Int
    ) -> Float {
        a.withUnsafeBufferPointer { a in
            b.withUnsafeBufferPointer { b in
                var sum: Float = 0
                for row in 0..<block {
                    let (here, there) = (
                        (topA &+ row) &* side &+ leftA, (topB &+ row) &* side &+ leftB
                    )
                    for column in 0..<block { sum += a[here &+ column] * b[there &+ column] }
                }
                return sum
            }
        }
    }

    /// The map on which the most agree: the common shift first, then turn and stretch by least squares over those near it, again and again.
    private static func agreed(
        _ matches: [Match]
    ) -> ((Double, Double, Double), (Double, Double, Double))? {
        guard matches.count >= leastBlocks else { return nil }
        var best: (count: Int, fit: ((Double, Double, Double), (Double, Double, Double)))?
        for seed in matches {
            var fit = ((seed.dx, 0.0, 0.0), (seed.dy, 0.0, 0.0))
            // A turn or a stretch moves what is far from the seed by more.
            var reach = 3 * tolerance
            var near: [Match] = []
            for _ in 0..<4 {
                near = matches.filter { isNear($0, fit, reach) }
                guard near.count >= leastBlocks, let x = plane(near, \.dx),
                    let y = plane(near, \.dy)
                else { break }
                fit = (x, y)
                reach = tolerance
            }
            near = matches.filter { isNear($0, fit, tolerance) }
            if near.count > best?.count ?? 0 { best = (near.count, fit) }
        }
        guard let best, best.count >= leastBlocks, 2 * best.count >= matches.count else {
            return nil
        }
        return best.fit
    }

    private static func isNear(
        _ match: Match, _ fit: ((Double, Double, Double), (Double, Double, Double)), _ reach: Double
    ) -> Bool {
        let dx = fit.0.0 + fit.0.1 * match.u + fit.0.2 * match.v - match.dx
        let dy = fit.1.0 + fit.1.1 * match.u + fit.1.2 * match.v - match.dy
        return dx.magnitude <= reach && dy.magnitude <= reach
    }

    /// The plane through the shifts by least squares; nil when the blocks lie in one line.
    private static func plane(
        _ matches: [Match], _ shift: KeyPath<Match, Double>
    ) -> (Double, Double, Double)? {
        let n = Double(matches.count)
        func mean(_ value: (Match) -> Double) -> Double { matches.reduce(0) { $0 + value($1) } / n }
        let (u, v, s) = (mean(\.u), mean(\.v), mean { $0[keyPath: shift] })
        let (uu, vv, uv) = (
            mean { ($0.u - u) * ($0.u - u) }, mean { ($0.v - v) * ($0.v - v) },
            mean { ($0.u - u) * ($0.v - v) }
        )
        let (us, vs) = (
            mean { ($0.u - u) * ($0[keyPath: shift] - s) },
            mean { ($0.v - v) * ($0[keyPath: shift] - s) }
        )
        let determinant = uu * vv - uv * uv
        guard determinant > 1 else { return nil }
        let (a, b) = ((us * vv - vs * uv) / determinant, (vs * uu - us * uv) / determinant)
        // Beyond these it is no longer corners that are a little off.
        guard a.magnitude < 0.2, b.magnitude < 0.2 else { return nil }
        return (s - a * u - b * v, a, b)
    }
}
