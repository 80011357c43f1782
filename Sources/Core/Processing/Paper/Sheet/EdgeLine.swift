import Imaging

/// A straight line along one side of a sheet: `across = offset + slope × along`.
///
/// For the left and right sides `along` counts rows and `across` columns; for the top and bottom
/// sides the other way around.
struct EdgeLine {
    var offset: Double
    var slope: Double

    func across(at along: Double) -> Double { offset + slope * along }

    /// A place on an edge.
    struct Sample {
        var along: Double
        var across: Double
    }

    /// The line with the most samples within `tolerance`, fitted to these by least squares; nil if
    /// there are too few.
    ///
    /// Every pair among some forty samples along the edge proposes a line, so up to half of the
    /// samples may be dirt.
    static func fitted(to samples: [Sample], tolerance: Double, steepest: Double = 0.5)
        -> EdgeLine?
    {
        guard samples.count >= 4 else { return nil }
        let spread = Swift.stride(from: 0, to: samples.count, by: max(1, samples.count / 40))
            .map { samples[$0] }
        var best: (line: EdgeLine, count: Int)?
        for i in spread.indices {
            for j in spread.indices.dropFirst(i + 1) {
                let run = spread[j].along - spread[i].along
                guard run.magnitude >= 4 else { continue }
                let slope = (spread[j].across - spread[i].across) / run
                guard slope.magnitude <= steepest else { continue }
                let line = EdgeLine(
                    offset: spread[i].across - slope * spread[i].along, slope: slope)
                let count = spread.count { line.fits($0, tolerance) }
                if count > best?.count ?? 1 { best = (line, count) }
            }
        }
        guard let line = best?.line else { return nil }
        let inliers = samples.filter { line.fits($0, tolerance) }
        return leastSquares(inliers) ?? line
    }

    func fits(_ sample: Sample, _ tolerance: Double) -> Bool {
        (across(at: sample.along) - sample.across).magnitude <= tolerance
    }

    private static func leastSquares(_ samples: [Sample]) -> EdgeLine? {
        let count = Double(samples.count)
        guard count >= 2 else { return nil }
        let along = samples.reduce(0) { $0 + $1.along } / count
        let across = samples.reduce(0) { $0 + $1.across } / count
        let spread = samples.reduce(0) { $0 + ($1.along - along) * ($1.along - along) }
        guard spread > 0 else { return nil }
        let slope =
            samples.reduce(0) { $0 + ($1.along - along) * ($1.across - across) } / spread
        return EdgeLine(offset: across - slope * along, slope: slope)
    }

    /// The intersection of a line down the sheet (`across` is x) and a line across it (`across` is
    /// y).
    static func meeting(down: EdgeLine, across: EdgeLine) -> Point {
        // Solves x = a + b y and y = c + d x.
        let x = (down.offset + down.slope * across.offset) / (1 - down.slope * across.slope)
        return Point(x: x, y: across.across(at: x))
    }
}
