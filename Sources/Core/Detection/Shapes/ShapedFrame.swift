import Glibc
import Imaging

/// The frame of a requested shape among the nested frames of a card: the outermost that the picture
/// supports.
struct ShapedFrame {
    /// The long side over the short one of everything that is looked for.
    let shapes: [Double]
    /// Width and height of the whole picture, which determine the perspective.
    let width: Int
    let height: Int
    /// The area in pixels from which on a larger frame is worth more.
    let area: Double

    /// A quad with its support; more is better.
    struct Choice {
        var quad: Quad
        var score: Double
        /// The parts of the sides' places at which the picture steps, 0…1.
        var supports: [Double]
    }

    /// How far a shape may be off, and the penalty for it: corners are slightly wrong, and cards
    /// are cut slightly wrong.
    private static let tolerance = 0.045
    private static let misshape = 0.12
    /// The weight of doubling the area, in parts of full support of all sides.
    private static let larger = 0.7
    /// The part of an edge's places that must step for it to count at all; all of them count in
    /// full.
    private static let faint = 0.7
    /// How much the network alone supports a side where it saw it.
    private static let trust = 0.75
    /// How wide a border may be, in pixels of the laid picture, and the cost of sides that moved by
    /// this much more than others, or of a side that moved by twice as much.
    private static let widest = 24.0
    private static let unlike = 0.25
    private static let remote = 0.2
    /// More than size can add to the support of the sides: a quad with this much less support can't
    /// win.
    private static let reach = 0.9

    /// The best frame near a rectangle.
    ///
    /// - Parameters:
    ///   - picture: the rectangle turned upright, as ``LaidSides`` needs it.
    ///   - back: from its pixels to the whole picture's.
    /// - Returns: corners in pixels of the whole picture; nil where no four edges have the shape.
    func best(in picture: Raster, back: Homography) -> Choice? {
        let sides = LaidSides(picture).edges
        var best: Choice?
        for top in sides[0] {
            for right in sides[1] {
                for bottom in sides[2] {
                    for left in sides[3] {
                        let edges = [top, right, bottom, left]
                        let seen = Self.evidence(of: edges) - Self.cost(of: edges)
                        guard seen + Self.reach > best?.score ?? -.infinity,
                            let laid = LaidSides.quad(edges),
                            case let quad = back.apply(laid), let off = misfit(of: quad)
                        else { continue }
                        let size = Self.larger * log2(quad.area / area)
                        let score = seen + size - Self.misshape * off * off
                        if score > best?.score ?? -.infinity {
                            best = Choice(
                                quad: quad, score: score, supports: edges.map(\.support))
                        }
                    }
                }
            }
        }
        return best
    }

    /// The support of the edges, 0…1: the average, and the weakest.
    private static func evidence(of edges: [LaidSides.Edge]) -> Double {
        var (sum, least) = (0.0, 1.0)
        for edge in edges {
            let seen = max((edge.support - faint) / (1 - faint), edge.isSide ? trust : 0)
            sum += seen
            least = min(least, seen)
        }
        return (sum / Double(edges.count) + least) / 2
    }

    /// The penalty for edges away from the rectangle's sides: for moving by unequal amounts, or
    /// far.
    private static func cost(of edges: [LaidSides.Edge]) -> Double {
        let count = Double(edges.count)
        let mean = edges.reduce(0) { $0 + $1.outward } / count
        let variance = edges.reduce(0) { $0 + ($1.outward - mean) * ($1.outward - mean) } / count
        let far = edges.reduce(0) { $0 + max(0, $1.outward.magnitude - widest) }
        return (unlike * variance.squareRoot() + remote * far) / widest
    }

    /// How far a quad's shape is off, in parts of the tolerance; nil beyond it.
    private func misfit(of quad: Quad) -> Double? {
        // Slightly wrong corners mislead about the focal length more than cameras differ in it.
        let aspect = quad.trueAspectRatio(
            inPictureOf: width, by: height, focalLength: Quad.typicalFocalLength)
        guard let aspect else { return nil }
        let long = max(aspect, 1 / aspect)
        return shapes.map { (long / $0 - 1).magnitude / Self.tolerance }.filter { $0 <= 1 }.min()
    }
}
