/// The straight line near a side through the most and strongest steps of brightness.
struct EdgeVote {
    /// The rise of brightness at each offset across the side, for each place along it.
    let rises: UnsafeBufferPointer<Float>
    let offsets: Int
    let places: Int
    /// The position of a place along the side, 0…1.
    let part: (Int) -> Double
    /// A larger step counts as one with this many levels.
    let mostStep: Float
    /// The part by which a line at the last offset counts less, 0…1.
    let prior: Float

    /// Offsets from the voted line in which a place's own edge is looked for.
    private static let near = 2
    /// At this many offsets from the line, a place has half its weight.
    private static let tolerance = 0.6

    /// A place whose step has fewer levels does not count.
    private static let faintest: Float = 3

    /// Distances of a side's middle from its chord: below the first, the side is straight; above
    /// the second, the edge can't be followed.
    private static let leastBow = 0.5
    private static let mostBow = 3.0
    /// An arc must fit better than a straight line by this factor.
    private static let bendGain = 0.4

    /// The line's offsets at the side's start and end; nil when too few visible places have an edge
    /// on it.
    func line(
        inView: [Bool], leastStep: Float, leastSupport: Double
    ) -> (start: Double, end: Double)? {
        let best = vote()
        guard best.sign != 0 else { return nil }
        var fit = LineFit(tolerance: Self.tolerance)
        var (seen, supporting) = (0, 0)
        for place in 0..<places where inView[place] {
            seen += 1
            let row = place * offsets
            let middle = offset(place, best.start, best.end)
            var (sum, moment, most) = (Float(0), Float(0), Float(0))
            for i in max(0, middle - Self.near)...min(offsets - 1, middle + Self.near) {
                let step = max(0, best.sign * rises[row + i])
                sum += step * step
                moment += step * step * Float(i)
                most = max(most, step)
            }
            if most > leastStep { supporting += 1 }
            if most >= Self.faintest {
                fit.add(
                    along: part(place), across: Double(moment / sum),
                    weight: Double(min(most, mostStep)))
            }
        }
        guard Double(supporting) >= leastSupport * Double(seen) else { return nil }
        return straightened(fit)
    }

    /// The line through the places, or the chord of their arc; nil when neither fits.
    private func straightened(_ fit: LineFit) -> (start: Double, end: Double)? {
        guard let line = fit.solved(rounds: 4) else { return nil }
        guard let arc = fit.bent(tolerance: 2 * Self.tolerance) else { return line }
        if arc.bow.magnitude < Self.leastBow { return line }
        let straight = fit.misfit(start: line.start, end: line.end, bow: 0)
        let bent = fit.misfit(start: arc.start, end: arc.end, bow: arc.bow)
        if bent > Self.bendGain * straight { return line }
        return arc.bow.magnitude <= Self.mostBow ? (arc.start, arc.end) : nil
    }

    /// The offset nearest to a line at a place.
    private func offset(_ place: Int, _ start: Int, _ end: Int) -> Int {
        let along = part(place)
        return Int((Double(start) * (1 - along) + Double(end) * along).rounded())
    }

    /// The votes for every straight line: the sum of the steps on it, at every second place.
    private func vote() -> (start: Int, end: Int, sign: Float) {
        let count = offsets * offsets
        return withUnsafeTemporaryAllocation(of: Float.self, capacity: count) { sums in
            sums.initialize(repeating: 0)
            for place in stride(from: 0, to: places, by: 2) {
                let row = place * offsets
                let along = Float(part(place))
                for start in 0..<offsets {
                    // Adding half an offset rounds to the nearest one.
                    let base = Float(start) * (1 - along) + 0.5
                    for end in 0..<offsets {
                        let step = rises[row &+ Int(base + Float(end) * along)]
                        sums[start &* offsets &+ end] += max(-mostStep, min(mostStep, step))
                    }
                }
            }
            var best = (start: 0, end: 0, sign: Float(0))
            var most = Float(0)
            let middle = Float(offsets - 1) / 2
            for start in 0..<offsets {
                for end in 0..<offsets {
                    let sum = sums[start * offsets + end]
                    let (a, b) = ((Float(start) - middle) / middle, (Float(end) - middle) / middle)
                    let votes = sum.magnitude * (1 - prior * (a * a + b * b) / 2)
                    if votes > most {
                        most = votes
                        best = (start, end, sum < 0 ? -1 : 1)
                    }
                }
            }
            return best
        }
    }
}
