import Glibc

/// A straight line through places along a side: least squares, repeated with less weight for places
/// far from the line.
///
/// The fit is iteratively reweighted with Cauchy's weights, 1 ÷ (1 + (distance ÷ tolerance)²).
struct LineFit {
    /// A point near a side: its position along the side (0…1), its position across it, and its
    /// weight.
    struct Place {
        let along: Double
        let across: Double
        let weight: Double
    }

    /// The distance from the line at which a place has half its weight.
    let tolerance: Double
    private(set) var places: [Place] = []

    mutating func add(along: Double, across: Double, weight: Double) {
        places.append(Place(along: along, across: across, weight: weight))
    }

    /// The line's positions across the side at the side's start and end; nil for fewer than two
    /// places.
    func solved(rounds: Int = 3) -> (start: Double, end: Double)? {
        guard var line = pass({ $0.weight }) else { return nil }
        for _ in 1..<max(2, rounds) {
            let last = line
            guard
                let next = pass({ place in
                    let off =
                        place.across - last.start - (last.end - last.start) * place.along
                    return place.weight / (1 + off * off / (tolerance * tolerance))
                })
            else { return line }
            line = next
        }
        return line
    }

    /// The bent line: a parabola that is `bow` away from its chord in the middle; nil for fewer
    /// than three places.
    ///
    /// A curled page's sides are arcs. Its corners are on the arc's chord, and not on a straight
    /// line through the arc's middle.
    func bent(tolerance: Double, rounds: Int = 4) -> (start: Double, end: Double, bow: Double)? {
        var curve: (start: Double, end: Double, bow: Double)?
        for _ in 0..<rounds {
            let last = curve
            // Normal equations of start, end and bow over the shapes 1 − t, t and 4t(1 − t).
            var m = [Double](repeating: 0, count: 12)
            for place in places {
                let t = place.along
                let shape = (1 - t, t, 4 * t * (1 - t))
                var weight = place.weight
                if let last {
                    let off =
                        place.across - last.start * shape.0 - last.end * shape.1
                        - last.bow * shape.2
                    weight /= 1 + off * off / (tolerance * tolerance)
                }
                for (i, a) in [shape.0, shape.1, shape.2].enumerated() {
                    m[4 * i] += weight * a * shape.0
                    m[4 * i + 1] += weight * a * shape.1
                    m[4 * i + 2] += weight * a * shape.2
                    m[4 * i + 3] += weight * a * place.across
                }
            }
            func determinant(_ a: Int, _ b: Int, _ c: Int) -> Double {
                m[a] * (m[4 + b] * m[8 + c] - m[4 + c] * m[8 + b])
                    - m[b] * (m[4 + a] * m[8 + c] - m[4 + c] * m[8 + a])
                    + m[c] * (m[4 + a] * m[8 + b] - m[4 + b] * m[8 + a])
            }
            let whole = determinant(0, 1, 2)
            guard whole.magnitude > 1e-12 else { return last }
            curve = (
                determinant(3, 1, 2) / whole, determinant(0, 3, 2) / whole,
                determinant(0, 1, 3) / whole
            )
        }
        return curve
    }

    /// The misfit of a line or arc: the weighted mean of Cauchy's loss, ln(1 + (distance ÷
    /// tolerance)²).
    func misfit(start: Double, end: Double, bow: Double) -> Double {
        var (sum, weights) = (0.0, 0.0)
        for place in places {
            let t = place.along
            let off = place.across - start * (1 - t) - end * t - bow * 4 * t * (1 - t)
            sum += place.weight * log1p(off * off / (tolerance * tolerance))
            weights += place.weight
        }
        return weights > 0 ? sum / weights : 0
    }

    private func pass(_ weight: (Place) -> Double) -> (start: Double, end: Double)? {
        var (w, x, y, xx, xy) = (0.0, 0.0, 0.0, 0.0, 0.0)
        for place in places {
            let k = weight(place)
            w += k
            x += k * place.along
            y += k * place.across
            xx += k * place.along * place.along
            xy += k * place.along * place.across
        }
        let spread = w * xx - x * x
        guard w > 0, spread > 1e-9 * w * w else { return nil }
        let slope = (w * xy - x * y) / spread
        let start = (y - slope * x) / w
        return (start, start + slope)
    }
}
