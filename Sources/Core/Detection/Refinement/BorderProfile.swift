/// The brightness across a side, at many places along it.
struct BorderProfile {
    /// For each place, the brightness at each probe from far outside to far inside.
    private let rows: [[Float]]
    /// The median brightness of all places at each probe, so that an object which covers some
    /// places has no effect.
    private let levels: [Float]
    private let leastStep: Float
    private let leastSupport: Double

    /// - Parameters:
    ///   - rows: the brightness at each place, with equally many probes; at least one place.
    ///   - leastStep: the minimum step of brightness at an edge, in levels.
    ///   - leastSupport: the part of the places that must have such a step.
    init(rows: [[Float]], leastStep: Float, leastSupport: Double) {
        self.rows = rows
        self.leastStep = leastStep
        self.leastSupport = leastSupport
        levels = rows[0].indices.map { probe in
            let sorted = rows.map { $0[probe] }.sorted()
            return sorted[sorted.count / 2]
        }
    }

    /// The nearest probe with a step of brightness, more than `least` probes from the start.
    func edge(from start: Int, toward direction: Int, beyond least: Int) -> Int? {
        var probe = start + direction * (least + 1)
        while levels.indices.contains(probe - 2), levels.indices.contains(probe + 2) {
            let here = step(at: probe, in: levels)
            let isPeak =
                here.magnitude >= step(at: probe - 1, in: levels).magnitude
                && here.magnitude >= step(at: probe + 1, in: levels).magnitude
            if here.magnitude >= leastStep, isPeak, support(at: probe, sign: here.sign) {
                return probe
            }
            probe += direction
        }
        return nil
    }

    /// The brightness of the strip between two edges; nil when it varies by more than `evenness`
    /// across the strip.
    func level(between outer: Int, _ inner: Int, evenness: Float) -> Float? {
        // The probes at the edges themselves are left out because they are blurred.
        let strip = levels[min(outer + 2, inner)..<max(inner - 1, min(outer + 2, inner))].sorted()
        guard let low = strip.first, let high = strip.last, high - low <= evenness else {
            return nil
        }
        return strip[strip.count / 2]
    }

    /// The brightness just within an edge.
    func level(within edge: Int) -> Float { levels[min(edge + 3, levels.count - 1)] }

    private func step(at probe: Int, in values: [Float]) -> Float {
        guard probe > 0, probe + 1 < values.count else { return 0 }
        return values[probe + 1] - values[probe - 1]
    }

    private func support(at probe: Int, sign: FloatingPointSign) -> Bool {
        let supporting = rows.count { row in
            (probe - 1...probe + 1).contains { near in
                let here = step(at: near, in: row)
                return here.sign == sign && here.magnitude >= leastStep / 2
            }
        }
        return Double(supporting) >= leastSupport * Double(rows.count)
    }
}
